#include "core/analysis/instruction_traffic.h"

namespace hloscope::analysis {

namespace {

using hlo::InstructionId;
using hlo::Opcode;
using Sizes = IndexedVector<hlo::ShapeId, ShapeSize>;

struct Accesses {
  const hlo::Program& program;
  const Sizes& sizes;
  InstructionId id;

  [[nodiscard]] Bytes operand(size_t i) const {
    const auto operands = program.operands(id);
    return i < operands.size() ? sizes[program[operands[i]].shape].whole : Bytes();
  }
  [[nodiscard]] Bytes operands_from(size_t first) const {
    Bytes sum;
    const auto operands = program.operands(id);
    for (size_t i = first; i < operands.size(); ++i) sum += sizes[program[operands[i]].shape].whole;
    return sum;
  }
  [[nodiscard]] const ShapeSize& result() const { return sizes[program[id].shape]; }
};

// n inputs, the indices, n updates: reads and writes the places of the updates.
Traffic scatter_traffic(const Accesses& a) {
  const size_t inputs = a.program.operands(a.id).size() / 2;
  const Bytes updates = a.operands_from(inputs + 1);
  return {.read = 2.0 * updates + a.operand(inputs), .written = updates};
}

// A tuple that goes out is read leaf by leaf.
Traffic outfeed_traffic(const Accesses& a) {
  Bytes read;
  for (InstructionId operand : a.program.operands(a.id)) {
    read += a.sizes[a.program[operand].shape].leaves;
  }
  return {.read = read, .written = {}};
}

// The layouts undo the permutation: nothing moves.
bool transpose_is_bitcast(const hlo::Program& program, InstructionId id) {
  const auto permutation = program.ints(id, hlo::AttrKey::kDimensions);
  const std::vector<int64_t>& from = program.shape(program.operands(id)[0]).layout.minor_to_major;
  const std::vector<int64_t>& to = program.shape(id).layout.minor_to_major;
  if (from.size() != permutation.size() || to.size() != permutation.size()) return false;
  for (size_t i = 0; i < to.size(); ++i) {
    if (permutation[static_cast<size_t>(to[i])] != from[i]) return false;
  }
  return true;
}

}  // namespace

Traffic own_traffic(const hlo::Program& program, const Sizes& sizes, InstructionId id) {
  const Accesses a{program, sizes, id};
  switch (program[id].opcode) {
    case Opcode::kParameter:
    case Opcode::kConstant:
    case Opcode::kGetTupleElement:
    case Opcode::kBitcast:
    case Opcode::kAfterAll:
    case Opcode::kAddDependency:
    case Opcode::kDomain:
      return {};
    case Opcode::kTuple:
      return {.read = {}, .written = a.result().whole};
    case Opcode::kSlice:
      return {.read = a.result().whole, .written = a.result().whole};
    // Of several scalar indices XLA counts the first.
    case Opcode::kDynamicSlice:
    case Opcode::kGather:
      return {.read = a.result().whole + a.operand(1), .written = a.result().whole};
    case Opcode::kDynamicUpdateSlice:
      return {.read = a.operand(1) + a.operand(2), .written = a.operand(1)};
    case Opcode::kScatter:
      return scatter_traffic(a);
    case Opcode::kOutfeed:
      return outfeed_traffic(a);
    // Half of a triangular matrix is touched.
    case Opcode::kCholesky:
      return {.read = 0.5 * a.operand(0), .written = 0.5 * a.result().whole};
    case Opcode::kTriangularSolve:
      return {.read = 0.5 * a.operand(0) + a.operand(1), .written = a.result().whole};
    case Opcode::kTranspose:
      if (transpose_is_bitcast(program, id)) return {};
      break;
    default:
      break;
  }
  return {.read = a.operands_from(0), .written = a.result().leaves};
}

}  // namespace hloscope::analysis
