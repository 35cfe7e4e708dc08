#include "ui/graph/frame_renderer.h"

#include <algorithm>
#include <cmath>

namespace hloscope::ui {

namespace {
constexpr float kCellsBelow = 4;
constexpr float kBoxesBelow = 9;
constexpr float kNamesBelow = 16;
constexpr float kEdgesFrom = 1.8F;  ///< Node height below which no edges are drawn.
/// More pieces of lines than these in view are a mesh in which no line can be followed: below
/// kBoxes they are left out.
constexpr size_t kMostFaded = 16'000;
/// The same above: lines that would cover more than this share of the view are drawn without
/// smoothing, those that run across a quarter of it not at all.
constexpr float kCrowded = 0.5F;
constexpr float kLongPiece = 0.25F;
constexpr float kShortPiece = 400;  ///< World pixels.
constexpr float kArrow = 6.4F;
constexpr int kDimmed = 90;  ///< Of 256: what stays of a dimmed node's colour.
}  // namespace

DetailLevel detailLevel(double node_height_on_screen) {
  if (node_height_on_screen < kCellsBelow) return DetailLevel::kCells;
  if (node_height_on_screen < kBoxesBelow) return DetailLevel::kBoxes;
  if (node_height_on_screen < kNamesBelow) return DetailLevel::kNames;
  return DetailLevel::kFull;
}

/// One frame being drawn.
struct FrameRenderer::Pass {
  const FrameRequest& request;
  const GraphScene& scene;
  Raster raster;
  float zoom;  ///< Device pixels per world pixel.
  float dpr;
  float shift_x;
  float shift_y;
  layout::Rect visible;
  FrameReport report;

  [[nodiscard]] float x(float world) const { return world * zoom + shift_x; }
  [[nodiscard]] float y(float world) const { return world * zoom + shift_y; }
  [[nodiscard]] PixelRect rect(const layout::Rect& r) const {
    return {x(r.left), y(r.top), x(r.right), y(r.bottom)};
  }
  [[nodiscard]] const layout::Box& box(uint32_t i) const {
    return scene.placement().boxes[layout::BoxId(i)];
  }
  [[nodiscard]] const GraphNode& node(const layout::Box& b) const {
    return scene.model().nodes[b.node.value];
  }
  /// Height on screen (not device) of the usual node.
  [[nodiscard]] float nodeHeight() const { return scene.nodeHeight() * zoom / dpr; }
};

FrameRenderer::FrameRenderer() : colours_(theme()) {}

void FrameRenderer::themeChanged() {
  colours_ = FrameColours(theme());
  painter_.themeChanged();
}

FrameReport FrameRenderer::render(const FrameRequest& request, QImage& image) {
  const auto dpr = static_cast<float>(image.devicePixelRatio());
  const QSizeF size = QSizeF(image.size()) / dpr;
  const float zoom = static_cast<float>(request.camera.zoom) * dpr;
  Pass pass{request,
            *request.scene,
            Raster(image),
            zoom,
            dpr,
            static_cast<float>(image.width()) / 2 - static_cast<float>(request.camera.x) * zoom,
            static_cast<float>(image.height()) / 2 - static_cast<float>(request.camera.y) * zoom,
            request.camera.visible(size),
            {}};
  pass.report.level = detailLevel(pass.nodeHeight());
  pass.raster.fill(colours_.canvas);
  boxes_.clear();
  pieces_.clear();
  // A box has a shadow and a halo.
  const float reach = 8;
  const layout::Rect around{pass.visible.left - reach, pass.visible.top - reach,
                            pass.visible.right + reach, pass.visible.bottom + reach};
  pass.scene.boxIndex().query(around, boxes_);
  if (pass.report.level == DetailLevel::kCells) {
    drawFadedEdges(pass);
    drawSelectedEdges(pass);
    drawCells(pass);
  } else {
    drawEdges(pass);
    drawSelectedEdges(pass);
    drawBoxes(pass);
  }
  drawSelection(pass);
  countClasses(pass);
  return pass.report;
}

void FrameRenderer::drawFadedEdges(Pass& pass) {
  const float height = pass.nodeHeight();
  if (height < kEdgesFrom) return;
  const int alpha = static_cast<int>(110 * (height - kEdgesFrom) / (kCellsBelow - kEdgesFrom)) + 16;
  pass.scene.pieceIndex().query(pass.visible, pieces_);
  if (pieces_.size() > kMostFaded) return;
  for (const uint32_t i : pieces_) {
    const auto line = pass.scene.coarse(pass.scene.pieces()[i]);
    const auto draw = [&](layout::Point a, layout::Point b) {
      pass.raster.line(pass.x(a.x), pass.y(a.y), pass.x(b.x), pass.y(b.y), colours_.edge, alpha);
    };
    // Of most pieces, which are short, the ends are enough.
    const float width = std::abs(line.front().x - line.back().x);
    const float height = std::abs(line.front().y - line.back().y);
    if (width < kShortPiece && height < kShortPiece) {
      draw(line.front(), line.back());
    } else {
      for (size_t k = 1; k < line.size(); ++k) draw(line[k - 1], line[k]);
    }
  }
}

/// Pixels of the lines in view over pixels of the view, roughly.
float FrameRenderer::coverOf(const Pass& pass) const {
  const auto width = static_cast<float>(pass.raster.width());
  const auto height = static_cast<float>(pass.raster.height());
  float sum = 0;
  for (const uint32_t i : pieces_) {
    const auto line = pass.scene.coarse(pass.scene.pieces()[i]);
    sum += std::min(width, std::abs(line.front().x - line.back().x) * pass.zoom) +
           std::min(height, std::abs(line.front().y - line.back().y) * pass.zoom);
  }
  return sum / (width * height);
}

void FrameRenderer::drawEdges(Pass& pass) {
  pass.scene.pieceIndex().query(pass.visible, pieces_);
  const bool arrows = pass.report.level == DetailLevel::kFull;
  const bool crowded = !arrows && coverOf(pass) > kCrowded;
  const bool smooth = !crowded && pass.report.level != DetailLevel::kBoxes;
  const float scale = std::clamp(pass.zoom, 0.75F * pass.dpr, 2 * pass.dpr);
  const auto& widths = pass.scene.model().edge_width;
  for (const uint32_t i : pieces_) {
    const GraphScene::Piece& piece = pass.scene.pieces()[i];
    const uint32_t edge = pass.scene.placement().routes[piece.route].edge;
    const bool is_link = edge == layout::Route::kNoEdge;
    const QRgb color = is_link ? colours_.edge_faint : colours_.edge;
    const auto line = arrows ? pass.scene.fine(piece) : pass.scene.coarse(piece);
    const float across = std::abs(line.front().x - line.back().x) * pass.zoom;
    if (crowded && across > kLongPiece * static_cast<float>(pass.raster.width())) continue;
    const float wanted = is_link || widths.empty() ? 1.2F : widths[edge];
    const float width = std::max(1.F, wanted * scale);
    const auto segment = [&](layout::Point a, layout::Point b) {
      if (smooth) {
        pass.raster.smoothLine(pass.x(a.x), pass.y(a.y), pass.x(b.x), pass.y(b.y), width, color);
      } else {
        pass.raster.line(pass.x(a.x), pass.y(a.y), pass.x(b.x), pass.y(b.y), color, 150);
      }
    };
    for (size_t k = 1; k < line.size(); ++k) segment(line[k - 1], line[k]);
    if (arrows && piece.is_last && !is_link) {
      pass.raster.arrowHead(pass.x(line.back().x), pass.y(line.back().y),
                            std::max(4 * pass.dpr, kArrow * pass.zoom), color);
    }
  }
}

void FrameRenderer::drawSelectedEdges(Pass& pass) {
  const layout::NodeId selected = pass.request.selected;
  if (!selected.valid()) return;
  const auto& placement = pass.scene.placement();
  const float width = std::max(pass.dpr, 2 * std::min(pass.zoom, pass.dpr));
  for (const RouteId id : pass.scene.routesOf(selected)) {
    const layout::Route& route = placement.routes[id.value];
    const auto line = placement.line(route);
    for (size_t k = 1; k < line.size(); ++k) {
      pass.raster.smoothLine(pass.x(line[k - 1].x), pass.y(line[k - 1].y), pass.x(line[k].x),
                             pass.y(line[k].y), width, colours_.accent);
    }
    if (pass.report.level == DetailLevel::kFull && route.edge != layout::Route::kNoEdge) {
      pass.raster.arrowHead(pass.x(line.back().x), pass.y(line.back().y),
                            std::max(5 * pass.dpr, 1.2F * kArrow * pass.zoom), colours_.accent);
    }
  }
}

void FrameRenderer::drawCells(Pass& pass) {
  const auto& colouring = pass.request.colouring;
  // Hot cells last, so that they stay visible where several share a pixel.
  if (colouring != nullptr) {
    const auto rank = [&](uint32_t i) {
      const float value = std::abs(colouring->value[pass.box(i).node.value]);
      return std::isnan(value) ? -1 : value;
    };
    std::ranges::stable_sort(boxes_, {}, rank);
  }
  for (const uint32_t i : boxes_) {
    const layout::Box& box = pass.box(i);
    if (box.kind == layout::Box::Kind::kPort) continue;
    const GraphNode& node = pass.node(box);
    const auto colour = colours_.node(node, colouring, box.node.value);
    const bool dimmed = pass.request.only_class && *pass.request.only_class != node.op_class;
    pass.raster.fillBlock(pass.rect(box.rect), dimmed ? colours_.edge_faint : colour.cell, 1);
  }
}

void FrameRenderer::drawBoxes(Pass& pass) {
  NodePainter::Target target{pass.raster, colours_, pass.zoom, pass.dpr};
  for (const uint32_t i : boxes_) {
    const layout::Box& box = pass.box(i);
    const GraphNode& node = pass.node(box);
    const PixelRect rect = pass.rect(box.rect);
    if (box.kind == layout::Box::Kind::kPort) {
      painter_.drawPort(target, rect, box, node);
      continue;
    }
    const auto colour = colours_.node(node, pass.request.colouring, box.node.value);
    if (pass.report.level == DetailLevel::kBoxes) {
      painter_.drawPlain(target, rect, node, colour);
    } else if (pass.report.level == DetailLevel::kNames) {
      painter_.drawName(target, rect, node, colour);
    } else {
      painter_.drawFull(target, rect, node, colour);
    }
    if (pass.request.only_class && *pass.request.only_class != node.op_class) {
      pass.raster.fillRect(static_cast<int>(rect.left), static_cast<int>(rect.top),
                           static_cast<int>(rect.right) + 1, static_cast<int>(rect.bottom) + 1,
                           colours_.canvas, 256 - kDimmed);
    }
  }
}

void FrameRenderer::drawSelection(Pass& pass) {
  const layout::NodeId selected = pass.request.selected;
  if (!selected.valid()) return;
  const auto draw = [&](const layout::Box& box) {
    const bool pill = pass.scene.model().nodes[selected.value].isPill();
    const float least = 3 * pass.dpr;  // Visible at any zoom.
    PixelRect rect = pass.rect(box.rect);
    if (rect.width() < 2 * least || rect.height() < 2 * least) rect = rect.grown(least);
    const float radius = pill ? rect.height() / 2 : 3 * pass.zoom;
    RoundRectStyle style{.outline = colours_.accent, .radius = radius + pass.dpr};
    style.outline_width = 2 * pass.dpr;
    pass.raster.roundRect(rect.grown(pass.dpr), style);
    style.outline_width = 4 * pass.dpr;
    style.outline_alpha = pass.request.focused ? 96 : 56;
    style.radius = radius + 5 * pass.dpr;
    pass.raster.roundRect(rect.grown(5 * pass.dpr), style);
  };
  for (const uint32_t i : boxes_) {
    const layout::Box& box = pass.box(i);
    if (box.node == selected && box.kind != layout::Box::Kind::kPort) draw(box);
  }
}

void FrameRenderer::countClasses(Pass& pass) {
  for (const uint32_t i : boxes_) {
    const layout::Box& box = pass.box(i);
    if (box.kind != layout::Box::Kind::kNode || !box.rect.intersects(pass.visible)) continue;
    ++pass.report.nodes_of_class[static_cast<size_t>(pass.node(box).op_class)];
  }
}

}  // namespace hloscope::ui
