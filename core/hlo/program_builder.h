#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/hlo/program.h"

namespace hloscope::hlo {

/// What add() needs to know of a new instruction. Spans are copied. Strings are not: they must be
/// in the source or in arena().
struct NewInstruction {
  std::string_view name;
  Opcode opcode = Opcode::kParameter;
  ShapeId shape;
  ComputationId computation;
  int64_t number = -1;
  uint32_t literal = ~0U;
  SourceSpan span;
  std::span<const InstructionId> operands;
  std::span<const Attribute> attributes;
};

/// Collects the parts of a Program; used by the text parser, the proto reader, kernel extraction
/// and everything that rewrites programs.
///
/// Instructions may be added to several computations in turn: finish() brings them into contiguous
/// ranges, ordered by computation, keeping the order within each computation. A computation is
/// numbered when it is begun; callees are usually begun before their callers, but need not be.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(std::shared_ptr<const std::string> source = nullptr);

  StringArena& arena() { return d_.arena; }
  ShapeTable& shapes() { return d_.shapes; }
  const ShapeTable& shapes() const { return d_.shapes; }
  StackFrameIndex& stack_frames() { return d_.stack_frames; }
  void reserve(size_t instructions);

  void set_name(std::string_view name) { d_.name = name; }
  void set_entry(ComputationId id) { d_.entry = id; }
  [[nodiscard]] ComputationId entry() const { return d_.entry; }
  void add_module_attribute(Attribute attribute) { d_.module_attributes.push_back(attribute); }

  ComputationId begin_computation(std::string_view name);
  [[nodiscard]] Computation& computation(ComputationId id) { return d_.computations[id]; }
  [[nodiscard]] const Computation& computation(ComputationId id) const {
    return d_.computations[id];
  }
  [[nodiscard]] size_t computation_count() const { return d_.computations.size(); }

  InstructionId add(const NewInstruction& instruction);
  [[nodiscard]] Instruction& instruction(InstructionId id) { return d_.instructions[id]; }
  [[nodiscard]] const Instruction& instruction(InstructionId id) const {
    return d_.instructions[id];
  }
  [[nodiscard]] size_t instruction_count() const { return d_.instructions.size(); }
  [[nodiscard]] std::span<const InstructionId> operands(InstructionId id) const {
    return d_.operands[id];
  }
  [[nodiscard]] std::span<const Attribute> attributes(InstructionId id) const {
    return d_.attributes[id];
  }

  uint32_t add_literal(Literal literal);
  [[nodiscard]] const std::vector<Literal>& literals() const { return d_.literals; }

  /// Appends to the integer pool; the attribute refers to exactly these values.
  Attribute ints(AttrKey key, AttrKind kind, std::span<const int64_t> values);
  template <typename Id>
  Attribute ids(AttrKey key, AttrKind kind, std::span<const Id> values) {
    const auto begin = static_cast<uint32_t>(d_.pool.size());
    for (Id id : values) d_.pool.push_back(id.value);
    return Attribute::of_pool(key, kind, begin, static_cast<uint32_t>(values.size()));
  }
  [[nodiscard]] std::span<const int64_t> pool(const Attribute& attribute) const {
    return std::span(d_.pool).subspan(attribute.pool_begin(), attribute.pool_count());
  }

  /// Derives users, parameters, callers and contiguous ranges, checks the structure
  /// (check_structure) and gives the immutable Program. The builder is empty afterwards.
  /// Errors: kInvalidInput with line, column and source line where the text is known; the file
  /// name is the caller's to add.
  [[nodiscard]] Result<ProgramPtr> finish();

 private:
  void make_contiguous();
  void derive_tables();

  ProgramData d_;
};

/// What must hold of every Program, wherever it came from: an entry; a root in every computation;
/// operands of the same computation and before their user; operand counts of the opcode table;
/// parameter numbers 0..n-1; called computations present where the opcode needs them and not
/// recursive; tuple indices in range; layouts of the rank of their shape.
[[nodiscard]] Status check_structure(const Program& program);

/// An Error at `span` of `source`: fills line, column and the source line.
[[nodiscard]] Error error_at(std::string_view source, uint32_t offset, std::string message,
                             std::string hint = {});

}  // namespace hloscope::hlo
