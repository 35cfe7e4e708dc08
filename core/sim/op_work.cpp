#include "core/sim/op_work.h"

#include <algorithm>

#include "core/graph/kernels.h"

namespace hloscope::sim {

namespace {

using hlo::Opcode;

struct Entry {
  double valu = 1;
  double eup = 0;
};

Entry entry(Opcode opcode) {
  switch (opcode) {
    case Opcode::kDivide:
      return {14, 1};
    case Opcode::kRemainder:
      return {16, 1};
    case Opcode::kExponential:
    case Opcode::kLog:
    case Opcode::kTanh:
    case Opcode::kExponentialMinusOne:
    case Opcode::kLogPlusOne:
      return {1.4, 1};
    case Opcode::kRsqrt:
    case Opcode::kSqrt:
      return {3, 1};
    case Opcode::kLogistic:
      return {17, 2};
    case Opcode::kPower:
    case Opcode::kCbrt:
      return {10, 2};
    case Opcode::kSine:
    case Opcode::kCosine:
    case Opcode::kTan:
    case Opcode::kAtan2:
    case Opcode::kErf:
      return {40, 1};
    case Opcode::kAcos:
    case Opcode::kAcosh:
    case Opcode::kAsin:
    case Opcode::kAsinh:
    case Opcode::kAtanh:
    case Opcode::kCosh:
    case Opcode::kSinh:
      return {20, 2};
    case Opcode::kRng:
      return {13, 0};
    case Opcode::kRngBitGenerator:
      return {60, 0};
    case Opcode::kClamp:
    case Opcode::kRoundNearestAfz:
    case Opcode::kRoundNearestEven:
    case Opcode::kFloor:
    case Opcode::kCeil:
    case Opcode::kSign:
    case Opcode::kIsFinite:
      return {2, 0};
    case Opcode::kPopcnt:
    case Opcode::kCountLeadingZeros:
      return {12, 0};
    case Opcode::kReal:
    case Opcode::kImag:
    case Opcode::kComplex:
      return {0, 0};
    default:
      return {1, 0};
  }
}

// Types wider than a register's 32-bit lanes are computed in parts.
double parts(Opcode opcode, hlo::PrimitiveType type) {
  const bool multiplies = opcode == Opcode::kMultiply || opcode == Opcode::kDivide;
  if (hlo::is_complex(type)) return multiplies ? 6 : 2;
  if (hlo::info(type).bits == 64) return multiplies ? 6 : 3;
  return 1;
}

}  // namespace

UnitWork elementwise_work(Opcode opcode, hlo::PrimitiveType type) {
  const Entry one = entry(opcode);
  const double factor = parts(opcode, type);
  return {.valu = one.valu * factor, .eup = one.eup * factor};
}

double reducer_operations(const hlo::Program& program, hlo::InstructionId id) {
  double operations = 0;
  for (hlo::ComputationId called : program.called(id)) {
    for (hlo::InstructionId inner : program[called].instructions) {
      if (!graph::is_free(program[inner].opcode)) operations += 1;
    }
  }
  return std::max(operations, 1.0);
}

}  // namespace hloscope::sim
