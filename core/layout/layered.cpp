#include "core/layout/layered.h"

#include <utility>

#include "core/layout/coordinates.h"
#include "core/layout/order.h"
#include "core/layout/rank.h"
#include "core/layout/route.h"

namespace hloscope::layout {

namespace {
/// With more vertices per box than this, lines hide more than they show: more of them are cut.
constexpr size_t kMaxGrowth = 4;
}  // namespace

Result<Placement> LayeredLayout::place(const Graph& graph, const Progress& progress) const {
  if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "layout was cancelled");
  progress.report(0, "finding layers");
  const Csr<NodeId, NodeId> operands = graph.edges.transposed(graph.sizes.size());
  const auto layers = rank(graph, operands);
  if (!layers) return fail(ErrorCode::kInvalidInput, "the graph has a cycle");

  LayeredGraph layered = expand(graph, operands, *layers, options_.expand);
  if (layered.layer.size() > kMaxGrowth * layered.boxes.size()) {
    ExpandOptions shorter = options_.expand;
    shorter.max_span /= 3;
    layered = expand(graph, operands, *layers, shorter);
  }
  HLOSCOPE_ASSIGN(const uint64_t crossings, order(layered, options_.order_sweeps, progress));
  HLOSCOPE_ASSIGN(const auto x, horizontal(layered, options_.node_gap, progress));
  if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "layout was cancelled");
  progress.report(0.85, "drawing lines");
  Placement placement = route(std::move(layered), x);
  placement.crossings = crossings;
  progress.report(1, "layout finished");
  return placement;
}

}  // namespace hloscope::layout
