#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"
#include "core/hlo/program_builder.h"
#include "core/hlo/proto/annotations.h"
#include "core/hlo/proto/instruction.pb.h"

namespace hloscope::hlo {

/// What the attributes of an instruction may refer to.
struct WireContext {
  ProgramBuilder& builder;
  const std::unordered_map<int64_t, ComputationId>& computations;  ///< By proto id.
  const std::unordered_map<int64_t, InstructionId>& instructions;  ///< Of this computation so far.
  std::vector<std::string_view> payloads;
};

/// Collects the attributes of one instruction, in the order in which XLA prints them.
class AttributeSink {
 public:
  AttributeSink(WireContext& context, std::vector<Attribute>& out) : c_(context), out_(out) {}

  [[nodiscard]] WireContext& context() { return c_; }
  void boolean(AttrKey key, bool value) { integer(key, AttrKind::kBool, value ? 1 : 0); }
  void flag(AttrKey key, bool value) {
    if (value) boolean(key, true);
  }
  void integer(AttrKey key, int64_t value) { integer(key, AttrKind::kInt, value); }
  void number(AttrKey key, double value) { out_.push_back(Attribute::of_double(key, value)); }
  /// The text is copied; empty text adds nothing.
  void text(AttrKey key, std::string_view value) { string(key, AttrKind::kText, value); }
  void raw(AttrKey key, std::string_view value) { string(key, AttrKind::kRaw, value); }
  template <typename List>
  void ints(AttrKey key, const List& values) {
    pool(key, AttrKind::kInts, {values.begin(), values.end()});
  }
  template <typename List>
  void ints_if_any(AttrKey key, const List& values) {
    if (!values.empty()) ints(key, values);
  }
  void pool(AttrKey key, AttrKind kind, const std::vector<int64_t>& values) {
    out_.push_back(c_.builder.ints(key, kind, values));
  }
  void shapes(AttrKey key, const std::vector<ShapeId>& ids) {
    out_.push_back(c_.builder.ids<ShapeId>(key, AttrKind::kShapes, ids));
  }
  void computations(AttrKey key, std::span<const ComputationId> ids) {
    out_.push_back(c_.builder.ids<ComputationId>(key, AttrKind::kComputations, ids));
  }
  void instructions(AttrKey key, std::span<const InstructionId> ids) {
    out_.push_back(c_.builder.ids<InstructionId>(key, AttrKind::kInstructions, ids));
  }
  void literal(AttrKey key, uint32_t index) { integer(key, AttrKind::kLiteral, index); }
  /// names[value]; an error that names `field` when there is none. An empty name adds nothing.
  Status word(AttrKey key, int32_t value, std::span<const std::string_view> names,
              std::string_view field);

 private:
  void integer(AttrKey key, AttrKind kind, int64_t value) {
    out_.push_back(Attribute::of_int(key, kind, value));
  }
  void string(AttrKey key, AttrKind kind, std::string_view value) {
    if (value.empty()) return;
    out_.push_back(Attribute::of_text(key, kind, c_.builder.arena().copy(value)));
  }

  WireContext& c_;
  std::vector<Attribute>& out_;
};

/// The attributes of an instruction, equal to what the text parser gives for XLA's print of it.
[[nodiscard]] Status add_attributes(const wire::Instruction& proto,
                                    const NewInstruction& instruction, AttributeSink& sink);

// Groups of opcodes; each adds nothing for opcodes that are not its own.
[[nodiscard]] Status add_own_attributes(const wire::Instruction& proto,
                                        const NewInstruction& instruction, AttributeSink& sink);
[[nodiscard]] Status add_collective_attributes(const wire::Instruction& proto,
                                               const NewInstruction& instruction,
                                               AttributeSink& sink);
[[nodiscard]] Status add_dot_attributes(const wire::Instruction& proto, Opcode opcode,
                                        AttributeSink& sink);
[[nodiscard]] Status add_convolution_attributes(const wire::Instruction& proto, Opcode opcode,
                                                AttributeSink& sink);
[[nodiscard]] Status add_custom_call_attributes(const wire::Instruction& proto,
                                                AttributeSink& sink);
[[nodiscard]] Status add_called_computations(const wire::Instruction& proto,
                                             const NewInstruction& instruction,
                                             AttributeSink& sink);
[[nodiscard]] Status add_common_attributes(const wire::Instruction& proto,
                                           const NewInstruction& instruction, AttributeSink& sink);

}  // namespace hloscope::hlo
