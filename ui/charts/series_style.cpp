#include "ui/charts/series_style.h"

#include <QPainterPath>
#include <cmath>
#include <numbers>

namespace hloscope::ui {
namespace {

QPainterPath polygon(int corners, double radius, double first_angle) {
  QPolygonF shape;
  for (int i = 0; i < corners; ++i) {
    const double angle = first_angle + 2 * std::numbers::pi * i / corners;
    shape << QPointF(radius * std::sin(angle), -radius * std::cos(angle));
  }
  QPainterPath path;
  path.addPolygon(shape);
  path.closeSubpath();
  return path;
}

/// Five points, as Qt Charts draws them.
QPainterPath star(double radius) {
  constexpr double kInner = 0.45;
  QPolygonF shape;
  for (int i = 0; i < 10; ++i) {
    const double angle = std::numbers::pi * i / 5;
    const double reach = i % 2 == 0 ? radius * 1.15 : radius * 1.15 * kInner;
    shape << QPointF(reach * std::sin(angle), -reach * std::cos(angle));
  }
  QPainterPath path;
  path.addPolygon(shape);
  path.closeSubpath();
  return path;
}

}  // namespace

Series seriesOf(analysis::TimeSource source) {
  switch (source) {
    case analysis::TimeSource::kMeasured:
      return Series::kMeasured;
    case analysis::TimeSource::kSimulated:
      return Series::kSimulator;
    case analysis::TimeSource::kAnalytical:
      return Series::kAnalytical;
    case analysis::TimeSource::kPredicted:
      return Series::kGraphSage;
    case analysis::TimeSource::kCompiler:
      return Series::kCompiler;
  }
  return Series::kMeasured;
}

Series seriesOf(analysis::PairSource source) {
  // Stands on no page together with the LSTM of the papers, whose style it has.
  if (source == analysis::PairSource::kScaled) return Series::kLstm;
  return seriesOf(analysis::info(source).of);
}

QPainterPath markerPath(Marker marker, double size) {
  const double radius = size / 2;
  QPainterPath path;
  switch (marker) {
    case Marker::kCircle:
      path.addEllipse(QPointF(0, 0), radius, radius);
      return path;
    case Marker::kRectangle:
      path.addRect(-radius * 0.9, -radius * 0.9, size * 0.9, size * 0.9);
      return path;
    case Marker::kRotatedRectangle:
      return polygon(4, radius, 0);
    case Marker::kTriangle:
      return polygon(3, radius * 1.15, 0).translated(0, radius * 0.2);
    case Marker::kPentagon:
      return polygon(5, radius, 0);
    case Marker::kStar:
      return star(radius);
  }
  return path;
}

QIcon markerIcon(Series series) {
  constexpr int kSize = 16;
  constexpr int kScale = 2;
  QPixmap picture(kSize * kScale, kSize * kScale);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.scale(kScale, kScale);
  paintMarker(painter, series, QPointF(kSize / 2.0, kSize / 2.0), 9);
  return QIcon(picture);
}

void paintMarker(QPainter& painter, Series series, const QPointF& center, double size) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().series(series));
  painter.drawPath(markerPath(theme().marker(series), size).translated(center));
  painter.restore();
}

void paintMarkerOutline(QPainter& painter, Series series, const QPointF& center, double size) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme().series(series), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(markerPath(theme().marker(series), size).translated(center));
  painter.restore();
}

}  // namespace hloscope::ui
