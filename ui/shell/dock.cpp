#include "ui/shell/dock.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include "ui/theme/elided_label.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/panel.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {

namespace {

constexpr int kTitleHeight = 24;

class TitleBar : public QWidget {
 public:
  using QWidget::QWidget;

 protected:
  void paintEvent(QPaintEvent* /*event*/) override {
    QPainter painter(this);
    painter.fillRect(rect(), theme().role(Role::kHeader));
    painter.setPen(theme().role(Role::kBorder));
    painter.drawLine(rect().topLeft(), rect().topRight());
    painter.drawLine(rect().bottomLeft(), rect().bottomRight());
  }
};

QToolButton* titleButton(Icon name, const QString& text) {
  auto* button = new QToolButton;
  button->setIcon(icon(name));
  button->setIconSize(QSize(12, 12));
  button->setFixedSize(20, 20);
  button->setAutoRaise(true);
  button->setToolTip(text);
  button->setAccessibleName(text);
  return button;
}

}  // namespace

Dock::Dock(const QString& id, const QString& title, QWidget* content, QWidget* parent)
    : QDockWidget(title, parent) {
  setObjectName(id);
  setWidget(content);
  setTitleBarWidget(makeTitleBar(title, content));
}

QWidget* Dock::makeTitleBar(const QString& title, QWidget* content) {
  auto* bar = new TitleBar;
  bar->setFixedHeight(kTitleHeight);
  auto* heading = new QLabel(title);
  heading->setFont(boldFont());
  auto* context = new ElidedLabel(nullptr, Role::kTextMuted);
  context->setFont(smallFont());
  context->setWholeText(content->windowTitle());
  connect(content, &QWidget::windowTitleChanged, context, &ElidedLabel::setWholeText);
  QToolButton* float_button = titleButton(Icon::kFloat, tr("Float or dock this panel"));
  QToolButton* close_button = titleButton(Icon::kClose, tr("Close this panel"));
  connect(float_button, &QToolButton::clicked, this, [this] { setFloating(!isFloating()); });
  connect(close_button, &QToolButton::clicked, this, &QDockWidget::close);
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(8, 0, 2, 0);
  layout->setSpacing(2);
  layout->addWidget(heading);
  layout->addSpacing(6);
  layout->addWidget(context, 1);
  layout->addWidget(float_button);
  layout->addWidget(close_button);
  return bar;
}

}  // namespace hloscope::ui
