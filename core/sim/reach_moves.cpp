#include <algorithm>

#include "core/sim/physical.h"
#include "core/sim/reach_rule.h"

// Operations that move data. Semantics: openxla.org/xla/operation_semantics.
namespace hloscope::sim {

using hlo::AttrKey;

namespace {

// So that a product of two of them does not overflow.
std::vector<int64_t> cut_sizes(std::vector<int64_t> sizes) {
  for (int64_t& size : sizes) size = std::clamp<int64_t>(size, 0, kMaxExtent);
  return sizes;
}

// The same elements in the same order under other dimensions: both sides are cut in groups of equal
// element counts, and positions are carried over group by group.
Dims regrouped(Extents& extents, const Dims& from, const std::vector<int64_t>& from_dimensions,
               const std::vector<int64_t>& to_dimensions) {
  const std::vector<int64_t> from_sizes = cut_sizes(from_dimensions);
  const std::vector<int64_t> to_sizes = cut_sizes(to_dimensions);
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
        group = extents.joined(times(from_count, inner), group, from[f++], inner);
        from_count = times(from_count, inner);
      } else if (from_count > to_count && t < to_sizes.size()) {
        to_count = times(to_count, to_sizes[t++]);
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
      after = std::min(times(after, std::max<int64_t>(to_sizes[i], 1)), kMaxExtent);
    }
  }
  return to;
}

// Dimensions of a gather's result that count its indices, as one: how many rows a tile takes, and
// each of them.
struct GatheredRows {
  ExtentId rows;
  Dims batch;
};

GatheredRows gathered_rows(const Rule& rule, std::span<const int64_t> offset_dims) {
  Extents& extents = rule.state.extents;
  GatheredRows out{extents.whole(1), {}};
  int64_t row_count = 1;
  for (size_t d = 0; d < rule.out.size(); ++d) {
    if (in(offset_dims, d)) continue;
    const int64_t size = std::clamp<int64_t>(rule.shape().dimensions[d], 0, kMaxExtent);
    out.rows =
        extents.joined(std::min(times(row_count, size), kMaxExtent), out.rows, rule.out[d], size);
    row_count = std::min(times(row_count, std::max<int64_t>(size, 1)), kMaxExtent);
    out.batch.push_back(rule.out[d]);
  }
  return out;
}

}  // namespace

Needs broadcast_needs(const Rule& rule) {
  Dims dims;
  for (int64_t d : rule.ints(AttrKey::kDimensions)) {
    if (static_cast<size_t>(d) < rule.out.size()) dims.push_back(rule.out[static_cast<size_t>(d)]);
  }
  return {rule.need(0, dims)};
}

Needs transpose_needs(const Rule& rule) {
  const auto permutation = rule.ints(AttrKey::kDimensions);
  Dims dims(rule.out.size());
  for (size_t i = 0; i < rule.out.size() && i < permutation.size(); ++i) {
    const auto at = static_cast<size_t>(permutation[i]);
    if (at < dims.size()) dims[at] = rule.out[i];
  }
  return {rule.need(0, dims)};
}

Needs reshape_needs(const Rule& rule) {
  return {rule.need(0, regrouped(rule.state.extents, rule.out, rule.shape().dimensions,
                                 rule.shape(0).dimensions))};
}

// A bitcast keeps the order in memory, not the logical one.
Needs bitcast_needs(const Rule& rule) {
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

Needs slice_needs(const Rule& rule) {
  const auto values = rule.ints(AttrKey::kSlice);
  Dims dims;
  for (size_t d = 0; d < rule.out.size() && 3 * d + 2 < values.size(); ++d) {
    dims.push_back(
        rule.state.extents.affine(rule.size(0, d), rule.out[d], values[3 * d + 2], values[3 * d]));
  }
  return {rule.need(0, dims)};
}

// Where the slice starts is known at run time only; its size is what counts.
Needs dynamic_slice_needs(const Rule& rule) {
  Dims dims;
  for (size_t d = 0; d < rule.out.size(); ++d) {
    dims.push_back(rule.state.extents.affine(rule.size(0, d), rule.out[d], 1, 0));
  }
  Needs needs = {rule.need(0, dims)};
  rule.all_from(1, needs);
  return needs;
}

Needs dynamic_update_slice_needs(const Rule& rule) {
  Dims update;
  for (size_t d = 0; d < rule.out.size(); ++d) {
    update.push_back(rule.state.extents.affine(rule.size(1, d), rule.out[d], 1, 0));
  }
  Needs needs = {rule.need(0, rule.out), rule.need(1, update)};
  rule.all_from(2, needs);
  return needs;
}

Needs pad_needs(const Rule& rule) {
  const auto values = rule.ints(AttrKey::kPadding);
  Extents& extents = rule.state.extents;
  Dims dims;
  for (size_t d = 0; d < rule.out.size() && 3 * d + 2 < values.size(); ++d) {
    const int64_t low = std::clamp(values[3 * d], -kMaxExtent, kMaxExtent);
    const int64_t interior = std::clamp<int64_t>(values[3 * d + 2], 0, kMaxExtent);
    dims.push_back(interior == 0 ? extents.affine(rule.size(0, d), rule.out[d], 1, -low)
                                 : extents.window(rule.size(0, d), rule.out[d], extents.whole(1),
                                                  {.pad_low = low, .base_dilation = interior + 1}));
  }
  Needs needs = {rule.need(0, dims)};
  rule.all_from(1, needs);
  return needs;
}

Needs concatenate_needs(const Rule& rule) {
  const auto dimensions = rule.ints(AttrKey::kDimensions);
  const size_t along = dimensions.empty() ? 0 : static_cast<size_t>(dimensions[0]);
  Needs needs;
  int64_t start = 0;
  for (size_t i = 0; i < rule.operands().size(); ++i) {
    Dims dims = rule.out;
    if (along >= dims.size()) return same_positions(rule);
    dims[along] = rule.state.extents.affine(rule.size(i, along), rule.out[along], 1, -start);
    start = std::min(start + rule.size(i, along), kMaxExtent);
    needs.push_back(rule.need(i, dims));
  }
  return needs;
}

Needs reverse_needs(const Rule& rule) {
  const auto reversed = rule.ints(AttrKey::kDimensions);
  Dims dims = rule.out;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (in(reversed, d)) dims[d] = rule.state.extents.reversed(rule.size(0, d), dims[d]);
  }
  return {rule.need(0, dims)};
}

// Rows that the indices choose: as many of the operand as the tile of the result has. Which ones
// is known at run time only.
Needs gather_needs(const Rule& rule) {
  const auto offset_dims = rule.ints(AttrKey::kOffsetDims);
  const auto collapsed = rule.ints(AttrKey::kCollapsedSliceDims);
  const auto batching = rule.ints(AttrKey::kOperandBatchingDims);
  const auto slice_sizes = rule.ints(AttrKey::kSliceSizes);
  Extents& extents = rule.state.extents;
  const GatheredRows gathered = gathered_rows(rule, offset_dims);
  Dims dims;
  size_t next = 0;
  bool rows_placed = false;
  for (size_t d = 0; d < rule.shape(0).rank(); ++d) {
    const bool one = in(collapsed, d) || in(batching, d);
    if (!one && next < offset_dims.size() && d < slice_sizes.size()) {
      const auto at = static_cast<size_t>(offset_dims[next++]);
      dims.push_back(at < rule.out.size() ? extents.affine(rule.size(0, d), rule.out[at], 1, 0)
                                          : extents.whole(rule.size(0, d)));
    } else {
      dims.push_back(rows_placed ? extents.whole(1)
                                 : extents.affine(rule.size(0, d), gathered.rows, 1, 0));
      rows_placed = true;
    }
  }
  return {rule.need(0, dims),
          rule.need(1, index_dims(rule.state, rule.operands()[1], gathered.batch,
                                  rule.state.instruction(rule.node)))};
}

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

}  // namespace hloscope::sim
