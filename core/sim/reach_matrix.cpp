#include <algorithm>

#include "core/hlo/convolution.h"
#include "core/sim/physical.h"
#include "core/sim/reach_rule.h"

namespace hloscope::sim {

namespace {

using hlo::AttrKey;

// Loops over the dimensions of the right operand that are summed over, in physical order. Only the
// matrix node of the kernel is cut along its sums; another one inside the body takes them whole.
class Contraction {
 public:
  Contraction(ReachState& state, FlatId node, const std::vector<bool>& is_contracted)
      : state_(state), is_cut_(node == state.matrix) {
    const FlatId right = state.body->nodes[node].operands[1];
    const hlo::Shape& shape = state.shape(right);
    for (int64_t size : shape.dimensions) {
      sizes_.push_back(std::clamp<int64_t>(size, 0, kMaxExtent));
    }
    if (!is_cut_ || !state.contracted_loops.empty()) return;
    state.contracted_loops.resize(shape.rank());
    const PhysicalLayout layout = physical_layout(shape);
    for (size_t i = 0; i < layout.rank(); ++i) {
      const uint32_t d = layout.order[i];
      if (!is_contracted[d] || state.loops.size() >= kMaxLoops) continue;
      state.contracted_loops[d] =
          state.add_loop({.size = sizes_[d], .unit = layout.unit[i], .is_contracted = true});
    }
  }

  ExtentId extent(int dimension) const {
    const auto d = static_cast<size_t>(dimension);
    if (dimension < 0 || d >= sizes_.size()) return state_.extents.whole(1);
    const bool looped = is_cut_ && state_.contracted_loops[d].valid();
    return looped ? state_.extents.loop(sizes_[d], state_.contracted_loops[d])
                  : state_.extents.whole(sizes_[d]);
  }

 private:
  ReachState& state_;
  bool is_cut_;
  std::vector<int64_t> sizes_;
};

ExtentId at(const Dims& dims, int position, Extents& extents) {
  return position >= 0 && static_cast<size_t>(position) < dims.size()
             ? dims[static_cast<size_t>(position)]
             : extents.whole(1);
}

void place(Dims& dims, int position, ExtentId extent) {
  if (position >= 0 && static_cast<size_t>(position) < dims.size()) {
    dims[static_cast<size_t>(position)] = extent;
  }
}

// Input features of the groups that the output features belong to.
ExtentId group_features(Extents& extents, const hlo::Convolution& c, ExtentId output_feature,
                        ExtentId depth) {
  if (c.feature_groups <= 1) return depth;
  const int64_t outputs = std::max<int64_t>(c.output_feature / c.feature_groups, 1);
  const int64_t inputs = std::max<int64_t>(c.input_feature / c.feature_groups, 1);
  const ExtentId group = extents.quotient(c.feature_groups, output_feature, outputs);
  return extents.joined(c.input_feature, group, depth, inputs);
}

std::vector<OperandNeed> convolution_needs(ReachState& state, FlatId node, const Dims& out,
                                           const hlo::Convolution& c) {
  const std::vector<FlatId>& operands = state.body->nodes[node].operands;
  Dims input = state.whole(operands[0]);
  Dims kernel = state.whole(operands[1]);
  std::vector<bool> is_contracted(kernel.size(), true);
  const auto output_feature = static_cast<size_t>(std::max(c.kernel_dims.second, 0));
  if (output_feature < is_contracted.size()) is_contracted[output_feature] = false;
  const Contraction contraction(state, node, is_contracted);
  Extents& extents = state.extents;
  const ExtentId feature = at(out, c.output_dims.second, extents);
  const ExtentId depth = contraction.extent(c.kernel_dims.first);
  place(kernel, c.kernel_dims.first, depth);
  place(kernel, c.kernel_dims.second, feature);
  place(input, c.input_dims.second, group_features(extents, c, feature, depth));
  if (c.batch_groups <= 1) place(input, c.input_dims.first, at(out, c.output_dims.first, extents));
  for (size_t i = 0; i < c.spatial_count; ++i) {
    const hlo::Convolution::Spatial& s = c.spatial[i];
    const ExtentId tap = contraction.extent(s.kernel_dim);
    place(kernel, s.kernel_dim, tap);
    const ExtentId reach_tap = s.is_reversed ? extents.reversed(s.kernel, tap) : tap;
    place(input, s.input_dim,
          extents.window(s.input, at(out, s.output_dim, extents), reach_tap,
                         {s.stride, s.window_dilation, s.pad_low, s.base_dilation}));
  }
  return {{operands[0], std::move(input)}, {operands[1], std::move(kernel)}};
}

// Result dimensions of a dot: batch, then the free ones of the left side, then of the right one.
std::vector<OperandNeed> dot_needs(ReachState& state, FlatId node, const Dims& out) {
  const std::vector<FlatId>& operands = state.body->nodes[node].operands;
  const hlo::InstructionId id = state.instruction(node);
  const auto left_batch = state.program->ints(id, AttrKey::kLhsBatchDims);
  const auto right_batch = state.program->ints(id, AttrKey::kRhsBatchDims);
  const auto left_sum = state.program->ints(id, AttrKey::kLhsContractingDims);
  const auto right_sum = state.program->ints(id, AttrKey::kRhsContractingDims);
  Dims left = state.whole(operands[0]);
  Dims right = state.whole(operands[1]);
  std::vector<bool> is_contracted(right.size(), false);
  for (int64_t d : right_sum) {
    if (static_cast<size_t>(d) < right.size()) is_contracted[static_cast<size_t>(d)] = true;
  }
  const Contraction contraction(state, node, is_contracted);
  size_t next = 0;
  for (size_t i = 0; i < left_batch.size() && i < right_batch.size(); ++i, ++next) {
    const ExtentId extent = at(out, static_cast<int>(next), state.extents);
    place(left, static_cast<int>(left_batch[i]), extent);
    place(right, static_cast<int>(right_batch[i]), extent);
  }
  for (size_t d = 0; d < left.size(); ++d) {
    if (in(left_batch, d) || in(left_sum, d)) continue;
    left[d] = at(out, static_cast<int>(next++), state.extents);
  }
  for (size_t d = 0; d < right.size(); ++d) {
    if (in(right_batch, d) || in(right_sum, d)) continue;
    right[d] = at(out, static_cast<int>(next++), state.extents);
  }
  for (size_t i = 0; i < right_sum.size() && i < left_sum.size(); ++i) {
    const ExtentId extent = contraction.extent(static_cast<int>(right_sum[i]));
    place(right, static_cast<int>(right_sum[i]), extent);
    place(left, static_cast<int>(left_sum[i]), extent);
  }
  return {{operands[0], std::move(left)}, {operands[1], std::move(right)}};
}

}  // namespace

std::vector<OperandNeed> matrix_needs(ReachState& state, FlatId node,
                                      const std::vector<ExtentId>& out) {
  const std::vector<FlatId>& operands = state.body->nodes[node].operands;
  std::vector<OperandNeed> needs;
  if (state.opcode(node) == hlo::Opcode::kConvolution) {
    const auto c = hlo::convolution(*state.program, state.instruction(node));
    if (c && operands.size() >= 2) return convolution_needs(state, node, out, *c);
  } else if (operands.size() >= 2) {
    needs = dot_needs(state, node, out);
  }
  // Scales of a scaled-dot are small: whole.
  for (size_t i = needs.size(); i < operands.size(); ++i) {
    needs.push_back({operands[i], state.whole(operands[i])});
  }
  return needs;
}

}  // namespace hloscope::sim
