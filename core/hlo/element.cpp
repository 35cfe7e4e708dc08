#include "core/hlo/element.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace hloscope::hlo {

namespace {

enum class Special : uint8_t {
  kIeee,       ///< Largest exponent: infinity and NaN.
  kAllOnes,    ///< No infinity; NaN is exponent and fraction all ones ("fn").
  kMinusZero,  ///< No infinity, no -0: its bits are the NaN ("fnuz").
  kNone,       ///< Every pattern is a finite number.
};

/// How the bits of a float are laid out: sign, exponent, fraction.
struct FloatFormat {
  int exponent_bits;
  int fraction_bits;
  int bias;
  Special special;
  int digits;        ///< XLA's first try.
  int exact_digits;  ///< Enough to read the same bits back.
  bool has_payload;  ///< NaNs are printed with their fraction if it is not the top bit alone.
  bool is_signed = true;
};

/// Sources: IEEE 754 and "FP8 Formats for Deep Learning" (Micikevicius et al. 2022), the OCP
/// Microscaling specification 1.0 for 4 and 6 bits and e8m0, and ml_dtypes for fnuz and b11.
FloatFormat format_of(PrimitiveType type) {
  switch (type) {
    case PrimitiveType::kF64:
      return {11, 52, 1023, Special::kIeee, 15, 17, true};
    case PrimitiveType::kF16:
      return {5, 10, 15, Special::kIeee, 5, 5, true};
    case PrimitiveType::kBf16:
      return {8, 7, 127, Special::kIeee, 4, 4, true};
    case PrimitiveType::kF8e5m2:
      return {5, 2, 15, Special::kIeee, 2, 2, true};
    case PrimitiveType::kF8e4m3:
      return {4, 3, 7, Special::kIeee, 3, 3, true};
    case PrimitiveType::kF8e3m4:
      return {3, 4, 3, Special::kIeee, 3, 3, true};
    case PrimitiveType::kF8e4m3fn:
      return {4, 3, 7, Special::kAllOnes, 3, 3, false};
    case PrimitiveType::kF8e4m3fnuz:
      return {4, 3, 8, Special::kMinusZero, 3, 3, false};
    case PrimitiveType::kF8e4m3b11fnuz:
      return {4, 3, 11, Special::kMinusZero, 3, 3, false};
    case PrimitiveType::kF8e5m2fnuz:
      return {5, 2, 16, Special::kMinusZero, 2, 2, false};
    case PrimitiveType::kF8e8m0fnu:
      return {8, 0, 127, Special::kAllOnes, 2, 2, false, false};
    case PrimitiveType::kF4e2m1fn:
      return {2, 1, 1, Special::kNone, 2, 2, false};
    case PrimitiveType::kF6e2m3fn:
      return {2, 3, 1, Special::kNone, 3, 3, false};
    case PrimitiveType::kF6e3m2fn:
      return {3, 2, 3, Special::kNone, 2, 2, false};
    default:
      return {8, 23, 127, Special::kIeee, 6, 9, true};
  }
}

uint64_t bits_of(PrimitiveType type, const char* bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, element_bytes(type));
  const int width = info(type).bits;
  return width < 64 ? bits & ((uint64_t{1} << width) - 1) : bits;
}

struct Unpacked {
  bool negative;
  uint64_t exponent;
  uint64_t fraction;
  bool is_nan;
  bool is_infinite;
};

Unpacked unpack(const FloatFormat& f, uint64_t bits) {
  Unpacked u{};
  const uint64_t exponent_mask = (uint64_t{1} << f.exponent_bits) - 1;
  const uint64_t fraction_mask = (uint64_t{1} << f.fraction_bits) - 1;
  u.fraction = bits & fraction_mask;
  u.exponent = bits >> f.fraction_bits & exponent_mask;
  u.negative = f.is_signed && (bits >> (f.fraction_bits + f.exponent_bits) & 1) != 0;
  const bool largest = u.exponent == exponent_mask;
  switch (f.special) {
    case Special::kIeee:
      u.is_nan = largest && u.fraction != 0;
      u.is_infinite = largest && u.fraction == 0;
      break;
    case Special::kAllOnes:
      u.is_nan = largest && u.fraction == fraction_mask;
      break;
    case Special::kMinusZero:
      u.is_nan = u.negative && u.exponent == 0 && u.fraction == 0;
      break;
    case Special::kNone:
      break;
  }
  return u;
}

double value_of(const FloatFormat& f, const Unpacked& u) {
  double magnitude = 0;
  if (u.is_nan) {
    magnitude = std::numeric_limits<double>::quiet_NaN();
  } else if (u.is_infinite) {
    magnitude = std::numeric_limits<double>::infinity();
  } else {
    // e8m0 has no zero and no numbers below its smallest exponent.
    const bool normal = u.exponent != 0 || f.fraction_bits == 0;
    const uint64_t significand = u.fraction + (normal ? uint64_t{1} << f.fraction_bits : 0);
    const int exponent = static_cast<int>(normal ? u.exponent : 1) - f.bias - f.fraction_bits;
    magnitude = std::ldexp(static_cast<double>(significand), exponent);
  }
  return std::copysign(magnitude, u.negative ? -1.0 : 1.0);
}

std::string nan_text(const FloatFormat& f, const Unpacked& u) {
  std::string out = u.negative ? "-nan" : "nan";
  if (!f.has_payload || u.fraction == uint64_t{1} << (f.fraction_bits - 1)) return out;
  return fmt::format("{}(0x{:x})", out, u.fraction);
}

bool reads_back(PrimitiveType type, const std::string& text, double value) {
  if (type == PrimitiveType::kF64) return std::strtod(text.c_str(), nullptr) == value;
  return static_cast<double>(std::strtof(text.c_str(), nullptr)) == value;
}

std::string float_text(PrimitiveType type, const char* bytes) {
  const FloatFormat format = format_of(type);
  const Unpacked u = unpack(format, bits_of(type, bytes));
  if (u.is_nan) return nan_text(format, u);
  if (u.is_infinite) return u.negative ? "-inf" : "inf";
  const double value = value_of(format, u);
  std::string text = fmt::format("{:.{}g}", value, format.digits);
  if (format.digits == format.exact_digits || reads_back(type, text, value)) return text;
  return fmt::format("{:.{}g}", value, format.exact_digits);
}

PrimitiveType component_type(PrimitiveType type) {
  if (type == PrimitiveType::kC64) return PrimitiveType::kF32;
  if (type == PrimitiveType::kC128) return PrimitiveType::kF64;
  return type;
}

}  // namespace

size_t element_bytes(PrimitiveType type) {
  return static_cast<size_t>(info(type).bits + 7) / 8;
}

int64_t integer_element(PrimitiveType type, const char* bytes) {
  const uint64_t bits = bits_of(type, bytes);
  if (type == PrimitiveType::kPred) return bits != 0 ? 1 : 0;
  const int width = info(type).bits;
  const bool negative =
      info(type).type_class == TypeClass::kSigned && (bits >> (width - 1) & 1) != 0;
  if (!negative || width == 64) return static_cast<int64_t>(bits);
  return static_cast<int64_t>(bits | ~((uint64_t{1} << width) - 1));
}

double float_element(PrimitiveType type, const char* bytes) {
  const PrimitiveType component = component_type(type);
  const FloatFormat format = format_of(component);
  return value_of(format, unpack(format, bits_of(component, bytes)));
}

std::string element_text(PrimitiveType type, const char* bytes) {
  switch (info(type).type_class) {
    case TypeClass::kFloat:
      return float_text(type, bytes);
    case TypeClass::kComplex: {
      const PrimitiveType component = component_type(type);
      return fmt::format("({}, {})", float_text(component, bytes),
                         float_text(component, bytes + element_bytes(component)));
    }
    case TypeClass::kUnsigned:
      return fmt::format("{}", bits_of(type, bytes));
    default:
      return fmt::format("{}", integer_element(type, bytes));
  }
}

}  // namespace hloscope::hlo
