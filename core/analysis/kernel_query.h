#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/hlo/opcode.h"

namespace hloscope::analysis {

/// What a filter sees of one kernel. Views need to live during matches() only.
struct KernelFacts {
  std::string_view name;
  std::string_view label;
  std::string_view shape;
  std::string_view bound;
  std::string_view tile;
  hlo::Opcode opcode = hlo::Opcode::kParameter;
  hlo::OpClass op_class = hlo::OpClass::kElementwise;
  /// Value of a numeric column (position in kernel_columns()), NaN = none.
  std::function<double(size_t column)> number;
};

/// The filter of kernel tables, trees and the command line, parsed once:
///
///     class:conv err>5 measured>100 -opcode:copy "conv 3x3" fusion
///
/// Terms are separated by blanks and must all hold; "-" in front negates one. Words look in name,
/// label and opcode, without regard to case. Text keys (:) are name, class, opcode, shape, bound,
/// tile. Number keys (> < >= <= =) are the numeric columns, in the units of the table (µs, %); k,
/// M, G, T multiply. Errors are compared without their sign, changes (dsim>5) with it; a missing
/// value satisfies no comparison.
class KernelQuery {
 public:
  /// Errors: kInvalidInput with the 1-based byte column, the text and a hint.
  [[nodiscard]] static Result<KernelQuery> parse(std::string_view text);

  [[nodiscard]] bool is_empty() const { return terms_.empty(); }
  [[nodiscard]] bool matches(const KernelFacts& facts) const;
  /// True when a term names what it looks at: not only words.
  [[nodiscard]] bool has_keys() const;

 private:
  enum class Field : uint8_t { kAny, kName, kClass, kOpcode, kShape, kBound, kTile, kNumber };
  enum class Relation : uint8_t { kContains, kGreater, kLess, kGreaterEqual, kLessEqual, kEqual };
  struct Term {
    Field field = Field::kAny;
    Relation relation = Relation::kContains;
    bool negated = false;
    bool absolute = false;
    size_t column = 0;
    double value = 0;
    std::string text;  ///< Lower case.
  };

  static Result<Term> parse_term(std::string_view text, std::string_view word, size_t offset);
  static Result<Term> text_term(std::string_view text, std::string_view word, size_t offset);
  static Result<Term> number_term(std::string_view text, std::string_view word, size_t offset);
  static bool holds(const Term& term, const KernelFacts& facts);
  static bool number_holds(const Term& term, const KernelFacts& facts);

  std::vector<Term> terms_;
};

}  // namespace hloscope::analysis
