#include "ui/charts/tile_curve_chart.h"

#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/charts/series_style.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

constexpr double kCurvePadding = 6;
constexpr double kMarkRadius = 5;
constexpr double kCurveReach = 12;  ///< Of a click, in px.
constexpr int kFewPoints = 120;
/// More markers on one pixel cannot be told from these: they let 1 % through.
constexpr uint8_t kMostOnPixel = 4;

/// The marker of a series as a picture: drawn thousands of times.
QImage stampOf(Series series, double size, double ratio) {
  const int side = static_cast<int>(std::ceil((size + 4) * ratio));
  QImage stamp(side, side, QImage::Format_ARGB32_Premultiplied);
  stamp.setDevicePixelRatio(ratio);
  stamp.fill(Qt::transparent);
  QPainter painter(&stamp);
  const QPointF centre((size + 4) / 2, (size + 4) / 2);
  if (theme().marker(series) == Marker::kTriangle) {
    paintMarkerOutline(painter, series, centre, size);
  } else {
    painter.setOpacity(0.75);
    paintMarker(painter, series, centre, size);
  }
  return stamp;
}

}  // namespace

TileCurveChart::TileCurveChart(QWidget* parent) : PlotWidget(parent) {
  setAccessibleName(tr("Measured and predicted time per tile"));
}

void TileCurveChart::setTiles(Source line, std::vector<Source> points, std::vector<Mark> marks) {
  line_ = std::move(line);
  points_ = std::move(points);
  marks_ = std::move(marks);
  selected_ = -1;
  fitAxes();
  fit();
}

void TileCurveChart::setFirst(int count) {
  if (count == first_) return;
  first_ = count;
  fitAxes();
  fit();
}

int TileCurveChart::shownCount() const {
  const auto all = static_cast<int>(line_.time_ns.size());
  return first_ > 0 ? std::min(first_, all) : all;
}

void TileCurveChart::setSelected(int position) {
  selected_ = position;
  update();
}

void TileCurveChart::fitAxes() {
  double low = HUGE_VAL;
  double high = 0;
  const auto take = [&](const Source& source) {
    for (int i = 0; i < shownCount(); ++i) {
      const double time_ns = source.time_ns[static_cast<size_t>(i)];
      if (!(time_ns > 0)) continue;
      low = std::min(low, time_ns / 1e3);
      high = std::max(high, time_ns / 1e3);
    }
  };
  take(line_);
  for (const Source& source : points_) take(source);
  const QString name = textOf(analysis::info(line_.source).name);
  const bool is_rank = line_.source == analysis::TimeSource::kPredicted;
  x_axis_ = {is_rank ? tr("tile, by predicted rank") : tr("tile, sorted by %1 time").arg(name), 0.5,
             shownCount() + 0.5, false};
  y_axis_ = fittedAxis(tr("time, µs"), low, high, true, 0.08);
}

void TileCurveChart::layOut() {
  area_.x = zoomedX(x_axis_);
  area_.y = zoomedY(y_axis_);
  area_.rect = insideAxes(
      QRectF(rect()).adjusted(kCurvePadding, kCurvePadding, -kCurvePadding, -kCurvePadding),
      area_.y);
}

QPointF TileCurveChart::at(int position, double time_ns) const {
  return area_.at(position + 1, time_ns / 1e3);
}

QPointF TileCurveChart::placeOf(int position, double time_ns) {
  layOut();
  return at(position, time_ns);
}

void TileCurveChart::paintPlot(QPainter& painter) {
  if (shownCount() == 0) return;
  layOut();
  paintAxes(painter, area_);
  if (picture_.isNull()) paintPicture();
  painter.drawImage(area_.rect.topLeft(), picture_);
  paintMarks(painter);
}

void TileCurveChart::paintPicture() {
  const double ratio = devicePixelRatioF();
  picture_ = QImage((area_.rect.size() * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
  if (picture_.isNull()) return;
  picture_.setDevicePixelRatio(ratio);
  picture_.fill(Qt::transparent);
  QPainter painter(&picture_);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(-area_.rect.topLeft());
  for (const Source& source : points_) paintPoints(painter, source);
  paintLine(painter);
}

void TileCurveChart::paintPoints(QPainter& painter, const Source& source) const {
  const bool few = area_.x.high - area_.x.low < kFewPoints;
  const double size = few ? 7 : 4.5;
  const QImage stamp = stampOf(seriesOf(source.source), size, devicePixelRatioF());
  const QPointF corner(-(size + 4) / 2, -(size + 4) / 2);
  const QRectF visible = area_.rect.adjusted(-size, -size, size, size);
  const double ratio = devicePixelRatioF();
  const auto columns = static_cast<size_t>(visible.width() * ratio) + 1;
  const auto rows = static_cast<size_t>(visible.height() * ratio) + 1;
  std::vector<uint8_t> painted(columns * rows, 0);
  const auto [begin, end] = seen();
  for (int i = begin; i < end; ++i) {
    const double time_ns = source.time_ns[static_cast<size_t>(i)];
    if (!(time_ns > 0)) continue;
    const QPointF place = at(i, time_ns);
    if (!visible.contains(place)) continue;
    const auto column = static_cast<size_t>((place.x() - visible.left()) * ratio);
    const auto row = static_cast<size_t>((place.y() - visible.top()) * ratio);
    uint8_t& here = painted[row * columns + column];
    if (here == kMostOnPixel) continue;
    ++here;
    painter.drawImage(place + corner, stamp);
  }
}

std::pair<int, int> TileCurveChart::seen() const {
  const int begin = std::max(0, static_cast<int>(std::floor(area_.x.low)) - 2);
  const int end = std::min(shownCount(), static_cast<int>(std::ceil(area_.x.high)) + 1);
  return {begin, std::max(begin, end)};
}

QPolygonF TileCurveChart::linePlaces() const {
  const auto time_ns = [this](int i) { return line_.time_ns[static_cast<size_t>(i)]; };
  const double ratio = devicePixelRatioF();
  QPolygonF out;
  std::array<int, 4> kept{};  // First, least, greatest, last of a column.
  double column = -HUGE_VAL;
  const auto put = [&] {
    if (std::isinf(column)) return;
    std::ranges::sort(kept);
    const auto unlike = std::ranges::unique(kept);
    for (auto it = kept.begin(); it != unlike.begin(); ++it) out << at(*it, time_ns(*it));
  };
  const auto [begin, end] = seen();
  for (int i = begin; i < end; ++i) {
    if (!(time_ns(i) > 0)) continue;
    const double own =
        std::floor((area_.rect.left() + area_.rect.width() * area_.x.part(i + 1)) * ratio);
    if (own != column) {
      put();
      column = own;
      kept.fill(i);
    }
    if (time_ns(i) < time_ns(kept[1])) kept[1] = i;
    if (time_ns(i) > time_ns(kept[2])) kept[2] = i;
    kept[3] = i;
  }
  put();
  return out;
}

void TileCurveChart::paintLine(QPainter& painter) const {
  const QPolygonF points = linePlaces();
  painter.setPen(QPen(theme().series(seriesOf(line_.source)), 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(points);
  if (area_.x.high - area_.x.low >= kFewPoints) return;
  for (const QPointF& point : points) paintMarker(painter, seriesOf(line_.source), point, 5);
}

void TileCurveChart::paintMarks(QPainter& painter) const {
  painter.save();
  painter.setClipRect(area_.rect.adjusted(-kMarkRadius - 2, 0, kMarkRadius + 2, kMarkRadius + 2));
  painter.setFont(smallFont());
  const QFontMetricsF metrics(painter.font());
  if (selected_ >= 0 && selected_ < shownCount()) {
    const double x = at(selected_, y_axis_.low).x();
    painter.setPen(QPen(theme().role(Role::kAccent), 1));
    painter.drawLine(QPointF(x, area_.rect.top()), QPointF(x, area_.rect.bottom()));
  }
  double lane = area_.rect.top() + 2;
  for (const Mark& mark : marks_) {
    if (mark.position >= shownCount()) continue;
    const double time_ns = line_.time_ns[static_cast<size_t>(mark.position)];
    if (!(time_ns > 0)) continue;
    const QPointF place = at(mark.position, time_ns);
    const double width = metrics.horizontalAdvance(mark.text) + 6;
    // Labels stand above each other, at the side where there is room.
    const bool right = place.x() + 10 + width < area_.rect.right();
    const QRectF label(right ? place.x() + 6 : place.x() - 6 - width, lane, width,
                       metrics.height());
    lane += metrics.height() + 2;
    painter.setPen(QPen(theme().role(Role::kTextMuted), 1, Qt::DotLine));
    painter.drawLine(QPointF(place.x(), label.center().y()), place);
    painter.setPen(QPen(theme().role(Role::kAccent), 2));
    painter.setBrush(Qt::NoBrush);
    if (mark.is_ring) {
      painter.drawEllipse(place, kMarkRadius, kMarkRadius);
    } else {
      painter.drawRect(QRectF(place.x() - 4, place.y() - 4, 8, 8));
    }
    QColor paper = theme().role(Role::kBase);
    paper.setAlphaF(0.85F);
    painter.fillRect(label, paper);
    painter.setPen(theme().role(Role::kText));
    painter.drawText(label, Qt::AlignCenter, mark.text);
  }
  painter.restore();
}

int TileCurveChart::positionAt(const QPointF& place) const {
  if (!area_.rect.adjusted(-kCurveReach, -kCurveReach, kCurveReach, kCurveReach).contains(place))
    return -1;
  const auto middle = static_cast<int>(std::lround(area_.valueAt(place).x())) - 1;
  const double pitch = area_.rect.width() / std::max(1.0, area_.x.high - area_.x.low);
  const int reach = static_cast<int>(kCurveReach / std::max(pitch, 0.01)) + 1;
  int best = -1;
  double best_distance = HUGE_VAL;
  const auto look = [&](const Source& source, int position) {
    const double time_ns = source.time_ns[static_cast<size_t>(position)];
    if (!(time_ns > 0)) return;
    const double distance = QLineF(at(position, time_ns), place).length();
    if (distance >= best_distance) return;
    best_distance = distance;
    best = position;
  };
  for (int i = std::max(0, middle - reach); i <= std::min(shownCount() - 1, middle + reach); ++i) {
    look(line_, i);
    for (const Source& source : points_) look(source, i);
  }
  return best;
}

QString TileCurveChart::toolTipAt(const QPointF& place) const {
  const int position = positionAt(place);
  return position >= 0 && tips_ ? tips_(position) : QString();
}

void TileCurveChart::clickAt(const QPointF& place) {
  const int position = positionAt(place);
  if (position < 0) return;
  setSelected(position);
  emit positionClicked(position);
}

void TileCurveChart::activateAt(const QPointF& place) {
  const int position = positionAt(place);
  if (position >= 0) emit positionActivated(position);
}

void TileCurveChart::activateCurrent() {
  if (selected_ >= 0) emit positionActivated(selected_);
}

void TileCurveChart::walk(int step) {
  if (shownCount() == 0) return;
  setSelected(selected_ < 0 ? 0 : std::clamp(selected_ + step, 0, shownCount() - 1));
  emit positionClicked(selected_);
}

QString TileCurveChart::csv() const {
  QString text = QStringLiteral("position,%1_us").arg(textOf(analysis::info(line_.source).id));
  for (const Source& source : points_) {
    text += QStringLiteral(",%1_us").arg(textOf(analysis::info(source.source).id));
  }
  text += '\n';
  const auto number = [](double time_ns) {
    return std::isnan(time_ns) ? QString() : QString::number(time_ns / 1e3, 'g', 10);
  };
  for (int i = 0; i < shownCount(); ++i) {
    text += QString::number(i + 1) + ',' + number(line_.time_ns[static_cast<size_t>(i)]);
    for (const Source& source : points_) {
      text += ',' + number(source.time_ns[static_cast<size_t>(i)]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace hloscope::ui
