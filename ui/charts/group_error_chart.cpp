#include "ui/charts/group_error_chart.h"

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

constexpr double kMarkerSize = 8;
constexpr double kMarkerGap = 8;     ///< From the bars to the middle of their markers.
constexpr double kGroupNames = 198;  ///< Width of letter, name and count at the left.
constexpr double kCountGap = 20;     ///< Of the counts to the bars: for the markers.
constexpr double kGroupAxisHeight = 22;
constexpr double kGroupTop = 6;
constexpr double kGroupRight = 56;
constexpr double kTallestRow = 44;
constexpr double kThickestBar = 12;
constexpr double kLowestBar = 11;
constexpr double kGapOfRows = 6;
constexpr double kGroupLetter = 14;
constexpr int kTicks = 5;

/// A step of 1, 2 or 5 times a power of ten so that kTicks steps reach `value`.
double errorStep(double value) {
  const double raw = value / kTicks;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw) return factor * power;
  }
  return 10 * power;
}

}  // namespace

GroupErrorChart::GroupErrorChart(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Errors by group"));
}

void GroupErrorChart::setGroups(std::vector<analysis::PairSource> sources,
                                std::vector<analysis::ErrorGroup> groups,
                                analysis::Grouping grouping) {
  sources_ = std::move(sources);
  groups_ = std::move(groups);
  grouping_ = grouping;
  double largest = 0;
  for (const analysis::ErrorGroup& group : groups_) {
    for (const analysis::ClassError& error : group.errors) {
      if (error.n > 0) largest = std::max(largest, error.mape);
    }
  }
  step_ = errorStep(largest > 0 ? largest : 1);
  limit_ = std::ceil(std::max(largest, step_) / step_) * step_;
  focus_row_ = 0;
  updateGeometry();
  update();
}

void GroupErrorChart::setPicked(std::optional<std::string> key) {
  picked_ = std::move(key);
  update();
}

QSize GroupErrorChart::sizeHint() const {
  const auto rows = static_cast<double>(std::max<size_t>(2, groups_.size()));
  const double row = kGapOfRows + kThickestBar * static_cast<double>(sources_.size());
  return {420, static_cast<int>(kGroupTop + kGroupAxisHeight +
                                rows * std::clamp(row, 32.0, kTallestRow))};
}

QSize GroupErrorChart::minimumSizeHint() const {
  // Bars of all estimates with their numbers below each other.
  const auto rows = static_cast<double>(std::max<size_t>(2, groups_.size()));
  const double row =
      kGapOfRows + kLowestBar * static_cast<double>(std::max<size_t>(1, sources_.size()));
  return {240, static_cast<int>(kGroupTop + kGroupAxisHeight + rows * row)};
}

QRectF GroupErrorChart::plotArea() const {
  return {kGroupNames, kGroupTop, std::max(10.0, width() - kGroupNames - kGroupRight),
          height() - kGroupTop - kGroupAxisHeight};
}

double GroupErrorChart::rowHeight() const {
  if (groups_.empty()) return kTallestRow;
  return std::min(kTallestRow, plotArea().height() / static_cast<double>(groups_.size()));
}

std::optional<size_t> GroupErrorChart::rowAt(double y) const {
  const double row = (y - kGroupTop) / rowHeight();
  if (row < 0 || row >= static_cast<double>(groups_.size())) return std::nullopt;
  return static_cast<size_t>(row);
}

void GroupErrorChart::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().role(Role::kBase));
  if (groups_.empty()) {
    painter.setPen(theme().role(Role::kTextMuted));
    painter.drawText(rect(), Qt::AlignCenter, tr("No errors to show: the chart has no points."));
    return;
  }
  const QRectF plot = plotArea();
  paintAxis(painter, plot);
  for (size_t row = 0; row < groups_.size(); ++row) paintGroup(painter, row, plot);
  if (!hasFocus()) return;
  painter.setPen(theme().role(Role::kAccent));
  painter.drawRect(QRectF(1.5, kGroupTop + static_cast<double>(focus_row_) * rowHeight(),
                          width() - 4, rowHeight()));
}

void GroupErrorChart::paintAxis(QPainter& painter, const QRectF& plot) const {
  painter.setFont(smallFont());
  const double bottom = plot.top() + rowHeight() * static_cast<double>(groups_.size());
  for (int i = 0; i * step_ <= limit_ * 1.0001; ++i) {
    const double x = plot.left() + plot.width() * i * step_ / limit_;
    painter.setPen(theme().role(i == 0 ? Role::kBorder : Role::kGrid));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, bottom));
    painter.setPen(theme().role(Role::kTextMuted));
    painter.drawText(QRectF(x - 40, bottom + 2, 80, kGroupAxisHeight - 4), Qt::AlignCenter,
                     formatNumber(i * step_ * 100, step_ < 0.01 ? 1 : 0));
  }
}

void GroupErrorChart::paintName(QPainter& painter, const analysis::ErrorGroup& group,
                                const QRectF& line) const {
  const bool has_letter = grouping_ == analysis::Grouping::kOpClass;
  if (has_letter) {
    paintOpClassLetter(painter,
                       QRectF(8, line.center().y() - kGroupLetter / 2, kGroupLetter, kGroupLetter),
                       group.op_class);
  }
  painter.setFont(smallFont());
  painter.setPen(theme().role(Role::kTextMuted));
  const QString count = formatCount(static_cast<int64_t>(group.n));
  const double right = kGroupNames - kCountGap - painter.fontMetrics().horizontalAdvance(count);
  painter.drawText(QRectF(0, line.top(), kGroupNames - kCountGap, line.height()),
                   Qt::AlignRight | Qt::AlignVCenter, count);
  painter.setFont(uiFont());
  painter.setPen(theme().role(Role::kText));
  const QRectF place(has_letter ? 28 : 8, line.top(), right - (has_letter ? 36 : 16),
                     line.height());
  painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(textOf(group.key), Qt::ElideMiddle,
                                                    static_cast<int>(place.width())));
}

void GroupErrorChart::paintGroup(QPainter& painter, size_t row, const QRectF& plot) const {
  const analysis::ErrorGroup& group = groups_[row];
  const QRectF line(0, kGroupTop + static_cast<double>(row) * rowHeight(), width(), rowHeight());
  if (picked_ == group.key) painter.fillRect(line, theme().role(Role::kAccentSoft));
  painter.setOpacity(!picked_ || picked_ == group.key ? 1.0 : 0.4);
  paintName(painter, group, line);
  painter.setFont(smallFont());
  painter.setPen(theme().role(Role::kTextMuted));
  const auto count = static_cast<double>(sources_.size());
  const double thickness = std::min(kThickestBar, (line.height() - kGapOfRows) / count);
  double y = line.center().y() - thickness * count / 2;
  for (size_t i = 0; i < sources_.size(); ++i, y += thickness) {
    const analysis::ClassError& error = group.errors[i];
    if (error.n == 0) continue;
    const QRectF bar(plot.left(), y, plot.width() * error.mape / limit_, thickness - 1);
    painter.fillRect(bar, theme().series(seriesOf(sources_[i])));
    // Told apart without the colour: the marker of the legend stands before its bar.
    paintMarker(painter, seriesOf(sources_[i]), QPointF(plot.left() - kMarkerGap, bar.center().y()),
                std::min(kMarkerSize, thickness - 2));
    painter.setPen(theme().role(Role::kTextMuted));
    painter.drawText(QRectF(bar.right() + 4, y - 4, kGroupRight, thickness + 8),
                     Qt::AlignLeft | Qt::AlignVCenter, formatNumber(error.mape * 100, 1));
  }
  painter.setOpacity(1);
}

void GroupErrorChart::focusRow(size_t row) {
  focus_row_ = row;
  emit rowFocused(static_cast<int>(kGroupTop + (static_cast<double>(row) + 0.5) * rowHeight()));
  update();
}

void GroupErrorChart::pick(size_t row) {
  focus_row_ = row;
  const bool again = picked_ == groups_[row].key;
  setPicked(again ? std::nullopt : std::optional(groups_[row].key));
  emit groupPicked(picked_);
}

void GroupErrorChart::mousePressEvent(QMouseEvent* event) {
  const std::optional<size_t> row = rowAt(event->position().y());
  if (row && event->button() == Qt::LeftButton) pick(*row);
}

void GroupErrorChart::keyPressEvent(QKeyEvent* event) {
  if (groups_.empty()) return QWidget::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Up:
      return focusRow(focus_row_ > 0 ? focus_row_ - 1 : 0);
    case Qt::Key_Down:
      return focusRow(std::min(focus_row_ + 1, groups_.size() - 1));
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return pick(focus_row_);
    default:
      QWidget::keyPressEvent(event);
  }
}

bool GroupErrorChart::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const std::optional<size_t> row = rowAt(help->pos().y());
  QStringList lines;
  if (row) lines += textOf(groups_[*row].key);
  for (size_t i = 0; row && i < sources_.size(); ++i) {
    const analysis::ClassError& error = groups_[*row].errors[i];
    if (error.n == 0) continue;
    lines += tr("%1: MAPE %2 over %3 points")
                 .arg(textOf(analysis::info(sources_[i]).title), formatPercent(error.mape),
                      formatCount(static_cast<int64_t>(error.n)));
  }
  QToolTip::showText(help->globalPos(), lines.join('\n'), this);
  return true;
}

}  // namespace hloscope::ui
