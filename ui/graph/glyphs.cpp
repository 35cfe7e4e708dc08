#include "ui/graph/glyphs.h"

#include <QFontMetrics>
#include <QPainter>

#include "ui/theme/fonts.h"

namespace hloscope::ui {

namespace {
constexpr QChar kEllipsis(0x2026);
}  // namespace

GlyphFont::GlyphFont(const QFont& font) : font_(font) {
  const QFontMetrics metrics(font_);
  ascent_ = metrics.ascent();
  height_ = metrics.height();
}

const GlyphFont::Glyph& GlyphFont::glyph(QChar character) {
  const auto [found, is_new] = glyphs_.try_emplace(character.unicode());
  Glyph& glyph = found->second;
  if (!is_new) return glyph;
  const QFontMetrics metrics(font_);
  glyph.advance = metrics.horizontalAdvance(character);
  constexpr int kMargin = 2;
  glyph.left = -kMargin;
  if (character.isSpace()) return glyph;
  // The margin below is for underscores, which small sizes put under the line.
  QImage picture(glyph.advance + 2 * kMargin, height_ + kMargin,
                 QImage::Format_ARGB32_Premultiplied);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setFont(font_);
  painter.setPen(Qt::white);
  painter.drawText(kMargin, ascent_, character);
  painter.end();
  glyph.mask = picture.convertToFormat(QImage::Format_Alpha8);
  return glyph;
}

int GlyphFont::width(QStringView text) {
  int sum = 0;
  for (const QChar character : text) sum += glyph(character).advance;
  return sum;
}

int GlyphFont::drawRun(Raster& raster, int left, int top, QStringView text, QRgb color) {
  int x = left;
  for (const QChar character : text) {
    const Glyph& drawn = glyph(character);
    if (!drawn.mask.isNull()) raster.mask(drawn.mask, x + drawn.left, top, color);
    x += drawn.advance;
  }
  return x - left;
}

qsizetype GlyphFont::fittingStart(QStringView text, int width) {
  qsizetype count = 0;
  while (count < text.size() && (width -= glyph(text[count]).advance) >= 0) ++count;
  return count;
}

qsizetype GlyphFont::fittingEnd(QStringView text, int width) {
  qsizetype count = 0;
  while (count < text.size() && (width -= glyph(text[text.size() - 1 - count]).advance) >= 0) {
    ++count;
  }
  return count;
}

int GlyphFont::draw(Raster& raster, QPoint at, QStringView text, QRgb color, int width,
                    Elide elide) {
  if (fittingStart(text, width) == text.size()) return drawRun(raster, at.x(), at.y(), text, color);
  const int room = width - glyph(kEllipsis).advance;
  if (room < 0) return 0;
  // The end of a name is its number, which tells it from the others.
  const int end_room = elide == Elide::kMiddle ? room * 2 / 3 : 0;
  const QStringView end = text.last(fittingEnd(text, end_room));
  const QStringView start = text.first(fittingStart(text, room - this->width(end)));
  int x = at.x();
  x += drawRun(raster, x, at.y(), start, color);
  x += drawRun(raster, x, at.y(), QStringView(&kEllipsis, 1), color);
  x += drawRun(raster, x, at.y(), end, color);
  return x - at.x();
}

GlyphFont& GlyphFonts::font(Face face, int pixel_size) {
  auto& font = fonts_[pixel_size * 4 + static_cast<int>(face)];
  if (!font) {
    QFont base = face == Face::kMono ? monoFont() : face == Face::kBold ? boldFont() : uiFont();
    base.setPixelSize(pixel_size);
    font = std::make_unique<GlyphFont>(base);
  }
  return *font;
}

}  // namespace hloscope::ui
