#include "ui/charts/tile_heat_map.h"

#include <algorithm>
#include <cmath>

#include "ui/charts/unit_style.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

constexpr double kLeft = 64;
constexpr double kMapTop = 10;
constexpr double kMapRight = 70;
constexpr double kMapBottom = 44;
constexpr double kTextWidth = 40;  ///< Cells that are smaller have no text.
constexpr double kTextHeight = 15;
constexpr double kLeastPitch = 3;  ///< Of cells with a line between.
constexpr double kLeastSide = 2;

std::vector<float> distinct(std::vector<float> values) {
  std::erase_if(values, [](float value) { return std::isnan(value); });
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

size_t place(const std::vector<float>& values, float value) {
  return static_cast<size_t>(std::lower_bound(values.begin(), values.end(), value) -
                             values.begin());
}

}  // namespace

TileHeatMap::TileHeatMap(QWidget* parent) : PlotWidget(parent) {
  setAccessibleName(tr("Best time by tile"));
}

void TileHeatMap::setTrials(const QString& x_title, const std::vector<float>& x,
                            const QString& y_title, const std::vector<float>& y,
                            const std::vector<double>& time_ns,
                            const std::vector<uint8_t>& is_estimate) {
  x_title_ = x_title;
  y_title_ = y_title;
  x_values_ = distinct(x);
  y_values_ = distinct(y);
  cells_.clear();
  for (uint32_t i = 0; i < time_ns.size(); ++i) {
    if (std::isnan(time_ns[i]) || std::isnan(x[i]) || std::isnan(y[i])) continue;
    const size_t index = place(y_values_, y[i]) * x_values_.size() + place(x_values_, x[i]);
    cells_.push_back({index, {time_ns[i], i, 1, is_estimate[i] != 0}});
  }
  mergeCells();
  if (focus_ && *focus_ >= x_values_.size() * y_values_.size()) focus_.reset();
  update();
}

void TileHeatMap::mergeCells() {
  std::ranges::stable_sort(cells_, {}, &Placed::index);
  size_t count = 0;
  low_ns_ = HUGE_VAL;
  high_ns_ = 0;
  for (size_t i = 0; i < cells_.size();) {
    Placed merged = cells_[i];
    for (++i; i < cells_.size() && cells_[i].index == merged.index; ++i) {
      const uint32_t trials = merged.cell.trials + 1;
      if (cells_[i].cell.best_ns < merged.cell.best_ns) merged.cell = cells_[i].cell;
      merged.cell.trials = trials;
    }
    low_ns_ = std::min(low_ns_, merged.cell.best_ns);
    high_ns_ = std::max(high_ns_, merged.cell.best_ns);
    cells_[count++] = merged;
  }
  cells_.resize(count);
}

const TileHeatMap::Cell* TileHeatMap::cell(size_t column, size_t row) const {
  return find(row * x_values_.size() + column);
}

const TileHeatMap::Cell* TileHeatMap::find(size_t index) const {
  const auto at = std::ranges::lower_bound(cells_, index, {}, &Placed::index);
  return at == cells_.end() || at->index != index ? nullptr : &at->cell;
}

QRectF TileHeatMap::plot() const {
  return QRectF(rect()).adjusted(kLeft, kMapTop, -kMapRight, -kMapBottom);
}

QRectF TileHeatMap::cellRect(size_t index) const {
  const QRectF area = plot();
  const double width = area.width() / static_cast<double>(x_values_.size());
  const double height = area.height() / static_cast<double>(y_values_.size());
  const auto column = static_cast<double>(index % x_values_.size());
  const auto row = static_cast<double>(index / x_values_.size());
  // Small sizes below, as on any chart.
  return {area.left() + column * width, area.bottom() - (row + 1) * height, width, height};
}

std::optional<size_t> TileHeatMap::cellAt(const QPointF& position) const {
  const QRectF area = plot();
  if (x_values_.empty() || y_values_.empty() || !area.contains(position)) return std::nullopt;
  const auto columns = static_cast<double>(x_values_.size());
  const auto rows = static_cast<double>(y_values_.size());
  const auto column = static_cast<size_t>(
      std::min(columns - 1, (position.x() - area.left()) / area.width() * columns));
  const auto row = static_cast<size_t>(
      std::min(rows - 1, (area.bottom() - position.y()) / area.height() * rows));
  return row * x_values_.size() + column;
}

double TileHeatMap::heatOf(double time_ns) const {
  if (!(high_ns_ > low_ns_)) return 0;
  return std::log(time_ns / low_ns_) / std::log(high_ns_ / low_ns_);
}

void TileHeatMap::paintPlot(QPainter& painter) {
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setFont(smallFont());
  paintGrid(painter);
  for (const Placed& placed : cells_) paintCell(painter, placed);
  paintLabels(painter);
  paintScale(painter);
  if (!focus_) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().role(Role::kAccent), 2));
  painter.drawRect(cellRect(*focus_).adjusted(1, 1, -1, -1));
}

void TileHeatMap::paintGrid(QPainter& painter) const {
  if (x_values_.empty() || y_values_.empty()) return;
  const QRectF area = plot();
  painter.fillRect(area, theme().role(Role::kCanvas));
  const QColor line = theme().role(Role::kBase);
  const double width = area.width() / static_cast<double>(x_values_.size());
  const double height = area.height() / static_cast<double>(y_values_.size());
  // Lines that are closer would be all that is seen.
  for (size_t i = 0; width >= kLeastPitch && i <= x_values_.size(); ++i) {
    const double x = area.left() + static_cast<double>(i) * width;
    painter.fillRect(QRectF(x - 0.5, area.top(), 1, area.height()), line);
  }
  for (size_t i = 0; height >= kLeastPitch && i <= y_values_.size(); ++i) {
    const double y = area.bottom() - static_cast<double>(i) * height;
    painter.fillRect(QRectF(area.left(), y - 0.5, area.width(), 1), line);
  }
}

void TileHeatMap::paintCell(QPainter& painter, const Placed& placed) const {
  const Cell& cell = placed.cell;
  QRectF box = cellRect(placed.index).adjusted(0.5, 0.5, -0.5, -0.5);
  // Among thousands of sizes it is still seen.
  if (box.width() < kLeastSide) box.setWidth(kLeastSide);
  if (box.height() < kLeastSide) box.setTop(box.bottom() - kLeastSide);
  const QColor color = theme().heat(heatOf(cell.best_ns));
  painter.fillRect(box, color);
  if (box.width() < kTextWidth || box.height() < kTextHeight) return;
  painter.setPen(inkOn(color));
  const QString text =
      (cell.is_estimate ? QStringLiteral("≈") : QString()) + formatTimeUs(cell.best_ns);
  const bool two_lines = box.height() >= 2 * kTextHeight;
  painter.drawText(box, Qt::AlignCenter,
                   two_lines ? text + QStringLiteral("\n× ") + formatCount(cell.trials) : text);
}

void TileHeatMap::paintLabels(QPainter& painter) const {
  const QRectF area = plot();
  painter.setPen(theme().role(Role::kTextMuted));
  const auto step = [](double pitch, double least) {
    return std::max<size_t>(1, static_cast<size_t>(std::ceil(least / pitch)));
  };
  const double width = area.width() / static_cast<double>(std::max<size_t>(1, x_values_.size()));
  for (size_t i = 0; i < x_values_.size(); i += step(width, 30)) {
    const double x = area.left() + (static_cast<double>(i) + 0.5) * width;
    painter.drawText(QRectF(x - 40, area.bottom() + 4, 80, 15), Qt::AlignCenter,
                     formatCount(static_cast<int64_t>(x_values_[i])));
  }
  const double height = area.height() / static_cast<double>(std::max<size_t>(1, y_values_.size()));
  for (size_t i = 0; i < y_values_.size(); i += step(height, 15)) {
    const double y = area.bottom() - (static_cast<double>(i) + 0.5) * height;
    painter.drawText(QRectF(area.left() - 46, y - 8, 40, 16), Qt::AlignRight | Qt::AlignVCenter,
                     formatCount(static_cast<int64_t>(y_values_[i])));
  }
  painter.drawText(QRectF(area.left(), area.bottom() + 22, area.width(), 16), Qt::AlignCenter,
                   x_title_);
  painter.save();
  painter.translate(4, area.center().y());
  painter.rotate(-90);
  painter.drawText(QRectF(-area.height() / 2, 0, area.height(), 16), Qt::AlignCenter, y_title_);
  painter.restore();
}

void TileHeatMap::paintScale(QPainter& painter) const {
  if (!(high_ns_ > 0)) return;
  const QRectF area = plot();
  const QRectF bar(area.right() + 10, area.top() + 16, 12, area.height() - 32);
  for (int y = 0; y < static_cast<int>(bar.height()); ++y) {
    painter.fillRect(QRectF(bar.left(), bar.bottom() - y - 1, bar.width(), 1),
                     theme().heat(y / bar.height()));
  }
  painter.setPen(theme().role(Role::kTextMuted));
  painter.drawText(QRectF(bar.left() - 6, bar.top() - 18, 66, 16), Qt::AlignLeft,
                   tr("%1 µs").arg(formatTimeUs(high_ns_)));
  painter.drawText(QRectF(bar.left() - 6, bar.bottom() + 3, 66, 16), Qt::AlignLeft,
                   tr("%1 µs").arg(formatTimeUs(low_ns_)));
}

QString TileHeatMap::toolTipAt(const QPointF& position) const {
  const std::optional<size_t> index = cellAt(position);
  if (!index) return {};
  const Cell* cell = find(*index);
  const QString sizes =
      tr("%1 = %2, %3 = %4")
          .arg(x_title_, formatCount(static_cast<int64_t>(x_values_[*index % x_values_.size()])),
               y_title_, formatCount(static_cast<int64_t>(y_values_[*index / x_values_.size()])));
  if (cell == nullptr) return tr("%1\nnot tried").arg(sizes);
  return tr("%1\nbest %2%3, trial %4\n%5 trials")
      .arg(sizes, cell->is_estimate ? QStringLiteral("≈ ") : QString(), formatTime(cell->best_ns),
           formatCount(cell->best_trial), formatCount(cell->trials));
}

void TileHeatMap::clickAt(const QPointF& position) {
  focus_ = cellAt(position);
  update();
  const Cell* cell = focus_ ? find(*focus_) : nullptr;
  if (cell != nullptr) emit trialClicked(static_cast<int>(cell->best_trial));
}

void TileHeatMap::activateAt(const QPointF& position) {
  focus_ = cellAt(position);
  activateCurrent();
}

void TileHeatMap::activateCurrent() {
  const Cell* cell = focus_ ? find(*focus_) : nullptr;
  if (cell != nullptr) emit trialActivated(static_cast<int>(cell->best_trial));
}

void TileHeatMap::walk(int step) {
  // The next one that was tried.
  const auto at = std::ranges::lower_bound(cells_, focus_.value_or(0), {}, &Placed::index);
  auto next = at - cells_.begin();
  if (!focus_) {
    next = step > 0 ? 0 : std::ssize(cells_) - 1;
  } else if (step < 0) {
    --next;
  } else if (at != cells_.end() && at->index == *focus_) {
    ++next;
  }
  if (next < 0 || next >= std::ssize(cells_)) return;
  const Placed& placed = cells_[static_cast<size_t>(next)];
  focus_ = placed.index;
  update();
  emit trialClicked(static_cast<int>(placed.cell.best_trial));
}

QString TileHeatMap::csv() const {
  QString text = QStringLiteral("%1,%2,best_us,trials\n").arg(x_title_, y_title_);
  for (const auto& [index, cell] : cells_) {
    text += QStringLiteral("%1,%2,%3,%4\n")
                .arg(double{x_values_[index % x_values_.size()]})
                .arg(double{y_values_[index / x_values_.size()]})
                .arg(cell.best_ns / 1e3, 0, 'g', 10)
                .arg(cell.trials);
  }
  return text;
}

}  // namespace hloscope::ui
