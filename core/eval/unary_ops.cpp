#include <bit>
#include <cmath>

#include "core/eval/scalar_op.h"

namespace hloscope::eval {

namespace {

using hlo::Opcode;
using Complex = std::complex<double>;

double sign_of(double x) {
  if (std::isnan(x) || x == 0) return x;
  return x < 0 ? -1 : 1;
}

// log(1 + x) and exp(x) - 1 without the loss of small x.
Complex log1p_of(Complex x) {
  const double re = 0.5 * std::log1p(x.real() * (2 + x.real()) + x.imag() * x.imag());
  return {re, std::atan2(x.imag(), 1 + x.real())};
}

Complex expm1_of(Complex x) {
  const double half = std::sin(x.imag() / 2);
  const double re = std::expm1(x.real()) * std::cos(x.imag()) - 2 * half * half;
  return {re, std::exp(x.real()) * std::sin(x.imag())};
}

}  // namespace

double float_unary(Opcode opcode, double x) {
  switch (opcode) {
    case Opcode::kAbs:
      return std::fabs(x);
    case Opcode::kAcos:
      return std::acos(x);
    case Opcode::kAcosh:
      return std::acosh(x);
    case Opcode::kAsin:
      return std::asin(x);
    case Opcode::kAsinh:
      return std::asinh(x);
    case Opcode::kAtanh:
      return std::atanh(x);
    case Opcode::kCbrt:
      return std::cbrt(x);
    case Opcode::kCeil:
      return std::ceil(x);
    case Opcode::kCosine:
      return std::cos(x);
    case Opcode::kCosh:
      return std::cosh(x);
    case Opcode::kErf:
      return std::erf(x);
    case Opcode::kExponential:
      return std::exp(x);
    case Opcode::kExponentialMinusOne:
      return std::expm1(x);
    case Opcode::kFloor:
      return std::floor(x);
    case Opcode::kLog:
      return std::log(x);
    case Opcode::kLogPlusOne:
      return std::log1p(x);
    case Opcode::kLogistic:
      return 1 / (1 + std::exp(-x));
    case Opcode::kNegate:
      return -x;
    case Opcode::kRoundNearestAfz:
      return std::round(x);
    case Opcode::kRoundNearestEven:
      return std::nearbyint(x);
    case Opcode::kRsqrt:
      return 1 / std::sqrt(x);
    case Opcode::kSign:
      return sign_of(x);
    case Opcode::kSine:
      return std::sin(x);
    case Opcode::kSinh:
      return std::sinh(x);
    case Opcode::kSqrt:
      return std::sqrt(x);
    case Opcode::kTan:
      return std::tan(x);
    case Opcode::kTanh:
      return std::tanh(x);
    default:
      return x;
  }
}

Complex complex_unary(Opcode opcode, Complex x) {
  switch (opcode) {
    case Opcode::kAcos:
      return std::acos(x);
    case Opcode::kAcosh:
      return std::acosh(x);
    case Opcode::kAsin:
      return std::asin(x);
    case Opcode::kAsinh:
      return std::asinh(x);
    case Opcode::kAtanh:
      return std::atanh(x);
    case Opcode::kCosine:
      return std::cos(x);
    case Opcode::kCosh:
      return std::cosh(x);
    case Opcode::kExponential:
      return std::exp(x);
    case Opcode::kExponentialMinusOne:
      return expm1_of(x);
    case Opcode::kLog:
      return std::log(x);
    case Opcode::kLogPlusOne:
      return log1p_of(x);
    case Opcode::kLogistic:
      return 1.0 / (1.0 + std::exp(-x));
    case Opcode::kNegate:
      return -x;
    case Opcode::kRsqrt:
      return 1.0 / std::sqrt(x);
    case Opcode::kSign:
      return x == Complex() ? x : x / std::abs(x);
    case Opcode::kSine:
      return std::sin(x);
    case Opcode::kSinh:
      return std::sinh(x);
    case Opcode::kSqrt:
      return std::sqrt(x);
    case Opcode::kTan:
      return std::tan(x);
    case Opcode::kTanh:
      return std::tanh(x);
    default:
      return x;
  }
}

int64_t integer_unary(Opcode opcode, hlo::PrimitiveType type, int64_t x) {
  const bool is_signed = hlo::info(type).type_class == hlo::TypeClass::kSigned;
  const int bits = hlo::info(type).bits;
  const auto negated = static_cast<int64_t>(-static_cast<uint64_t>(x));
  switch (opcode) {
    case Opcode::kAbs:
      return is_signed && x < 0 ? negated : x;
    case Opcode::kNegate:
      return negated;
    case Opcode::kSign:
      return is_signed && x < 0 ? -1 : (x != 0 ? 1 : 0);
    case Opcode::kNot:
      return type == hlo::PrimitiveType::kPred ? (x != 0 ? 0 : 1) : ~x;
    case Opcode::kPopcnt:
      return std::popcount(to_bits(type, Scalar::of(x)));
    case Opcode::kCountLeadingZeros:
      return std::countl_zero(to_bits(type, Scalar::of(x))) - (64 - bits);
    default:
      return x;
  }
}

}  // namespace hloscope::eval
