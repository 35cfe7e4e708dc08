#include <QTest>

#include "tests/support/test_registry.h"
#include "ui/charts/series_style.h"
#include "ui/charts/tile_curve_chart.h"
#include "ui/theme/theme.h"

using namespace hloscope;
using namespace hloscope::ui;
using analysis::TimeSource;

namespace {

constexpr int kTiles = 50'000;
constexpr int kHigh = 31'234;  ///< The only tile of the line that is slow.
constexpr double kUsualNs = 10'000;
constexpr double kHighNs = 1'000'000;

TileCurveChart::Source constantSource(TimeSource source, double time_ns) {
  return {source, std::vector<double>(kTiles, time_ns)};
}

/// How unlike two colours are, 0 to 765.
int differenceOf(const QColor& a, const QColor& b) {
  return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) +
         std::abs(a.blue() - b.blue());
}

}  // namespace

class TestTileCurveChart : public QObject {
  Q_OBJECT
 private:
  static void fill(TileCurveChart& chart) {
    TileCurveChart::Source line = constantSource(TimeSource::kSimulated, kUsualNs);
    line.time_ns[kHigh] = kHighNs;
    TileCurveChart::Source points = constantSource(TimeSource::kAnalytical, 30'000);
    points.time_ns[kHigh] = 300'000;
    chart.resize(700, 400);
    chart.setTiles(std::move(line), {std::move(points)}, {});
  }

 private slots:
  // Many tiles stand in each column of pixels.
  void one_slow_tile_of_thousands_is_seen() {
    TileCurveChart chart;
    fill(chart);
    const QImage picture = chart.grab().toImage();
    const QColor colour = theme().series(seriesOf(TimeSource::kSimulated));
    const QPoint half_way = chart.placeOf(kHigh, 100'000).toPoint();
    int nearest = 765;
    for (int dx = -2; dx <= 2; ++dx) {
      nearest =
          std::min(nearest, differenceOf(picture.pixelColor(half_way + QPoint(dx, 0)), colour));
    }
    QVERIFY(nearest < 100);
    const QColor beside = picture.pixelColor(half_way + QPoint(12, 0));
    QVERIFY(differenceOf(beside, colour) > 200);
  }
  void the_line_is_whole_from_end_to_end() {
    TileCurveChart chart;
    fill(chart);
    const QImage picture = chart.grab().toImage();
    const QColor colour = theme().series(seriesOf(TimeSource::kSimulated));
    for (const int position : {300, 10'000, 20'000, 40'000, kTiles - 300}) {
      const QPoint place = chart.placeOf(position, kUsualNs).toPoint();
      int nearest = 765;
      for (int dy = -1; dy <= 1; ++dy) {
        nearest =
            std::min(nearest, differenceOf(picture.pixelColor(place + QPoint(0, dy)), colour));
      }
      QVERIFY(nearest < 60);
    }
  }
  void one_point_away_from_thousands_is_seen() {
    TileCurveChart chart;
    fill(chart);
    const QColor paper = theme().role(Role::kBase);
    const QImage picture = chart.grab().toImage();
    const auto marked_pixels = [&](const QPoint& place) {
      int out = 0;
      for (int dx = -4; dx <= 4; ++dx) {
        for (int dy = -4; dy <= 4; ++dy) {
          out += differenceOf(picture.pixelColor(place + QPoint(dx, dy)), paper) > 60 ? 1 : 0;
        }
      }
      return out;
    };
    QVERIFY(marked_pixels(chart.placeOf(kHigh + 1500, 300'000).toPoint()) == 0);
    QVERIFY(marked_pixels(chart.placeOf(15'000, 30'000).toPoint()) > 10);
    // Beside the line, which goes through the point as well.
    const QPoint place = chart.placeOf(kHigh, 300'000).toPoint();
    const int at_point = marked_pixels(place);
    QVERIFY(at_point > marked_pixels(place - QPoint(0, 25)));
  }
  void the_pointer_finds_tiles_that_are_not_painted_one_by_one() {
    TileCurveChart chart;
    fill(chart);
    chart.grab();
    QCOMPARE(chart.positionAt(chart.placeOf(kHigh, kHighNs)), kHigh);
    for (const int position : {1, 12'345, 49'998}) {
      QCOMPARE(chart.positionAt(chart.placeOf(position, kUsualNs)), position);
    }
  }
};

HLOSCOPE_TEST(TestTileCurveChart);
#include "test_tile_curve_chart.moc"
