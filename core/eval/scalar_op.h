#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/eval/scalar.h"
#include "core/hlo/program.h"

namespace hloscope::eval {

/// An elementwise instruction, ready to be applied to elements.
struct ScalarOp {
  hlo::Opcode opcode = hlo::Opcode::kCopy;
  hlo::PrimitiveType type{};    ///< Of the operands (select: of the two that are chosen from).
  hlo::PrimitiveType result{};  ///< Of the result.
  enum class Direction : uint8_t { kEq, kNe, kLt, kLe, kGt, kGe } direction = Direction::kEq;
  bool is_total_order = false;  ///< compare: -NaN < -inf < ... < -0 < 0 < ... < inf < NaN.
  int exponent_bits = 0;        ///< reduce-precision.
  int mantissa_bits = 0;
};

/// Whether instructions of the opcode work element by element and are known here.
[[nodiscard]] bool is_scalar_op(hlo::Opcode opcode);

/// Errors: kInvalidInput when types do not fit the opcode, kUnsupported for opcodes that
/// is_scalar_op() refuses and types that is_supported() refuses. Dimensions are not looked at.
[[nodiscard]] Result<ScalarOp> scalar_op(const hlo::Program& program, hlo::InstructionId id);

/// The result, rounded to its type. `operands` has as many elements as the opcode takes.
[[nodiscard]] Scalar apply(const ScalarOp& op, const Scalar* operands);

// The parts of apply(), before rounding.
[[nodiscard]] double float_unary(hlo::Opcode opcode, double x);
[[nodiscard]] std::complex<double> complex_unary(hlo::Opcode opcode, std::complex<double> x);
[[nodiscard]] int64_t integer_unary(hlo::Opcode opcode, hlo::PrimitiveType type, int64_t x);
[[nodiscard]] double float_binary(hlo::Opcode opcode, double x, double y);
[[nodiscard]] std::complex<double> complex_binary(hlo::Opcode opcode, std::complex<double> x,
                                                  std::complex<double> y);
[[nodiscard]] int64_t integer_binary(hlo::Opcode opcode, hlo::PrimitiveType type, int64_t x,
                                     int64_t y);
[[nodiscard]] bool compared(const ScalarOp& op, Scalar x, Scalar y);

}  // namespace hloscope::eval
