#include "ui/charts/tile_pipeline_chart.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/charts/unit_style.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

constexpr double kPipelinePadding = 6;
constexpr double kWidestNames = 170;
constexpr double kKeptWidth = 6;
constexpr size_t kMostReads = 5;  ///< More operands share the last lane.

}  // namespace

TilePipelineChart::TilePipelineChart(QWidget* parent) : PlotWidget(parent) {
  setAccessibleName(tr("Pipeline of the selected tile"));
}

void TilePipelineChart::setPipeline(std::shared_ptr<const sim::TilePipeline> pipeline,
                                    const sim::KernelModel& model, double measured_ns) {
  pipeline_ = std::move(pipeline);
  measured_ns_ = measured_ns;
  lanes_.clear();
  if (pipeline_) makeLanes(model);
  fit();
}

void TilePipelineChart::makeLanes(const sim::KernelModel& model) {
  lane_of_.assign(model.streams.size(), 0);
  const auto add = [&](bool outputs) {
    size_t count = 0;
    for (uint32_t s = 0; s < model.streams.size(); ++s) {
      if (model.streams[s].is_output != outputs) continue;
      const QString name = textOf(model.streams[s].name);
      if (count++ < kMostReads) {
        lanes_.push_back(
            {outputs ? tr("DMA out, %1").arg(name) : tr("DMA in, %1").arg(name), {}, outputs});
      } else {
        lanes_.back().name = outputs ? tr("DMA out, other results") : tr("DMA in, other operands");
      }
      lanes_.back().streams.push_back(s);
      lane_of_[s] = lanes_.size() - 1;
    }
  };
  add(false);
  compute_lane_ = lanes_.size();
  lanes_.push_back({tr("%1 compute").arg(unitTitle(pipeline_->total.bottleneck)), {}, false});
  const bool is_dma = pipeline_->total.bottleneck == sim::Unit::kDmaIn ||
                      pipeline_->total.bottleneck == sim::Unit::kDmaOut;
  if (is_dma) lanes_.back().name = tr("core compute");
  add(true);
}

void TilePipelineChart::layOut() {
  const QFontMetricsF metrics(smallFont());
  names_width_ = 0;
  for (const Lane& lane : lanes_) {
    names_width_ = std::max(names_width_, metrics.horizontalAdvance(lane.name));
  }
  names_width_ = std::min(names_width_ + 4, std::min(kWidestNames, width() * 0.3));
  // The name of the measured time stands above.
  const double top = kPipelinePadding + (showsMeasured() ? metrics.height() : 0);
  area_.rect =
      QRectF(rect()).adjusted(kPipelinePadding + names_width_ + 8, top, -kPipelinePadding - 12,
                              -kPipelinePadding - 2 * metrics.height() - 6);
  const double end_ns = std::max(pipeline_->end_ns, pipeline_->is_complete ? measured_ns_ : 0.0);
  area_.x = zoomedX({tr("time, µs"), 0, end_ns / 1e3 * 1.02, false});
  area_.y = {QString(), 0, 1, false};
}

bool TilePipelineChart::showsMeasured() const {
  return pipeline_->is_complete && measured_ns_ > 0;
}

double TilePipelineChart::x(double time_ns) const {
  return area_.at(time_ns / 1e3, 0).x();
}

QRectF TilePipelineChart::laneRect(size_t lane) const {
  const double height = area_.rect.height() / static_cast<double>(lanes_.size());
  const double gap = std::min(6.0, height * 0.12);
  return {area_.rect.left(), area_.rect.top() + static_cast<double>(lane) * height + gap,
          area_.rect.width(), height - 2 * gap};
}

void TilePipelineChart::paintPlot(QPainter& painter) {
  if (!pipeline_ || lanes_.empty()) return;
  layOut();
  if (area_.rect.width() < 40 || area_.rect.height() < 20) return;
  PlotArea grid = area_;
  grid.y = {QString(), 1, 0, false};  // Without ticks.
  paintAxes(painter, grid);
  paintLaneNames(painter);
  painter.save();
  painter.setClipRect(area_.rect.adjusted(0, -1, 1, 1));
  painter.setFont(smallFont());
  paintTransfers(painter);
  paintCompute(painter);
  painter.setClipRect(area_.rect.adjusted(0, -painter.fontMetrics().height(), 12, 1));
  paintTotals(painter);
  painter.restore();
}

void TilePipelineChart::paintLaneNames(QPainter& painter) const {
  painter.setFont(smallFont());
  for (size_t i = 0; i < lanes_.size(); ++i) {
    const QRectF lane = laneRect(i);
    painter.setPen(theme().role(Role::kText));
    const QString name = painter.fontMetrics().elidedText(lanes_[i].name, Qt::ElideRight,
                                                          static_cast<int>(names_width_));
    painter.drawText(QRectF(kPipelinePadding, lane.top(), names_width_, lane.height()),
                     Qt::AlignRight | Qt::AlignVCenter, name);
    if (i == 0) continue;
    painter.setPen(theme().role(Role::kBorderSoft));
    const double y = area_.rect.top() + area_.rect.height() / static_cast<double>(lanes_.size()) *
                                            static_cast<double>(i);
    painter.drawLine(QPointF(area_.rect.left(), y), QPointF(area_.rect.right(), y));
  }
}

void TilePipelineChart::paintBar(QPainter& painter, const QRectF& bar, const QColor& color,
                                 const QString& text, double room) const {
  painter.fillRect(bar, color);
  const double needed = painter.fontMetrics().horizontalAdvance(text) + 4;
  if (bar.height() < painter.fontMetrics().height()) return;
  if (bar.width() >= needed) {
    painter.setPen(inkOn(color));
    painter.drawText(bar, Qt::AlignCenter, text);
  } else if (room >= bar.width() + needed + 4) {
    painter.setPen(theme().role(Role::kTextMuted));
    painter.drawText(QRectF(bar.right() + 3, bar.top(), needed, bar.height()), Qt::AlignVCenter,
                     text);
  }
}

void TilePipelineChart::paintKept(QPainter& painter, const QRectF& lane, double left,
                                  double room) const {
  painter.setPen(QPen(theme().role(Role::kTextMuted), 1, Qt::DashLine));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(
      QRectF(left + 1, lane.top() + 0.5, std::min(kKeptWidth, room), lane.height() - 1));
  const QString text = tr("kept");
  const double needed = painter.fontMetrics().horizontalAdvance(text) + 6;
  if (room < kKeptWidth + needed || lane.height() < painter.fontMetrics().height()) return;
  painter.setPen(theme().role(Role::kTextMuted));
  painter.drawText(QRectF(left + kKeptWidth + 4, lane.top(), needed, lane.height()),
                   Qt::AlignVCenter, text);
}

void TilePipelineChart::paintTransfers(QPainter& painter) const {
  // Where the next thing of the same lane begins, from the end.
  std::vector<double> next(lanes_.size(), area_.rect.right());
  std::vector<double> last_drawn(lanes_.size(), 1e9);
  for (size_t i = pipeline_->transfers.size(); i-- > 0;) {
    const sim::BlockTransfer& one = pipeline_->transfers[i];
    const size_t at = lane_of_[one.stream];
    const QRectF lane = laneRect(at);
    const double left = x(one.start_ns);
    const double room = next[at] - left;
    next[at] = left;
    if (left > area_.rect.right() || x(one.end_ns) < area_.rect.left()) continue;
    if (one.is_kept) {
      // In a crowd, one of several.
      if (last_drawn[at] - left >= 4) paintKept(painter, lane, left, room);
      if (last_drawn[at] - left >= 4) last_drawn[at] = left;
      continue;
    }
    const sim::Unit unit = lanes_[at].is_output ? sim::Unit::kDmaOut : sim::Unit::kDmaIn;
    const QRectF bar(left, lane.top(), std::max(1.0, x(one.end_ns) - left), lane.height());
    paintBar(painter, bar, unitColor(unit), QString::number(one.tile + 1), room);
    last_drawn[at] = left;
  }
}

void TilePipelineChart::paintCompute(QPainter& painter) const {
  const QRectF lane = laneRect(compute_lane_);
  const sim::Unit unit = pipeline_->total.bottleneck;
  const bool is_dma = unit == sim::Unit::kDmaIn || unit == sim::Unit::kDmaOut;
  const QColor color = unitColor(is_dma ? sim::Unit::kScalar : unit);
  for (size_t t = 0; t < pipeline_->tiles.size(); ++t) {
    const sim::TileTime& tile = pipeline_->tiles[t];
    const double left = x(tile.start_ns);
    const double right = x(tile.start_ns + tile.compute_ns);
    if (left > area_.rect.right() || right < area_.rect.left()) continue;
    const double gap = right - left > 4 ? 1 : 0;
    const double wide = std::max(1.0, right - left - gap);
    const QString text = wide > 50 ? tr("tile %1").arg(t + 1) : QString::number(t + 1);
    paintBar(painter, {left, lane.top(), wide, lane.height()}, color, text, wide);
  }
}

void TilePipelineChart::paintTotals(QPainter& painter) const {
  if (!showsMeasured()) return;
  const double at = x(measured_ns_);
  painter.setPen(QPen(theme().series(Series::kMeasured), 1.5, Qt::DashLine));
  painter.drawLine(QPointF(at, area_.rect.top()), QPointF(at, area_.rect.bottom()));
  const QString text = tr("measured");
  const double wide = painter.fontMetrics().horizontalAdvance(text) + 6;
  const double height = painter.fontMetrics().height();
  const double left = std::min(at - wide / 2, area_.rect.right() + 12 - wide);
  const QRectF label(left, area_.rect.top() - height, wide, height);
  painter.setPen(theme().role(Role::kText));
  painter.drawText(label, Qt::AlignCenter, text);
}

QString TilePipelineChart::toolTipAt(const QPointF& place) const {
  if (!pipeline_ || lanes_.empty() || !area_.rect.contains(place)) return {};
  const double time_ns = area_.valueAt(place).x() * 1e3;
  const double pixel_ns = area_.x.high * 1e3 / std::max(1.0, area_.rect.width());
  for (const sim::BlockTransfer& one : pipeline_->transfers) {
    const QRectF lane = laneRect(lane_of_[one.stream]);
    const double end_ns = std::max(one.end_ns, one.start_ns + 3 * pixel_ns);
    if (!lane.contains(place) || time_ns < one.start_ns || time_ns > end_ns) continue;
    const QString& name = lanes_[lane_of_[one.stream]].name;
    if (one.is_kept) return tr("%1, iteration %2: the block is kept").arg(name).arg(one.tile + 1);
    return tr("%1, iteration %2\n%3 to %4 µs, %5")
        .arg(name)
        .arg(one.tile + 1)
        .arg(formatTimeUs(one.start_ns), formatTimeUs(one.end_ns), formatBytes(one.bytes));
  }
  if (!laneRect(compute_lane_).contains(place)) return {};
  for (size_t t = 0; t < pipeline_->tiles.size(); ++t) {
    const sim::TileTime& tile = pipeline_->tiles[t];
    if (time_ns < tile.start_ns || time_ns > tile.end_ns) continue;
    return tr("Iteration %1: %2 to %3 µs\ncompute %4 µs, transfers %5 µs")
        .arg(t + 1)
        .arg(formatTimeUs(tile.start_ns), formatTimeUs(tile.end_ns), formatTimeUs(tile.compute_ns),
             formatTimeUs(tile.transfer_ns));
  }
  return {};
}

QString TilePipelineChart::csv() const {
  QString text = QStringLiteral("lane,iteration,start_us,end_us,bytes,kept\n");
  if (!pipeline_) return text;
  const auto number = [](double value) { return QString::number(value, 'g', 10); };
  for (const sim::BlockTransfer& one : pipeline_->transfers) {
    text += QStringLiteral("\"%1\",%2,%3,%4,%5,%6\n")
                .arg(lanes_[lane_of_[one.stream]].name)
                .arg(one.tile + 1)
                .arg(number(one.start_ns / 1e3), number(one.end_ns / 1e3), number(one.bytes))
                .arg(one.is_kept ? 1 : 0);
  }
  for (size_t t = 0; t < pipeline_->tiles.size(); ++t) {
    const sim::TileTime& tile = pipeline_->tiles[t];
    text += QStringLiteral("\"%1\",%2,%3,%4,,0\n")
                .arg(lanes_[compute_lane_].name)
                .arg(t + 1)
                .arg(number(tile.start_ns / 1e3), number((tile.start_ns + tile.compute_ns) / 1e3));
  }
  return text;
}

}  // namespace hloscope::ui
