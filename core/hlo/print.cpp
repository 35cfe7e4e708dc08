#include "core/hlo/print.h"

#include <fmt/format.h>

#include <vector>

#include "core/hlo/literal_text.h"
#include "core/hlo/print_attributes.h"
#include "core/hlo/quote.h"

namespace hloscope::hlo {

namespace {

// XLA prints "/*index=N*/" before every fifth operand.
constexpr size_t kIndexCommentInterval = 5;
constexpr int64_t kLargeConstant = 10;

/// The computation that an async-start calls if it is to be printed as "op-start".
ComputationId sugared_by(const Program& program, InstructionId start) {
  if (program[start].opcode != Opcode::kAsyncStart) return {};
  const ComputationId callee = program.computation(start, AttrKey::kCalls);
  return callee.valid() && program[callee].is_async_wrapper ? callee : ComputationId();
}

/// The wrapped instruction of the chain that an async-start, -update or -done belongs to, if the
/// chain is to be printed as sugar.
InstructionId wrapped_instruction(const Program& program, InstructionId id) {
  while (program[id].opcode == Opcode::kAsyncUpdate || program[id].opcode == Opcode::kAsyncDone) {
    if (program.operands(id).empty()) return {};
    id = program.operands(id).front();
  }
  const ComputationId callee = sugared_by(program, id);
  return callee.valid() ? program[callee].root : InstructionId();
}

bool is_in_both(AttrKey key) {
  return key == AttrKey::kMetadata || key == AttrKey::kOrigin || key == AttrKey::kBackendConfig ||
         key == AttrKey::kFrontendAttributes || key == AttrKey::kStatistics;
}

class Printer {
 public:
  Printer(const Program& program, const PrintOptions& options)
      : program_(program), options_(options) {}

  void module();
  void computation(ComputationId id);
  void instruction(InstructionId id);
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  void header();
  void tables();
  void all_computations();
  void signature(ComputationId id);
  void arguments(InstructionId id);
  void operands(InstructionId id);
  void constant(InstructionId id);
  void attributes(InstructionId id, InstructionId wrapped);
  void attribute(const Attribute& attribute);

  const Program& program_;
  const PrintOptions& options_;
  std::string out_;
};

void Printer::module() {
  header();
  if (options_.metadata) tables();
  out_ += '\n';
  all_computations();
}

void Printer::header() {
  out_ += "HloModule ";
  out_ += program_.name();
  for (const Attribute& a : in_header_order(program_.module_attributes())) {
    append_attribute(out_, program_, a, options_);
  }
  out_ += '\n';
}

void Printer::tables() {
  const StackFrameIndex& index = program_.stack_frames();
  if (index.file_names.empty() && index.frames.empty()) return;
  const auto names = [this](std::string_view title, const std::vector<std::string_view>& list) {
    out_ += fmt::format("\n{}\n", title);
    for (size_t i = 0; i < list.size(); ++i) {
      out_ += fmt::format("{} {}\n", i + 1, quote(list[i]));
    }
  };
  names("FileNames", index.file_names);
  names("FunctionNames", index.function_names);
  out_ += "\nFileLocations\n";
  for (size_t i = 0; i < index.locations.size(); ++i) {
    const StackFrameIndex::Location& l = index.locations[i];
    out_ += fmt::format(
        "{} {{file_name_id={} function_name_id={} line={} end_line={} column={} end_column={}}}\n",
        i + 1, l.file_name_id, l.function_name_id, l.line, l.end_line, l.column, l.end_column);
  }
  out_ += "\nStackFrames\n";
  for (size_t i = 0; i < index.frames.size(); ++i) {
    // The text counts parents from 1 for "none".
    out_ += fmt::format("{} {{file_location_id={} parent_frame_id={}}}\n", i + 1,
                        index.frames[i].file_location_id, index.frames[i].parent_frame_id + 1);
  }
  out_ += '\n';
}

void Printer::all_computations() {
  struct Visit {
    ComputationId id;
    uint32_t next;  ///< Instruction whose callees come next.
    size_t callee;
  };
  std::vector<uint8_t> seen(program_.computation_count());
  std::vector<Visit> stack;
  const auto open = [&](ComputationId id) {
    if (seen[id.value] != 0) return;
    seen[id.value] = 1;
    const IdRange<InstructionId> range = program_[id].instructions;
    stack.push_back({id, range.empty() ? 0 : range.front().value, 0});
  };
  for (const ComputationId first : program_.computations()) {
    open(first);
    while (!stack.empty()) {
      Visit& top = stack.back();
      const IdRange<InstructionId> range = program_[top.id].instructions;
      if (!range.contains(InstructionId(top.next))) {
        const ComputationId done = top.id;
        stack.pop_back();
        if (program_[done].is_async_wrapper) continue;
        computation(done);
        out_ += "\n";
        continue;
      }
      const auto called = program_.called(InstructionId(top.next));
      if (top.callee == called.size()) {
        ++top.next;
        top.callee = 0;
      } else {
        open(called[top.callee++]);
      }
    }
  }
}

void Printer::signature(ComputationId id) {
  out_ += " (";
  bool first = true;
  for (const InstructionId parameter : program_.parameters(id)) {
    if (!first) out_ += ", ";
    first = false;
    out_ += program_[parameter].name;
    out_ += ": " + program_.shapes().text(program_[parameter].shape, false);
  }
  out_ += ") -> " + program_.shapes().text(program_[program_[id].root].shape, false) + " {\n";
}

void Printer::computation(ComputationId id) {
  const Computation& computation = program_[id];
  if (id == program_.entry()) out_ += "ENTRY ";
  append_name(out_, computation.name, options_);
  signature(id);
  for (const InstructionId instruction_id : computation.instructions) {
    out_ += "  ";
    instruction(instruction_id);
    out_ += '\n';
  }
  out_ += '}';
  if (computation.execution_thread != "main") {
    out_ += ", execution_thread=" + quote(computation.execution_thread);
  }
  out_ += '\n';
}

void Printer::instruction(InstructionId id) {
  const Instruction& instruction = program_[id];
  if (program_[instruction.computation].root == id) out_ += "ROOT ";
  append_name(out_, instruction.name, options_);
  out_ += " = " + program_.shapes().text(instruction.shape) + " ";
  const InstructionId wrapped = wrapped_instruction(program_, id);
  if (wrapped.valid()) {
    out_ += name(program_[wrapped].opcode);
    // "async-start" -> "-start"
    out_ += name(instruction.opcode).substr(std::string_view("async").size());
  } else {
    out_ += name(instruction.opcode);
  }
  out_ += '(';
  arguments(id);
  out_ += ')';
  attributes(id, wrapped);
}

void Printer::arguments(InstructionId id) {
  switch (program_[id].opcode) {
    case Opcode::kParameter:
      out_ += fmt::format("{}", program_[id].number);
      return;
    case Opcode::kConstant:
      constant(id);
      return;
    default:
      operands(id);
  }
}

void Printer::operands(InstructionId id) {
  const auto operands = program_.operands(id);
  for (size_t i = 0; i < operands.size(); ++i) {
    if (i > 0) out_ += ", ";
    if (i > 0 && i % kIndexCommentInterval == 0) out_ += fmt::format("/*index={}*/", i);
    if (options_.operand_shapes) out_ += program_.shapes().text(program_[operands[i]].shape) + " ";
    append_name(out_, program_[operands[i]].name, options_);
  }
}

void Printer::constant(InstructionId id) {
  const Instruction& instruction = program_[id];
  const Shape& shape = program_.shape(instruction.shape);
  const bool large = !shape.is_array() || shape.element_count() > kLargeConstant;
  if (instruction.literal >= program_.literals().size() || (large && !options_.large_constants)) {
    out_ += "{...}";
    return;
  }
  out_ += literal_text(program_, instruction.literal);
}

void Printer::attributes(InstructionId id, InstructionId wrapped) {
  const Opcode opcode = program_[id].opcode;
  std::vector<Attribute> list(program_.attributes(id).begin(), program_.attributes(id).end());
  Opcode order_of = opcode;
  if (wrapped.valid()) {
    std::erase_if(list, [](const Attribute& a) { return a.key() == AttrKey::kCalls; });
    order_of = program_[wrapped].opcode;
  }
  if (wrapped.valid() && opcode == Opcode::kAsyncStart) {
    for (const Attribute& a : program_.attributes(wrapped)) {
      if (!is_in_both(a.key())) list.push_back(a);
    }
  }
  const Instruction& indexed = program_[wrapped.valid() ? wrapped : id];
  if (indexed.opcode == Opcode::kGetTupleElement &&
      (opcode == Opcode::kGetTupleElement || opcode == Opcode::kAsyncStart)) {
    out_ += fmt::format(", index={}", indexed.number);
  }
  for (const Attribute& a : in_print_order(list, order_of)) attribute(a);
}

void Printer::attribute(const Attribute& attribute) {
  if (attribute.key() == AttrKey::kMetadata && !options_.metadata) return;
  if (attribute.key() == AttrKey::kBackendConfig && !options_.backend_config) return;
  append_attribute(out_, program_, attribute, options_);
}

}  // namespace

std::string print(const Program& program, const PrintOptions& options) {
  Printer printer(program, options);
  printer.module();
  return printer.take();
}

std::string print(const Program& program, ComputationId id, const PrintOptions& options) {
  Printer printer(program, options);
  printer.computation(id);
  return printer.take();
}

std::string print_instruction(const Program& program, InstructionId id,
                              const PrintOptions& options) {
  Printer printer(program, options);
  printer.instruction(id);
  return printer.take();
}

}  // namespace hloscope::hlo
