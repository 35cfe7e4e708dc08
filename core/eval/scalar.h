#pragma once

#include <complex>
#include <cstdint>

#include "core/hlo/shape.h"

namespace hloscope::eval {

/// One element of an array. The type of the array says which members count: `i` for pred (0 or 1)
/// and integers (u64 as its bits), `re` for floats, `re` and `im` for complex numbers. Always a
/// value that its type can hold.
struct Scalar {
  union {
    int64_t i = 0;
    double re;
  };
  double im = 0;

  static Scalar of(int64_t value) {
    Scalar s;
    s.i = value;
    return s;
  }
  static Scalar of(double value) {
    Scalar s;
    s.re = value;
    return s;
  }
  static Scalar of(std::complex<double> value) {
    Scalar s = of(value.real());
    s.im = value.imag();
    return s;
  }
  [[nodiscard]] std::complex<double> complex() const { return {re, im}; }
};

/// How the elements of a type are computed with.
enum class Domain : uint8_t { kInteger, kFloat, kComplex };
[[nodiscard]] inline Domain domain(hlo::PrimitiveType type) {
  const hlo::TypeClass c = hlo::info(type).type_class;
  if (c == hlo::TypeClass::kFloat) return Domain::kFloat;
  return c == hlo::TypeClass::kComplex ? Domain::kComplex : Domain::kInteger;
}

/// Whether arrays of the type can be evaluated: not token, opaque, tuple, and not the floats of 4
/// and 6 bits and f8e8m0fnu, whose conversions XLA does not round like the others.
[[nodiscard]] bool is_supported(hlo::PrimitiveType type);

/// The integer modulo 2^bits, as the type has it; pred: 1 for all but 0.
[[nodiscard]] int64_t wrapped(hlo::PrimitiveType type, int64_t value);
/// Rounds to the nearest value of a floating type, ties to even. Too large: infinity, or NaN where
/// the type has none.
[[nodiscard]] double rounded(hlo::PrimitiveType type, double value);
/// Either of the above, by the type's domain.
[[nodiscard]] Scalar fitted(hlo::PrimitiveType type, Scalar value);

/// The bits of an element in the low bits of the result, and back. c128 has more and is not taken.
[[nodiscard]] uint64_t to_bits(hlo::PrimitiveType type, Scalar value);
[[nodiscard]] Scalar from_bits(hlo::PrimitiveType type, uint64_t bits);

/// Values of XLA's convert: floats to integers cut the fraction and saturate, NaN gives 0; complex
/// to real keeps the real part; to pred: whether it is not 0.
[[nodiscard]] Scalar converted(hlo::PrimitiveType from, hlo::PrimitiveType to, Scalar value);
/// XLA's reduce-precision: fewer bits of exponent and mantissa, in the same type.
[[nodiscard]] double reduced_precision(double value, int exponent_bits, int mantissa_bits);

}  // namespace hloscope::eval
