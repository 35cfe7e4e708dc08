#include "ui/graph/raster.h"

#include <algorithm>
#include <cmath>

namespace hloscope::ui {

namespace {

int floorInt(float value) {
  return static_cast<int>(std::floor(value));
}

/// Share of the pixel [x, x+1) that [left, right) covers, 0..256.
int coverage(int x, float left, float right) {
  const float from = std::max(left, static_cast<float>(x));
  const float to = std::min(right, static_cast<float>(x + 1));
  return to <= from ? 0 : static_cast<int>((to - from) * 256);
}

}  // namespace

Raster::Raster(QImage& image)
    : bits_(reinterpret_cast<QRgb*>(image.bits())),
      stride_(image.bytesPerLine() / static_cast<ptrdiff_t>(sizeof(QRgb))),
      width_(image.width()),
      height_(image.height()) {
  Q_ASSERT(image.depth() == 32);
}

void Raster::fill(QRgb color) {
  for (int y = 0; y < height_; ++y) std::fill_n(row(y), width_, color);
}

void Raster::fillRect(int left, int top, int right, int bottom, QRgb color, int alpha) {
  left = std::max(left, 0);
  right = std::min(right, width_);
  top = std::max(top, 0);
  bottom = std::min(bottom, height_);
  if (left >= right) return;
  for (int y = top; y < bottom; ++y) {
    QRgb* pixel = row(y) + left;
    if (alpha >= 256) {
      std::fill_n(pixel, right - left, color | 0xff000000U);
    } else {
      for (int x = left; x < right; ++x) blendAt(pixel++, color, alpha);
    }
  }
}

void Raster::fillBlock(const PixelRect& rect, QRgb color, int least) {
  const int left = floorInt(rect.left + 0.5F);
  const int top = floorInt(rect.top + 0.5F);
  const int right = std::max(left + least, floorInt(rect.right + 0.5F));
  const int bottom = std::max(top + least, floorInt(rect.bottom + 0.5F));
  fillRect(left, top, right, bottom, color);
}

bool clipLine(float& x1, float& y1, float& x2, float& y2, const PixelRect& to) {
  const float dx = x2 - x1;
  const float dy = y2 - y1;
  float first = 0;
  float last = 1;
  const auto cut = [&](float p, float q) {
    if (p == 0) return q >= 0;
    const float t = q / p;
    if (p < 0) first = std::max(first, t);
    if (p > 0) last = std::min(last, t);
    return first <= last;
  };
  if (!cut(-dx, x1 - to.left) || !cut(dx, to.right - x1) || !cut(-dy, y1 - to.top) ||
      !cut(dy, to.bottom - y1)) {
    return false;
  }
  const float old_x = x1;
  const float old_y = y1;
  x1 = old_x + first * dx;
  y1 = old_y + first * dy;
  x2 = old_x + last * dx;
  y2 = old_y + last * dy;
  return true;
}

void Raster::line(float x1, float y1, float x2, float y2, QRgb color, int alpha) {
  const PixelRect inside =
      PixelRect{0, 0, static_cast<float>(width_), static_cast<float>(height_)}.grown(-0.01F);
  if (!clipLine(x1, y1, x2, y2, inside)) return;
  // The pixels below are not checked again: rounding must not lead out of the image, neither in
  // clipping nor in the sum of the steps (under 1e-4 pixels).
  for (float* x : {&x1, &x2}) *x = std::clamp(*x, inside.left, inside.right);
  for (float* y : {&y1, &y2}) *y = std::clamp(*y, inside.top, inside.bottom);
  const float dx = x2 - x1;
  const float dy = y2 - y1;
  const int steps = static_cast<int>(std::max(std::abs(dx), std::abs(dy)));
  // 16.16 fixed point.
  const auto step_x = steps == 0 ? 0 : static_cast<int>(dx * 65536 / static_cast<float>(steps));
  const auto step_y = steps == 0 ? 0 : static_cast<int>(dy * 65536 / static_cast<float>(steps));
  auto x = static_cast<int>(x1 * 65536);
  auto y = static_cast<int>(y1 * 65536);
  for (int i = 0; i <= steps; ++i) {
    blendAt(row(y >> 16) + (x >> 16), color, alpha);
    x += step_x;
    y += step_y;
  }
}

void Raster::smoothLine(float x1, float y1, float x2, float y2, float thickness, QRgb color) {
  const PixelRect around =
      PixelRect{0, 0, static_cast<float>(width_), static_cast<float>(height_)}.grown(thickness);
  if (!clipLine(x1, y1, x2, y2, around)) return;
  if (std::abs(y2 - y1) >= std::abs(x2 - x1)) {
    if (y1 > y2) {
      std::swap(x1, x2);
      std::swap(y1, y2);
    }
    thick({stride_, 1, height_, width_}, {y1, x1, y2, x2}, thickness, color);
  } else {
    if (x1 > x2) {
      std::swap(x1, x2);
      std::swap(y1, y2);
    }
    thick({1, stride_, width_, height_}, {x1, y1, x2, y2}, thickness, color);
  }
}

/// Walks along the longer axis and covers the right share of the pixels across, in 256ths.
void Raster::thick(const Axes& axes, const AlongAcross& line, float thickness, QRgb color) {
  const float length = line.along2 - line.along1;
  if (length <= 0) return;
  const float slope = (line.across2 - line.across1) / length;
  const float half = thickness / 2 * std::sqrt(1 + slope * slope);
  const auto total = static_cast<int>(half * 512);
  const int start = floorInt(line.along1);
  const int end = floorInt(line.along2);
  const int first = std::max(0, start);
  const int last = std::min(axes.size_along - 1, end);
  const auto top_at = [&](float along) {
    const float top = line.across1 + slope * (along - line.along1) - half;
    return static_cast<int>(std::floor(top * 65536));
  };
  const auto step = static_cast<int>(slope * 65536);
  int top = top_at(static_cast<float>(std::max(first, start + 1)) + 0.5F);
  for (int a = first; a <= last; ++a) {
    if (a == start || a == end) {
      const float middle = std::clamp(static_cast<float>(a) + 0.5F, line.along1, line.along2);
      column(axes, {a, top_at(middle), total, coverage(a, line.along1, line.along2)}, color);
    } else {
      column(axes, {a, top, total, 256}, color);
      top += step;
    }
  }
}

/// The pixels that a line covers at one place along it.
void Raster::column(const Axes& axes, const Column& c, QRgb color) {
  int b = c.top >> 16;
  QRgb* pixel = bits_ + c.along * axes.step_along + b * axes.step_across;
  int cover = std::min(256 - ((c.top >> 8) & 255), c.total);
  for (int left = c.total; left > 0; left -= cover, cover = std::min(256, left)) {
    if (b >= 0 && b < axes.size_across) blendAt(pixel, color, cover * c.share >> 8);
    pixel += axes.step_across;
    ++b;
  }
}

void Raster::roundRect(const PixelRect& rect, const RoundRectStyle& style) {
  const int first = std::max(0, floorInt(rect.top));
  const int last = std::min(height_ - 1, floorInt(rect.bottom));
  if (rect.right <= 0 || rect.left >= static_cast<float>(width_)) return;
  for (int y = first; y <= last; ++y) roundRow(rect, style, y);
}

/// Coverage comes from the distance to the outline: exact along sides, near enough in corners.
void Raster::roundRow(const PixelRect& rect, const RoundRectStyle& style, int y) {
  const bool filled = qAlpha(style.fill) != 0;
  const float radius = std::min({style.radius, rect.width() / 2, rect.height() / 2});
  const float half_width = rect.width() / 2 - radius;
  const float half_height = rect.height() / 2 - radius;
  const float center_x = (rect.left + rect.right) / 2;
  const float center_y = (rect.top + rect.bottom) / 2;
  const float dy = std::abs(static_cast<float>(y) + 0.5F - center_y) - half_height;
  const auto distance = [&](int x) {
    const float dx = std::abs(static_cast<float>(x) + 0.5F - center_x) - half_width;
    if (dx <= 0 || dy <= 0) return std::max(dx, dy) - radius;
    return std::sqrt(dx * dx + dy * dy) - radius;
  };
  const auto pixel = [&](int x) {
    const float d = distance(x);
    const auto shape = static_cast<int>(std::clamp(0.5F - d, 0.F, 1.F) * 256);
    if (shape == 0) return;
    const auto inner = static_cast<int>(std::clamp(0.5F - d - style.outline_width, 0.F, 1.F) * 256);
    const bool gap = style.dashed && dy > 0 && (x - floorInt(rect.left)) % 6 >= 3;
    if (!filled) {
      if (shape > inner && !gap)
        blend(x, y, style.outline, (shape - inner) * style.outline_alpha >> 8);
      return;
    }
    if (shape > inner) blend(x, y, gap ? style.fill : style.outline, shape);
    if (inner > 0) blend(x, y, style.fill, inner);
  };
  // Between these columns the row is plain.
  const float clear = std::max(radius, style.outline_width) + 1;
  const int plain_from = floorInt(rect.left + clear) + 1;
  const int plain_to = floorInt(rect.right - clear) - 1;
  const bool edge_row = dy > radius - style.outline_width - 1;
  const int from = std::max(0, floorInt(rect.left));
  const int to = std::min(width_ - 1, floorInt(rect.right));
  if (edge_row || plain_from >= plain_to) {
    for (int x = from; x <= to; ++x) pixel(x);
    return;
  }
  for (int x = from; x < std::min(plain_from, to + 1); ++x) pixel(x);
  if (filled) fillRect(plain_from, y, plain_to, y + 1, style.fill);
  for (int x = std::max(from, plain_to); x <= to; ++x) pixel(x);
}

void Raster::arrowHead(float x, float y, float size, QRgb color) {
  const int last = floorInt(y);
  for (int line = floorInt(y - size); line <= last; ++line) {
    const float half = std::min(size, y - (static_cast<float>(line) + 0.5F)) / 2;
    if (half <= 0) continue;
    const int end = floorInt(x + half);
    for (int column = floorInt(x - half); column <= end; ++column) {
      blend(column, line, color, coverage(column, x - half, x + half));
    }
  }
}

void Raster::mask(const QImage& alpha, int left, int top, QRgb color) {
  const int from_x = std::max(0, -left);
  const int to_x = std::min(alpha.width(), width_ - left);
  const int from_y = std::max(0, -top);
  const int to_y = std::min(alpha.height(), height_ - top);
  for (int y = from_y; y < to_y; ++y) {
    const uchar* source = alpha.constScanLine(y);
    QRgb* pixel = row(top + y) + left;
    for (int x = from_x; x < to_x; ++x) {
      const int a = source[x];
      if (a != 0) blendAt(pixel + x, color, a + (a >> 7));
    }
  }
}

}  // namespace hloscope::ui
