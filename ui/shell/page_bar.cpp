#include "ui/shell/page_bar.h"

#include <QButtonGroup>
#include <QLayout>
#include <QPainter>

#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {

namespace {

constexpr int kBarWidth = 64;
constexpr int kEntryHeight = 56;
constexpr int kPageIcon = 20;
constexpr int kAccentBar = 3;

class Entry : public QToolButton {
 public:
  Entry(const QString& title, const QIcon& icon) {
    setText(title);
    setIcon(icon);
    setFont(smallFont());
    setCheckable(true);
    setFixedSize(kBarWidth - 1, kEntryHeight);
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(title);
  }

 protected:
  void paintEvent(QPaintEvent* /*event*/) override {
    QPainter painter(this);
    if (isChecked()) {
      painter.fillRect(rect(), theme().role(Role::kAccentSoft));
      painter.fillRect(QRect(0, 0, kAccentBar, height()), theme().role(Role::kAccent));
    } else if (underMouse()) {
      painter.fillRect(rect(), mixed(theme().role(Role::kWindow), theme().role(Role::kText), 0.05));
    }
    if (hasFocus()) {
      painter.setPen(theme().role(Role::kAccent));
      painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
    const QRect icon_rect((width() + kAccentBar - kPageIcon) / 2, 9, kPageIcon, kPageIcon);
    icon().paint(&painter, icon_rect, Qt::AlignCenter, QIcon::Normal,
                 isChecked() ? QIcon::On : QIcon::Off);
    QFont label = font();
    if (isChecked()) label.setWeight(QFont::DemiBold);
    painter.setFont(label);
    painter.setPen(theme().role(isChecked() ? Role::kOnAccentSoft : Role::kTextMuted));
    painter.drawText(QRect(kAccentBar, 32, width() - kAccentBar, 18), Qt::AlignCenter, text());
  }
};

}  // namespace

PageBar::PageBar(QWidget* parent) : QToolBar(tr("Pages"), parent), group_(new QButtonGroup(this)) {
  setObjectName(QStringLiteral("page_bar"));
  setMovable(false);
  setFloatable(false);
  setOrientation(Qt::Vertical);
  setFixedWidth(kBarWidth);
  setContextMenuPolicy(Qt::PreventContextMenu);
  layout()->setContentsMargins(0, 0, 1, 0);
  layout()->setSpacing(0);
  connect(group_, &QButtonGroup::idClicked, this, &PageBar::activated);
}

void PageBar::addEntry(const QString& title, const QIcon& icon, const QString& tool_tip) {
  auto* entry = new Entry(title, icon);
  entry->setToolTip(tool_tip);
  group_->addButton(entry, static_cast<int>(group_->buttons().size()));
  addWidget(entry);
}

void PageBar::setCurrent(int index) {
  if (auto* button = group_->button(index)) button->setChecked(true);
}

}  // namespace hloscope::ui
