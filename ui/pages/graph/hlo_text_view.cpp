#include "ui/pages/graph/hlo_text_view.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "ui/models/kernel_cell_text.h"
#include "ui/pages/graph/hlo_highlight.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

constexpr int kPadding = 6;
constexpr double kLineSpacing = 1.25;

QColor tokenColor(HloToken token) {
  switch (token) {
    case HloToken::kShape:
      return theme().opClass(hlo::OpClass::kElementwise);
    case HloToken::kOpcode:
      return theme().opClass(hlo::OpClass::kReduction);
    case HloToken::kNumber:
      return theme().role(Role::kAccent);
    case HloToken::kText:
      return theme().role(Role::kWarn);
    case HloToken::kComment:
      return theme().role(Role::kTextFaint);
    default:
      return theme().role(Role::kText);
  }
}

}  // namespace

HloTextView::HloTextView(QWidget* parent) : QAbstractScrollArea(parent) {
  setFont(monoFont());
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(QStringLiteral("HLO text"));
  viewport()->setBackgroundRole(QPalette::Base);
  viewport()->setAutoFillBackground(true);
  viewport()->setCursor(Qt::IBeamCursor);
}

void HloTextView::setLines(std::vector<Line> lines, std::shared_ptr<const void> owner) {
  lines_ = std::move(lines);
  owner_ = std::move(owner);
  longest_ = 0;
  largest_number_ = 0;
  for (const Line& line : lines_) {
    longest_ = std::max(longest_, line.text.size());
    largest_number_ = std::max(largest_number_, line.number);
  }
  marked_ = anchor_ = current_ = -1;
  updateScrollBars();
  verticalScrollBar()->setValue(0);
  horizontalScrollBar()->setValue(0);
  viewport()->update();
}

void HloTextView::setMarkedLine(int line) {
  marked_ = line;
  if (line >= 0) {
    const int page = verticalScrollBar()->pageStep();
    const int top = verticalScrollBar()->value();
    if (line < top || line >= top + page) verticalScrollBar()->setValue(line - page / 2);
  }
  viewport()->update();
}

int HloTextView::lineHeight() const {
  return static_cast<int>(std::ceil(fontMetrics().height() * kLineSpacing));
}

int HloTextView::gutterWidth() const {
  if (largest_number_ == 0) return kPadding;
  return fontMetrics().horizontalAdvance(QString::number(largest_number_)) + 2 * kPadding;
}

void HloTextView::updateScrollBars() {
  const int page = std::max(1, viewport()->height() / lineHeight());
  verticalScrollBar()->setPageStep(page);
  verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(lines_.size()) - page));
  const int advance = fontMetrics().horizontalAdvance('x');
  const auto width =
      static_cast<int>(std::min<size_t>(longest_ * static_cast<size_t>(advance), INT32_MAX / 2));
  const int visible = std::max(1, viewport()->width() - gutterWidth() - kPadding);
  horizontalScrollBar()->setPageStep(visible);
  horizontalScrollBar()->setSingleStep(4 * advance);
  horizontalScrollBar()->setRange(0, std::max(0, width - visible));
}

void HloTextView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(viewport());
  if (lines_.empty()) {
    constexpr int kMargin = 16;
    painter.setFont(uiFont());
    painter.setPen(theme().role(Role::kTextMuted));
    painter.drawText(viewport()->rect().adjusted(kMargin, kMargin, -kMargin, -kMargin),
                     Qt::AlignCenter | Qt::TextWordWrap,
                     tr("The text of a kernel stands here. Select one in the graph, the program "
                        "tree or the list of kernels."));
    return;
  }
  const int height = lineHeight();
  const int first = verticalScrollBar()->value();
  const int last =
      std::min(first + viewport()->height() / height + 1, static_cast<int>(lines_.size()) - 1);
  for (int line = first; line <= last; ++line) paintLine(painter, line, (line - first) * height);
}

void HloTextView::paintLine(QPainter& painter, int line, int y) const {
  const Line& content = lines_[static_cast<size_t>(line)];
  const QRect row(0, y, viewport()->width(), lineHeight());
  if (isSelected(line) || line == marked_) {
    painter.fillRect(row, theme().role(isSelected(line) ? Role::kAccentSoft : Role::kHeader));
  }
  const int gutter = gutterWidth();
  if (content.number != 0) {
    painter.setPen(theme().role(Role::kTextFaint));
    painter.drawText(QRect(0, y, gutter - kPadding, row.height()),
                     Qt::AlignRight | Qt::AlignVCenter, QString::number(content.number));
  }
  painter.setClipRect(row.adjusted(gutter, 0, 0, 0));
  int x = gutter - horizontalScrollBar()->value();
  // Colouring costs time by length; what lies right of the view is not looked at.
  const int advance = std::max(1, fontMetrics().horizontalAdvance('x'));
  const int columns = std::max(0, viewport()->width() - x) / advance + 1;
  for (const HloSpan& span : highlight(content.text.substr(0, static_cast<size_t>(columns)))) {
    const QString text = textOf(content.text.substr(span.begin, span.length));
    painter.setPen(tokenColor(span.token));
    painter.drawText(QRect(x, y, row.width() * 2 + 1, row.height()),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
    x += fontMetrics().horizontalAdvance(text);
  }
  painter.setClipping(false);
}

void HloTextView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  updateScrollBars();
}

void HloTextView::changeEvent(QEvent* event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) viewport()->update();
}

int HloTextView::lineAt(int y) const {
  if (lines_.empty()) return -1;
  return std::clamp(verticalScrollBar()->value() + y / lineHeight(), 0,
                    static_cast<int>(lines_.size()) - 1);
}

bool HloTextView::isSelected(int line) const {
  return anchor_ >= 0 && line >= std::min(anchor_, current_) && line <= std::max(anchor_, current_);
}

void HloTextView::moveTo(int line, bool extend) {
  if (lines_.empty()) return;
  current_ = std::clamp(line, 0, static_cast<int>(lines_.size()) - 1);
  if (!extend || anchor_ < 0) anchor_ = current_;
  const int page = verticalScrollBar()->pageStep();
  const int top = verticalScrollBar()->value();
  if (current_ < top) verticalScrollBar()->setValue(current_);
  if (current_ >= top + page) verticalScrollBar()->setValue(current_ - page + 1);
  viewport()->update();
}

void HloTextView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  moveTo(lineAt(event->pos().y()), event->modifiers() & Qt::ShiftModifier);
}

void HloTextView::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() & Qt::LeftButton) moveTo(lineAt(event->pos().y()), true);
}

void HloTextView::keyPressEvent(QKeyEvent* event) {
  const bool extend = event->modifiers() & Qt::ShiftModifier;
  const int page = verticalScrollBar()->pageStep();
  const int last = static_cast<int>(lines_.size()) - 1;
  if (event->matches(QKeySequence::Copy)) return copy();
  if (event->matches(QKeySequence::SelectAll)) {
    moveTo(0, false);
    return moveTo(last, true);
  }
  switch (event->key()) {
    case Qt::Key_Up:
      return moveTo(current_ - 1, extend);
    case Qt::Key_Down:
      return moveTo(current_ + 1, extend);
    case Qt::Key_PageUp:
      return moveTo(current_ - page, extend);
    case Qt::Key_PageDown:
      return moveTo(current_ + page, extend);
    case Qt::Key_Home:
      return moveTo(0, extend);
    case Qt::Key_End:
      return moveTo(last, extend);
    default:
      QAbstractScrollArea::keyPressEvent(event);
  }
}

void HloTextView::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  menu.addAction(QStringLiteral("Copy"), QKeySequence::Copy, this, &HloTextView::copy);
  menu.addAction(QStringLiteral("Select all"), QKeySequence::SelectAll, this, [this] {
    moveTo(0, false);
    moveTo(static_cast<int>(lines_.size()) - 1, true);
  });
  menu.exec(event->globalPos());
}

QString HloTextView::selectedText() const {
  QString text;
  for (int line = 0; line < static_cast<int>(lines_.size()); ++line) {
    if (anchor_ >= 0 && !isSelected(line)) continue;
    text += textOf(lines_[static_cast<size_t>(line)].text) + '\n';
  }
  return text;
}

void HloTextView::copy() const {
  QApplication::clipboard()->setText(selectedText());
}

}  // namespace hloscope::ui
