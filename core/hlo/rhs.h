#pragma once

#include <string_view>
#include <vector>

#include "core/hlo/attribute_rules.h"
#include "core/hlo/program_builder.h"

namespace hloscope::hlo {

/// The attributes of one instruction while it is being read.
struct AttributeList {
  std::vector<Attribute> items;
  std::vector<const char*> places;  ///< Where each begins in the text.
  AttrSet seen;
  int64_t index = -1;  ///< Of a get-tuple-element.

  void clear();
  void add(const Attribute& attribute, const char* place);
  /// Null when absent.
  [[nodiscard]] const Attribute* find(AttrKey key) const;
  /// The place of the attribute, or `absent`.
  [[nodiscard]] const char* place_of(AttrKey key, const char* absent) const;
};

/// What "op-start", "op-update" and "op-done" stand for when op has no such opcodes of its own.
enum class AsyncSugar : uint8_t { kNone, kStart, kUpdate, kDone };

/// The right-hand side of an instruction: everything behind "NAME =".
struct Rhs {
  const char* begin = nullptr;         ///< Of the name (or ROOT, or the nested operand).
  const char* end = nullptr;           ///< Behind the last character that belongs to it.
  const char* opcode_place = nullptr;  ///< Where the opcode is written.
  std::string_view opcode_text;
  Opcode opcode = Opcode::kParameter;  ///< With sugar: the wrapped opcode.
  AsyncSugar sugar = AsyncSugar::kNone;
  bool has_shape = false;
  ShapeId shape;
  int64_t number = -1;
  uint32_t literal = ~0U;
  std::vector<InstructionId> operands;
  AttributeList attributes;

  void clear(const char* where);
};

}  // namespace hloscope::hlo
