#include "core/fuse/program_writer.h"

#include <fmt/format.h>

#include "core/graph/callee_order.h"

namespace hloscope::fuse {

using hlo::Attribute;
using hlo::AttrKey;
using hlo::AttrKind;
using hlo::ComputationId;
using hlo::InstructionId;

ProgramWriter::ProgramWriter(const hlo::Program& source)
    : source_(source), contents_(source, out_), instructions_(source.instruction_count()) {}

void ProgramWriter::copy_header() {
  out_.reserve(source_.instruction_count());
  out_.set_name(out_.arena().copy(source_.name()));
  for (const Attribute& attribute : source_.module_attributes()) {
    out_.add_module_attribute(copy_attribute(attribute));
  }
  copy_stack_frames();
}

void ProgramWriter::copy_stack_frames() {
  hlo::StackFrameIndex& frames = out_.stack_frames();
  frames = source_.stack_frames();
  for (std::string_view& name : frames.file_names) name = out_.arena().copy(name);
  for (std::string_view& name : frames.function_names) name = out_.arena().copy(name);
}

void ProgramWriter::copy_computation(ComputationId root) {
  graph::CalleeOrder order(source_, graph::Follow::kAll);
  for (ComputationId from : order.visit(root)) {
    if (!contents_.is_begun(from)) copy_instructions(from, begin(from));
  }
}

void ProgramWriter::copy_instructions(ComputationId from, ComputationId to) {
  std::vector<InstructionId> operands;
  std::vector<InstructionId> predecessors;
  for (InstructionId id : source_[from].instructions) {
    operands.clear();
    predecessors.clear();
    for (InstructionId operand : source_.operands(id)) operands.push_back(instructions_[operand]);
    for (int64_t before : source_.ints(id, AttrKey::kControlPredecessors)) {
      predecessors.push_back(instructions_[InstructionId(static_cast<uint32_t>(before))]);
    }
    instructions_[id] = add(id, to, operands, predecessors);
  }
  out_.computation(to).root = instructions_[source_[from].root];
}

InstructionId ProgramWriter::add(InstructionId id, ComputationId target,
                                 std::span<const InstructionId> operands,
                                 std::span<const InstructionId> predecessors) {
  std::vector<Attribute> attributes;
  for (const Attribute& attribute : source_.attributes(id)) {
    if (attribute.kind() == AttrKind::kInstructions) {
      if (!predecessors.empty()) {
        attributes.push_back(out_.ids(attribute.key(), attribute.kind(), predecessors));
      }
      continue;
    }
    attributes.push_back(copy_attribute(attribute));
  }
  hlo::NewInstruction copy = contents_.instruction(id, target);
  copy.name = unused_name(target, source_[id].name);
  copy.operands = operands;
  copy.attributes = attributes;
  return out_.add(copy);
}

std::string_view ProgramWriter::unused_name(ComputationId target, std::string_view wanted) {
  if (names_.size() <= target.value) names_.resize(target.value + 1);
  std::unordered_set<std::string_view>& used = names_[target.value];
  std::string name(wanted);
  for (int i = 1; used.contains(name); ++i) name = fmt::format("{}.{}", wanted, i);
  return *used.insert(out_.arena().copy(name)).first;
}

}  // namespace hloscope::fuse
