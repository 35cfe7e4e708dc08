#pragma once

#include <algorithm>
#include <span>

#include "core/sim/reach.h"

// What the rules of operand_needs() share.
namespace hloscope::sim {

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
  std::span<const int64_t> ints(hlo::AttrKey key) const {
    return state.program->ints(state.instruction(node), key);
  }
  // Cut to what an extent can have; 1 of a dimension that the operand does not have.
  int64_t size(size_t operand, size_t d) const {
    if (d >= shape(operand).rank()) return 1;
    return std::clamp<int64_t>(shape(operand).dimensions[d], 0, kMaxExtent);
  }
  OperandNeed need(size_t operand, Dims dims) const {
    return {operands()[operand], std::move(dims)};
  }
  OperandNeed all(size_t operand) const { return need(operand, state.whole(operands()[operand])); }
  // Operands from `first` on, whole.
  void all_from(size_t first, Needs& needs) const {
    for (size_t i = first; i < operands().size(); ++i) needs.push_back(all(i));
  }
};

[[nodiscard]] inline bool in(std::span<const int64_t> values, size_t value) {
  return std::find(values.begin(), values.end(), static_cast<int64_t>(value)) != values.end();
}

/// Operands of the result's own dimensions, or scalars.
[[nodiscard]] Needs same_positions(const Rule& rule);

// Operations that move data: what they need is a matter of positions only.
[[nodiscard]] Needs broadcast_needs(const Rule& rule);
[[nodiscard]] Needs transpose_needs(const Rule& rule);
[[nodiscard]] Needs reshape_needs(const Rule& rule);
[[nodiscard]] Needs bitcast_needs(const Rule& rule);
[[nodiscard]] Needs slice_needs(const Rule& rule);
[[nodiscard]] Needs dynamic_slice_needs(const Rule& rule);
[[nodiscard]] Needs dynamic_update_slice_needs(const Rule& rule);
[[nodiscard]] Needs pad_needs(const Rule& rule);
[[nodiscard]] Needs concatenate_needs(const Rule& rule);
[[nodiscard]] Needs reverse_needs(const Rule& rule);
[[nodiscard]] Needs gather_needs(const Rule& rule);

}  // namespace hloscope::sim
