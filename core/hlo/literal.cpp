#include "core/hlo/literal.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "core/hlo/element.h"

namespace hloscope::hlo {

namespace {

/// The literal of a constant that holds exactly one element, or null.
const Literal* single_element(const Program& program, InstructionId id) {
  const Instruction& instruction = program[id];
  if (instruction.opcode != Opcode::kConstant) return nullptr;
  if (instruction.literal >= program.literals().size()) return nullptr;
  const Literal& literal = program.literals()[instruction.literal];
  const Shape& shape = program.shape(literal.shape);
  return shape.is_array() && shape.element_count() == 1 ? &literal : nullptr;
}

/// `{ /*i0=0*/ {5} }` -> `5`.
std::string bare_element(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("/*")) {
      i = std::min(text.find("*/", i), text.size() - 2) + 1;
      continue;
    }
    const char c = text[i];
    const bool noise =
        c == '{' || c == '}' || c == ',' || c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (!noise) out += c;
  }
  return out;
}

std::optional<int64_t> integer_from_text(std::string_view text) {
  const std::string bare = bare_element(text);
  if (bare == "true") return 1;
  if (bare == "false") return 0;
  int64_t value = 0;
  const char* const end = bare.data() + bare.size();
  const auto [last, error] = std::from_chars(bare.data(), end, value);
  if (error != std::errc() || last != end) return std::nullopt;
  return value;
}

std::optional<double> number_from_text(std::string_view text) {
  const std::string bare = bare_element(text);
  const bool negative = bare.starts_with('-');
  const std::string_view magnitude = std::string_view(bare).substr(negative ? 1 : 0);
  if (magnitude == "inf" || magnitude.starts_with("nan")) {
    const double value = magnitude == "inf" ? std::numeric_limits<double>::infinity()
                                            : std::numeric_limits<double>::quiet_NaN();
    return std::copysign(value, negative ? -1.0 : 1.0);
  }
  char* end = nullptr;
  const double value = std::strtod(bare.c_str(), &end);
  if (bare.empty() || end != bare.c_str() + bare.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<int64_t> scalar_integer(const Program& program, InstructionId constant) {
  const Literal* literal = single_element(program, constant);
  if (literal == nullptr) return std::nullopt;
  const PrimitiveType type = program.shape(literal->shape).element_type;
  if (!is_integral(type) && type != PrimitiveType::kPred) return std::nullopt;
  std::optional<int64_t> value;
  if (literal->form == Literal::Form::kText) value = integer_from_text(literal->data);
  if (literal->form == Literal::Form::kBytes) value = integer_element(type, literal->data.data());
  if (!value) return std::nullopt;
  if (type == PrimitiveType::kPred) return *value != 0 ? 1 : 0;
  // A u64 beyond int64 has no value here.
  if (type == PrimitiveType::kU64 && *value < 0) return std::nullopt;
  return value;
}

std::optional<double> scalar_number(const Program& program, InstructionId constant) {
  const Literal* literal = single_element(program, constant);
  if (literal == nullptr) return std::nullopt;
  const PrimitiveType type = program.shape(literal->shape).element_type;
  if (!is_floating(type)) return std::nullopt;
  if (literal->form == Literal::Form::kText) return number_from_text(literal->data);
  if (literal->form == Literal::Form::kBytes) return float_element(type, literal->data.data());
  return std::nullopt;
}

}  // namespace hloscope::hlo
