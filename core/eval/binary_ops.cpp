#include <bit>
#include <cmath>

#include "core/eval/scalar_op.h"

namespace hloscope::eval {

namespace {

using hlo::Opcode;
using Complex = std::complex<double>;

bool is_unsigned(hlo::PrimitiveType type) {
  return hlo::info(type).type_class != hlo::TypeClass::kSigned;
}

// XLA defines what other languages leave open: x / 0 has all bits set, x % 0 = x, and the lowest
// number divided by -1 is itself (openxla, operation semantics of Div and Rem).
int64_t divided(hlo::PrimitiveType type, int64_t x, int64_t y) {
  if (y == 0) return -1;
  if (is_unsigned(type)) {
    return static_cast<int64_t>(static_cast<uint64_t>(x) / static_cast<uint64_t>(y));
  }
  return y == -1 ? static_cast<int64_t>(-static_cast<uint64_t>(x)) : x / y;
}

int64_t remainder_of(hlo::PrimitiveType type, int64_t x, int64_t y) {
  if (y == 0) return x;
  if (is_unsigned(type)) {
    return static_cast<int64_t>(static_cast<uint64_t>(x) % static_cast<uint64_t>(y));
  }
  return y == -1 ? 0 : x % y;
}

int64_t power_of(hlo::PrimitiveType type, int64_t base, int64_t exponent) {
  if (!is_unsigned(type) && exponent < 0) {
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    return base == 1 ? 1 : 0;
  }
  uint64_t result = 1;
  auto square = static_cast<uint64_t>(base);
  for (auto e = static_cast<uint64_t>(exponent); e != 0; e >>= 1) {
    if ((e & 1) != 0) result *= square;
    square *= square;
  }
  return static_cast<int64_t>(result);
}

// A shift by the width or more (amounts count as unsigned) leaves zeros, or copies of the sign.
int64_t shifted(Opcode opcode, hlo::PrimitiveType type, int64_t x, int64_t y) {
  const auto width = static_cast<uint64_t>(hlo::info(type).bits);
  const uint64_t amount = to_bits(type, Scalar::of(y));
  if (opcode == Opcode::kShiftRightArithmetic) {
    const int64_t as_signed =
        static_cast<int64_t>(to_bits(type, Scalar::of(x)) << (64 - width)) >> (64 - width);
    return as_signed >> std::min<uint64_t>(amount, 63);
  }
  if (amount >= width) return 0;
  if (opcode == Opcode::kShiftLeft) {
    return static_cast<int64_t>(static_cast<uint64_t>(x) << amount);
  }
  return static_cast<int64_t>(to_bits(type, Scalar::of(x)) >> amount);
}

bool is_less(hlo::PrimitiveType type, int64_t x, int64_t y) {
  return is_unsigned(type) ? static_cast<uint64_t>(x) < static_cast<uint64_t>(y) : x < y;
}

// The upper half of the product of twice the width.
int64_t multiplied_high(hlo::PrimitiveType type, int64_t x, int64_t y) {
  const int width = hlo::info(type).bits;
  if (is_unsigned(type)) {
    const auto product =
        static_cast<unsigned __int128>(static_cast<uint64_t>(x)) * static_cast<uint64_t>(y);
    return static_cast<int64_t>(static_cast<uint64_t>(product >> width));
  }
  return static_cast<int64_t>(static_cast<__int128>(x) * y >> width);
}

// Integers in the order of the floats, -0 before 0 and NaNs at the ends.
int64_t total_order_key(double x) {
  const auto bits = std::bit_cast<int64_t>(x);
  return bits < 0 ? static_cast<int64_t>(0x7fffffffffffffffULL ^ static_cast<uint64_t>(bits))
                  : bits;
}

template <typename T>
bool ordered(ScalarOp::Direction direction, T x, T y) {
  switch (direction) {
    case ScalarOp::Direction::kEq:
      return x == y;
    case ScalarOp::Direction::kNe:
      return x != y;
    case ScalarOp::Direction::kLt:
      return x < y;
    case ScalarOp::Direction::kLe:
      return x <= y;
    case ScalarOp::Direction::kGt:
      return x > y;
    case ScalarOp::Direction::kGe:
      return x >= y;
  }
  return false;
}

}  // namespace

double float_binary(Opcode opcode, double x, double y) {
  switch (opcode) {
    case Opcode::kAdd:
      return x + y;
    case Opcode::kSubtract:
      return x - y;
    case Opcode::kMultiply:
      return x * y;
    case Opcode::kDivide:
      return x / y;
    case Opcode::kRemainder:
      return std::fmod(x, y);
    case Opcode::kPower:
      return std::pow(x, y);
    case Opcode::kAtan2:
      return std::atan2(x, y);
    case Opcode::kMaximum:
      return std::isnan(x) || x > y ? x : y;
    case Opcode::kMinimum:
      return std::isnan(x) || x < y ? x : y;
    default:
      return x;
  }
}

Complex complex_binary(Opcode opcode, Complex x, Complex y) {
  switch (opcode) {
    case Opcode::kAdd:
      return x + y;
    case Opcode::kSubtract:
      return x - y;
    case Opcode::kMultiply:
      return x * y;
    case Opcode::kDivide:
      return x / y;
    case Opcode::kPower:
      if (x == Complex()) return y == Complex() ? Complex(1) : Complex();
      return std::pow(x, y);
    case Opcode::kAtan2: {
      // -i log((y + i x) / sqrt(x^2 + y^2)).
      const Complex i(0, 1);
      return -i * std::log((y + i * x) / std::sqrt(x * x + y * y));
    }
    default:
      return x;
  }
}

int64_t integer_binary(Opcode opcode, hlo::PrimitiveType type, int64_t x, int64_t y) {
  const auto ux = static_cast<uint64_t>(x);
  const auto uy = static_cast<uint64_t>(y);
  switch (opcode) {
    case Opcode::kAdd:
      return static_cast<int64_t>(ux + uy);
    case Opcode::kSubtract:
      return static_cast<int64_t>(ux - uy);
    case Opcode::kMultiply:
      return static_cast<int64_t>(ux * uy);
    case Opcode::kMulhi:
      return multiplied_high(type, x, y);
    case Opcode::kDivide:
      return divided(type, x, y);
    case Opcode::kRemainder:
      return remainder_of(type, x, y);
    case Opcode::kPower:
      return power_of(type, x, y);
    case Opcode::kMaximum:
      return is_less(type, x, y) ? y : x;
    case Opcode::kMinimum:
      return is_less(type, y, x) ? y : x;
    case Opcode::kAnd:
      return x & y;
    case Opcode::kOr:
      return x | y;
    case Opcode::kXor:
      return x ^ y;
    default:
      return shifted(opcode, type, x, y);
  }
}

bool compared(const ScalarOp& op, Scalar x, Scalar y) {
  switch (domain(op.type)) {
    case Domain::kFloat:
      if (op.is_total_order) {
        return ordered(op.direction, total_order_key(x.re), total_order_key(y.re));
      }
      return ordered(op.direction, x.re, y.re);
    case Domain::kComplex:
      return (x.complex() == y.complex()) == (op.direction == ScalarOp::Direction::kEq);
    case Domain::kInteger:
      break;
  }
  if (is_unsigned(op.type)) {
    return ordered(op.direction, static_cast<uint64_t>(x.i), static_cast<uint64_t>(y.i));
  }
  return ordered(op.direction, x.i, y.i);
}

}  // namespace hloscope::eval
