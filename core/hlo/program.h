#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/csr.h"
#include "core/base/index.h"
#include "core/base/intern.h"
#include "core/hlo/attribute.h"
#include "core/hlo/opcode.h"
#include "core/hlo/shape.h"

namespace hloscope::hlo {

struct InstructionTag;
using InstructionId = Index<InstructionTag>;
struct ComputationTag;
using ComputationId = Index<ComputationTag>;

/// A byte range of the source text, and the 1-based line of its first byte. length = 0: the thing
/// does not come from text.
struct SourceSpan {
  uint32_t offset = 0;
  uint32_t length = 0;
  uint32_t line = 0;
};

struct Instruction {
  std::string_view name;  ///< Without "%"; unique in its computation.
  ShapeId shape;
  ComputationId computation;
  Opcode opcode = Opcode::kParameter;
  int64_t number = -1;     ///< parameter: its number; get-tuple-element: its index; others: -1.
  uint32_t literal = ~0U;  ///< constant: index into Program::literals().
  SourceSpan span;         ///< From the name (or ROOT) to the end of the attributes.
};

struct Computation {
  std::string_view name;                ///< Without "%"; unique in the program.
  IdRange<InstructionId> instructions;  ///< Operands before users; the schedule if scheduled.
  InstructionId root;
  std::string_view execution_thread = "main";
  bool is_async_wrapper = false;  ///< Made from "op-start" sugar; printed back as sugar.
  SourceSpan span;                ///< From the name (or ENTRY) to the closing brace.
};

/// The value of a constant. Values are decoded on demand: see literal.h.
struct Literal {
  enum class Form : uint8_t {
    kElided,  ///< "{...}": the value is not in the file.
    kText,    ///< data = checked HLO text, row-major, as written.
    kBytes,   ///< data = little-endian elements in the order of `shape`'s layout (from protos).
    kTuple,   ///< children, one per element.
  };
  ShapeId shape;
  Form form = Form::kElided;
  std::string_view data;
  std::vector<uint32_t> children;  ///< Indices into Program::literals().
};

/// Python (or other) source positions: tables FileNames .. StackFrames, ids count from 1.
struct StackFrameIndex {
  struct Location {
    int32_t file_name_id, function_name_id, line, end_line, column, end_column;
  };
  struct Frame {
    int32_t file_location_id;
    int32_t parent_frame_id;  ///< 0 = no parent (text writes it plus one).
  };
  std::vector<std::string_view> file_names;
  std::vector<std::string_view> function_names;
  std::vector<Location> locations;
  std::vector<Frame> frames;
};

/// What a Program is made of. Filled by a ProgramBuilder, then never changed.
struct ProgramData {
  std::string_view name;
  ComputationId entry;
  IndexedVector<ComputationId, Computation> computations;
  IndexedVector<InstructionId, Instruction> instructions;
  Csr<InstructionId, InstructionId> operands;
  Csr<InstructionId, InstructionId> users;  ///< One entry per use.
  Csr<InstructionId, Attribute> attributes;
  Csr<ComputationId, InstructionId> parameters;  ///< By parameter number.
  Csr<InstructionId, ComputationId> called;      ///< In attribute order.
  Csr<ComputationId, InstructionId> callers;
  std::vector<Attribute> module_attributes;
  std::vector<int64_t> pool;
  std::vector<Literal> literals;
  ShapeTable shapes;
  StackFrameIndex stack_frames;
  std::shared_ptr<const std::string> source;  ///< The text that spans point into; may be null.
  StringArena arena;                          ///< Strings that are not in the source.
};

/// One HLO module: immutable, cheap to share between threads as shared_ptr<const Program>.
class Program {
 public:
  explicit Program(ProgramData data) : d_(std::move(data)) {}

  [[nodiscard]] std::string_view name() const { return d_.name; }
  [[nodiscard]] ComputationId entry() const { return d_.entry; }
  [[nodiscard]] size_t computation_count() const { return d_.computations.size(); }
  [[nodiscard]] size_t instruction_count() const { return d_.instructions.size(); }
  [[nodiscard]] IdRange<ComputationId> computations() const {
    return {0, static_cast<uint32_t>(d_.computations.size())};
  }
  [[nodiscard]] IdRange<InstructionId> instructions() const {
    return {0, static_cast<uint32_t>(d_.instructions.size())};
  }
  [[nodiscard]] const Computation& operator[](ComputationId id) const {
    return d_.computations[id];
  }
  [[nodiscard]] const Instruction& operator[](InstructionId id) const {
    return d_.instructions[id];
  }

  [[nodiscard]] const ShapeTable& shapes() const { return d_.shapes; }
  [[nodiscard]] const Shape& shape(ShapeId id) const { return d_.shapes[id]; }
  [[nodiscard]] const Shape& shape(InstructionId id) const {
    return d_.shapes[d_.instructions[id].shape];
  }

  [[nodiscard]] std::span<const InstructionId> operands(InstructionId id) const {
    return d_.operands[id];
  }
  [[nodiscard]] std::span<const InstructionId> users(InstructionId id) const {
    return d_.users[id];
  }
  [[nodiscard]] std::span<const InstructionId> parameters(ComputationId id) const {
    return d_.parameters[id];
  }
  [[nodiscard]] std::span<const ComputationId> called(InstructionId id) const {
    return d_.called[id];
  }
  [[nodiscard]] std::span<const InstructionId> callers(ComputationId id) const {
    return d_.callers[id];
  }

  [[nodiscard]] std::span<const Attribute> attributes(InstructionId id) const {
    return d_.attributes[id];
  }
  [[nodiscard]] std::span<const Attribute> module_attributes() const {
    return d_.module_attributes;
  }
  /// Null when the instruction has no such attribute.
  [[nodiscard]] const Attribute* find(InstructionId id, AttrKey key) const;
  [[nodiscard]] const Attribute* find_module(AttrKey key) const;
  /// The integers of a kInts, kIntPairs, kWindow, kPadding or kSlice attribute; empty without it.
  [[nodiscard]] std::span<const int64_t> ints(InstructionId id, AttrKey key) const;
  [[nodiscard]] std::span<const int64_t> ints(const Attribute& attribute) const;
  [[nodiscard]] std::optional<int64_t> integer(InstructionId id, AttrKey key) const;
  [[nodiscard]] bool flag(InstructionId id, AttrKey key, bool absent = false) const;
  [[nodiscard]] std::string_view text(InstructionId id, AttrKey key) const;
  /// The first computation of the attribute; invalid without it.
  [[nodiscard]] ComputationId computation(InstructionId id, AttrKey key) const;

  [[nodiscard]] const std::vector<Literal>& literals() const { return d_.literals; }
  [[nodiscard]] const StackFrameIndex& stack_frames() const { return d_.stack_frames; }
  [[nodiscard]] bool is_scheduled() const;
  /// The whole source text this program was read from (maybe with other modules); may be empty.
  [[nodiscard]] std::string_view source() const {
    return d_.source ? std::string_view(*d_.source) : std::string_view();
  }
  /// The source of a span; empty when there is none.
  [[nodiscard]] std::string_view source(const SourceSpan& span) const {
    return span.length == 0 ? std::string_view() : source().substr(span.offset, span.length);
  }
  /// First with that name (names are unique per computation only); invalid when there is none.
  [[nodiscard]] InstructionId find_instruction(std::string_view name) const;
  [[nodiscard]] ComputationId find_computation(std::string_view name) const;

 private:
  ProgramData d_;
};

using ProgramPtr = std::shared_ptr<const Program>;

}  // namespace hloscope::hlo
