#include "core/sim/hero.h"

#include <algorithm>
#include <optional>

#include "core/sim/physical.h"

namespace hloscope::sim {

namespace {

using hlo::AttrKey;
using hlo::Opcode;

int64_t elements(const ReachState& state, FlatId id) {
  return state.shape(id).element_count();
}

bool is_reduction(Opcode opcode) {
  return opcode == Opcode::kReduce;
}

// Values through which the end of a kernel is the same array, element by element.
bool keeps_elements(Opcode opcode) {
  switch (opcode) {
    case Opcode::kBitcast:
    case Opcode::kReshape:
    case Opcode::kCopy:
    case Opcode::kBitcastConvert:
    case Opcode::kTranspose:
      return true;
    default:
      return hlo::info(opcode).op_class == hlo::OpClass::kElementwise;
  }
}

// The reduction with the largest input from which `id` follows element by element; invalid without
// one.
FlatId reduction_behind(const ReachState& state, FlatId id) {
  FlatId best;
  std::vector<FlatId> todo = {id};
  std::vector<bool> seen(state.body->nodes.size(), false);
  while (!todo.empty()) {
    const FlatId at = todo.back();
    todo.pop_back();
    if (seen[at.value] || state.body->nodes[at].is_leaf) continue;
    seen[at.value] = true;
    const std::vector<FlatId>& operands = state.body->nodes[at].operands;
    if (is_reduction(state.opcode(at)) && !operands.empty()) {
      const bool reduces = elements(state, operands[0]) > elements(state, at);
      const bool larger = !best.valid() || elements(state, operands[0]) >
                                               elements(state, state.body->nodes[best].operands[0]);
      if (reduces && larger) best = at;
      continue;
    }
    if (!keeps_elements(state.opcode(at))) continue;
    for (FlatId operand : operands) {
      if (elements(state, operand) == elements(state, id)) todo.push_back(operand);
    }
  }
  return best;
}

// The update or scatter at the end of an output, seen through bitcasts.
FlatId in_place_end(const ReachState& state, FlatId id) {
  while (!state.body->nodes[id].is_leaf && state.opcode(id) == Opcode::kBitcast &&
         !state.body->nodes[id].operands.empty()) {
    id = state.body->nodes[id].operands[0];
  }
  return id;
}

OutputPlan output_plan(const ReachState& state, FlatId output) {
  OutputPlan plan{.node = output, .written = output};
  if (state.body->nodes[output].is_leaf) return plan;
  const FlatId end = in_place_end(state, output);
  if (state.body->nodes[end].is_leaf) return plan;
  const std::vector<FlatId>& operands = state.body->nodes[end].operands;
  if (state.opcode(end) == Opcode::kDynamicUpdateSlice && operands.size() >= 2) {
    plan.node = end;
    plan.written = operands[1];
  } else if (state.opcode(end) == Opcode::kScatter && operands.size() >= 3) {
    plan.node = end;
    plan.written = operands[2 * (operands.size() / 3)];
    plan.is_scattered = true;
  }
  return plan;
}

// Extents of an output that has the dimensions of the hero, or what a reduction leaves of them;
// else dimensions are matched by their sizes, in order.
std::vector<ExtentId> matched_dims(ReachState& state, FlatId id) {
  const std::vector<int64_t>& hero = state.shape(state.hero).dimensions;
  const std::vector<int64_t>& sizes = state.shape(id).dimensions;
  if (sizes == hero) return state.hero_dims;
  std::vector<bool> used(hero.size(), false);
  const FlatId reduction = reduction_behind(state, id);
  if (reduction.valid() &&
      state.shape(state.body->nodes[reduction].operands[0]).dimensions == hero) {
    const auto reduced = state.program->ints(state.instruction(reduction), AttrKey::kDimensions);
    for (int64_t d : reduced) {
      if (static_cast<size_t>(d) < used.size()) used[static_cast<size_t>(d)] = true;
    }
  }
  std::vector<ExtentId> dims;
  size_t next = 0;
  for (int64_t size : sizes) {
    size_t found = next;
    while (found < hero.size() && (used[found] || hero[found] != size)) ++found;
    if (found < hero.size() && size != 1) {
      dims.push_back(state.hero_dims[found]);
      next = found + 1;
    } else {
      dims.push_back(state.extents.whole(size));
    }
  }
  return dims;
}

void mark_ancestors(ReachState& state) {
  state.leads_to_hero = IndexedVector<FlatId, uint8_t>(state.body->nodes.size(), 0);
  state.leads_to_hero[state.hero] = 1;
  for (size_t i = state.hero.value + 1; i-- > 0;) {
    if (!state.leads_to_hero[FlatId(i)]) continue;
    for (FlatId operand : state.body->nodes[FlatId(i)].operands) state.leads_to_hero[operand] = 1;
  }
}

std::vector<LoopId> add_output_loops(ReachState& state) {
  const hlo::Shape& shape = state.shape(state.hero);
  const PhysicalLayout layout = physical_layout(shape);
  state.hero_dims = state.whole(state.hero);
  std::vector<LoopId> loops;
  for (size_t i = 0; i < layout.rank() && state.loops.size() < kMaxLoops / 2; ++i) {
    const uint32_t d = layout.order[i];
    const int64_t size = std::clamp<int64_t>(shape.dimensions[d], 0, kMaxExtent);
    const LoopId loop = state.add_loop({.size = size, .unit = layout.unit[i]});
    loops.push_back(loop);
    state.hero_dims[d] = state.extents.loop(size, loop);
  }
  return loops;
}

// Start indices of an update in place, indices of a scatter: as many as the tile has updates.
void visit_indices(ReachState& state, const OutputPlan& output) {
  const hlo::InstructionId id = state.instruction(output.node);
  const auto window_dims = state.program->ints(id, AttrKey::kUpdateWindowDims);
  std::vector<ExtentId> batch;
  for (size_t d = 0; d < output.dims.size(); ++d) {
    const bool in_window = std::find(window_dims.begin(), window_dims.end(),
                                     static_cast<int64_t>(d)) != window_dims.end();
    if (!in_window) batch.push_back(output.dims[d]);
  }
  for (FlatId operand : state.body->nodes[output.node].operands) {
    const bool target = elements(state, operand) == elements(state, output.node);
    if (operand == output.written || target) continue;
    state.add_visit({operand, output.is_scattered ? index_dims(state, operand, batch, id)
                                                  : state.whole(operand)});
  }
}

}  // namespace

HeroPlan plan_hero(ReachState& state) {
  HeroPlan plan;
  for (FlatId output : state.body->outputs) {
    const bool known =
        std::any_of(plan.outputs.begin(), plan.outputs.end(),
                    [&](const OutputPlan& p) { return p.node == output && !p.is_scattered; });
    if (!known) plan.outputs.push_back(output_plan(state, output));
  }
  if (plan.outputs.empty()) return plan;
  const OutputPlan& largest = *std::max_element(
      plan.outputs.begin(), plan.outputs.end(), [&](const OutputPlan& a, const OutputPlan& b) {
        return elements(state, a.written) < elements(state, b.written);
      });
  state.hero = largest.written;
  plan.reduction = reduction_behind(state, state.hero);
  if (plan.reduction.valid()) state.hero = state.body->nodes[plan.reduction].operands[0];
  plan.output_loops = add_output_loops(state);
  mark_ancestors(state);
  for (OutputPlan& output : plan.outputs) {
    output.dims = matched_dims(state, output.written);
    state.add_visit({output.written, output.dims});
    if (output.written != output.node) visit_indices(state, output);
  }
  return plan;
}

}  // namespace hloscope::sim
