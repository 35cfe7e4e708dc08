#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "core/hlo/parse_literal.h"

namespace hloscope::hlo {

namespace {

using enum PrimitiveType;

// Decimals with so few digits before the point and no exponent fit every type of 16 bits and more.
constexpr int kSafeDigits = 4;

bool skip_integer(ParseContext& c, PrimitiveType type) {
  c.lex.skip();
  const char* const begin = c.lex.position();
  int64_t value = 0;
  if (!c.lex.integer(value, fmt::format("a value of type {}", name(type)))) return false;
  const int bits = info(type).bits;
  if (bits == 64) return true;
  const bool is_signed = info(type).type_class == TypeClass::kSigned;
  const int64_t low = is_signed ? -(int64_t{1} << (bits - 1)) : 0;
  const int64_t high = (int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  // Numbers from 2^63 turn negative while they are read.
  const bool wrapped = value < 0 && *begin != '-';
  if (value >= low && value <= high && !wrapped) return true;
  return c.lex.fail(begin, fmt::format("{} is out of range for {} ({} .. {})", c.lex.since(begin),
                                       name(type), low, high));
}

struct FloatFormat {
  double overflow;         ///< Magnitudes from here on are no finite values of the type.
  bool overflow_included;  ///< Whether `overflow` itself is too large.
  int payload_bits;        ///< Of a NaN.
};

// Halfway between the largest value and the next step, which round-to-nearest-even takes up unless
// the largest mantissa is even (f8e4m3fn: 1.75). Types without infinity and NaN saturate.
FloatFormat format_of(PrimitiveType type) {
  constexpr double kNever = HUGE_VAL;
  switch (type) {
    case kF64:
    case kC128:
      return {kNever, false, 52};
    case kF32:
    case kC64:
      return {0x1.ffffffp127, true, 23};
    case kF16:
      return {65520, true, 10};
    case kBf16:
      return {0x1.ffp127, true, 7};
    case kF8e5m2:
      return {61440, true, 2};
    case kF8e4m3:
      return {248, true, 3};
    case kF8e4m3fn:
      return {464, false, 0};
    case kF8e4m3b11fnuz:
      return {31, true, 0};
    case kF8e4m3fnuz:
      return {248, true, 0};
    case kF8e5m2fnuz:
      return {61440, true, 0};
    case kF8e3m4:
      return {15.75, true, 4};
    case kF8e8m0fnu:
      return {0x1.8p127, true, 0};
    default:
      return {kNever, false, 0};
  }
}

bool skip_nan_payload(ParseContext& c, PrimitiveType type, const char* begin) {
  const char* p = c.lex.position();
  if (*p != '(') return true;
  uint64_t payload = 0;
  const auto [rest, error] = p[1] == '0' && p[2] == 'x'
                                 ? std::from_chars(p + 3, c.lex.end(), payload, 16)
                                 : std::from_chars_result{p, std::errc::invalid_argument};
  if (error != std::errc() || *rest != ')') {
    return c.lex.fail(begin, "a NaN with a payload is written nan(0xHEX)");
  }
  const int bits = format_of(type).payload_bits;
  if (payload == 0 || payload >> bits != 0) {
    return c.lex.fail(begin, fmt::format("the payload of this NaN must be in 1 .. 2^{}-1", bits));
  }
  c.lex.move_to(rest + 1);
  return true;
}

bool skip_special(ParseContext& c, PrimitiveType type, const char* begin, const char* p) {
  const char* behind = p;
  while (lex::is(*behind, lex::kWord)) ++behind;
  const std::string_view word(p, static_cast<size_t>(behind - p));
  if (word != "inf" && word != "nan") {
    return c.lex.fail_expected(fmt::format("a value of type {}", name(type)), "here");
  }
  c.lex.move_to(behind);
  return word == "inf" || skip_nan_payload(c, type, begin);
}

// from_chars reports too small and too large alike: tell them apart by the decimal exponent.
bool is_underflow(std::string_view text) {
  const size_t e = text.find_first_of("eE");
  const size_t minus = e == std::string_view::npos ? e : text.find('-', e);
  if (minus != std::string_view::npos) return true;
  return text.find_first_not_of("-0.") > text.find('.');
}

bool check_float(ParseContext& c, PrimitiveType type, std::string_view text) {
  double value = 0;
  const size_t skip = text.front() == '-' ? 1 : 0;
  const auto [rest, error] = std::from_chars(text.data() + skip, text.data() + text.size(), value);
  const bool too_small = error == std::errc::result_out_of_range && is_underflow(text);
  if (too_small) value = 0;
  bool fits = error == std::errc() || too_small;
  const FloatFormat format = format_of(type);
  if (format.overflow_included ? value >= format.overflow : value > format.overflow) fits = false;
  if (type == kF8e8m0fnu && (skip == 1 || value == 0)) fits = false;
  return fits ||
         c.lex.fail(text.data(), fmt::format("{} is out of range for {}", text, name(type)));
}

bool skip_float(ParseContext& c, PrimitiveType type) {
  c.lex.skip();
  const char* const begin = c.lex.position();
  const char* p = begin + (*begin == '-' ? 1 : 0);
  if (lex::is(*p, lex::kWordStart)) return skip_special(c, type, begin, p);
  const char* const digits = p;
  // XLA's lexer knows -.5 but not .5.
  if (*begin == '.') return c.lex.fail_expected("a digit", "before '.'");
  while (lex::is(*p, lex::kDigit)) ++p;
  const auto whole = static_cast<int>(p - digits);
  const char* const point = p;
  if (*p == '.') ++p;
  while (lex::is(*p, lex::kDigit)) ++p;
  const bool empty = p == digits || (p == point + 1 && whole == 0);
  if (empty) return c.lex.fail_expected(fmt::format("a value of type {}", name(type)), "here");
  bool safe = whole <= kSafeDigits;
  const char* const exponent = p;
  if (*p == 'e' || *p == 'E') {
    ++p;
    if (*p == '+' || *p == '-') ++p;
    const char* const exponent_digits = p;
    while (lex::is(*p, lex::kDigit)) ++p;
    if (p == exponent_digits) p = exponent;
    safe = safe && p == exponent;
  }
  c.lex.move_to(p);
  const bool wide = info(type).bits >= 16;
  return (safe && wide) || check_float(c, type, c.lex.since(begin));
}

bool skip_pred(ParseContext& c) {
  if (c.lex.at_word()) {
    bool value = false;
    return c.lex.boolean(value);
  }
  int64_t value = 0;
  return c.lex.integer(value, "true, false, 0 or 1");
}

bool skip_complex(ParseContext& c, PrimitiveType type) {
  return c.lex.expect('(', "before a complex value") && skip_float(c, type) &&
         c.lex.expect(',', "between the parts of a complex value") && skip_float(c, type) &&
         c.lex.expect(')', "after a complex value");
}

}  // namespace

bool skip_scalar(ParseContext& c, PrimitiveType type) {
  switch (info(type).type_class) {
    case TypeClass::kPred:
      return skip_pred(c);
    case TypeClass::kSigned:
    case TypeClass::kUnsigned:
      return skip_integer(c, type);
    case TypeClass::kFloat:
      return skip_float(c, type);
    case TypeClass::kComplex:
      return skip_complex(c, type);
    case TypeClass::kNone:
      break;
  }
  return c.lex.fail_here(fmt::format("a constant cannot be of type {}", name(type)));
}

}  // namespace hloscope::hlo
