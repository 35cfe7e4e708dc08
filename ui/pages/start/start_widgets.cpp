#include "ui/pages/start/start_widgets.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QToolButton>

#include "ui/theme/draw.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {

namespace {

QColor hoverTint(const QColor& base) {
  return mixed(base, theme().role(Role::kText), 0.04);
}

void drawElided(QPainter& painter, const QRect& rect, const QString& text) {
  painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(text, Qt::ElideRight, rect.width()));
}

/// A bold line above a small grey one, both in the middle of `rect`.
void drawTwoLines(QPainter& painter, const QRect& rect, const QString& title, const QString& note) {
  constexpr int kLine = 17;
  const QRect upper(rect.left(), rect.center().y() - kLine + 1, rect.width(), kLine);
  painter.setFont(boldFont());
  painter.setPen(theme().role(Role::kText));
  drawElided(painter, upper, title);
  painter.setFont(smallFont());
  painter.setPen(theme().role(Role::kTextMuted));
  drawElided(painter, upper.translated(0, kLine), note);
}

}  // namespace

ActionCard::ActionCard(const Content& content, QWidget* parent)
    : QAbstractButton(parent), content_(content) {
  setText(content.title);
  setAccessibleName(content.title);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAttribute(Qt::WA_Hover);
}

void ActionCard::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  ControlFrame frame;
  frame.fill = theme().role(content_.is_primary ? Role::kAccentSoft : Role::kRaised);
  if (underMouse()) frame.fill = hoverTint(frame.fill);
  const bool accent = content_.is_primary || hasFocus();
  frame.border = theme().role(accent ? Role::kAccent : Role::kControlBorder);
  frame.focus_ring = hasFocus();
  drawControlFrame(painter, rect(), frame);
  ui::icon(content_.icon, Role::kAccent).paint(&painter, QRect(16, (height() - 22) / 2, 22, 22));
  painter.setFont(smallFont());
  const int cap_width = painter.fontMetrics().horizontalAdvance(content_.key) + 12;
  const QRect cap(width() - cap_width - 14, (height() - 19) / 2, cap_width, 19);
  ControlFrame key;
  key.fill = theme().role(Role::kBase);
  key.border = theme().role(Role::kControlBorder);
  drawControlFrame(painter, cap, key);
  painter.setPen(theme().role(Role::kTextMuted));
  painter.drawText(cap, Qt::AlignCenter, content_.key);
  drawTwoLines(painter, QRect(52, 0, cap.left() - 60, height()), content_.title, content_.note);
}

SampleRow::SampleRow(const SampleEntry& sample, QWidget* parent)
    : QAbstractButton(parent), sample_(sample) {
  setText(sample.title);
  setAccessibleName(sample.title + ", " + sample.note);
  setToolTip(sample.path);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAttribute(Qt::WA_Hover);
}

void SampleRow::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const QColor base = theme().role(Role::kBase);
  painter.fillRect(rect(), underMouse() ? theme().role(Role::kAccentSoft) : base);
  painter.setPen(theme().role(Role::kBorderSoft));
  painter.drawLine(rect().bottomLeft(), rect().bottomRight());
  if (hasFocus()) {
    painter.setPen(theme().role(Role::kAccent));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
  ui::icon(Icon::kFile).paint(&painter, QRect(10, (height() - 16) / 2, 16, 16));
  const QString size = formatBytes(static_cast<double>(sample_.bytes));
  painter.setFont(smallFont());
  const int size_width = painter.fontMetrics().horizontalAdvance(size);
  const QRect size_rect(width() - size_width - 10, 0, size_width, height());
  painter.setPen(theme().role(Role::kTextMuted));
  painter.drawText(size_rect, Qt::AlignVCenter | Qt::AlignRight, size);
  drawTwoLines(painter, QRect(36, 0, size_rect.left() - 46, height()), sample_.title, sample_.note);
}

DropZone::DropZone(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void DropZone::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme().role(Role::kControlBorder), 1.4, Qt::DashLine));
  painter.setBrush(theme().role(Role::kRaised));
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 3, 3);
  const int middle = height() / 2;
  icon(Icon::kFolder).paint(&painter, QRect(width() / 2 - 12, middle - 40, 24, 24));
  painter.setFont(uiFont());
  painter.setPen(theme().role(Role::kText));
  painter.drawText(QRect(0, middle - 10, width(), 20), Qt::AlignCenter,
                   tr("Drop files here, or anywhere in the window"));
  painter.setFont(smallFont());
  painter.setPen(theme().role(Role::kTextMuted));
  painter.drawText(QRect(0, middle + 14, width(), 18), Qt::AlignCenter,
                   tr("HLO text · HloProto · HloSnapshot · tuning data · each also as .gz"));
}

CopyLine::CopyLine(const QString& text, QWidget* parent) : QWidget(parent) {
  auto* edit = new QLineEdit(text);
  edit->setReadOnly(true);
  edit->setFont(monoFont());
  edit->setCursorPosition(0);
  edit->setToolTip(text);
  auto* button = new QToolButton;
  button->setIcon(ui::icon(Icon::kCopy));
  button->setAutoRaise(true);
  button->setToolTip(tr("Copy"));
  button->setAccessibleName(tr("Copy %1").arg(text));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  layout->addWidget(edit, 1);
  layout->addWidget(button);
  connect(button, &QToolButton::clicked, this, [this, text] {
    QApplication::clipboard()->setText(text);
    emit copied(text);
  });
}

}  // namespace hloscope::ui
