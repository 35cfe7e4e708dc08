#include "ui/charts/roofline_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "ui/charts/series_style.h"
#include "ui/charts/unit_style.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/models/kernel_delegates.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"

namespace hloscope::ui {
namespace {

constexpr double kPerTera = 1e12;
constexpr double kPerGiga = 1e9;
constexpr double kSmallestRadius = 3;
constexpr double kLargestRadius = 26;  ///< Of a kernel that takes all of the time.
constexpr double kLetterRadius = 8;
constexpr double kRooflineReach = 7;
constexpr double kRooflinePadding = 8;
constexpr double kRooflineMargin = 0.04;
constexpr double kRooflineHeadroom = 3;  ///< Above the roof, for its name.
constexpr double kBeside = 2.5;          ///< Right of the last point, for its size and name.
constexpr double kRoomForSlope = 120;
constexpr int kMostAlike = 8;  ///< Translucent points on one place: one more would not be seen.

/// Classes are told apart by shape as well as by colour.
Marker markerOf(hlo::OpClass op_class) {
  switch (op_class) {
    case hlo::OpClass::kMatmulConv:
      return Marker::kCircle;
    case hlo::OpClass::kElementwise:
      return Marker::kRectangle;
    case hlo::OpClass::kReduction:
      return Marker::kTriangle;
    case hlo::OpClass::kDataMovement:
      return Marker::kRotatedRectangle;
    case hlo::OpClass::kCollective:
      return Marker::kPentagon;
    case hlo::OpClass::kControlFlow:
    case hlo::OpClass::kParameterConstant:
      break;
  }
  return Marker::kStar;
}

/// A text that stays legible over points and lines.
void paintBacked(QPainter& painter, const QRectF& rect, const QString& text,
                 Role role = Role::kText) {
  QColor back = theme().role(Role::kBase);
  back.setAlphaF(0.78F);
  painter.fillRect(rect, back);
  painter.setPen(theme().role(role));
  painter.drawText(rect, Qt::AlignCenter, text);
}

/// What stands below the classes.
QStringList rooflineNotes(const analysis::Roofline& roofline) {
  QStringList notes{RooflineChart::tr("area: share of time")};
  if (roofline.without_flops > 0) {
    notes << RooflineChart::tr("%1 of it has no FLOP")
                 .arg(formatPercent(roofline.share_without_flops, 0));
  }
  if (!roofline.pinned.empty()) notes << RooflineChart::tr("outline: baseline");
  return notes;
}

}  // namespace

RooflineChart::RooflineChart(QWidget* parent) : PlotWidget(parent) {
  setAccessibleName(tr("Roofline"));
  setAccessibleDescription(tr("Left and Right walk the kernels by their share of the time."));
}

void RooflineChart::setRoofline(std::shared_ptr<const analysis::ModuleReport> report,
                                analysis::Roofline roofline) {
  report_ = std::move(report);
  roofline_ = std::move(roofline);
  if (report_) roof_ = analysis::roof(report_->machine);
  by_share_.resize(roofline_.points.size());
  std::iota(by_share_.begin(), by_share_.end(), 0U);
  std::stable_sort(by_share_.begin(), by_share_.end(), [this](uint32_t a, uint32_t b) {
    return roofline_.points[a].share > roofline_.points[b].share;
  });
  fitAxes();
  changed();
}

void RooflineChart::setSelected(graph::KernelId kernel) {
  selected_ = kernel;
  update();
}

QString RooflineChart::nameOf(graph::KernelId kernel) const {
  return textOf((*report_->module.program)[report_->kernels.kernels[kernel].instruction].name);
}

void RooflineChart::fitAxes() {
  if (!report_) return;
  // The ridge is always in view.
  double low_x = roof_.ridge() / 30;
  double high_x = roof_.ridge() * 4;
  double low_y = roof_.matrix_flops_per_s / 100;
  for (const analysis::RoofPoint& point : roofline_.points) {
    low_x = std::min(low_x, point.intensity);
    high_x = std::max(high_x, point.intensity * kBeside);
  }
  double high_y = roof_.matrix_flops_per_s;
  for (const auto* points : {&roofline_.points, &roofline_.pinned}) {
    for (const analysis::RoofPoint& point : *points) {
      low_y = std::min(low_y, point.flops_per_s);
      high_y = std::max(high_y, point.flops_per_s);
    }
  }
  x_axis_ = fittedAxis(tr("arithmetic intensity, FLOP/byte"), low_x, high_x, true, kRooflineMargin);
  y_axis_ = fittedAxis(tr("TFLOP/s"), low_y / kPerTera, high_y * kRooflineHeadroom / kPerTera, true,
                       kRooflineMargin);
}

void RooflineChart::layOut() {
  area_.x = zoomedX(x_axis_);
  area_.y = zoomedY(y_axis_);
  area_.rect = insideAxes(QRectF(rect()).adjusted(kRooflinePadding, kRooflinePadding,
                                                  -kRooflinePadding, -kRooflinePadding),
                          area_.y);
}

double RooflineChart::radius(const analysis::RoofPoint& point) const {
  return std::max(kSmallestRadius, kLargestRadius * std::sqrt(point.share));
}

QPointF RooflineChart::at(const analysis::RoofPoint& point) const {
  return area_.at(point.intensity, point.flops_per_s / kPerTera);
}

QPointF RooflineChart::positionOf(graph::KernelId kernel) const {
  for (const analysis::RoofPoint& point : roofline_.points) {
    if (point.kernel == kernel) return at(point);
  }
  return {};
}

void RooflineChart::paintPlot(QPainter& painter) {
  if (!report_) return;
  layOut();
  paintAxes(painter, area_);
  painter.save();
  painter.setClipRect(area_.rect.adjusted(-1, -1, 1, 1));
  paintRoof(painter);
  if (points_picture_.isNull()) paintPoints(painter);
  painter.drawPixmap(0, 0, points_picture_);
  paintRoofTexts(painter);
  paintClasses(painter);
  painter.restore();
  paintSelection(painter);
}

void RooflineChart::paintClasses(QPainter& painter) const {
  constexpr double kLine = 15;
  constexpr double kShape = 8;
  std::array<bool, hlo::kOpClassCount> is_shown{};
  for (const analysis::RoofPoint& point : roofline_.points) {
    is_shown[static_cast<size_t>(report_->kernels.kernels[point.kernel].op_class)] = true;
  }
  painter.setFont(smallFont());
  const QStringList notes = rooflineNotes(roofline_);
  // At the upper left no point is possible: it is above the roof. Below a steep one there are.
  QPointF at = area_.rect.topLeft() + QPointF(12, 10);
  for (size_t i = 0; i < is_shown.size(); ++i) {
    if (!is_shown[i]) continue;
    const auto op_class = static_cast<hlo::OpClass>(i);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().opClass(op_class));
    painter.drawPath(markerPath(markerOf(op_class), kShape).translated(at));
    painter.setPen(theme().role(Role::kTextMuted));
    painter.drawText(QRectF(at.x() + kShape, at.y() - kLine / 2, 140, kLine),
                     Qt::AlignLeft | Qt::AlignVCenter, textOf(hlo::name(op_class)));
    at.ry() += kLine;
  }
  for (const QString& note : notes) {
    const double width = painter.fontMetrics().horizontalAdvance(note);
    paintBacked(painter, QRectF(at.x() - kShape / 2, at.y() - kLine / 2, width, kLine), note,
                Role::kTextMuted);
    at.ry() += kLine;
  }
}

void RooflineChart::paintLine(QPainter& painter, double flops_per_s, Qt::PenStyle style,
                              bool with_slope) const {
  const double corner = flops_per_s / roof_.hbm_bytes_per_s;
  QPolygonF line;
  if (with_slope) line << area_.at(corner * 1e-9, flops_per_s * 1e-9 / kPerTera);
  line << area_.at(corner, flops_per_s / kPerTera)
       << area_.at(std::max(corner, area_.x.high) * 10, flops_per_s / kPerTera);
  painter.setPen(QPen(theme().role(Role::kText), style == Qt::SolidLine ? 1.6 : 1.1, style));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(line);
}

void RooflineChart::paintRoof(QPainter& painter) const {
  paintLine(painter, roof_.matrix_flops_per_s, Qt::SolidLine, true);
  paintLine(painter, roof_.vector_flops_per_s, Qt::DashLine, false);
  const QPointF ridge = area_.at(roof_.ridge(), roof_.matrix_flops_per_s / kPerTera);
  painter.setPen(QPen(theme().role(Role::kTextMuted), 1, Qt::DotLine));
  painter.drawLine(ridge, QPointF(ridge.x(), area_.rect.bottom()));
}

void RooflineChart::paintRoofTexts(QPainter& painter) const {
  painter.setFont(smallFont());
  const QRectF& plot = area_.rect;
  const auto tera = [](double flops_per_s) { return formatNumber(flops_per_s / kPerTera, 1); };
  const auto above = [&](double flops_per_s, const QString& text) {
    const double y = area_.at(1, flops_per_s / kPerTera).y();
    const double width = painter.fontMetrics().horizontalAdvance(text) + 8;
    paintBacked(painter, QRectF(plot.right() - width - 2, y - 17, width, 15), text);
  };
  above(roof_.matrix_flops_per_s, tr("MXU, bf16: %1 TFLOP/s").arg(tera(roof_.matrix_flops_per_s)));
  above(roof_.vector_flops_per_s, tr("VPU: %1 TFLOP/s").arg(tera(roof_.vector_flops_per_s)));
  const double ridge_x = area_.at(roof_.ridge(), area_.y.low).x();
  const QString ridge = tr("ridge %1").arg(formatNumber(roof_.ridge(), 0));
  const double width = painter.fontMetrics().horizontalAdvance(ridge) + 8;
  paintBacked(painter, QRectF(ridge_x - width - 2, plot.bottom() - 18, width, 15), ridge);
  paintSlopeText(painter);
}

void RooflineChart::paintSlopeText(QPainter& painter) const {
  const QPointF corner = area_.at(roof_.ridge(), roof_.matrix_flops_per_s / kPerTera);
  const QPointF low = area_.at(roof_.ridge() / 10, roof_.matrix_flops_per_s / 10 / kPerTera);
  const double angle = std::atan2(corner.y() - low.y(), corner.x() - low.x());
  const double left_y = area_.at(area_.x.low, area_.x.low * roof_.hbm_bytes_per_s / kPerTera).y();
  const double top = std::max(corner.y(), area_.rect.top());
  const double bottom = std::min(left_y, area_.rect.bottom());
  const double room = (bottom - top) / std::max(0.05, std::sin(-angle));
  if (room < kRoomForSlope) return;
  const double y = top + 0.3 * (bottom - top);  // Beside the classes.
  painter.save();
  painter.translate(corner.x() + (y - corner.y()) / std::tan(angle), y);
  painter.rotate(angle * 180 / M_PI);
  painter.setPen(theme().role(Role::kText));
  painter.drawText(QRectF(-90, -18, 180, 16), Qt::AlignCenter,
                   tr("HBM %1 GB/s").arg(formatNumber(roof_.hbm_bytes_per_s / kPerGiga, 0)));
  painter.restore();
}

void RooflineChart::paintPoint(QPainter& painter, const analysis::RoofPoint& point) const {
  const hlo::OpClass op_class = report_->kernels.kernels[point.kernel].op_class;
  const double r = radius(point);
  const QPointF center = at(point);
  if (!area_.rect.adjusted(-r, -r, r, r).contains(center)) return;
  QColor fill = theme().opClass(op_class);
  fill.setAlphaF(0.45F);
  painter.setBrush(fill);
  painter.setPen(QPen(theme().opClass(op_class), 1));
  painter.drawPath(markerPath(markerOf(op_class), 2 * r).translated(center));
  if (r < kLetterRadius) return;
  painter.setFont(smallFont());
  painter.setPen(theme().role(Role::kText));
  painter.drawText(QRectF(center.x() - r, center.y() - r, 2 * r, 2 * r), Qt::AlignCenter,
                   theme().opClassLetter(op_class));
}

void RooflineChart::paintPinned(QPainter& painter, const analysis::RoofPoint& point) const {
  const hlo::OpClass op_class = report_->kernels.kernels[point.kernel].op_class;
  const double r = radius(point);
  const QPointF center = at(point);
  if (!area_.rect.adjusted(-r, -r, r, r).contains(center)) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().opClass(op_class), 1));
  painter.drawPath(markerPath(markerOf(op_class), 2 * r).translated(center));
}

bool RooflineChart::looksLike(const analysis::RoofPoint& a, const analysis::RoofPoint& b) const {
  const auto& kernels = report_->kernels.kernels;
  return at(a) == at(b) && radius(a) == radius(b) &&
         kernels[a.kernel].op_class == kernels[b.kernel].op_class;
}

void RooflineChart::paintPoints(QPainter& target) {
  const double ratio = target.device()->devicePixelRatioF();
  points_picture_ = QPixmap(size() * ratio);
  points_picture_.setDevicePixelRatio(ratio);
  points_picture_.fill(Qt::transparent);
  QPainter painter(&points_picture_);
  painter.setRenderHint(QPainter::Antialiasing);
  for (const analysis::RoofPoint& point : roofline_.pinned) paintPinned(painter, point);
  // Equal kernels of many layers lie on one place, and follow each other.
  const analysis::RoofPoint* before = nullptr;
  int alike = 0;
  for (uint32_t i : by_share_) {
    const analysis::RoofPoint& point = roofline_.points[i];
    alike = before != nullptr && looksLike(point, *before) ? alike + 1 : 1;
    before = &point;
    if (alike <= kMostAlike) paintPoint(painter, point);
  }
}

const analysis::RoofPoint* RooflineChart::selectedPoint() const {
  const auto found =
      std::find_if(roofline_.points.begin(), roofline_.points.end(),
                   [this](const analysis::RoofPoint& p) { return p.kernel == selected_; });
  return selected_.valid() && found != roofline_.points.end() ? &*found : nullptr;
}

void RooflineChart::paintSelection(QPainter& painter) const {
  const analysis::RoofPoint* point = selectedPoint();
  if (point == nullptr) return;
  const QPointF center = at(*point);
  if (!area_.rect.adjusted(-2, -2, 2, 2).contains(center)) return;
  const double r = radius(*point) + 2;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().role(Role::kAccent), 2));
  painter.drawEllipse(center, r, r);
  painter.setFont(boldFont());
  const QString name = nameOf(point->kernel);
  const double width = painter.fontMetrics().horizontalAdvance(name);
  const bool left = center.x() + r + 6 + width > area_.rect.right();
  const double x = left ? center.x() - r - 8 - width : center.x() + r + 4;
  paintBacked(painter, QRectF(x, center.y() - 9, width + 4, 18), name);
}

int RooflineChart::pointAt(const QPointF& position) const {
  // Small points lie over large ones.
  for (size_t i = by_share_.size(); i-- > 0;) {
    const analysis::RoofPoint& point = roofline_.points[by_share_[i]];
    const QPointF way = at(point) - position;
    if (std::hypot(way.x(), way.y()) <= std::max(kRooflineReach, radius(point))) {
      return static_cast<int>(by_share_[i]);
    }
  }
  return -1;
}

QString RooflineChart::toolTipText(graph::KernelId kernel) const {
  for (const analysis::RoofPoint& point : roofline_.points) {
    if (point.kernel != kernel) continue;
    const double limit =
        std::min(roof_.matrix_flops_per_s, point.intensity * roof_.hbm_bytes_per_s);
    return tr("%1\n%2 FLOP/byte\n%3 TFLOP/s %4, %5 of the roof\n%6 of the time")
        .arg(nameOf(kernel), QString::number(point.intensity, 'g', 3),
             QString::number(point.flops_per_s / kPerTera, 'g', 3),
             textOf(analysis::info(roofline_.source).name),
             formatPercent(point.flops_per_s / limit, 0), formatPercent(point.share));
  }
  return {};
}

QString RooflineChart::toolTipAt(const QPointF& position) const {
  const int point = pointAt(position);
  return point < 0 ? QString() : toolTipText(roofline_.points[static_cast<size_t>(point)].kernel);
}

void RooflineChart::clickAt(const QPointF& position) {
  const int point = pointAt(position);
  if (point >= 0) emit kernelClicked(roofline_.points[static_cast<size_t>(point)].kernel);
}

void RooflineChart::activateAt(const QPointF& position) {
  const int point = pointAt(position);
  if (point >= 0) emit kernelActivated(roofline_.points[static_cast<size_t>(point)].kernel);
}

void RooflineChart::activateCurrent() {
  if (selectedPoint() != nullptr) emit kernelActivated(selected_);
}

void RooflineChart::walk(int step) {
  if (by_share_.empty()) return;
  const analysis::RoofPoint* current = selectedPoint();
  int64_t place = 0;
  if (current != nullptr) {
    const auto index = static_cast<uint32_t>(current - roofline_.points.data());
    place = std::find(by_share_.begin(), by_share_.end(), index) - by_share_.begin() + step;
  }
  place = std::clamp<int64_t>(place, 0, static_cast<int64_t>(by_share_.size()) - 1);
  emit kernelClicked(roofline_.points[by_share_[static_cast<size_t>(place)]].kernel);
}

QString RooflineChart::csv() const {
  QString text = QStringLiteral("kernel,class,flops_per_byte,flops_per_s,share,source\n");
  for (const analysis::RoofPoint& point : roofline_.points) {
    const graph::Kernel& kernel = report_->kernels.kernels[point.kernel];
    text += QStringLiteral("%1,%2,%3,%4,%5,%6\n")
                .arg(nameOf(point.kernel), textOf(hlo::name(kernel.op_class)))
                .arg(point.intensity, 0, 'g', 17)
                .arg(point.flops_per_s, 0, 'g', 17)
                .arg(point.share, 0, 'g', 17)
                .arg(textOf(analysis::info(roofline_.source).id));
  }
  return text;
}

}  // namespace hloscope::ui
