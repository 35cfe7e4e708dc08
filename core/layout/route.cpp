#include "core/layout/route.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/layout/tracks.h"

namespace hloscope::layout {
namespace {

constexpr float kGap = 30;          ///< Least distance of layers.
constexpr float kRadius = 6;        ///< Of corners.
constexpr float kStraightEnd = 11;  ///< Below the curve: arrow head and a piece of line.
constexpr float kRoutePitch = 4;
constexpr float kMaxSpread = 18;  ///< Distance of the ends of lines along one side of a box.
constexpr int kCurvePieces = 8;
constexpr int kCornerPieces = 3;

using Centers = IndexedVector<VertexId, float>;

/// Where the lines of `rows` meet their vertex: spread over the middle of its side in the order of
/// the other ends. Parallel to rows.values().
std::vector<float> attach(const LayeredGraph& graph, const Centers& x,
                          const Csr<VertexId, VertexId>& rows) {
  std::vector<float> out(rows.size());
  std::vector<uint32_t> by_x;
  for (const VertexId v : IdRange<VertexId>(0, static_cast<uint32_t>(rows.rows()))) {
    const auto row = rows[v];
    by_x.resize(row.size());
    for (uint32_t i = 0; i < by_x.size(); ++i) by_x[i] = i;
    std::ranges::stable_sort(by_x, {}, [&](uint32_t i) { return x[row[i]]; });
    const auto count = static_cast<float>(row.size());
    const float pitch = graph.is_bend(v) ? 0 : std::min(kMaxSpread, 0.7F * graph.width[v] / count);
    for (uint32_t i = 0; i < by_x.size(); ++i) {
      out[rows.offset(v) + by_x[i]] = x[v] + pitch * (static_cast<float>(i) - (count - 1) / 2);
    }
  }
  return out;
}

class Router {
 public:
  Router(LayeredGraph graph, const Centers& x)
      : graph_(std::move(graph)),
        x_(x),
        exits_(attach(graph_, x, graph_.down)),
        entries_(attach(graph_, x, graph_.up)) {}

  Placement run() {
    assign_tracks();
    place_layers();
    out_.boxes = std::move(graph_.boxes);
    out_.routes.reserve(graph_.links.size());
    for (const Link& link : graph_.links) add_route(link);
    finish();
    return std::move(out_);
  }

 private:
  /// Position of the edge u -> v in exits_ and entries_.
  uint32_t exit_of(VertexId u, VertexId v) const { return position(graph_.down, u, v); }
  uint32_t entry_of(VertexId u, VertexId v) const { return position(graph_.up, v, u); }
  static uint32_t position(const Csr<VertexId, VertexId>& rows, VertexId row, VertexId value) {
    const auto values = rows[row];
    const auto at = std::ranges::lower_bound(values, value);
    return rows.offset(row) + static_cast<uint32_t>(at - values.begin());
  }

  static bool needs_track(float x1, float x2) { return std::abs(x1 - x2) >= 2 * kRadius; }

  void assign_tracks() {
    track_.assign(graph_.down.size(), 0);
    gap_.assign(graph_.layers.size(), kGap);
    std::vector<TrackSpan> spans;
    for (size_t i = 0; i < graph_.layers.size(); ++i) {
      spans.clear();
      for (const VertexId u : graph_.layers[i]) {
        for (const VertexId v : graph_.down[u]) {
          const uint32_t edge = exit_of(u, v);
          const float x2 = entries_[entry_of(u, v)];
          if (!graph_.is_bend(u) && !graph_.is_bend(v)) continue;
          if (needs_track(exits_[edge], x2)) spans.push_back({exits_[edge], x2, edge});
        }
      }
      const uint32_t used = pack_tracks(spans, track_);
      gap_[i] = std::max(kGap, kRadius * 2 + kStraightEnd + kRoutePitch * static_cast<float>(used));
    }
  }

  void place_layers() {
    layer_top_.resize(graph_.layers.size());
    layer_bottom_.resize(graph_.layers.size());
    float y = 0;
    for (size_t i = 0; i < graph_.layers.size(); ++i) {
      float height = 0;
      for (const VertexId v : graph_.layers[i]) {
        if (!graph_.is_bend(v)) height = std::max(height, graph_.boxes[box(v)].rect.height());
      }
      layer_top_[i] = y;
      layer_bottom_[i] = y + height;
      for (const VertexId v : graph_.layers[i]) {
        if (!graph_.is_bend(v)) place_box(v, y + height / 2);
      }
      y += height + gap_[i];
    }
  }

  static BoxId box(VertexId v) { return BoxId(v.value); }

  void place_box(VertexId v, float center_y) {
    Rect& rect = graph_.boxes[box(v)].rect;
    const float w = rect.width();
    const float h = rect.height();
    rect = {x_[v] - w / 2, center_y - h / 2, x_[v] + w / 2, center_y + h / 2};
  }

  void add_route(const Link& link) {
    Route route;
    route.from = box(link.from);
    route.to = box(link.to);
    route.edge = link.edge;
    first_ = out_.points.size();
    route.first_point = static_cast<uint32_t>(first_);
    const uint32_t span = graph_.layer[link.to] - graph_.layer[link.from];
    VertexId u = link.from;
    for (uint32_t step = 1; step <= span; ++step) {
      const VertexId v =
          step == span ? link.to : VertexId(graph_.first_bend[link.from].value + step - 1);
      const uint32_t edge = exit_of(u, v);
      const Point from{exits_[edge], graph_.is_bend(u) ? layer_bottom_[graph_.layer[u]]
                                                       : out_.boxes[box(u)].rect.bottom};
      const Point to{entries_[entry_of(u, v)],
                     graph_.is_bend(v) ? layer_top_[graph_.layer[v]] : out_.boxes[box(v)].rect.top};
      add(from);
      if (span > 1 && needs_track(from.x, to.x)) {
        add_step(from, to, graph_.layer[u], track_[edge]);
      } else if (std::abs(from.x - to.x) > 0.5F) {
        add_curve(from, to, layer_bottom_[graph_.layer[u]]);
      }
      add(to);
      u = v;
    }
    route.point_count = static_cast<uint32_t>(out_.points.size() - first_);
    out_.routes.push_back(route);
  }

  /// Appends to the line that is being built; runs of points on one vertical become one piece.
  void add(Point p) {
    auto& points = out_.points;
    const size_t n = points.size() - first_;
    if (n > 0 && points.back() == p) return;
    if (n > 1 && points.back().x == p.x && points[points.size() - 2].x == p.x) {
      points.back() = p;
      return;
    }
    points.push_back(p);
  }

  void add_curve(Point from, Point to, float layer_bottom) {
    const float y1 = std::max(from.y, layer_bottom);
    const float y2 = std::max(y1 + 1, to.y - kStraightEnd);
    add({from.x, y1});
    for (int i = 1; i <= kCurvePieces; ++i) {
      const float t = static_cast<float>(i) / kCurvePieces;
      // Cubic Bezier with control points at half height, vertical at both ends.
      const float along = t * t * (3 - 2 * t);
      const float fall = 1.5F * t * (1 - t) + t * t * t;
      add({from.x + (to.x - from.x) * along, y1 + (y2 - y1) * fall});
    }
  }

  void add_step(Point from, Point to, uint32_t layer, uint32_t track) {
    const float y = layer_bottom_[layer] + kRadius + kRoutePitch * static_cast<float>(track);
    const float side = to.x > from.x ? 1 : -1;
    add_corner({from.x, y - kRadius}, {from.x, y}, {from.x + side * kRadius, y});
    add_corner({to.x - side * kRadius, y}, {to.x, y}, {to.x, y + kRadius});
  }

  void add_corner(Point from, Point corner, Point to) {
    add(from);
    for (int i = 1; i <= kCornerPieces; ++i) {
      const float t = static_cast<float>(i) / kCornerPieces;
      const float a = (1 - t) * (1 - t);
      const float b = 2 * t * (1 - t);
      const float c = t * t;
      add({a * from.x + b * corner.x + c * to.x, a * from.y + b * corner.y + c * to.y});
    }
  }

  void finish() {
    out_.layer_count = static_cast<uint32_t>(graph_.layers.size());
    if (out_.boxes.empty()) return;
    Rect bounds = out_.boxes[BoxId(0)].rect;
    for (const Box& b : out_.boxes) {
      bounds = {std::min(bounds.left, b.rect.left), std::min(bounds.top, b.rect.top),
                std::max(bounds.right, b.rect.right), std::max(bounds.bottom, b.rect.bottom)};
    }
    for (const Point p : out_.points) {
      bounds.left = std::min(bounds.left, p.x);
      bounds.right = std::max(bounds.right, p.x);
    }
    out_.bounds = bounds;
  }

  LayeredGraph graph_;
  const Centers& x_;
  std::vector<float> exits_;    ///< x at the upper end of each edge, parallel to down.
  std::vector<float> entries_;  ///< x at the lower end of each edge, parallel to up.
  std::vector<uint32_t> track_;
  std::vector<float> gap_;
  std::vector<float> layer_top_;
  std::vector<float> layer_bottom_;
  Placement out_;
  size_t first_ = 0;
};

}  // namespace

Placement route(LayeredGraph graph, const IndexedVector<VertexId, float>& x) {
  return Router(std::move(graph), x).run();
}

}  // namespace hloscope::layout
