#include <algorithm>

#include "core/sim/physical.h"
#include "core/sim/reach.h"

// What each opcode needs of its operands. Semantics: openxla.org/xla/operation_semantics.
namespace hloscope::sim {

namespace {

using hlo::AttrKey;
using hlo::Opcode;
using Dims = std::vector<ExtentId>;
using Needs = std::vector<OperandNeed>;

// The node at work, with short names for what every rule asks.
struct Rule {
  ReachState& state;
  FlatId node;
  const Dims& out;

  const std::vector<FlatId>& operands() const { return state.body->nodes[node].operands; }
  const hlo::Shape& shape() const { return state.shape(node); }
  const hlo::Shape& shape(size_t operand) const { return state.shape(operands()[operand]); }
  std::span<const int64_t> ints(AttrKey key) const {
    return state.program->ints(state.instruction(node), key);
  }
  int64_t size(size_t operand, size_t d) const { return shape(operand).dimensions[d]; }
  OperandNeed need(size_t operand, Dims dims) const {
    return {operands()[operand], std::move(dims)};
  }
  OperandNeed all(size_t operand) const { return need(operand, state.whole(operands()[operand])); }
  // Operands from `first` on, whole.
  void all_from(size_t first, Needs& needs) const {
    for (size_t i = first; i < operands().size(); ++i) needs.push_back(all(i));
  }
};

bool in(std::span<const int64_t> values, size_t value) {
  return std::find(values.begin(), values.end(), static_cast<int64_t>(value)) != values.end();
}

// Operands of the result's own dimensions, or scalars.
Needs same_positions(const Rule& rule) {
  Needs needs;
  for (size_t i = 0; i < rule.operands().size(); ++i) {
    const bool same = rule.shape(i).dimensions == rule.shape().dimensions;
    needs.push_back(same ? rule.need(i, rule.out) : rule.all(i));
  }
  return needs;
}

Needs broadcast(const Rule& rule) {
  Dims dims;
  for (int64_t d : rule.ints(AttrKey::kDimensions)) {
    if (static_cast<size_t>(d) < rule.out.size()) dims.push_back(rule.out[static_cast<size_t>(d)]);
  }
  return {rule.need(0, dims)};
}

Needs transpose(const Rule& rule) {
  const auto permutation = rule.ints(AttrKey::kDimensions);
  Dims dims(rule.out.size());
  for (size_t i = 0; i < rule.out.size() && i < permutation.size(); ++i) {
    dims[static_cast<size_t>(permutation[i])] = rule.out[i];
  }
  return {rule.need(0, dims)};
}

// The same elements in the same order under other dimensions: both sides are cut in groups of equal
// element counts, and positions are carried over group by group.
Dims regrouped(Extents& extents, const Dims& from, std::span<const int64_t> from_sizes,
               std::span<const int64_t> to_sizes) {
  Dims to(to_sizes.size());
  size_t f = 0;
  size_t t = 0;
  while (t < to_sizes.size()) {
    const size_t first = t;
    int64_t to_count = to_sizes[t++];
    ExtentId group = f < from.size() ? from[f] : extents.whole(1);
    int64_t from_count = f < from.size() ? from_sizes[f++] : 1;
    while (from_count != to_count) {
      if (from_count < to_count && f < from.size()) {
        const int64_t inner = from_sizes[f];
        group = extents.joined(from_count * inner, group, from[f++], inner);
        from_count *= inner;
      } else if (from_count > to_count && t < to_sizes.size()) {
        to_count *= to_sizes[t++];
      } else {
        break;
      }
      if (from_count > kMaxExtent || to_count > kMaxExtent) break;
    }
    int64_t after = 1;
    for (size_t i = t; i-- > first;) {
      const ExtentId outer =
          extents.quotient(std::max<int64_t>(from_count / after, 1), group, after);
      to[i] = extents.remainder(to_sizes[i], outer);
      after = std::min(after * std::max<int64_t>(to_sizes[i], 1), kMaxExtent);
    }
  }
  return to;
}

Needs reshape(const Rule& rule) {
  return {rule.need(0, regrouped(rule.state.extents, rule.out, rule.shape().dimensions,
                                 rule.shape(0).dimensions))};
}

// A bitcast keeps the order in memory, not the logical one.
Needs bitcast(const Rule& rule) {
  if (rule.shape(0).dimensions == rule.shape().dimensions) return same_positions(rule);
  const PhysicalLayout from = physical_layout(rule.shape());
  const PhysicalLayout to = physical_layout(rule.shape(0));
  Dims ordered;
  std::vector<int64_t> from_sizes;
  std::vector<int64_t> to_sizes;
  for (uint32_t d : from.order) {
    ordered.push_back(rule.out[d]);
    from_sizes.push_back(rule.shape().dimensions[d]);
  }
  for (uint32_t d : to.order) to_sizes.push_back(rule.size(0, d));
  const Dims physical = regrouped(rule.state.extents, ordered, from_sizes, to_sizes);
  Dims dims(physical.size());
  for (size_t i = 0; i < physical.size(); ++i) dims[to.order[i]] = physical[i];
  return {rule.need(0, dims)};
}

Needs slice(const Rule& rule) {
  const auto values = rule.ints(AttrKey::kSlice);
  Dims dims;
  for (size_t d = 0; d < rule.out.size() && 3 * d + 2 < values.size(); ++d) {
    dims.push_back(
        rule.state.extents.affine(rule.size(0, d), rule.out[d], values[3 * d + 2], values[3 * d]));
  }
  return {rule.need(0, dims)};
}

// Where the slice starts is known at run time only; its size is what counts.
Needs dynamic_slice(const Rule& rule) {
  Dims dims;
  for (size_t d = 0; d < rule.out.size(); ++d) {
    dims.push_back(rule.state.extents.affine(rule.size(0, d), rule.out[d], 1, 0));
  }
  Needs needs = {rule.need(0, dims)};
  rule.all_from(1, needs);
  return needs;
}

Needs dynamic_update_slice(const Rule& rule) {
  Dims update;
  for (size_t d = 0; d < rule.out.size(); ++d) {
    update.push_back(rule.state.extents.affine(rule.size(1, d), rule.out[d], 1, 0));
  }
  Needs needs = {rule.need(0, rule.out), rule.need(1, update)};
  rule.all_from(2, needs);
  return needs;
}

Needs pad(const Rule& rule) {
  const auto values = rule.ints(AttrKey::kPadding);
  Extents& extents = rule.state.extents;
  Dims dims;
  for (size_t d = 0; d < rule.out.size() && 3 * d + 2 < values.size(); ++d) {
    const int64_t low = values[3 * d];
    const int64_t interior = values[3 * d + 2];
    dims.push_back(interior == 0 ? extents.affine(rule.size(0, d), rule.out[d], 1, -low)
                                 : extents.window(rule.size(0, d), rule.out[d], extents.whole(1),
                                                  {.pad_low = low, .base_dilation = interior + 1}));
  }
  Needs needs = {rule.need(0, dims)};
  rule.all_from(1, needs);
  return needs;
}

Needs concatenate(const Rule& rule) {
  const auto dimensions = rule.ints(AttrKey::kDimensions);
  const size_t along = dimensions.empty() ? 0 : static_cast<size_t>(dimensions[0]);
  Needs needs;
  int64_t start = 0;
  for (size_t i = 0; i < rule.operands().size(); ++i) {
    Dims dims = rule.out;
    if (along >= dims.size()) return same_positions(rule);
    dims[along] = rule.state.extents.affine(rule.size(i, along), rule.out[along], 1, -start);
    start += rule.size(i, along);
    needs.push_back(rule.need(i, dims));
  }
  return needs;
}

Needs reverse(const Rule& rule) {
  const auto reversed = rule.ints(AttrKey::kDimensions);
  Dims dims = rule.out;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (in(reversed, d)) dims[d] = rule.state.extents.reversed(rule.size(0, d), dims[d]);
  }
  return {rule.need(0, dims)};
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
  Needs needs;
  for (size_t i = 0; i < rule.operands().size(); ++i) {
    const bool is_input = rule.shape(i).dimensions == rule.shape(0).dimensions;
    needs.push_back(is_input ? rule.need(i, dims) : rule.all(i));
  }
  return needs;
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
  Needs needs;
  for (size_t i = 0; i < rule.operands().size(); ++i) {
    const bool is_input = rule.shape(i).dimensions == rule.shape(0).dimensions;
    needs.push_back(is_input ? rule.need(i, dims) : rule.all(i));
  }
  return needs;
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
    operand.push_back(extents.window(rule.size(0, d), rule.out[d], extents.whole(2 * w[0] - 1),
                                     {.pad_low = w[0] - 1}));
    source.push_back(
        extents.window(rule.size(1, d), rule.out[d], extents.whole(w[0]),
                       {.pad_low = w[0] - 1 - w[2], .base_dilation = std::max<int64_t>(w[1], 1)}));
  }
  Needs needs = {rule.need(0, operand), rule.need(1, source)};
  rule.all_from(2, needs);
  return needs;
}

// Rows that the indices choose: as many of the operand as the tile of the result has. Which ones
// is known at run time only.
Needs gather(const Rule& rule) {
  const auto offset_dims = rule.ints(AttrKey::kOffsetDims);
  const auto collapsed = rule.ints(AttrKey::kCollapsedSliceDims);
  const auto batching = rule.ints(AttrKey::kOperandBatchingDims);
  const auto slice_sizes = rule.ints(AttrKey::kSliceSizes);
  Extents& extents = rule.state.extents;
  ExtentId rows = extents.whole(1);
  int64_t row_count = 1;
  Dims batch;  // Of the indices, without their vector dimension.
  for (size_t d = 0; d < rule.out.size(); ++d) {
    if (in(offset_dims, d)) continue;
    const int64_t size = rule.shape().dimensions[d];
    rows = extents.joined(std::min(row_count * size, kMaxExtent), rows, rule.out[d], size);
    row_count = std::min(row_count * std::max<int64_t>(size, 1), kMaxExtent);
    batch.push_back(rule.out[d]);
  }
  Dims dims;
  size_t next = 0;
  bool rows_placed = false;
  for (size_t d = 0; d < rule.shape(0).rank(); ++d) {
    const bool one = in(collapsed, d) || in(batching, d);
    if (!one && next < offset_dims.size() && d < slice_sizes.size()) {
      const auto at = static_cast<size_t>(offset_dims[next++]);
      dims.push_back(extents.affine(rule.size(0, d), rule.out[at], 1, 0));
    } else {
      dims.push_back(rows_placed ? extents.whole(1) : extents.affine(rule.size(0, d), rows, 1, 0));
      rows_placed = true;
    }
  }
  return {rule.need(0, dims), rule.need(1, index_dims(rule.state, rule.operands()[1], batch,
                                                      rule.state.instruction(rule.node)))};
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
  const bool marks = target == "Sharding" || target.starts_with("SPMD") ||
                     target.starts_with("xla.sdy.") || target == "annotate_device_placement";
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

std::vector<ExtentId> index_dims(ReachState& state, FlatId indices,
                                 const std::vector<ExtentId>& batch, hlo::InstructionId user) {
  const auto vector_dim = state.program->integer(user, AttrKey::kIndexVectorDim);
  Dims dims = state.whole(indices);
  size_t next = 0;
  for (size_t d = 0; d < dims.size() && next < batch.size(); ++d) {
    if (static_cast<int64_t>(d) == vector_dim.value_or(-1)) continue;
    const ExtentId extent = batch[next++];
    if (state.extents.size(extent) == state.extents.size(dims[d])) dims[d] = extent;
  }
  return dims;
}

std::vector<OperandNeed> operand_needs(ReachState& state, FlatId node,
                                       const std::vector<ExtentId>& out) {
  const Rule rule{state, node, out};
  const Opcode opcode = state.opcode(node);
  if (rule.operands().empty()) return {};
  if (is_matrix(opcode)) return matrix_needs(state, node, out);
  if (has_equal_positions(opcode)) return same_positions(rule);
  switch (opcode) {
    case Opcode::kBroadcast:
      return broadcast(rule);
    case Opcode::kTranspose:
      return transpose(rule);
    case Opcode::kReshape:
      return reshape(rule);
    case Opcode::kBitcast:
      return bitcast(rule);
    case Opcode::kSlice:
      return slice(rule);
    case Opcode::kDynamicSlice:
      return dynamic_slice(rule);
    case Opcode::kDynamicUpdateSlice:
      return dynamic_update_slice(rule);
    case Opcode::kPad:
      return pad(rule);
    case Opcode::kConcatenate:
      return concatenate(rule);
    case Opcode::kReverse:
      return reverse(rule);
    case Opcode::kReduce:
      return reduce(rule);
    case Opcode::kReduceWindow:
      return reduce_window(rule);
    case Opcode::kSelectAndScatter:
      return select_and_scatter(rule);
    case Opcode::kGather:
      return gather(rule);
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
