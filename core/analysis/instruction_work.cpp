#include "core/analysis/instruction_work.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/hlo/convolution.h"

namespace hloscope::analysis {

namespace {

using hlo::AttrKey;
using hlo::InstructionId;
using hlo::Opcode;
using hlo::Program;
using Sizes = IndexedVector<hlo::ShapeId, ShapeSize>;

double elements(const Program& program, const Sizes& sizes, InstructionId id) {
  return sizes[program[id].shape].elements;
}

double operand_elements(const Program& program, const Sizes& sizes, InstructionId id, size_t i) {
  const auto operands = program.operands(id);
  return i < operands.size() ? elements(program, sizes, operands[i]) : 0;
}

// Elements of the result, or of its first part where it is a tuple of equal arrays.
double first_result_elements(const Program& program, const Sizes& sizes, InstructionId id) {
  const hlo::Shape& shape = program.shape(id);
  if (!shape.is_tuple()) return elements(program, sizes, id);
  return shape.elements.empty() ? 0 : sizes[shape.elements.front()].elements;
}

double last_dimension(const hlo::Shape& shape) {
  return shape.rank() == 0 ? 1 : static_cast<double>(std::max<int64_t>(shape.dimensions.back(), 0));
}

double dot_flops(const Program& program, const Sizes& sizes, InstructionId id) {
  double depth = 1;
  const hlo::Shape& left = program.shape(program.operands(id)[0]);
  for (int64_t d : program.ints(id, AttrKey::kLhsContractingDims)) {
    if (static_cast<size_t>(d) >= left.rank()) continue;
    depth *= static_cast<double>(std::max<int64_t>(left.dimensions[static_cast<size_t>(d)], 0));
  }
  return 2 * elements(program, sizes, id) * depth;
}

// XLA leaves out the leading dimension of the result when the ragged dimension of the left side is
// neither contracted nor a batch dimension.
double ragged_dot_flops(const Program& program, const Sizes& sizes, InstructionId id) {
  const double flops = dot_flops(program, sizes, id);
  const auto ragged = program.ints(id, AttrKey::kLhsRaggedDims);
  const auto holds = [&](AttrKey key) {
    const auto dims = program.ints(id, key);
    return !ragged.empty() && std::find(dims.begin(), dims.end(), ragged[0]) != dims.end();
  };
  if (holds(AttrKey::kLhsContractingDims) || holds(AttrKey::kLhsBatchDims)) return flops;
  const hlo::Shape& result = program.shape(id);
  if (result.rank() == 0 || result.dimensions[0] <= 0) return flops;
  return flops / static_cast<double>(result.dimensions[0]);
}

// 4 multiply-adds per complex product, log2 (rounded down) stages per transformed dimension.
double fft_flops(const Program& program, const Sizes& sizes, InstructionId id) {
  double stages = 1;
  for (int64_t length : program.ints(id, AttrKey::kFftLength)) {
    const auto n = static_cast<uint64_t>(std::max<int64_t>(length, 1));
    stages *= static_cast<double>(std::bit_width(n) - 1);
  }
  return 8 * stages * operand_elements(program, sizes, id, 0);
}

// n ceil(log2 n) comparisons of all elements together, whatever the sorted dimension is.
double sort_flops(double n) {
  if (n < 2) return 0;
  return n * static_cast<double>(std::bit_width(static_cast<uint64_t>(n) - 1));
}

double cholesky_flops(const Program& program, const Sizes& sizes, InstructionId id) {
  const hlo::Shape& matrix = program.shape(program.operands(id)[0]);
  return std::floor(last_dimension(matrix) * operand_elements(program, sizes, id, 0) / 3);
}

double triangular_solve_flops(const Program& program, const Sizes& sizes, InstructionId id) {
  const hlo::Shape& matrix = program.shape(program.operands(id)[0]);
  return 2 * last_dimension(matrix) * operand_elements(program, sizes, id, 1);
}

double window_elements(const Program& program, InstructionId id) {
  const auto window = program.ints(id, AttrKey::kWindow);
  double count = 1;
  for (size_t i = 0; i < window.size(); i += hlo::kWindowInts)
    count *= static_cast<double>(window[i]);
  return count;
}

}  // namespace

Work own_work(const Program& program, const Sizes& sizes, InstructionId id) {
  const Opcode opcode = program[id].opcode;
  switch (hlo::info(opcode).flop_rule) {
    case hlo::FlopRule::kPerElement:
      return {.flops = elements(program, sizes, id)};
    case hlo::FlopRule::kTranscendental:
      return {.transcendentals = elements(program, sizes, id)};
    case hlo::FlopRule::kSpecial:
      break;
  }
  switch (opcode) {
    case Opcode::kDot:
    case Opcode::kScaledDot:
      return {.flops = dot_flops(program, sizes, id)};
    case Opcode::kRaggedDot:
      return {.flops = ragged_dot_flops(program, sizes, id)};
    case Opcode::kConvolution: {
      const auto sizes_of = hlo::convolution(program, id);
      return {.flops = sizes_of ? hlo::convolution_flops(*sizes_of) : 0};
    }
    case Opcode::kFft:
      return {.flops = fft_flops(program, sizes, id)};
    case Opcode::kSort:
      return {.flops = sort_flops(operand_elements(program, sizes, id, 0))};
    case Opcode::kCholesky:
      return {.flops = cholesky_flops(program, sizes, id)};
    case Opcode::kTriangularSolve:
      return {.flops = triangular_solve_flops(program, sizes, id)};
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
      return {.flops = sizes[program[id].shape].leaf_elements};
    case Opcode::kRng:
    case Opcode::kRngBitGenerator:
      return {.transcendentals = sizes[program[id].shape].leaf_elements};
    case Opcode::kCustomCall:
      return {.flops = -1};
    default:
      return {};
  }
}

double applications(const Program& program, const Sizes& sizes, InstructionId id) {
  switch (program[id].opcode) {
    case Opcode::kMap:
      return elements(program, sizes, id);
    case Opcode::kReduce:
      return operand_elements(program, sizes, id, 0) - first_result_elements(program, sizes, id);
    case Opcode::kReduceWindow:
      return first_result_elements(program, sizes, id) * (window_elements(program, id) - 1);
    case Opcode::kScatter: {
      // Operands: n inputs, the indices, n updates.
      const size_t inputs = program.operands(id).size() / 2;
      return operand_elements(program, sizes, id, inputs + 1);
    }
    case Opcode::kScan:
    case Opcode::kSelectAndScatter:
      return operand_elements(program, sizes, id, 1);
    default:
      return 0;
  }
}

double select_applications(const Program& program, const Sizes& sizes, InstructionId id) {
  return operand_elements(program, sizes, id, 1) * (window_elements(program, id) - 1);
}

}  // namespace hloscope::analysis
