#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/csr.h"
#include "core/base/index.h"
#include "core/base/progress.h"
#include "core/base/result.h"

namespace hloscope::layout {

/// Distances are logical pixels at scale 1; x grows to the right, y downwards.
struct NodeTag;
using NodeId = Index<NodeTag>;
struct BoxTag;
using BoxId = Index<BoxTag>;

struct Point {
  float x = 0;
  float y = 0;
  bool operator==(const Point&) const = default;
};
struct Size {
  float width = 0;
  float height = 0;
};
struct Rect {
  float left = 0;
  float top = 0;
  float right = 0;
  float bottom = 0;
  [[nodiscard]] float width() const { return right - left; }
  [[nodiscard]] float height() const { return bottom - top; }
  [[nodiscard]] float center_x() const { return (left + right) / 2; }
  [[nodiscard]] float center_y() const { return (top + bottom) / 2; }
  [[nodiscard]] bool contains(Point p) const {
    return p.x >= left && p.x <= right && p.y >= top && p.y <= bottom;
  }
  [[nodiscard]] bool intersects(const Rect& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
  bool operator==(const Rect&) const = default;
};

/// What is to be drawn. Edges run from producers to users and must not form a cycle; edge number e
/// is position e of edges.values().
struct Graph {
  IndexedVector<NodeId, Size> sizes;
  Csr<NodeId, NodeId> edges;
  /// Nodes without operands (constants, parameters) that may be drawn once beside each user
  /// instead of once for all. Empty: none.
  std::vector<bool> cloneable;
  /// Width of a pill that names the node at the other end of a cut edge. Empty: kPortWidth for all.
  IndexedVector<NodeId, float> port_widths;
};

inline constexpr float kPortWidth = 96;
inline constexpr float kPortHeight = 18;
/// Width of a pill that stands for several cut edges ("12 users").
inline constexpr float kBundleWidth = 88;

/// One box of the drawing.
struct Box {
  enum class Kind : uint8_t {
    kNode,   ///< The node itself. Box i is of node i, for every node.
    kClone,  ///< A further picture of a cloneable node.
    kPort,   ///< A pill in place of one or more cut edges, linked to `owner`.
  };
  Rect rect;
  Kind kind = Kind::kNode;
  bool outgoing = false;  ///< Port: stands below its owner, for edges to users.
  NodeId node;            ///< Port: the (first) node at the other end of the cut edges.
  NodeId owner;           ///< Port: the node it is linked to. Others: equal to `node`.
  uint32_t count = 1;     ///< Port: cut edges it stands for.
  uint32_t distance = 0;  ///< Port: layers to the nearest of the nodes at the other end.
  uint32_t layer = 0;
};

/// A line from the lower side of one box to the upper side of another one.
struct Route {
  static constexpr uint32_t kNoEdge = UINT32_MAX;
  BoxId from;
  BoxId to;
  uint32_t edge = kNoEdge;  ///< Number in Graph::edges; kNoEdge for the link to a port.
  uint32_t first_point = 0;
  uint32_t point_count = 0;
};

/// A finished drawing. Immutable once made.
struct Placement {
  IndexedVector<BoxId, Box> boxes;  ///< Node boxes first, then clones, then ports.
  std::vector<Route> routes;
  std::vector<Point> points;  ///< Of all routes; curves are flattened.
  Rect bounds;
  uint32_t layer_count = 0;
  uint64_t crossings = 0;  ///< Between neighbouring layers, before routing.
  uint32_t columns = 1;    ///< See FoldedLayout.

  [[nodiscard]] std::span<const Point> line(const Route& route) const {
    return std::span(points).subspan(route.first_point, route.point_count);
  }
};

/// A way to draw graphs. Deterministic: the same graph gives the same placement.
class Strategy {
 public:
  virtual ~Strategy() = default;
  /// Errors: kInvalidInput for a cycle, kCancelled.
  [[nodiscard]] virtual Result<Placement> place(const Graph& graph,
                                                const Progress& progress) const = 0;
};

}  // namespace hloscope::layout
