#pragma once

#include <QImage>
#include <QRgb>

namespace hloscope::ui {

/// A rectangle in device pixels, with fractions.
struct PixelRect {
  float left = 0;
  float top = 0;
  float right = 0;
  float bottom = 0;
  [[nodiscard]] float width() const { return right - left; }
  [[nodiscard]] float height() const { return bottom - top; }
  [[nodiscard]] PixelRect grown(float by) const {
    return {left - by, top - by, right + by, bottom + by};
  }
};

struct RoundRectStyle {
  QRgb fill = 0;  ///< Alpha 0: not filled.
  QRgb outline = 0;
  int outline_alpha = 256;
  float radius = 0;
  float outline_width = 1;
  bool dashed = false;  ///< Outline with gaps along the horizontal sides.
};

/// Draws straight into the pixels of an opaque 32-bit image: for scenes of 100,000 shapes, where
/// QPainter's general rasteriser takes over 16 ms. Coordinates are device pixels; everything is
/// clipped to the image. Alpha is 0..256.
class Raster {
 public:
  explicit Raster(QImage& image);

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }

  void fill(QRgb color);
  void fillRect(int left, int top, int right, int bottom, QRgb color, int alpha = 256);
  /// Rounded to whole pixels, at least `least` pixels in both directions.
  void fillBlock(const PixelRect& rect, QRgb color, int least);
  /// One pixel wide, not smoothed.
  void line(float x1, float y1, float x2, float y2, QRgb color, int alpha);
  /// Smoothed; `thickness` in pixels, 1 or more.
  void smoothLine(float x1, float y1, float x2, float y2, float thickness, QRgb color);
  void roundRect(const PixelRect& rect, const RoundRectStyle& style);
  /// A triangle whose point is down at (x, y).
  void arrowHead(float x, float y, float size, QRgb color);
  /// Blends `color` through an 8-bit mask.
  void mask(const QImage& alpha, int left, int top, QRgb color);

  void blend(int x, int y, QRgb color, int alpha) {
    if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
    blendAt(row(y) + x, color, alpha);
  }

 private:
  [[nodiscard]] QRgb* row(int y) const { return bits_ + static_cast<ptrdiff_t>(y) * stride_; }
  static void blendAt(QRgb* pixel, QRgb color, int alpha) {
    const auto a = static_cast<uint32_t>(alpha);
    const uint32_t inverse = 256 - a;
    const uint32_t rb = ((*pixel & 0xff00ffU) * inverse + (color & 0xff00ffU) * a) >> 8;
    const uint32_t g = ((*pixel & 0x00ff00U) * inverse + (color & 0x00ff00U) * a) >> 8;
    *pixel = 0xff000000U | (rb & 0xff00ffU) | (g & 0x00ff00U);
  }
  void roundRow(const PixelRect& rect, const RoundRectStyle& style, int y);
  /// Pixels from one to the next, and their number, along the line's longer axis and across.
  struct Axes {
    ptrdiff_t step_along, step_across;
    int size_along, size_across;
  };
  struct AlongAcross {
    float along1, across1, along2, across2;
  };
  struct Column {
    int along;
    int top;    ///< Across, in 65536ths.
    int total;  ///< Covered across, in 256ths of a pixel.
    int share;  ///< Covered along, in 256ths.
  };
  void column(const Axes& axes, const Column& c, QRgb color);
  void thick(const Axes& axes, const AlongAcross& line, float thickness, QRgb color);

  QRgb* bits_;
  ptrdiff_t stride_;
  int width_;
  int height_;
};

/// Cuts a line to a rectangle (Liang and Barsky 1984); false when nothing is left.
bool clipLine(float& x1, float& y1, float& x2, float& y2, const PixelRect& to);

}  // namespace hloscope::ui
