#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/base/csr.h"
#include "ui/graph/graph_model.h"
#include "ui/graph/grid_index.h"

namespace hloscope::ui {

struct RouteTag;
using RouteId = Index<RouteTag>;

/// A placed graph prepared for drawing: lines in short pieces at two levels of detail, and indices
/// to find what is in view. Immutable.
class GraphScene {
 public:
  /// Part of a route.
  struct Piece {
    uint32_t route = 0;
    uint32_t first = 0;  ///< In Placement::points.
    uint32_t count = 0;
    uint32_t coarse_first = 0;
    uint32_t coarse_count = 0;
    bool is_last = false;  ///< Ends with the arrow head.
  };

  GraphScene(GraphModelPtr model, PlacementPtr placement);

  [[nodiscard]] const GraphModelPtr& modelPtr() const { return model_; }
  [[nodiscard]] const PlacementPtr& placementPtr() const { return placement_; }
  [[nodiscard]] const GraphModel& model() const { return *model_; }
  [[nodiscard]] const layout::Placement& placement() const { return *placement_; }
  /// Height of the usual node: the measure for the level of detail.
  [[nodiscard]] float nodeHeight() const { return node_height_; }

  [[nodiscard]] const GridIndex& boxIndex() const { return box_index_; }
  [[nodiscard]] const GridIndex& pieceIndex() const { return piece_index_; }
  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }
  [[nodiscard]] std::span<const layout::Point> fine(const Piece& piece) const {
    return std::span(placement_->points).subspan(piece.first, piece.count);
  }
  [[nodiscard]] std::span<const layout::Point> coarse(const Piece& piece) const {
    return std::span(coarse_points_).subspan(piece.coarse_first, piece.coarse_count);
  }

  /// Routes that begin or end at a picture of the node.
  [[nodiscard]] std::span<const RouteId> routesOf(layout::NodeId node) const {
    return routes_of_node_[node];
  }
  [[nodiscard]] std::span<const layout::NodeId> usersOf(layout::NodeId node) const {
    return model_->graph.edges[node];
  }
  [[nodiscard]] std::span<const layout::NodeId> operandsOf(layout::NodeId node) const {
    return operands_[node];
  }

 private:
  void cutRoutes();
  void addPiece(Piece piece);

  GraphModelPtr model_;
  PlacementPtr placement_;
  float node_height_ = 1;
  std::vector<Piece> pieces_;
  std::vector<layout::Rect> piece_bounds_;
  std::vector<layout::Point> coarse_points_;
  GridIndex box_index_;
  GridIndex piece_index_;
  Csr<layout::NodeId, RouteId> routes_of_node_;
  Csr<layout::NodeId, layout::NodeId> operands_;
};

using GraphScenePtr = std::shared_ptr<const GraphScene>;

/// Leaves out points that are nearer than `tolerance` to the line without them (Douglas and Peucker
/// 1973); the ends stay.
void simplify(std::span<const layout::Point> line, float tolerance,
              std::vector<layout::Point>& out);

}  // namespace hloscope::ui
