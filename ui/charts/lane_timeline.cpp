#include "ui/charts/lane_timeline.h"

#include <algorithm>

#include "ui/charts/plot_widget.h"
#include "ui/charts/unit_style.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"

namespace hloscope::ui {
namespace {

constexpr double kLaneTop = 26;     ///< Names of kernels.
constexpr double kLaneBottom = 38;  ///< Axis and its title.
constexpr double kKernelBar = 18;
constexpr double kLaneGap = 3;
constexpr double kLaneNameRoom = 30;
constexpr int kLowestLane = 14;

/// From the middle outwards: what computes, then what feeds it.
constexpr std::array kOrder = {
    sim::Unit::kMxu,   sim::Unit::kValu,   sim::Unit::kXlu,   sim::Unit::kEup,    sim::Unit::kLoad,
    sim::Unit::kStore, sim::Unit::kScalar, sim::Unit::kDmaIn, sim::Unit::kDmaOut, sim::Unit::kLink};

}  // namespace

LaneTimeline::LaneTimeline(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(tr("Units"));
  setAccessibleDescription(
      tr("W and S zoom, A and D move, F shows the selected kernel, M measures it, Left and Right "
         "go to the kernel before and after, Space shows all."));
}

QSize LaneTimeline::sizeHint() const {
  return {600, 264};
}

QSize LaneTimeline::minimumSizeHint() const {
  return {320, static_cast<int>(kLaneTop + kLaneBottom) + kLowestLane * 10};
}

void LaneTimeline::setTimeline(std::shared_ptr<const analysis::ProgramTimeline> timeline) {
  timeline_ = std::move(timeline);
  measured_.reset();
  lanes_.clear();
  for (sim::Unit unit : kOrder) {
    // Links are there only in programs of several chips.
    if (timeline_ && (unit != sim::Unit::kLink || timeline_->uses(unit))) lanes_.push_back(unit);
  }
  emit measureChanged();
  update();
}

void LaneTimeline::setWindow(double from_ns, double to_ns) {
  axis_.from_ns = from_ns;
  axis_.to_ns = std::max(to_ns, from_ns + 1e-3);
  update();
}

void LaneTimeline::setSelected(graph::KernelId kernel) {
  selected_ = kernel;
  update();
}

void LaneTimeline::setEmptyText(const QString& text) {
  empty_text_ = text;
  update();
}

void LaneTimeline::layOut() {
  axis_.rect = QRectF(kTimeLabels, kLaneTop, std::max(10.0, width() - kTimeLabels - kTimeBusy),
                      std::max(10.0, height() - kLaneTop - kLaneBottom));
}

void LaneTimeline::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  layOut();
}

QRectF LaneTimeline::laneRect(size_t lane) const {
  const double height = axis_.rect.height() / static_cast<double>(lanes_.size());
  return {axis_.rect.left(), axis_.rect.top() + height * static_cast<double>(lane),
          axis_.rect.width(), height};
}

QPointF LaneTimeline::positionOf(sim::Unit unit, double time_ns) const {
  const auto found = std::find(lanes_.begin(), lanes_.end(), unit);
  if (found == lanes_.end()) return {};
  const QRectF lane = laneRect(static_cast<size_t>(found - lanes_.begin()));
  return {axis_.x(time_ns), lane.bottom() - kLaneGap - 1};
}

const analysis::KernelSpan* LaneTimeline::spanAt(double x) const {
  if (!timeline_ || timeline_->spans().empty()) return nullptr;
  const double time_ns = axis_.timeAt(x);
  if (x < axis_.rect.left() || x > axis_.rect.right()) return nullptr;
  if (time_ns < 0 || time_ns > timeline_->total_ns()) return nullptr;
  return &timeline_->spans()[timeline_->span_at(time_ns)];
}

void LaneTimeline::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().role(Role::kBase));
  if (!timeline_ || timeline_->spans().empty()) {
    paintEmptyText(painter, rect(), empty_text_);
    return;
  }
  layOut();
  paintTimeAxis(painter, axis_, true);
  painter.setPen(theme().role(Role::kTextMuted));
  painter.drawText(QRectF(axis_.rect.left(), axis_.rect.bottom() + 19, axis_.rect.width(), 16),
                   Qt::AlignCenter, tr("time since program start, %1").arg(axis_.unit()));
  painter.save();
  painter.setClipRect(axis_.rect.adjusted(0, -kLaneTop, 1, 0));
  paintKernels(painter);
  for (size_t lane = 0; lane < lanes_.size(); ++lane) paintLane(painter, lane);
  painter.restore();
  paintBusy(painter);
  if (measured_) paintMeasure(painter);
  if (!hasFocus()) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(theme().role(Role::kAccent));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void LaneTimeline::paintKernels(QPainter& painter) const {
  const analysis::ModuleReport& report = timeline_->report();
  double painted_to = -1;
  for (size_t s = timeline_->span_at(std::max(0.0, axis_.from_ns)); s < timeline_->spans().size();
       ++s) {
    const analysis::KernelSpan& span = timeline_->spans()[s];
    if (span.start_ns > axis_.to_ns) break;
    const double right = axis_.x(span.end_ns());
    const bool is_selected = span.kernel == selected_;
    if (right - painted_to < 1 && right - axis_.x(span.start_ns) < 1 && !is_selected) continue;
    painted_to = right;
    const double left = std::max(axis_.x(span.start_ns), axis_.rect.left() - 4);
    const QRectF box(left, 4, std::max(1.0, std::min(right, axis_.rect.right() + 4) - left),
                     kKernelBar);
    const graph::Kernel& kernel = report.kernels.kernels[span.kernel];
    painter.fillRect(box, theme().opClassFill(kernel.op_class));
    const bool outlined = box.width() > 4 || is_selected;
    painter.setPen(
        QPen(is_selected ? theme().role(Role::kAccent) : theme().opClassOutline(kernel.op_class),
             is_selected ? 2 : 1));
    painter.setBrush(Qt::NoBrush);
    if (outlined) painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
    if (box.width() > 4) {
      painter.setPen(QPen(theme().role(Role::kBorder), 1, Qt::DotLine));
      painter.drawLine(QPointF(right, axis_.rect.top()), QPointF(right, axis_.rect.bottom()));
    }
    if (box.width() < kLaneNameRoom) continue;
    QString text =
        textOf((*report.module.program)[kernel.instruction].name) + ' ' + formatTime(span.time_ns);
    if (span.executions != 1) {
      text += QStringLiteral(" × %1").arg(
          formatNumber(span.executions, span.executions == std::floor(span.executions) ? 0 : 1));
    }
    painter.setFont(is_selected ? boldFont() : smallFont());
    painter.setPen(theme().role(Role::kText));
    painter.drawText(
        box.adjusted(5, 0, -4, 0), Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(box.width() - 9)));
  }
}

void LaneTimeline::paintLane(QPainter& painter, size_t lane) const {
  const QRectF box = laneRect(lane);
  painter.setPen(theme().role(Role::kBorderSoft));
  painter.drawLine(QPointF(box.left(), box.top()), QPointF(box.right(), box.top()));
  const sim::Unit unit = lanes_[lane];
  // Single stretches while they are some pixels wide on average, shares of pixels below that.
  const auto most = static_cast<size_t>(box.width() / 3);
  const auto stretches = timeline_->stretches(unit, axis_.from_ns, axis_.to_ns, most);
  if (!stretches) return paintShares(painter, lane);
  const QColor color = unitColor(unit);
  for (const analysis::Stretch& stretch : *stretches) {
    const double left = std::max(axis_.x(stretch.start_ns), box.left() - 2);
    const double right = std::min(axis_.x(stretch.end_ns), box.right() + 2);
    // A gap tells neighbours apart.
    const double gap = right - left > 4 ? 1 : 0;
    painter.fillRect(QRectF(left, box.top() + kLaneGap, std::max(0.6, right - left - gap),
                            box.height() - 2 * kLaneGap),
                     color);
  }
}

void LaneTimeline::paintShares(QPainter& painter, size_t lane) const {
  const QRectF box = laneRect(lane);
  const QColor color = unitColor(lanes_[lane]);
  const auto columns = static_cast<int>(box.width());
  const double most = box.height() - 2 * kLaneGap;
  for (int column = 0; column < columns; ++column) {
    const double from_ns = axis_.timeAt(box.left() + column);
    const double to_ns = axis_.timeAt(box.left() + column + 1);
    const double share = timeline_->busy_ns(lanes_[lane], from_ns, to_ns) / (to_ns - from_ns);
    if (!(share > 0)) continue;
    // What works at all is seen.
    const double height = std::max(1.0, most * std::min(1.0, share));
    painter.fillRect(QRectF(box.left() + column, box.bottom() - kLaneGap - height, 1, height),
                     color);
  }
}

void LaneTimeline::paintBusy(QPainter& painter) const {
  painter.setFont(smallFont());
  painter.setPen(theme().role(Role::kTextMuted));
  painter.drawText(QRectF(axis_.rect.right() + 6, 4, kTimeBusy - 6, kKernelBar),
                   Qt::AlignLeft | Qt::AlignVCenter, tr("busy"));
  const auto selected = timeline_->span_of(selected_);
  for (size_t lane = 0; lane < lanes_.size(); ++lane) {
    const QRectF box = laneRect(lane);
    double share =
        timeline_->busy_ns(lanes_[lane], 0, timeline_->total_ns()) / timeline_->total_ns();
    if (selected) {
      const sim::Simulation& one = timeline_->activity(selected_).simulation;
      share = one.busy_ns[static_cast<size_t>(lanes_[lane])] / one.time_ns;
    }
    painter.setFont(uiFont());
    painter.setPen(theme().role(Role::kText));
    painter.drawText(QRectF(0, box.top(), kTimeLabels - 8, box.height()),
                     Qt::AlignRight | Qt::AlignVCenter, unitTitle(lanes_[lane]));
    painter.setFont(smallFont());
    painter.drawText(QRectF(box.right() + 6, box.top(), kTimeBusy - 6, box.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, formatPercent(share, 0));
  }
}

void LaneTimeline::paintMeasure(QPainter& painter) const {
  const double left = std::clamp(axis_.x(measured_->first), axis_.rect.left(), axis_.rect.right());
  const double right =
      std::clamp(axis_.x(measured_->second), axis_.rect.left(), axis_.rect.right());
  QColor veil = theme().role(Role::kAccent);
  veil.setAlphaF(0.14F);
  const QRectF box(left, axis_.rect.top(), right - left, axis_.rect.height());
  painter.fillRect(box, veil);
  painter.setPen(QPen(theme().role(Role::kAccent), 1));
  painter.drawLine(box.topLeft(), box.bottomLeft());
  painter.drawLine(box.topRight(), box.bottomRight());
  const QString text = formatTime(measured_->second - measured_->first);
  painter.setFont(boldFont());
  const double width = painter.fontMetrics().horizontalAdvance(text) + 14;
  QRectF flag(box.center().x() - width / 2, axis_.rect.top() + 4, width, 18);
  flag.moveLeft(std::clamp(flag.left(), axis_.rect.left(),
                           std::max(axis_.rect.left(), axis_.rect.right() - width)));
  painter.setPen(theme().role(Role::kAccent));
  painter.setBrush(theme().role(Role::kBase));
  painter.drawRoundedRect(flag, 3, 3);
  painter.setPen(theme().role(Role::kText));
  painter.drawText(flag, Qt::AlignCenter, text);
}

}  // namespace hloscope::ui
