#pragma once

#include "ui/graph/frame_colours.h"
#include "ui/graph/glyphs.h"
#include "ui/graph/raster.h"

namespace hloscope::ui {

/// Sizes of a node at scale 1, for those who make GraphModels.
inline constexpr float kKernelHeight = 38;
inline constexpr float kOpHeight = 21;
inline constexpr float kPillHeight = 26;
inline constexpr float kTitlePixels = 11.5F;
inline constexpr float kSubtitlePixels = 10.5F;
inline constexpr float kShapePixels = 9.5F;
/// From the left side of a node to its title: strip, letter icon, gaps.
inline constexpr float kTitleLeft = 28;
inline constexpr float kOpTitleLeft = 10;
inline constexpr float kNodePadding = 7;

/// Draws the boxes of a graph with their texts.
class NodePainter {
 public:
  /// Of one frame.
  struct Target {
    Raster& raster;
    const FrameColours& colours;
    float zoom = 1;  ///< Device pixels per world pixel.
    float dpr = 1;
  };

  void themeChanged() { fonts_.clear(); }
  /// Box and strip, nothing else.
  void drawPlain(Target& target, const PixelRect& rect, const GraphNode& node,
                 const FrameColours::Node& colour);
  /// Box, strip and name.
  void drawName(Target& target, const PixelRect& rect, const GraphNode& node,
                const FrameColours::Node& colour);
  /// Everything that there is room for.
  void drawFull(Target& target, const PixelRect& rect, const GraphNode& node,
                const FrameColours::Node& colour);
  /// Dashed pill of cut edges.
  void drawPort(Target& target, const PixelRect& rect, const layout::Box& box,
                const GraphNode& node);

 private:
  void drawFrame(Target& target, const PixelRect& rect, const GraphNode& node,
                 const FrameColours::Node& colour);
  void drawIcon(Target& target, const PixelRect& rect, const GraphNode& node);
  void drawPlus(Target& target, const PixelRect& rect, const FrameColours::Node& colour);
  [[nodiscard]] GlyphFont& font(const Target& target, GlyphFonts::Face face, float size);

  GlyphFonts fonts_;
};

/// Text of a port: name of the other node or number of edges, and the distance in layers.
[[nodiscard]] QString portText(const layout::Box& box, const GraphNode& node);

}  // namespace hloscope::ui
