#pragma once

#include <QFont>
#include <QImage>
#include <QPoint>
#include <QString>
#include <memory>
#include <unordered_map>

#include "ui/graph/raster.h"

namespace hloscope::ui {

/// Characters of one font at one size as masks, made on first use. Draws short labels without
/// shaping: names, numbers and shapes, some ten thousand characters a frame.
class GlyphFont {
 public:
  enum class Elide { kMiddle, kEnd };

  explicit GlyphFont(const QFont& font);

  [[nodiscard]] int ascent() const { return ascent_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] int width(QStringView text);
  /// Draws at most `width` pixels, with an ellipsis if that is too short for the text; `at` is the
  /// top left corner of the line. Returns the width used.
  int draw(Raster& raster, QPoint at, QStringView text, QRgb color, int width,
           Elide elide = Elide::kEnd);

 private:
  struct Glyph {
    QImage mask;
    int advance = 0;
    int left = 0;  ///< Of the mask, relative to the pen.
  };

  const Glyph& glyph(QChar character);
  int drawRun(Raster& raster, int left, int top, QStringView text, QRgb color);
  /// Length of the longest start (or end) of the text that fits.
  qsizetype fittingStart(QStringView text, int width);
  qsizetype fittingEnd(QStringView text, int width);

  QFont font_;
  int ascent_;
  int height_;
  std::unordered_map<char16_t, Glyph> glyphs_;
};

/// Fonts by weight and size in device pixels.
class GlyphFonts {
 public:
  enum class Face { kRegular, kBold, kMono };
  GlyphFont& font(Face face, int pixel_size);
  void clear() { fonts_.clear(); }

 private:
  std::unordered_map<int, std::unique_ptr<GlyphFont>> fonts_;
};

}  // namespace hloscope::ui
