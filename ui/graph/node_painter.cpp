#include "ui/graph/node_painter.h"

#include <algorithm>
#include <cmath>

namespace hloscope::ui {

namespace {

/// No text is smaller than this on screen.
constexpr float kSmallestText = 9.5F;
/// Screen pixels from which on a node has room for two lines.
constexpr float kTwoLines = 26;
constexpr float kRadius = 3;
constexpr float kStrip = 4;
constexpr float kIcon = 14;
constexpr float kSmallestIcon = 9;  ///< Below, its letter cannot be read; the strip stays.

int rounded(float value) {
  return static_cast<int>(std::lround(value));
}

}  // namespace

QString portText(const layout::Box& box, const GraphNode& node) {
  const QChar arrow(box.outgoing ? 0x2193 : 0x2191);
  if (box.count == 1) return node.title + u' ' + arrow + u' ' + QString::number(box.distance);
  const QString what = box.outgoing ? QStringLiteral("users") : QStringLiteral("operands");
  return QString::number(box.count) + u' ' + what + u' ' + arrow + u' ' +
         QString::number(box.distance);
}

GlyphFont& NodePainter::font(const Target& target, GlyphFonts::Face face, float size) {
  const float pixels = std::max(size * target.zoom, kSmallestText * target.dpr);
  return fonts_.font(face, rounded(pixels));
}

void NodePainter::drawFrame(Target& target, const PixelRect& rect, const GraphNode& node,
                            const FrameColours::Node& colour) {
  RoundRectStyle style;
  style.fill = colour.fill;
  style.outline = colour.outline;
  style.radius = node.isPill() ? rect.height() / 2 : kRadius * target.zoom;
  style.outline_width = target.dpr;
  if (node.expandable && rect.height() >= kTwoLines * target.dpr) {
    const float shift = 3 * target.zoom;
    target.raster.roundRect(
        {rect.left + shift, rect.top + shift, rect.right + shift, rect.bottom + shift}, style);
  }
  target.raster.roundRect(rect, style);
  if (node.isPill()) return;
  const int strip = std::max(1, rounded(kStrip * target.zoom));
  target.raster.fillRect(rounded(rect.left), rounded(rect.top), rounded(rect.left) + strip,
                         rounded(rect.bottom), target.colours.of(node.op_class).strong);
}

void NodePainter::drawPlain(Target& target, const PixelRect& rect, const GraphNode& node,
                            const FrameColours::Node& colour) {
  const auto& own = target.colours.of(node.op_class);
  target.raster.fillBlock(rect, colour.outline, 2);
  const PixelRect inner = rect.grown(-1);
  if (inner.width() >= 1 && inner.height() >= 1) target.raster.fillBlock(inner, colour.fill, 1);
  const float strip = std::max(1.F, kStrip * target.zoom);
  target.raster.fillBlock({rect.left, rect.top, rect.left + strip, rect.bottom}, own.strong, 1);
}

void NodePainter::drawName(Target& target, const PixelRect& rect, const GraphNode& node,
                           const FrameColours::Node& colour) {
  drawFrame(target, rect, node, colour);
  GlyphFont& title = font(target, GlyphFonts::Face::kRegular, kSmallestText);
  const int padding = rounded(std::max(kStrip * target.zoom, 1.F) + 2 * target.dpr);
  const int left = rounded(rect.left) + padding;
  const int top = rounded((rect.top + rect.bottom) / 2) - title.height() / 2;
  title.draw(target.raster, {left, top}, node.title, colour.text,
             rounded(rect.right - target.dpr) - left, GlyphFont::Elide::kMiddle);
}

void NodePainter::drawIcon(Target& target, const PixelRect& rect, const GraphNode& node) {
  const auto& own = target.colours.of(node.op_class);
  target.raster.roundRect(rect,
                          {.fill = own.strong, .outline = own.strong, .radius = 2 * target.zoom});
  GlyphFont& letter =
      fonts_.font(GlyphFonts::Face::kBold, std::max(6, rounded(rect.height() * 0.7F)));
  const QStringView text(&own.letter, 1);
  const int left =
      rounded((rect.left + rect.right) / 2 - static_cast<float>(letter.width(text)) / 2);
  const int top = rounded((rect.top + rect.bottom) / 2) - letter.height() / 2;
  letter.draw(target.raster, {left, top}, text, own.ink, rounded(rect.width()) + 4);
}

void NodePainter::drawPlus(Target& target, const PixelRect& rect,
                           const FrameColours::Node& colour) {
  const float size = std::round(11 * target.zoom);
  const float gap = 4 * target.zoom;
  const PixelRect box{rect.right - gap - size, rect.bottom - gap - size, rect.right - gap,
                      rect.bottom - gap};
  target.raster.roundRect(box, {.fill = target.colours.base,
                                .outline = colour.outline,
                                .radius = 2 * target.zoom,
                                .outline_width = target.dpr});
  const float x = (box.left + box.right) / 2;
  const float y = (box.top + box.bottom) / 2;
  const float arm = size * 0.27F;
  const float pen = std::max(1.F, 1.2F * target.zoom);
  target.raster.smoothLine(x - arm, y, x + arm, y, pen, target.colours.muted);
  target.raster.smoothLine(x, y - arm, x, y + arm, pen, target.colours.muted);
}

void NodePainter::drawFull(Target& target, const PixelRect& rect, const GraphNode& node,
                           const FrameColours::Node& colour) {
  drawFrame(target, rect, node, colour);
  const bool is_kernel = node.look == GraphNode::Look::kKernel;
  const bool two_lines = !node.subtitle.isEmpty() && rect.height() >= kTwoLines * target.dpr;
  GlyphFont& title =
      font(target, is_kernel ? GlyphFonts::Face::kBold : GlyphFonts::Face::kRegular, kTitlePixels);
  const auto right_face = is_kernel ? GlyphFonts::Face::kRegular : GlyphFonts::Face::kMono;
  GlyphFont& right = font(target, right_face, is_kernel ? kTitlePixels : kShapePixels);
  const float middle = (rect.top + rect.bottom) / 2;
  const float line = two_lines ? rect.top + 0.28F * rect.height() : middle;
  const float icon = std::min(kIcon * target.zoom, rect.height() - 4 * target.dpr);
  const float icon_left = rect.left + 10 * target.zoom;
  const bool has_icon = node.look != GraphNode::Look::kOp && icon >= kSmallestIcon * target.dpr;
  if (has_icon) {
    drawIcon(target, {icon_left, line - icon / 2, icon_left + icon, line + icon / 2}, node);
  }
  const int padding = rounded(kNodePadding * target.zoom);
  const int left = rounded(icon_left + (has_icon ? icon + 4 * target.zoom : 0));
  int end = rounded(rect.right) - padding;
  const int right_width = right.width(node.right);
  const int title_width = title.width(node.title);
  // The name comes first; the value is left out rather than cut.
  if (right_width > 0 &&
      left + std::min(title_width, (end - left) / 2) + padding < end - right_width) {
    right.draw(target.raster, {end - right_width, rounded(line) - right.height() / 2}, node.right,
               is_kernel ? colour.text : colour.muted, right_width);
    end -= right_width + padding;
  }
  title.draw(target.raster, {left, rounded(line) - title.height() / 2}, node.title, colour.text,
             end - left, GlyphFont::Elide::kMiddle);
  if (!two_lines) return;
  GlyphFont& second = font(target, GlyphFonts::Face::kRegular, kSubtitlePixels);
  const float plus = node.expandable ? 15 * target.zoom : 0;
  second.draw(target.raster,
              {rounded(icon_left), rounded(rect.top + 0.72F * rect.height()) - second.height() / 2},
              node.subtitle, colour.muted, rounded(rect.right - plus - icon_left) - padding);
  if (node.expandable) drawPlus(target, rect, colour);
}

void NodePainter::drawPort(Target& target, const PixelRect& rect, const layout::Box& box,
                           const GraphNode& node) {
  target.raster.roundRect(rect, {.fill = target.colours.canvas,
                                 .outline = target.colours.edge,
                                 .radius = rect.height() / 2,
                                 .outline_width = target.dpr,
                                 .dashed = true});
  if (rect.height() < 10 * target.dpr) return;
  GlyphFont& text = font(target, GlyphFonts::Face::kRegular, kSubtitlePixels);
  const QString label = portText(box, node);
  const int room = rounded(rect.width() - 8 * target.zoom);
  const int width = std::min(room, text.width(label));
  text.draw(target.raster,
            {rounded((rect.left + rect.right - static_cast<float>(width)) / 2),
             rounded((rect.top + rect.bottom) / 2) - text.height() / 2},
            label, target.colours.muted, room, GlyphFont::Elide::kMiddle);
}

}  // namespace hloscope::ui
