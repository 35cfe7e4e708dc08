#include "core/sim/kernel_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/graph/callee_order.h"
#include "core/sim/free_kernel.h"
#include "core/sim/kernel_builder.h"
#include "core/sim/links.h"
#include "core/sim/physical.h"

namespace hloscope::sim {

namespace {

double element_count(const ReachState& state, FlatId id) {
  return static_cast<double>(std::max<int64_t>(state.shape(id).element_count(), 1));
}

// The dot or convolution with the most work: result x left x right is its square.
FlatId largest_matrix(const ReachState& state) {
  FlatId best;
  double most = 0;
  for (uint32_t i = 0; i < state.body->nodes.size(); ++i) {
    const FlatNode& node = state.body->nodes[FlatId(i)];
    if (node.is_leaf || node.operands.size() < 2 || !is_matrix(state.opcode(FlatId(i)))) continue;
    const double work = element_count(state, FlatId(i)) * element_count(state, node.operands[0]) *
                        element_count(state, node.operands[1]);
    if (work > most) {
      most = work;
      best = FlatId(i);
    }
  }
  return best;
}

void append(std::vector<LoopId>& order, LoopId loop) {
  if (std::find(order.begin(), order.end(), loop) == order.end()) order.push_back(loop);
}

void append_all(std::vector<LoopId>& order, const Extents& extents,
                const std::vector<ExtentId>& dims) {
  for (ExtentId dim : dims) {
    for (LoopSet set = extents.loops(dim); set != 0; set &= set - 1) {
      append(order, LoopId(static_cast<uint32_t>(std::countr_zero(set))));
    }
  }
}

// Independent products outermost, then the output features, so that weights stay while rows go by;
// the rest in physical order; sums innermost. Measured: see the README's decisions.
std::vector<LoopId> nest_order(const KernelModel& model) {
  std::vector<LoopId> order;
  if (model.matrix) {
    append_all(order, model.extents, model.matrix->batch);
    append_all(order, model.extents, model.matrix->columns);
  }
  for (LoopId loop : model.output_loops) append(order, loop);
  // Sums: depth, then window positions.
  if (model.matrix) append_all(order, model.extents, model.matrix->depth);
  for (uint32_t i = 0; i < model.loops.size(); ++i) append(order, LoopId(i));
  return order;
}

void add_kernel_dims(KernelBuilder& builder) {
  const ReachState& state = builder.state;
  if (!state.matrix.valid() || state.contracted_loops.empty()) return;
  const FlatId right = state.body->nodes[state.matrix].operands[1];
  const PhysicalLayout layout = physical_layout(state.shape(right));
  std::vector<ExtentId> dims;
  for (const Visit& visit : state.visits[right.value]) {
    if (visit.feeds_matrix || dims.empty()) dims = visit.dims;
  }
  if (dims.size() != layout.rank()) return;
  for (size_t i = 0; i < layout.rank(); ++i) {
    const uint32_t d = layout.order[i];
    builder.model.kernel_loops.push_back(state.contracted_loops[d]);
    builder.model.kernel_dims.push_back({dims[d], layout.unit[i], layout.full_units[i]});
  }
}

KernelModel tiled_model(const hlo::Program& program, const FlatBody& body) {
  KernelModel model;
  ReachState state;
  state.program = &program;
  state.body = &body;
  state.visits.resize(body.nodes.size());
  state.matrix = largest_matrix(state);
  const HeroPlan plan = plan_hero(state);
  if (!state.hero.valid()) return model;
  reach(state);
  model.extents = state.extents;
  model.loops = state.loops;
  model.output_loops = plan.output_loops;
  model.fallbacks = state.fallbacks;
  KernelBuilder builder{program, body, state, plan, model};
  add_streams(builder);
  add_vector_work(builder);
  add_matrix(builder);
  add_kernel_dims(builder);
  model.order = nest_order(model);
  return model;
}

Error bad_tile(std::string message) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = std::move(message);
  return error;
}

std::string part_text(const char* name, size_t count) {
  return fmt::format("{}= needs {} bound{} here", name, count, count == 1 ? "" : "s");
}

}  // namespace

KernelModel kernel_model(const hlo::Program& program, hlo::InstructionId kernel) {
  if (takes_no_time(program, kernel)) {
    KernelModel model;
    model.kind = KernelKind::kFree;
    return model;
  }
  if (auto link = link_model(program, kernel)) return std::move(*link);
  KernelModel model = tiled_model(program, flatten(program, kernel));
  const bool is_body = graph::inlines_callees(program[kernel].opcode);
  if (!model.fallbacks.empty() && !is_body) return opaque_model(program, kernel);
  return model;
}

KernelModel kernel_model(const hlo::Program& program, const FlatBody& body) {
  return tiled_model(program, body);
}

std::vector<int64_t> whole_bounds(const KernelModel& model) {
  std::vector<int64_t> bounds;
  for (const LoopDim& loop : model.loops) bounds.push_back(loop.units());
  return bounds;
}

Tile whole_tile(const KernelModel& model) {
  return tile_of(model, whole_bounds(model));
}

std::vector<Range> first_ranges(const KernelModel& model, std::span<const int64_t> bounds) {
  std::vector<Range> ranges;
  ranges.reserve(model.loops.size());
  for (size_t l = 0; l < model.loops.size(); ++l) {
    ranges.push_back({0, std::min(model.loops[l].size, bounds[l] * model.loops[l].unit)});
  }
  return ranges;
}

Tile tile_of(const KernelModel& model, const std::vector<int64_t>& bounds) {
  Tile tile;
  for (LoopId loop : model.output_loops) tile.output.push_back(bounds[loop.value]);
  const std::vector<Range> ranges = first_ranges(model, bounds);
  for (size_t i = 0; i < model.kernel_loops.size(); ++i) {
    const LoopId loop = model.kernel_loops[i];
    const BlockDim& dim = model.kernel_dims[i];
    const int64_t size = model.extents.evaluate(dim.extent, ranges).size();
    tile.kernel.push_back(loop.valid() ? bounds[loop.value]
                                       : std::max<int64_t>((size + dim.unit - 1) / dim.unit, 1));
  }
  return tile;
}

Result<std::vector<int64_t>> loop_bounds(const KernelModel& model, const Tile& tile) {
  std::vector<int64_t> bounds = whole_bounds(model);
  if (tile.output.size() != model.output_loops.size()) {
    return fail(bad_tile(part_text("out", model.output_loops.size())));
  }
  if (!tile.kernel.empty() && tile.kernel.size() != model.kernel_loops.size()) {
    return fail(bad_tile(part_text("kernel", model.kernel_loops.size())));
  }
  const auto set = [&](LoopId loop, int64_t bound) {
    if (!loop.valid()) return true;
    if (bound < 1 || bound > model.loops[loop.value].units()) return false;
    bounds[loop.value] = bound;
    return true;
  };
  for (size_t i = 0; i < tile.output.size(); ++i) {
    if (!set(model.output_loops[i], tile.output[i])) {
      return fail(
          bad_tile(fmt::format("bound {} of out= is {}, its range is 1 to {}", i + 1,
                               tile.output[i], model.loops[model.output_loops[i].value].units())));
    }
  }
  for (size_t i = 0; i < tile.kernel.size(); ++i) {
    if (!set(model.kernel_loops[i], tile.kernel[i])) {
      return fail(
          bad_tile(fmt::format("bound {} of kernel= is {}, its range is 1 to {}", i + 1,
                               tile.kernel[i], model.loops[model.kernel_loops[i].value].units())));
    }
  }
  return bounds;
}

}  // namespace hloscope::sim
