#include "ui/charts/curve_style.h"

#include <QPainterPath>
#include <array>

#include "ui/charts/series_style.h"
#include "ui/theme/fonts.h"

namespace hloscope::ui {
namespace {

constexpr double kSample = 26;  ///< Width of the line in a legend.

struct Look {
  QList<qreal> dashes;  ///< Empty: solid.
  Marker marker;
};

const Look& lookOf(int index) {
  static const std::array<Look, kCurveStyles> looks = {{
      {{}, Marker::kRotatedRectangle},
      {{5, 3}, Marker::kCircle},
      {{1.5, 2}, Marker::kTriangle},
      {{7, 2, 1.5, 2}, Marker::kRectangle},
      {{10, 3}, Marker::kPentagon},
      {{3, 2, 1, 2, 1, 2}, Marker::kStar},
      {{2, 4}, Marker::kRectangle},
  }};
  return looks[static_cast<size_t>(index % kCurveStyles)];
}

}  // namespace

QColor curveColor(int index) {
  static constexpr std::array<Role, kCurveStyles> roles = {
      Role::kAccent, Role::kWarn,      Role::kGood,     Role::kBad,
      Role::kText,   Role::kTextMuted, Role::kTextFaint};
  return theme().role(roles[static_cast<size_t>(index % kCurveStyles)]);
}

QPen curvePen(int index, double width) {
  QPen pen(curveColor(index), width);
  pen.setCapStyle(Qt::FlatCap);
  pen.setJoinStyle(Qt::MiterJoin);
  if (!lookOf(index).dashes.isEmpty()) pen.setDashPattern(lookOf(index).dashes);
  return pen;
}

Marker curveMarker(int index) {
  return lookOf(index).marker;
}

void paintCurveMarker(QPainter& painter, int index, const QPointF& center, double size) {
  painter.save();
  painter.setPen(Qt::NoPen);
  painter.setBrush(curveColor(index));
  painter.drawPath(markerPath(curveMarker(index), size).translated(center));
  painter.restore();
}

double paintCurveEntry(QPainter& painter, int index, const QPointF& at, const QString& text) {
  painter.save();
  painter.setFont(smallFont());
  painter.setPen(curvePen(index, 2));
  painter.drawLine(at, at + QPointF(kSample, 0));
  paintCurveMarker(painter, index, at + QPointF(kSample / 2, 0), 7);
  painter.setPen(theme().role(Role::kTextMuted));
  const double width = painter.fontMetrics().horizontalAdvance(text);
  painter.drawText(QRectF(at.x() + kSample + 5, at.y() - 9, width + 2, 18), Qt::AlignVCenter, text);
  painter.restore();
  return kSample + 5 + width;
}

}  // namespace hloscope::ui
