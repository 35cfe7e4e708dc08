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
  cells_.assign(x_values_.size() * y_values_.size(), Cell{});
  low_ns_ = HUGE_VAL;
  high_ns_ = 0;
  for (uint32_t i = 0; i < time_ns.size(); ++i) {
    if (std::isnan(time_ns[i]) || std::isnan(x[i]) || std::isnan(y[i])) continue;
    Cell& cell = cells_[place(y_values_, y[i]) * x_values_.size() + place(x_values_, x[i])];
    ++cell.trials;
    if (cell.trials > 1 && cell.best_ns <= time_ns[i]) continue;
    cell.best_ns = time_ns[i];
    cell.best_trial = i;
    cell.is_estimate = is_estimate[i] != 0;
  }
  for (const Cell& cell : cells_) {
    if (cell.trials == 0) continue;
    low_ns_ = std::min(low_ns_, cell.best_ns);
    high_ns_ = std::max(high_ns_, cell.best_ns);
  }
  if (focus_ && *focus_ >= cells_.size()) focus_.reset();
  update();
}

const TileHeatMap::Cell* TileHeatMap::cell(size_t column, size_t row) const {
  const Cell& cell = cells_[row * x_values_.size() + column];
  return cell.trials > 0 ? &cell : nullptr;
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
  if (cells_.empty() || !area.contains(position)) return std::nullopt;
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
  for (size_t i = 0; i < cells_.size(); ++i) paintCell(painter, i);
  paintLabels(painter);
  paintScale(painter);
  if (!focus_) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().role(Role::kAccent), 2));
  painter.drawRect(cellRect(*focus_).adjusted(1, 1, -1, -1));
}

void TileHeatMap::paintCell(QPainter& painter, size_t index) const {
  const Cell& cell = cells_[index];
  const QRectF box = cellRect(index).adjusted(0.5, 0.5, -0.5, -0.5);
  if (cell.trials == 0) {
    painter.fillRect(box, theme().role(Role::kCanvas));
    return;
  }
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
  const Cell& cell = cells_[*index];
  const QString sizes =
      tr("%1 = %2, %3 = %4")
          .arg(x_title_, formatCount(static_cast<int64_t>(x_values_[*index % x_values_.size()])),
               y_title_, formatCount(static_cast<int64_t>(y_values_[*index / x_values_.size()])));
  if (cell.trials == 0) return tr("%1\nnot tried").arg(sizes);
  return tr("%1\nbest %2%3, trial %4\n%5 trials")
      .arg(sizes, cell.is_estimate ? QStringLiteral("≈ ") : QString(), formatTime(cell.best_ns),
           formatCount(cell.best_trial), formatCount(cell.trials));
}

void TileHeatMap::clickAt(const QPointF& position) {
  focus_ = cellAt(position);
  update();
  if (focus_ && cells_[*focus_].trials > 0) {
    emit trialClicked(static_cast<int>(cells_[*focus_].best_trial));
  }
}

void TileHeatMap::activateAt(const QPointF& position) {
  focus_ = cellAt(position);
  activateCurrent();
}

void TileHeatMap::activateCurrent() {
  if (focus_ && cells_[*focus_].trials > 0) {
    emit trialActivated(static_cast<int>(cells_[*focus_].best_trial));
  }
}

void TileHeatMap::walk(int step) {
  if (cells_.empty()) return;
  const auto count = static_cast<int>(cells_.size());
  int at = focus_ ? static_cast<int>(*focus_) : (step > 0 ? -1 : count);
  // The next one that was tried.
  do {
    at += step;
  } while (at >= 0 && at < count && cells_[static_cast<size_t>(at)].trials == 0);
  if (at < 0 || at >= count) return;
  focus_ = static_cast<size_t>(at);
  update();
  emit trialClicked(static_cast<int>(cells_[*focus_].best_trial));
}

QString TileHeatMap::csv() const {
  QString text = QStringLiteral("%1,%2,best_us,trials\n").arg(x_title_, y_title_);
  for (size_t i = 0; i < cells_.size(); ++i) {
    if (cells_[i].trials == 0) continue;
    text += QStringLiteral("%1,%2,%3,%4\n")
                .arg(double{x_values_[i % x_values_.size()]})
                .arg(double{y_values_[i / x_values_.size()]})
                .arg(cells_[i].best_ns / 1e3, 0, 'g', 10)
                .arg(cells_[i].trials);
  }
  return text;
}

}  // namespace hloscope::ui
