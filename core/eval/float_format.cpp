#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "core/eval/scalar.h"
#include "core/hlo/element.h"

namespace hloscope::eval {

namespace {

using hlo::PrimitiveType;
using enum hlo::PrimitiveType;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class Special : uint8_t {
  kIeee,       ///< The largest exponent: infinity and NaN.
  kAllOnes,    ///< No infinity; NaN is exponent and fraction all ones ("fn").
  kMinusZero,  ///< No infinity, no -0: its bits are the NaN ("fnuz").
};

struct Format {
  int exponent_bits;
  int fraction_bits;
  int bias;
  Special special;
};

// Sources: IEEE 754; "FP8 Formats for Deep Learning" (Micikevicius et al. 2022); ml_dtypes for fnuz
// and b11.
std::optional<Format> format_of(PrimitiveType type) {
  switch (type) {
    case kF64:
    case kC128:
      return Format{11, 52, 1023, Special::kIeee};
    case kF32:
    case kC64:
      return Format{8, 23, 127, Special::kIeee};
    case kF16:
      return Format{5, 10, 15, Special::kIeee};
    case kBf16:
      return Format{8, 7, 127, Special::kIeee};
    case kF8e5m2:
      return Format{5, 2, 15, Special::kIeee};
    case kF8e4m3:
      return Format{4, 3, 7, Special::kIeee};
    case kF8e3m4:
      return Format{3, 4, 3, Special::kIeee};
    case kF8e4m3fn:
      return Format{4, 3, 7, Special::kAllOnes};
    case kF8e4m3fnuz:
      return Format{4, 3, 8, Special::kMinusZero};
    case kF8e4m3b11fnuz:
      return Format{4, 3, 11, Special::kMinusZero};
    case kF8e5m2fnuz:
      return Format{5, 2, 16, Special::kMinusZero};
    default:
      return std::nullopt;
  }
}

double largest(const Format& f) {
  const int top = (1 << f.exponent_bits) - 1 - f.bias - (f.special == Special::kIeee ? 1 : 0);
  // "fn" gives its largest pattern to NaN.
  const double lost = f.special == Special::kAllOnes ? 2 : 1;
  return std::ldexp(2 - std::ldexp(lost, -f.fraction_bits), top);
}

// The distance of two neighbours of the format around `value`.
double spacing(double value, int fraction_bits, int bias) {
  const int lead = value == 0 ? 1 - bias : std::max(std::ilogb(value), 1 - bias);
  return std::ldexp(1, lead - fraction_bits);
}

double round_to(const Format& f, double value) {
  if (std::isnan(value)) return value;
  const double beyond = f.special == Special::kIeee ? std::copysign(kInfinity, value) : kNan;
  if (std::isinf(value)) return beyond;
  const double step = spacing(value, f.fraction_bits, f.bias);
  const double result = std::nearbyint(value / step) * step;
  if (std::abs(result) > largest(f)) return beyond;
  return f.special == Special::kMinusZero && result == 0 ? 0.0 : result;
}

uint64_t pack(const Format& f, double value) {
  const uint64_t sign =
      std::signbit(value) ? uint64_t{1} << (f.exponent_bits + f.fraction_bits) : 0;
  const uint64_t top = ((uint64_t{1} << f.exponent_bits) - 1) << f.fraction_bits;
  if (std::isnan(value)) {
    if (f.special == Special::kMinusZero) return uint64_t{1} << (f.exponent_bits + f.fraction_bits);
    if (f.special == Special::kAllOnes) return top | ((uint64_t{1} << f.fraction_bits) - 1);
    return sign | top | uint64_t{1} << (f.fraction_bits - 1);
  }
  if (std::isinf(value)) return sign | top;
  const double step = spacing(value, f.fraction_bits, f.bias);
  const auto significand = static_cast<uint64_t>(std::abs(value) / step);
  // The leading bit of a normal number carries into the exponent, which counts from 1 then.
  if (significand >> f.fraction_bits == 0) return sign | significand;
  const auto exponent = static_cast<uint64_t>(std::ilogb(value) + f.bias - 1);
  return sign | ((exponent << f.fraction_bits) + significand);
}

uint64_t float_bits(PrimitiveType type, double value) {
  if (type == kF64) return std::bit_cast<uint64_t>(value);
  if (type == kF32) return std::bit_cast<uint32_t>(static_cast<float>(value));
  const auto format = format_of(type);
  return format ? pack(*format, value) : 0;
}

}  // namespace

bool is_supported(PrimitiveType type) {
  const hlo::TypeClass c = hlo::info(type).type_class;
  if (hlo::info(type).bits == 0 || c == hlo::TypeClass::kNone) return false;
  return c == hlo::TypeClass::kPred || hlo::is_integral(type) || format_of(type).has_value();
}

int64_t wrapped(PrimitiveType type, int64_t value) {
  if (type == kPred) return value != 0 ? 1 : 0;
  const int bits = hlo::info(type).bits;
  if (bits >= 64) return value;
  const auto low = static_cast<uint64_t>(value) & ((uint64_t{1} << bits) - 1);
  const bool negative =
      hlo::info(type).type_class == hlo::TypeClass::kSigned && (low >> (bits - 1) & 1) != 0;
  return static_cast<int64_t>(negative ? low | ~((uint64_t{1} << bits) - 1) : low);
}

double rounded(PrimitiveType type, double value) {
  if (type == kF32 || type == kC64) return static_cast<double>(static_cast<float>(value));
  if (type == kF64 || type == kC128) return value;
  const auto format = format_of(type);
  return format ? round_to(*format, value) : value;
}

Scalar fitted(PrimitiveType type, Scalar value) {
  switch (domain(type)) {
    case Domain::kInteger:
      return Scalar::of(wrapped(type, value.i));
    case Domain::kFloat:
      return Scalar::of(rounded(type, value.re));
    case Domain::kComplex:
      break;
  }
  return Scalar::of(std::complex<double>(rounded(type, value.re), rounded(type, value.im)));
}

uint64_t to_bits(PrimitiveType type, Scalar value) {
  if (type == kC64) return float_bits(kF32, value.re) | float_bits(kF32, value.im) << 32;
  if (domain(type) == Domain::kFloat) return float_bits(type, value.re);
  const int width = hlo::info(type).bits;
  const auto bits = static_cast<uint64_t>(value.i);
  return width >= 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}

Scalar from_bits(PrimitiveType type, uint64_t bits) {
  std::array<char, 8> bytes{};
  std::memcpy(bytes.data(), &bits, bytes.size());
  if (type == kC64) {
    return Scalar::of(std::complex<double>(hlo::float_element(kF32, bytes.data()),
                                           hlo::float_element(kF32, bytes.data() + 4)));
  }
  if (domain(type) == Domain::kFloat) return Scalar::of(hlo::float_element(type, bytes.data()));
  return Scalar::of(hlo::integer_element(type, bytes.data()));
}

double reduced_precision(double value, int exponent_bits, int mantissa_bits) {
  if (std::isnan(value) || std::isinf(value) || value == 0) return value;
  const int bias = (1 << (std::min(exponent_bits, 11) - 1)) - 1;
  // The mantissa is rounded first, as if exponents had no end; then what is too large becomes
  // infinity, and what is no normal number becomes 0.
  const double step = std::ldexp(1, std::ilogb(value) - std::min(mantissa_bits, 52));
  const double result = std::nearbyint(value / step) * step;
  const int exponent = std::ilogb(result);
  if (exponent > bias) return std::copysign(kInfinity, value);
  return exponent < 1 - bias ? std::copysign(0.0, value) : result;
}

}  // namespace hloscope::eval
