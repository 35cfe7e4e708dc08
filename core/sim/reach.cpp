#include "core/sim/reach.h"

#include <algorithm>

namespace hloscope::sim {

namespace {

// Beyond this many ways to need one value, the last one grows to hold the rest.
constexpr size_t kMaxVisits = 4;

}  // namespace

LoopId ReachState::add_loop(const LoopDim& loop) {
  loops.push_back(loop);
  return LoopId(loops.size() - 1);
}

std::vector<ExtentId> ReachState::whole(FlatId id) {
  std::vector<ExtentId> dims;
  for (int64_t size : shape(id).dimensions) dims.push_back(extents.whole(size));
  return dims;
}

void ReachState::add_visit(Visit visit) {
  std::vector<Visit>& known = visits[visit.node.value];
  for (Visit& v : known) {
    if (v.dims != visit.dims) continue;
    v.feeds_matrix = v.feeds_matrix && visit.feeds_matrix;
    return;
  }
  if (known.size() < kMaxVisits) {
    known.push_back(std::move(visit));
    return;
  }
  Visit& last = known.back();
  last.feeds_matrix = last.feeds_matrix && visit.feeds_matrix;
  for (size_t i = 0; i < last.dims.size(); ++i) {
    last.dims[i] = extents.hull(extents.size(last.dims[i]), last.dims[i], visit.dims[i]);
  }
}

void reach(ReachState& state) {
  for (size_t i = state.body->nodes.size(); i-- > 0;) {
    const FlatId node(i);
    if (state.body->nodes[node].is_leaf) continue;
    // The list can't grow here: operands have smaller ids.
    for (const Visit& visit : state.visits[i]) {
      const bool feeds_matrix = visit.feeds_matrix || node == state.matrix;
      for (OperandNeed& need : operand_needs(state, node, visit.dims)) {
        const bool is_complete =
            std::all_of(need.dims.begin(), need.dims.end(), [](ExtentId d) { return d.valid(); });
        if (!is_complete || need.dims.size() != state.shape(need.operand).rank()) {
          need.dims = state.whole(need.operand);
        }
        state.add_visit({need.operand, std::move(need.dims), feeds_matrix});
      }
    }
  }
}

bool is_matrix(hlo::Opcode opcode) {
  return opcode == hlo::Opcode::kDot || opcode == hlo::Opcode::kConvolution ||
         opcode == hlo::Opcode::kScaledDot;
}

}  // namespace hloscope::sim
