#include <algorithm>

#include "core/sim/free_kernel.h"
#include "core/sim/reach_rule.h"

// What each opcode needs of its operands. Semantics: openxla.org/xla/operation_semantics.
namespace hloscope::sim {

using hlo::AttrKey;
using hlo::Opcode;

// Operands of the result's own dimensions, or scalars.
Needs same_positions(const Rule& rule) {
  Needs needs;
  for (size_t i = 0; i < rule.operands().size(); ++i) {
    const bool same = rule.shape(i).dimensions == rule.shape().dimensions;
    needs.push_back(same ? rule.need(i, rule.out) : rule.all(i));
  }
  return needs;
}

namespace {

// The same of every input; what has other dimensions is a start value.
Needs input_needs(const Rule& rule, const Dims& dims) {
  Needs needs;
  for (size_t i = 0; i < rule.operands().size(); ++i) {
    const bool is_input = rule.shape(i).dimensions == rule.shape(0).dimensions;
    needs.push_back(is_input ? rule.need(i, dims) : rule.all(i));
  }
  return needs;
}

// A reduction that ends in a result of its own sums the tile; one that leads back to the tiled
// value needs its whole rows.
bool sums_the_tile(const Rule& rule, const Dims& kept) {
  const ReachState& state = rule.state;
  if (state.leads_to_hero[rule.node]) return false;
  if (rule.shape(0).dimensions != state.shape(state.hero).dimensions) return false;
  const auto reduced = rule.ints(AttrKey::kDimensions);
  size_t next = 0;
  for (size_t d = 0; d < state.hero_dims.size(); ++d) {
    if (in(reduced, d)) continue;
    if (next >= kept.size() || kept[next++] != state.hero_dims[d]) return false;
  }
  return true;
}

Needs reduce(const Rule& rule) {
  const auto reduced = rule.ints(AttrKey::kDimensions);
  const bool tiled = sums_the_tile(rule, rule.out);
  Dims dims;
  size_t next = 0;
  for (size_t d = 0; d < rule.shape(0).rank(); ++d) {
    if (in(reduced, d)) {
      dims.push_back(tiled ? rule.state.hero_dims[d] : rule.state.extents.whole(rule.size(0, d)));
    } else {
      dims.push_back(next < rule.out.size() ? rule.out[next] : rule.state.extents.whole(1));
      ++next;
    }
  }
  return input_needs(rule, dims);
}

Needs reduce_window(const Rule& rule) {
  const auto window = rule.ints(AttrKey::kWindow);
  Extents& extents = rule.state.extents;
  Dims dims;
  for (size_t d = 0; d < rule.out.size(); ++d) {
    if (hlo::kWindowInts * (d + 1) > window.size()) return same_positions(rule);
    const int64_t* w = &window[hlo::kWindowInts * d];
    dims.push_back(extents.window(rule.size(0, d), rule.out[d], extents.whole(w[0]),
                                  {w[1], w[5], w[2], std::max<int64_t>(w[4], 1)}));
  }
  return input_needs(rule, dims);
}

// Positions of the source whose windows hold the output, and what those windows compare.
Needs select_and_scatter(const Rule& rule) {
  const auto window = rule.ints(AttrKey::kWindow);
  Extents& extents = rule.state.extents;
  Dims operand;
  Dims source;
  for (size_t d = 0; d < rule.out.size(); ++d) {
    if (hlo::kWindowInts * (d + 1) > window.size()) return same_positions(rule);
    const int64_t* w = &window[hlo::kWindowInts * d];
    const int64_t size = std::clamp<int64_t>(w[0], 1, kMaxExtent);
    const int64_t pad_low = std::clamp(w[2], -kMaxExtent, kMaxExtent);
    operand.push_back(extents.window(rule.size(0, d), rule.out[d], extents.whole(2 * size - 1),
                                     {.pad_low = size - 1}));
    source.push_back(extents.window(
        rule.size(1, d), rule.out[d], extents.whole(size),
        {.pad_low = size - 1 - pad_low, .base_dilation = std::max<int64_t>(w[1], 1)}));
  }
  Needs needs = {rule.need(0, operand), rule.need(1, source)};
  rule.all_from(2, needs);
  return needs;
}

// A sort needs its whole rows.
Needs sort(const Rule& rule) {
  const auto dimensions = rule.ints(AttrKey::kDimensions);
  Dims dims = rule.out;
  const size_t along = dimensions.empty() ? dims.size() - 1 : static_cast<size_t>(dimensions[0]);
  Needs needs;
  for (size_t i = 0; i < rule.operands().size(); ++i) {
    if (rule.shape(i).rank() != dims.size() || along >= dims.size()) {
      needs.push_back(rule.all(i));
      continue;
    }
    dims[along] = rule.state.extents.whole(rule.size(i, along));
    needs.push_back(rule.need(i, dims));
  }
  return needs;
}

Needs fallback(const Rule& rule) {
  std::vector<Opcode>& seen = rule.state.fallbacks;
  const Opcode opcode = rule.state.opcode(rule.node);
  if (std::find(seen.begin(), seen.end(), opcode) == seen.end()) seen.push_back(opcode);
  Needs needs;
  rule.all_from(0, needs);
  return needs;
}

// What is known of a custom-call by its name.
Needs custom_call(const Rule& rule) {
  const std::string_view target =
      rule.state.program->text(rule.state.instruction(rule.node), AttrKey::kCustomCallTarget);
  if (target == "TopK" || target == "PartialReduce") return sort(rule);
  const bool marks = is_mark(*rule.state.program, rule.state.instruction(rule.node));
  return marks ? same_positions(rule) : fallback(rule);
}

bool has_equal_positions(Opcode opcode) {
  if (hlo::info(opcode).op_class == hlo::OpClass::kElementwise) return true;
  switch (opcode) {
    case Opcode::kCopy:
    case Opcode::kCopyStart:
    case Opcode::kCopyDone:
    case Opcode::kMap:
    case Opcode::kBitcastConvert:
    case Opcode::kReducePrecision:
    case Opcode::kBatchNormTraining:
    case Opcode::kBatchNormInference:
    case Opcode::kBatchNormGrad:
    case Opcode::kSetDimensionSize:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::vector<OperandNeed> operand_needs(ReachState& state, FlatId node,
                                       const std::vector<ExtentId>& out) {
  const Rule rule{state, node, out};
  const Opcode opcode = state.opcode(node);
  if (rule.operands().empty()) return {};
  if (is_matrix(opcode)) return matrix_needs(state, node, out);
  if (has_equal_positions(opcode)) return same_positions(rule);
  switch (opcode) {
    case Opcode::kBroadcast:
      return broadcast_needs(rule);
    case Opcode::kTranspose:
      return transpose_needs(rule);
    case Opcode::kReshape:
      return reshape_needs(rule);
    case Opcode::kBitcast:
      return bitcast_needs(rule);
    case Opcode::kSlice:
      return slice_needs(rule);
    case Opcode::kDynamicSlice:
      return dynamic_slice_needs(rule);
    case Opcode::kDynamicUpdateSlice:
      return dynamic_update_slice_needs(rule);
    case Opcode::kPad:
      return pad_needs(rule);
    case Opcode::kConcatenate:
      return concatenate_needs(rule);
    case Opcode::kReverse:
      return reverse_needs(rule);
    case Opcode::kReduce:
      return reduce(rule);
    case Opcode::kReduceWindow:
      return reduce_window(rule);
    case Opcode::kSelectAndScatter:
      return select_and_scatter(rule);
    case Opcode::kGather:
      return gather_needs(rule);
    case Opcode::kCustomCall:
      return custom_call(rule);
    case Opcode::kSort:
    case Opcode::kTopk:
      return sort(rule);
    default:
      return fallback(rule);
  }
}

}  // namespace hloscope::sim
