#include "ui/graph/scene.h"

#include <algorithm>
#include <cmath>

namespace hloscope::ui {

namespace {

constexpr uint32_t kPiecePoints = 16;
/// World pixels: under half a device pixel where coarse lines are used.
constexpr float kCoarse = 1.2F;

float medianHeight(const layout::Graph& graph) {
  std::vector<float> heights;
  for (const layout::Size& size : graph.sizes) heights.push_back(size.height);
  if (heights.empty()) return 1;
  const auto middle = heights.begin() + static_cast<ptrdiff_t>(heights.size() / 2);
  std::ranges::nth_element(heights, middle);
  return std::max(1.F, *middle);
}

float distanceToLine(layout::Point p, layout::Point a, layout::Point b) {
  const float dx = b.x - a.x;
  const float dy = b.y - a.y;
  const float length = std::hypot(dx, dy);
  if (length == 0) return std::hypot(p.x - a.x, p.y - a.y);
  return std::abs((p.x - a.x) * dy - (p.y - a.y) * dx) / length;
}

}  // namespace

void simplify(std::span<const layout::Point> line, float tolerance,
              std::vector<layout::Point>& out) {
  if (line.empty()) return;
  out.push_back(line.front());
  std::vector<std::pair<size_t, size_t>> open{{0, line.size() - 1}};
  while (!open.empty()) {
    const auto [first, last] = open.back();
    open.pop_back();
    size_t farthest = first;
    float most = tolerance;
    for (size_t i = first + 1; i < last; ++i) {
      const float distance = distanceToLine(line[i], line[first], line[last]);
      if (distance > most) {
        most = distance;
        farthest = i;
      }
    }
    if (farthest == first) {
      if (last != first) out.push_back(line[last]);
    } else {
      open.emplace_back(farthest, last);
      open.emplace_back(first, farthest);
    }
  }
}

GraphScene::GraphScene(GraphModelPtr model, PlacementPtr placement)
    : model_(std::move(model)),
      placement_(std::move(placement)),
      node_height_(medianHeight(model_->graph)) {
  std::vector<layout::Rect> rects;
  rects.reserve(placement_->boxes.size());
  for (const layout::Box& box : placement_->boxes) rects.push_back(box.rect);
  box_index_ = GridIndex(rects);
  cutRoutes();
  piece_index_ = GridIndex(piece_bounds_);
  piece_bounds_ = {};

  std::vector<std::pair<layout::NodeId, RouteId>> ends;
  for (uint32_t i = 0; i < placement_->routes.size(); ++i) {
    const layout::Route& route = placement_->routes[i];
    const layout::NodeId from = placement_->boxes[route.from].owner;
    const layout::NodeId to = placement_->boxes[route.to].owner;
    ends.emplace_back(from, RouteId(i));
    if (to != from) ends.emplace_back(to, RouteId(i));
  }
  const size_t nodes = model_->nodes.size();
  routes_of_node_ = Csr<layout::NodeId, RouteId>::from_pairs(nodes, ends);
  operands_ = model_->graph.edges.transposed(nodes);
}

void GraphScene::cutRoutes() {
  const auto& routes = placement_->routes;
  for (uint32_t i = 0; i < routes.size(); ++i) {
    const uint32_t end = routes[i].first_point + routes[i].point_count;
    for (uint32_t first = routes[i].first_point; first + 1 < end; first += kPiecePoints - 1) {
      Piece piece;
      piece.route = i;
      piece.first = first;
      piece.count = std::min(kPiecePoints, end - first);
      piece.is_last = first + piece.count == end;
      addPiece(piece);
    }
  }
}

void GraphScene::addPiece(Piece piece) {
  const auto points = fine(piece);
  layout::Rect bounds{points[0].x, points[0].y, points[0].x, points[0].y};
  for (const layout::Point p : points) {
    bounds = {std::min(bounds.left, p.x), std::min(bounds.top, p.y), std::max(bounds.right, p.x),
              std::max(bounds.bottom, p.y)};
  }
  piece.coarse_first = static_cast<uint32_t>(coarse_points_.size());
  simplify(points, kCoarse, coarse_points_);
  piece.coarse_count = static_cast<uint32_t>(coarse_points_.size()) - piece.coarse_first;
  pieces_.push_back(piece);
  piece_bounds_.push_back(bounds);
}

}  // namespace hloscope::ui
