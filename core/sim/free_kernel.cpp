#include "core/sim/free_kernel.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "core/hlo/tpu_layout.h"

namespace hloscope::sim {

namespace {

using hlo::AttrKey;
using hlo::Opcode;
using Sizes = std::vector<int64_t>;

constexpr int64_t kRowsPerTile = 8;

// Physical sizes, major to minor, without dimensions of one element.
Sizes real_sizes(const hlo::Shape& shape) {
  Sizes sizes = hlo::physical_dimensions(shape);
  std::erase(sizes, 1);
  return sizes;
}

bool is_row_major(const hlo::Shape& shape) {
  const std::vector<int64_t>& order = shape.layout.minor_to_major;
  return std::is_sorted(order.begin(), order.end(), std::greater<>());
}

// The rows of a tile do not straddle when dimensions above the lanes merge or split.
bool keeps_tiles(const Sizes& from, const Sizes& to) {
  if (from == to) return true;
  if (from.size() < 2 || to.size() < 2 || from.back() != to.back()) return false;
  return from[from.size() - 2] % kRowsPerTile == 0 && to[to.size() - 2] % kRowsPerTile == 0;
}

// Where the program states tiles the minor dimensions must be the same, dimensions of one element
// included: else the compiler is still free to choose a layout that leaves the bytes in place.
bool same_tiled_dimensions(const hlo::Shape& from, const hlo::Shape& to) {
  if (from.layout.tiles.empty() && to.layout.tiles.empty()) return true;
  const Sizes a = hlo::physical_dimensions(from);
  const Sizes b = hlo::physical_dimensions(to);
  return !a.empty() && !b.empty() && a.back() == b.back();
}

bool reshape_is_bitcast(const hlo::Shape& from, const hlo::Shape& to) {
  return same_tiled_dimensions(from, to) && is_row_major(from) && is_row_major(to) &&
         keeps_tiles(real_sizes(from), real_sizes(to));
}

// The layouts undo the permutation, dimensions of one element aside.
bool transpose_is_bitcast(const hlo::Shape& from, const hlo::Shape& to,
                          std::span<const int64_t> permutation) {
  if (permutation.size() != to.rank() || from.rank() != to.rank()) return false;
  const auto order_of = [](const hlo::Shape& shape, auto logical) {
    Sizes order;
    for (int64_t d : shape.layout.minor_to_major) {
      if (d < 0 || static_cast<size_t>(d) >= shape.rank()) return Sizes{-1};
      if (shape.dimensions[static_cast<size_t>(d)] != 1) order.push_back(logical(d));
    }
    return order;
  };
  const Sizes in = order_of(from, [](int64_t d) { return d; });
  const Sizes out = order_of(to, [&](int64_t d) { return permutation[static_cast<size_t>(d)]; });
  return in == out;
}

}  // namespace

bool is_mark(const hlo::Program& program, hlo::InstructionId id) {
  static constexpr std::array<std::string_view, 5> kMarks = {
      "Sharding", "annotate_device_placement", "LayoutConstraint", "Pin", "Unpin"};
  if (program[id].opcode != Opcode::kCustomCall) return false;
  const std::string_view target = program.text(id, AttrKey::kCustomCallTarget);
  return std::find(kMarks.begin(), kMarks.end(), target) != kMarks.end() ||
         target.starts_with("SPMD") || target.starts_with("xla.sdy.");
}

bool takes_no_time(const hlo::Program& program, hlo::InstructionId kernel) {
  if (is_mark(program, kernel)) return true;
  const auto operands = program.operands(kernel);
  const Opcode opcode = program[kernel].opcode;
  if (operands.empty() || (opcode != Opcode::kTranspose && opcode != Opcode::kReshape)) {
    return false;
  }
  const hlo::Shape& from = program.shape(operands[0]);
  const hlo::Shape& to = program.shape(kernel);
  if (!from.is_array() || !to.is_array()) return false;
  if (from.layout.tiles != to.layout.tiles) return false;
  return opcode == Opcode::kReshape
             ? reshape_is_bitcast(from, to)
             : transpose_is_bitcast(from, to, program.ints(kernel, AttrKey::kDimensions));
}

}  // namespace hloscope::sim
