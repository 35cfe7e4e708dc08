#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/hlo/attribute.h"
#include "core/hlo/opcode.h"

namespace hloscope::hlo {

/// A set of attribute keys.
class AttrSet {
 public:
  void add(AttrKey key) { words_[index(key) / 64] |= uint64_t{1} << index(key) % 64; }
  [[nodiscard]] bool has(AttrKey key) const {
    return (words_[index(key) / 64] >> index(key) % 64 & 1) != 0;
  }
  [[nodiscard]] AttrSet operator|(const AttrSet& other) const {
    AttrSet result;
    for (size_t i = 0; i < 2; ++i) result.words_[i] = words_[i] | other.words_[i];
    return result;
  }
  [[nodiscard]] bool contains(const AttrSet& other) const {
    return (other.words_[0] & ~words_[0]) == 0 && (other.words_[1] & ~words_[1]) == 0;
  }
  /// Calls f(key) in the order of the attribute table.
  template <typename F>
  void for_each(F f) const {
    for (size_t i = 0; i < 2; ++i) {
      for (uint64_t w = words_[i]; w != 0; w &= w - 1) {
        f(static_cast<AttrKey>(64 * i + static_cast<size_t>(std::countr_zero(w))));
      }
    }
  }

 private:
  static size_t index(AttrKey key) { return static_cast<size_t>(key); }
  uint64_t words_[2] = {};
};

struct AttributeRule {
  AttrSet allowed;   ///< Includes the required ones and those of every opcode.
  AttrSet required;  ///< conditional and broadcast have rules of their own besides.
};

/// Source: openxla/xla of 2026-08, xla/hlo/parser/hlo_parser.cc.
[[nodiscard]] const AttributeRule& attribute_rule(Opcode opcode);
[[nodiscard]] const AttrSet& module_attribute_set();
/// The names, sorted and separated by ", ".
[[nodiscard]] std::string names_of(const AttrSet& set);

/// An attribute of older dumps that has another name today; kUnknown if `name` is none.
[[nodiscard]] AttrKey renamed_attribute(std::string_view name);

}  // namespace hloscope::hlo
