#include <QPainter>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/rng.h"
#include "tests/support/test_registry.h"
#include "ui/graph/frame_renderer.h"
#include "ui/graph/glyphs.h"
#include "ui/graph/grid_index.h"
#include "ui/graph/raster.h"
#include "ui/graph/scene.h"
#include "ui/theme/fonts.h"

using namespace hloscope;
using namespace hloscope::ui;

namespace {

constexpr QRgb kBlack = 0xff000000U;
constexpr QRgb kWhite = 0xffffffffU;

QImage blank(int width, int height) {
  QImage image(width, height, QImage::Format_RGB32);
  image.fill(kBlack);
  return image;
}

/// Sum of the red parts, 255 = one white pixel.
double ink(const QImage& image) {
  double sum = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) sum += qRed(image.pixel(x, y));
  }
  return sum / 255;
}

}  // namespace

class TestGraphParts : public QObject {
  Q_OBJECT
 private slots:
  void detail_levels_by_node_height() {
    QCOMPARE(detailLevel(3.9), DetailLevel::kCells);
    QCOMPARE(detailLevel(4), DetailLevel::kBoxes);
    QCOMPARE(detailLevel(8.9), DetailLevel::kBoxes);
    QCOMPARE(detailLevel(9), DetailLevel::kNames);
    QCOMPARE(detailLevel(16), DetailLevel::kFull);
  }

  void lines_are_clipped_to_the_rectangle() {
    const PixelRect box{0, 0, 10, 10};
    float x1 = -10, y1 = 5, x2 = 20, y2 = 5;
    QVERIFY(clipLine(x1, y1, x2, y2, box));
    QCOMPARE(x1, 0.F);
    QCOMPARE(x2, 10.F);
    x1 = -5, y1 = 0, x2 = 5, y2 = 10;
    QVERIFY(clipLine(x1, y1, x2, y2, box));
    QCOMPARE(x1, 0.F);
    QCOMPARE(y1, 5.F);
    x1 = -5, y1 = 8, x2 = 1, y2 = 15;
    QVERIFY(!clipLine(x1, y1, x2, y2, box));
    x1 = 12, y1 = 0, x2 = 12, y2 = 10;
    QVERIFY(!clipLine(x1, y1, x2, y2, box));
  }

  void smooth_lines_cover_their_area() {
    // Thickness times length, whatever the direction and the place between pixels.
    const struct {
      float x1, y1, x2, y2;
    } lines[] = {{10, 10, 10, 50},
                 {10.5F, 10, 10.5F, 50},
                 {10, 20, 50, 20},
                 {10, 10, 40, 50},
                 {50, 45, 12, 17}};
    for (const auto& l : lines) {
      for (const float thickness : {1.F, 1.8F, 3.F}) {
        QImage image = blank(64, 64);
        Raster(image).smoothLine(l.x1, l.y1, l.x2, l.y2, thickness, kWhite);
        const double length = std::hypot(l.x2 - l.x1, l.y2 - l.y1);
        QVERIFY(std::abs(ink(image) - thickness * length) < 0.05 * thickness * length);
      }
    }
  }

  void drawing_outside_of_the_image_is_harmless() {
    QImage image = blank(20, 20);
    Raster raster(image);
    raster.line(-1e6F, -5, 1e6F, -5, kWhite, 256);
    raster.smoothLine(-50, 30, 70, 31, 3, kWhite);
    raster.fillRect(-100, 25, 300, 40, kWhite);
    raster.fillBlock({30, 2, 40, 9}, kWhite, 1);
    raster.roundRect({-60, -60, -30, -30}, {.fill = kWhite, .outline = kWhite, .radius = 5});
    raster.roundRect({25, 5, 50, 15}, {.fill = kWhite, .outline = kWhite, .radius = 5});
    raster.arrowHead(30, 30, 8, kWhite);
    raster.blend(-1, 5, kWhite, 256);
    raster.blend(20, 5, kWhite, 256);
    QCOMPARE(ink(image), 0.0);
    // Partly inside.
    raster.roundRect({-10, -10, 5, 5}, {.fill = kWhite, .outline = kWhite, .radius = 0});
    QCOMPARE(ink(image), 25.0);
  }

  void lines_to_all_sides_stay_inside() {
    // A guard of other pixels around the image must stay as it is.
    QImage around = blank(340, 240);
    QImage image(around.bits() + 20 * around.bytesPerLine() + 20 * 4, 300, 200,
                 around.bytesPerLine(), QImage::Format_RGB32);
    Raster raster(image);
    Rng rng(7);
    const auto any = [&rng](float scale) {
      return static_cast<float>(rng.uniform() - 0.4) * scale;
    };
    for (int i = 0; i < 20000; ++i) {
      const float scale = i % 2 == 0 ? 1000.F : 1e6F;
      const float x1 = any(scale), y1 = any(scale), x2 = any(scale), y2 = any(scale);
      raster.line(x1, y1, x2, y2, kWhite, 256);
      if (i % 8 == 0) raster.smoothLine(x1, y1, x2, y2, 2, kWhite);
    }
    for (int y = 0; y < around.height(); ++y) {
      for (int x = 0; x < around.width(); ++x) {
        const bool inside = x >= 20 && x < 320 && y >= 20 && y < 220;
        if (!inside) QCOMPARE(around.pixel(x, y), kBlack);
      }
    }
    QVERIFY(qRed(image.pixel(150, 100)) > 0);
  }

  void round_rectangles_have_their_area() {
    QImage image = blank(100, 60);
    Raster(image).roundRect({10, 10, 90, 50}, {.fill = kWhite, .outline = kWhite, .radius = 20});
    const double area = 40 * 40 + std::numbers::pi * 20 * 20;
    QVERIFY(std::abs(ink(image) - area) < 0.02 * area);
    QImage ring = blank(100, 60);
    Raster(ring).roundRect({10, 10, 90, 50}, {.outline = kWhite, .radius = 5, .outline_width = 2});
    QCOMPARE(qRed(ring.pixel(50, 30)), 0);
    QCOMPARE(qRed(ring.pixel(50, 11)), 255);
    QCOMPARE(qRed(ring.pixel(11, 30)), 255);
  }

  void cells_are_never_smaller_than_a_pixel() {
    QImage image = blank(20, 20);
    Raster(image).fillBlock({5.2F, 5.1F, 5.3F, 5.2F}, kWhite, 1);
    QCOMPARE(ink(image), 1.0);
  }

  void glyphs_agree_with_qt() {
    const QFont font = [] {
      QFont f = uiFont();
      f.setPixelSize(13);
      return f;
    }();
    QImage image = blank(200, 30);
    GlyphFont glyphs(font);
    Raster raster(image);
    const QString text("fusion.191");
    const int used = glyphs.draw(raster, {5, 4}, text, kWhite, 190);
    QVERIFY(std::abs(used - QFontMetrics(font).horizontalAdvance(text)) <= 3);
    QImage expected = blank(200, 30);
    QPainter painter(&expected);
    painter.setFont(font);
    painter.setPen(Qt::white);
    painter.drawText(5, 4 + QFontMetrics(font).ascent(), text);
    painter.end();
    QVERIFY(ink(expected) > 50);
    QVERIFY(std::abs(ink(image) - ink(expected)) < 0.1 * ink(expected));
  }

  void underscores_are_seen_at_every_size() {
    for (int size = 7; size <= 20; ++size) {
      QFont font = uiFont();
      font.setPixelSize(size);
      GlyphFont glyphs(font);
      QImage image = blank(60, 40);
      Raster raster(image);
      glyphs.draw(raster, {5, 4}, u"__", kWhite, 50);
      QVERIFY2(ink(image) > 2, qPrintable(QString::number(size)));
    }
  }

  void long_names_keep_their_end() {
    QFont font = uiFont();
    font.setPixelSize(12);
    GlyphFont glyphs(font);
    QImage image = blank(300, 20);
    Raster raster(image);
    const QString text("multiply_reduce_fusion.12345");
    for (const int width : {0, 5, 20, 60, 120, 400}) {
      const int used = glyphs.draw(raster, {0, 0}, text, kWhite, width, GlyphFont::Elide::kMiddle);
      QVERIFY(used <= width);
      if (width >= 60) QVERIFY(used > width / 2 || used == glyphs.width(text));
    }
  }

  void grid_finds_the_same_as_a_search_through_all() {
    std::vector<layout::Rect> rects;
    for (int i = 0; i < 500; ++i) {
      const auto x = static_cast<float>(i * 37 % 1000);
      const auto y = static_cast<float>(i * 91 % 1700);
      rects.push_back({x, y, x + static_cast<float>(i % 300), y + 20});
    }
    const GridIndex grid(rects);
    for (int q = 0; q < 60; ++q) {
      const auto x = static_cast<float>(q * 53 % 1300 - 100);
      const auto y = static_cast<float>(q * 71 % 2000 - 100);
      const layout::Rect area{x, y, x + static_cast<float>(q * 7), y + 130};
      std::vector<uint32_t> found;
      grid.query(area, found);
      std::ranges::sort(found);
      std::vector<uint32_t> expected;
      for (uint32_t i = 0; i < rects.size(); ++i) {
        const layout::Rect& r = rects[i];
        if (r.left <= area.right && area.left <= r.right && r.top <= area.bottom &&
            area.top <= r.bottom) {
          expected.push_back(i);
        }
      }
      QCOMPARE(found, expected);
    }
    std::vector<uint32_t> none;
    GridIndex().query({0, 0, 1, 1}, none);
    QVERIFY(none.empty());
  }

  void simplified_lines_stay_near() {
    const std::vector<layout::Point> line{{0, 0}, {1, 0.1F}, {2, 0}, {3, 5}, {4, 0}};
    std::vector<layout::Point> out;
    simplify(line, 1, out);
    QCOMPARE(out, (std::vector<layout::Point>{{0, 0}, {2, 0}, {3, 5}, {4, 0}}));
    out.clear();
    simplify(std::span(line).first(2), 1, out);
    QCOMPARE(out.size(), size_t{2});
  }
};

HLOSCOPE_TEST(TestGraphParts);
#include "test_parts.moc"
