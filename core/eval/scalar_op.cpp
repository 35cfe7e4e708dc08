#include "core/eval/scalar_op.h"

#include <fmt/format.h>

#include <cmath>

#include "core/hlo/structure_calls.h"

namespace hloscope::eval {

namespace {

using hlo::Opcode;
using hlo::PrimitiveType;

// Which types an opcode takes.
constexpr uint8_t kInt = 1, kReal = 2, kCplx = 4;
constexpr uint8_t kAny = kInt | kReal | kCplx;

// The type of the result.
enum class Becomes : uint8_t { kSame, kPred, kComponent, kComplex, kOther };

struct Rule {
  Opcode opcode;
  uint8_t arity;
  uint8_t types;
  Becomes becomes = Becomes::kSame;
};

constexpr Rule kRules[] = {
    {Opcode::kAbs, 1, kAny, Becomes::kComponent},
    {Opcode::kAcos, 1, kReal | kCplx},
    {Opcode::kAcosh, 1, kReal | kCplx},
    {Opcode::kAdd, 2, kAny},
    {Opcode::kAnd, 2, kInt},
    {Opcode::kAsin, 1, kReal | kCplx},
    {Opcode::kAsinh, 1, kReal | kCplx},
    {Opcode::kAtan2, 2, kReal | kCplx},
    {Opcode::kAtanh, 1, kReal | kCplx},
    {Opcode::kBitcastConvert, 1, kAny, Becomes::kOther},
    {Opcode::kCbrt, 1, kReal},
    {Opcode::kCeil, 1, kReal},
    {Opcode::kClamp, 3, kInt | kReal},
    {Opcode::kCompare, 2, kAny, Becomes::kPred},
    {Opcode::kComplex, 2, kReal, Becomes::kComplex},
    {Opcode::kConvert, 1, kAny, Becomes::kOther},
    {Opcode::kCopy, 1, kAny},
    {Opcode::kCosh, 1, kReal | kCplx},
    {Opcode::kCosine, 1, kReal | kCplx},
    {Opcode::kCountLeadingZeros, 1, kInt},
    {Opcode::kDivide, 2, kAny},
    {Opcode::kErf, 1, kReal},
    {Opcode::kExponential, 1, kReal | kCplx},
    {Opcode::kExponentialMinusOne, 1, kReal | kCplx},
    {Opcode::kFloor, 1, kReal},
    {Opcode::kImag, 1, kReal | kCplx, Becomes::kComponent},
    {Opcode::kIsFinite, 1, kReal, Becomes::kPred},
    {Opcode::kLog, 1, kReal | kCplx},
    {Opcode::kLogPlusOne, 1, kReal | kCplx},
    {Opcode::kLogistic, 1, kReal | kCplx},
    {Opcode::kMaximum, 2, kInt | kReal},
    {Opcode::kMinimum, 2, kInt | kReal},
    {Opcode::kMulhi, 2, kInt},
    {Opcode::kMultiply, 2, kAny},
    {Opcode::kNegate, 1, kAny},
    {Opcode::kNot, 1, kInt},
    {Opcode::kOr, 2, kInt},
    {Opcode::kPopcnt, 1, kInt},
    {Opcode::kPower, 2, kAny},
    {Opcode::kReal, 1, kReal | kCplx, Becomes::kComponent},
    {Opcode::kReducePrecision, 1, kReal},
    {Opcode::kRemainder, 2, kInt | kReal},
    {Opcode::kRoundNearestAfz, 1, kReal},
    {Opcode::kRoundNearestEven, 1, kReal},
    {Opcode::kRsqrt, 1, kReal | kCplx},
    {Opcode::kSelect, 3, kAny},
    {Opcode::kShiftLeft, 2, kInt},
    {Opcode::kShiftRightArithmetic, 2, kInt},
    {Opcode::kShiftRightLogical, 2, kInt},
    {Opcode::kSign, 1, kAny},
    {Opcode::kSine, 1, kReal | kCplx},
    {Opcode::kSinh, 1, kReal | kCplx},
    {Opcode::kSqrt, 1, kReal | kCplx},
    {Opcode::kSubtract, 2, kAny},
    {Opcode::kTan, 1, kReal | kCplx},
    {Opcode::kTanh, 1, kReal | kCplx},
    {Opcode::kXor, 2, kInt},
};

const Rule* rule_of(Opcode opcode) {
  for (const Rule& rule : kRules) {
    if (rule.opcode == opcode) return &rule;
  }
  return nullptr;
}

PrimitiveType component(PrimitiveType type) {
  if (type == PrimitiveType::kC64) return PrimitiveType::kF32;
  return type == PrimitiveType::kC128 ? PrimitiveType::kF64 : type;
}

bool takes(const Rule& rule, PrimitiveType type) {
  switch (domain(type)) {
    case Domain::kInteger:
      return (rule.types & kInt) != 0;
    case Domain::kFloat:
      return (rule.types & kReal) != 0;
    case Domain::kComplex:
      return (rule.types & kCplx) != 0;
  }
  return false;
}

bool gives(const Rule& rule, PrimitiveType type, PrimitiveType result) {
  switch (rule.becomes) {
    case Becomes::kSame:
      return result == type;
    case Becomes::kPred:
      return result == PrimitiveType::kPred;
    case Becomes::kComponent:
      return result == component(type);
    case Becomes::kComplex:
      return domain(result) == Domain::kComplex && component(result) == type;
    case Becomes::kOther:
      break;
  }
  if (rule.opcode != Opcode::kBitcastConvert) return true;
  return hlo::info(type).bits == hlo::info(result).bits && hlo::info(type).bits <= 64;
}

Error type_error(const hlo::Program& program, hlo::InstructionId id, std::string_view what) {
  return hlo::structure_error(
      program, id, fmt::format("{} \"{}\" {}", name(program[id].opcode), program[id].name, what));
}

// All operands have the type of the last; the first of select is pred.
bool operands_agree(const hlo::Program& program, hlo::InstructionId id, PrimitiveType type) {
  const auto operands = program.operands(id);
  for (size_t i = 0; i < operands.size(); ++i) {
    const bool chooses = program[id].opcode == Opcode::kSelect && i == 0;
    const PrimitiveType expected = chooses ? PrimitiveType::kPred : type;
    if (program.shape(operands[i]).element_type != expected) return false;
  }
  return true;
}

Status set_direction(const hlo::Program& program, hlo::InstructionId id, ScalarOp& op) {
  constexpr std::string_view kNames[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
  const std::string_view text = program.text(id, hlo::AttrKey::kDirection);
  op.is_total_order = program.text(id, hlo::AttrKey::kType) == "TOTALORDER";
  for (uint8_t i = 0; i < 6; ++i) {
    if (kNames[i] != text) continue;
    op.direction = static_cast<ScalarOp::Direction>(i);
    if (i < 2 || domain(op.type) != Domain::kComplex) return {};
    return fail(type_error(program, id, "asks for an order of complex numbers"));
  }
  return fail(type_error(program, id, fmt::format("has no known direction: '{}'", text)));
}

Scalar apply_special(const ScalarOp& op, const Scalar* x) {
  switch (op.opcode) {
    case Opcode::kSelect:
      return x[0].i != 0 ? x[1] : x[2];
    case Opcode::kCompare:
      return Scalar::of(static_cast<int64_t>(compared(op, x[0], x[1])));
    case Opcode::kComplex:
      return Scalar::of(std::complex<double>(x[0].re, x[1].re));
    case Opcode::kConvert:
      return converted(op.type, op.result, x[0]);
    case Opcode::kBitcastConvert:
      return from_bits(op.result, to_bits(op.type, x[0]));
    case Opcode::kIsFinite:
      return Scalar::of(static_cast<int64_t>(std::isfinite(x[0].re)));
    case Opcode::kReal:
      return Scalar::of(x[0].re);
    case Opcode::kImag:
      return Scalar::of(domain(op.type) == Domain::kComplex ? x[0].im : 0.0);
    case Opcode::kReducePrecision:
      return Scalar::of(reduced_precision(x[0].re, op.exponent_bits, op.mantissa_bits));
    default:
      return x[0];
  }
}

bool is_special(Opcode opcode) {
  switch (opcode) {
    case Opcode::kSelect:
    case Opcode::kCompare:
    case Opcode::kComplex:
    case Opcode::kConvert:
    case Opcode::kBitcastConvert:
    case Opcode::kIsFinite:
    case Opcode::kReal:
    case Opcode::kImag:
    case Opcode::kReducePrecision:
    case Opcode::kCopy:
      return true;
    default:
      return false;
  }
}

bool is_binary(Opcode opcode) {
  return hlo::info(opcode).arity == 2;
}

// min(max(low, x), high); a NaN stays one.
Scalar clamped(const ScalarOp& op, const Scalar* x) {
  if (domain(op.type) == Domain::kFloat) {
    const double least = float_binary(Opcode::kMaximum, x[0].re, x[1].re);
    return Scalar::of(float_binary(Opcode::kMinimum, least, x[2].re));
  }
  const int64_t least = integer_binary(Opcode::kMaximum, op.type, x[0].i, x[1].i);
  return Scalar::of(integer_binary(Opcode::kMinimum, op.type, least, x[2].i));
}

Scalar apply_complex(const ScalarOp& op, const Scalar* x) {
  // The only one that leaves the complex numbers.
  if (op.opcode == Opcode::kAbs) return Scalar::of(rounded(op.result, std::abs(x[0].complex())));
  const std::complex<double> value = is_binary(op.opcode)
                                         ? complex_binary(op.opcode, x[0].complex(), x[1].complex())
                                         : complex_unary(op.opcode, x[0].complex());
  return fitted(op.result, Scalar::of(value));
}

}  // namespace

bool is_scalar_op(Opcode opcode) {
  return rule_of(opcode) != nullptr;
}

Result<ScalarOp> scalar_op(const hlo::Program& program, hlo::InstructionId id) {
  const Rule* rule = rule_of(program[id].opcode);
  const auto operands = program.operands(id);
  if (rule == nullptr || operands.size() != rule->arity) {
    Error error = type_error(program, id, "is not evaluated element by element");
    error.code = ErrorCode::kUnsupported;
    return fail(std::move(error));
  }
  ScalarOp op;
  op.opcode = program[id].opcode;
  op.type = program.shape(operands.back()).element_type;
  op.result = program.shape(id).element_type;
  for (const PrimitiveType type : {op.type, op.result}) {
    if (is_supported(type)) continue;
    Error error = type_error(program, id, fmt::format("has the type {}", name(type)));
    error.code = ErrorCode::kUnsupported;
    error.hint = "arrays of this type cannot be evaluated";
    return fail(std::move(error));
  }
  if (!operands_agree(program, id, op.type) || !takes(*rule, op.type) ||
      !gives(*rule, op.type, op.result)) {
    return fail(type_error(program, id, "has operands or a result of a wrong type"));
  }
  if (op.opcode == Opcode::kCompare) HLOSCOPE_TRY(set_direction(program, id, op));
  const auto bits = [&](hlo::AttrKey key) {
    return static_cast<int>(std::clamp<int64_t>(program.integer(id, key).value_or(0), 0, 64));
  };
  op.exponent_bits = std::max(bits(hlo::AttrKey::kExponentBits), 1);
  op.mantissa_bits = bits(hlo::AttrKey::kMantissaBits);
  return op;
}

Scalar apply(const ScalarOp& op, const Scalar* x) {
  if (is_special(op.opcode)) return apply_special(op, x);
  if (op.opcode == Opcode::kClamp) return clamped(op, x);
  switch (domain(op.type)) {
    case Domain::kInteger:
      return Scalar::of(wrapped(op.result, is_binary(op.opcode)
                                               ? integer_binary(op.opcode, op.type, x[0].i, x[1].i)
                                               : integer_unary(op.opcode, op.type, x[0].i)));
    case Domain::kFloat:
      return Scalar::of(rounded(op.result, is_binary(op.opcode)
                                               ? float_binary(op.opcode, x[0].re, x[1].re)
                                               : float_unary(op.opcode, x[0].re)));
    case Domain::kComplex:
      break;
  }
  return apply_complex(op, x);
}

}  // namespace hloscope::eval
