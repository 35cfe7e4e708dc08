#include <cmath>
#include <limits>

#include "core/eval/scalar.h"

namespace hloscope::eval {

namespace {

using hlo::PrimitiveType;

bool has_unsigned_type(PrimitiveType type) {
  return hlo::info(type).type_class == hlo::TypeClass::kUnsigned;
}

int64_t lowest(PrimitiveType type) {
  return has_unsigned_type(type) ? 0
                                 : static_cast<int64_t>(~uint64_t{0} << (hlo::info(type).bits - 1));
}

int64_t integer_of(PrimitiveType to, double value) {
  if (to == PrimitiveType::kPred) return value != 0 ? 1 : 0;
  if (std::isnan(value)) return 0;
  const int bits = hlo::info(to).bits;
  const double limit = std::ldexp(1, has_unsigned_type(to) ? bits : bits - 1);
  if (value >= limit) {
    // The largest value: all bits but the sign's.
    const int value_bits = has_unsigned_type(to) ? bits : bits - 1;
    return static_cast<int64_t>(value_bits == 64 ? ~uint64_t{0} : (uint64_t{1} << value_bits) - 1);
  }
  if (has_unsigned_type(to))
    return value <= 0 ? 0 : static_cast<int64_t>(static_cast<uint64_t>(value));
  return value <= -limit ? lowest(to) : static_cast<int64_t>(value);
}

// Once rounded for f32: a detour over double could round twice.
double float_of(PrimitiveType from, PrimitiveType to, int64_t value) {
  const bool as_unsigned = has_unsigned_type(from);
  if (to == PrimitiveType::kF64 || to == PrimitiveType::kC128) {
    return as_unsigned ? static_cast<double>(static_cast<uint64_t>(value))
                       : static_cast<double>(value);
  }
  const float nearest =
      as_unsigned ? static_cast<float>(static_cast<uint64_t>(value)) : static_cast<float>(value);
  return rounded(to, static_cast<double>(nearest));
}

}  // namespace

Scalar converted(PrimitiveType from, PrimitiveType to, Scalar value) {
  if (domain(from) == Domain::kInteger) {
    if (domain(to) == Domain::kInteger) return Scalar::of(wrapped(to, value.i));
    return Scalar::of(float_of(from, to, value.i));
  }
  switch (domain(to)) {
    case Domain::kInteger:
      if (to == PrimitiveType::kPred && value.im != 0 && domain(from) == Domain::kComplex) {
        return Scalar::of(int64_t{1});
      }
      return Scalar::of(integer_of(to, value.re));
    case Domain::kFloat:
      return Scalar::of(rounded(to, value.re));
    case Domain::kComplex:
      break;
  }
  return fitted(to, Scalar::of(std::complex<double>(value.re, value.im)));
}

}  // namespace hloscope::eval
