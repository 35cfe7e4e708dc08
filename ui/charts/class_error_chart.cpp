#include "ui/charts/class_error_chart.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/charts/series_style.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/models/kernel_delegates.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"

namespace hloscope::ui {
namespace {

constexpr double kNames = 184;  ///< Width of letter, name and count at the left.
constexpr double kAxisHeight = 22;
constexpr double kTop = 6;
constexpr double kRight = 56;
constexpr double kTallestRow = 44;
constexpr double kThickestBar = 12;
constexpr double kLowestBar = 11;
constexpr double kGapOfRows = 6;
constexpr double kLetter = 14;
constexpr int kTicks = 5;

/// A step of 1, 2 or 5 times a power of ten so that kTicks steps reach `value`.
double niceStep(double value) {
  const double raw = value / kTicks;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw) return factor * power;
  }
  return 10 * power;
}

}  // namespace

ClassErrorChart::ClassErrorChart(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("MAPE by op class"));
}

void ClassErrorChart::setBars(std::vector<Bars> bars) {
  bars_ = std::move(bars);
  classes_.clear();
  double largest = 0;
  for (int i = 0; i < hlo::kOpClassCount; ++i) {
    bool any = false;
    for (const Bars& set : bars_) {
      const analysis::ClassError& error = set.errors[static_cast<size_t>(i)];
      any = any || error.n > 0;
      if (error.n > 0) largest = std::max(largest, error.mape);
    }
    if (any) classes_.push_back(static_cast<hlo::OpClass>(i));
  }
  step_ = niceStep(largest > 0 ? largest : 1);
  limit_ = std::ceil(std::max(largest, step_) / step_) * step_;
  focus_row_ = 0;
  updateGeometry();
  update();
}

void ClassErrorChart::setPicked(std::optional<hlo::OpClass> op_class) {
  picked_ = op_class;
  update();
}

QSize ClassErrorChart::sizeHint() const {
  const auto rows = static_cast<double>(std::max<size_t>(2, classes_.size()));
  return {420, static_cast<int>(kTop + kAxisHeight + rows * 32)};
}

QSize ClassErrorChart::minimumSizeHint() const {
  // Bars of all estimates with their numbers below each other.
  const auto rows = static_cast<double>(std::max<size_t>(2, classes_.size()));
  const double row =
      kGapOfRows + kLowestBar * static_cast<double>(std::max<size_t>(1, bars_.size()));
  return {240, static_cast<int>(kTop + kAxisHeight + rows * row)};
}

QRectF ClassErrorChart::plotArea() const {
  return {kNames, kTop, std::max(10.0, width() - kNames - kRight), height() - kTop - kAxisHeight};
}

double ClassErrorChart::rowHeight() const {
  if (classes_.empty()) return kTallestRow;
  return std::min(kTallestRow, plotArea().height() / static_cast<double>(classes_.size()));
}

std::optional<size_t> ClassErrorChart::rowAt(double y) const {
  const double row = (y - kTop) / rowHeight();
  if (row < 0 || row >= static_cast<double>(classes_.size())) return std::nullopt;
  return static_cast<size_t>(row);
}

void ClassErrorChart::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().role(Role::kBase));
  if (classes_.empty()) {
    painter.setPen(theme().role(Role::kTextMuted));
    painter.drawText(rect(), Qt::AlignCenter, tr("No points"));
    return;
  }
  const QRectF plot = plotArea();
  paintAxis(painter, plot);
  for (size_t row = 0; row < classes_.size(); ++row) paintClass(painter, row, plot);
  if (!hasFocus()) return;
  painter.setPen(theme().role(Role::kAccent));
  painter.drawRect(
      QRectF(1.5, kTop + static_cast<double>(focus_row_) * rowHeight(), width() - 4, rowHeight()));
}

void ClassErrorChart::paintAxis(QPainter& painter, const QRectF& plot) const {
  painter.setFont(smallFont());
  const double bottom = plot.top() + rowHeight() * static_cast<double>(classes_.size());
  for (int i = 0; i * step_ <= limit_ * 1.0001; ++i) {
    const double x = plot.left() + plot.width() * i * step_ / limit_;
    painter.setPen(theme().role(i == 0 ? Role::kBorder : Role::kGrid));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, bottom));
    painter.setPen(theme().role(Role::kTextMuted));
    painter.drawText(QRectF(x - 40, bottom + 2, 80, kAxisHeight - 4), Qt::AlignCenter,
                     formatNumber(i * step_ * 100, step_ < 0.01 ? 1 : 0));
  }
}

void ClassErrorChart::paintClass(QPainter& painter, size_t row, const QRectF& plot) const {
  const hlo::OpClass op_class = classes_[row];
  const QRectF line(0, kTop + static_cast<double>(row) * rowHeight(), width(), rowHeight());
  if (picked_ == op_class) painter.fillRect(line, theme().role(Role::kAccentSoft));
  painter.setOpacity(!picked_ || picked_ == op_class ? 1.0 : 0.4);
  const double middle = line.center().y();
  paintOpClassLetter(painter, QRectF(8, middle - kLetter / 2, kLetter, kLetter), op_class);
  painter.setFont(uiFont());
  painter.setPen(theme().role(Role::kText));
  painter.drawText(line.adjusted(28, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                   textOf(hlo::name(op_class)));
  size_t most = 0;
  for (const Bars& set : bars_) most = std::max(most, set.errors[size_t(op_class)].n);
  painter.setFont(smallFont());
  painter.setPen(theme().role(Role::kTextMuted));
  painter.drawText(QRectF(0, line.top(), kNames - 8, line.height()),
                   Qt::AlignRight | Qt::AlignVCenter, formatCount(static_cast<int64_t>(most)));
  const auto count = static_cast<double>(bars_.size());
  const double thickness = std::min(kThickestBar, (line.height() - kGapOfRows) / count);
  double y = middle - thickness * count / 2;
  for (const Bars& set : bars_) {
    const analysis::ClassError& error = set.errors[size_t(op_class)];
    if (error.n > 0) {
      const QRectF bar(plot.left(), y, plot.width() * error.mape / limit_, thickness - 1);
      painter.fillRect(bar, theme().series(seriesOf(set.source)));
      painter.drawText(QRectF(bar.right() + 4, y - 4, kRight, thickness + 8),
                       Qt::AlignLeft | Qt::AlignVCenter, formatNumber(error.mape * 100, 1));
    }
    y += thickness;
  }
  painter.setOpacity(1);
}

void ClassErrorChart::pick(size_t row) {
  focus_row_ = row;
  const bool again = picked_ == classes_[row];
  setPicked(again ? std::nullopt : std::optional(classes_[row]));
  emit classPicked(picked_);
}

void ClassErrorChart::mousePressEvent(QMouseEvent* event) {
  const std::optional<size_t> row = rowAt(event->position().y());
  if (row && event->button() == Qt::LeftButton) pick(*row);
}

void ClassErrorChart::keyPressEvent(QKeyEvent* event) {
  if (classes_.empty()) return QWidget::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Up:
      focus_row_ = focus_row_ > 0 ? focus_row_ - 1 : 0;
      return update();
    case Qt::Key_Down:
      focus_row_ = std::min(focus_row_ + 1, classes_.size() - 1);
      return update();
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return pick(focus_row_);
    default:
      QWidget::keyPressEvent(event);
  }
}

bool ClassErrorChart::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const std::optional<size_t> row = rowAt(help->pos().y());
  QStringList lines;
  for (const Bars& set : bars_) {
    if (!row) break;
    const analysis::ClassError& error = set.errors[size_t(classes_[*row])];
    lines += tr("%1: MAPE %2 over %3 points")
                 .arg(textOf(analysis::info(set.source).title), formatPercent(error.mape),
                      formatCount(static_cast<int64_t>(error.n)));
  }
  QToolTip::showText(help->globalPos(), lines.join('\n'), this);
  return true;
}

}  // namespace hloscope::ui
