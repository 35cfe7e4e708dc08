#include <fmt/format.h>

#include <algorithm>

#include "core/hlo/program_builder.h"
#include "core/hlo/structure_calls.h"

namespace hloscope::hlo {

Error structure_error(const Program& program, InstructionId id, std::string message,
                      std::string hint) {
  const Instruction& instruction = program[id];
  if (instruction.span.length > 0) {
    return error_at(program.source(), instruction.span.offset, std::move(message), std::move(hint));
  }
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = fmt::format("instruction \"{}\" of computation \"{}\": {}", instruction.name,
                              program[instruction.computation].name, message);
  error.hint = std::move(hint);
  return error;
}

namespace {

Error computation_error(const Program& program, ComputationId id, std::string message) {
  const Computation& computation = program[id];
  message = fmt::format("computation \"{}\" {}", computation.name, message);
  if (computation.span.length > 0) {
    return error_at(program.source(), computation.span.offset, std::move(message));
  }
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = std::move(message);
  return error;
}

struct OperandCount {
  Opcode opcode;
  size_t least;
  size_t step;  // how many more at a time
};

// Of the opcodes with a variable number of operands.
constexpr OperandCount kCounts[] = {
    {Opcode::kAllGather, 1, 1},
    {Opcode::kAllGatherStart, 1, 1},
    {Opcode::kAllToAll, 1, 1},
    {Opcode::kAsyncUpdate, 1, 1},
    {Opcode::kCollectivePermute, 1, 1},
    {Opcode::kCollectivePermuteStart, 1, 1},
    {Opcode::kConcatenate, 1, 1},
    {Opcode::kConditional, 2, 1},
    {Opcode::kConvolution, 2, 1},
    {Opcode::kDynamicReshape, 1, 1},
    {Opcode::kDynamicSlice, 1, 1},
    {Opcode::kDynamicUpdateSlice, 2, 1},
    {Opcode::kMap, 1, 1},
    {Opcode::kReduce, 2, 2},
    {Opcode::kReduceScatter, 1, 1},
    {Opcode::kReduceWindow, 2, 2},
    {Opcode::kScatter, 3, 2},
    {Opcode::kSort, 1, 1},
};

Status check_operand_count(const Program& program, InstructionId id) {
  const Opcode opcode = program[id].opcode;
  const size_t count = program.operands(id).size();
  const int arity = info(opcode).arity;
  if (arity >= 0) {
    if (count == static_cast<size_t>(arity)) return {};
    return fail(structure_error(
        program, id, fmt::format("{} takes {} operands, but has {}", name(opcode), arity, count)));
  }
  for (const OperandCount& rule : kCounts) {
    if (rule.opcode != opcode) continue;
    if (count >= rule.least && (count - rule.least) % rule.step == 0) return {};
    return fail(structure_error(
        program, id,
        fmt::format("{} takes {}{}{} operands, but has {}", name(opcode), rule.least,
                    rule.step == 2 ? fmt::format(", {}", rule.least + 2) : std::string(),
                    rule.step == 2 ? ", ..." : " or more", count)));
  }
  return {};
}

Status check_operands(const Program& program, InstructionId id) {
  for (const InstructionId operand : program.operands(id)) {
    if (operand.value >= program.instruction_count() ||
        program[operand].computation != program[id].computation) {
      return fail(structure_error(program, id, "an operand is not in the same computation"));
    }
    if (operand >= id) {
      return fail(structure_error(
          program, id, fmt::format("operand \"{}\" comes after its user", program[operand].name)));
    }
  }
  return check_operand_count(program, id);
}

Status check_tuple(const Program& program, InstructionId id) {
  const Instruction& instruction = program[id];
  if (instruction.opcode == Opcode::kGetTupleElement) {
    const Shape& operand = program.shape(program.operands(id)[0]);
    const int64_t index = instruction.number;
    if (!operand.is_tuple()) {
      return fail(structure_error(program, id, "the operand of get-tuple-element is no tuple"));
    }
    if (index < 0 || index >= static_cast<int64_t>(operand.elements.size())) {
      return fail(structure_error(
          program, id,
          fmt::format("index {} of a tuple with {} elements", index, operand.elements.size())));
    }
    if (!program.shapes().compatible(operand.elements[static_cast<size_t>(index)],
                                     instruction.shape)) {
      return fail(structure_error(
          program, id,
          fmt::format("element {} of the tuple is {}, not {}", index,
                      program.shapes().text(operand.elements[static_cast<size_t>(index)], false),
                      program.shapes().text(instruction.shape, false))));
    }
  } else if (instruction.opcode == Opcode::kTuple) {
    const Shape& shape = program.shape(id);
    const auto operands = program.operands(id);
    if (!shape.is_tuple() || shape.elements.size() != operands.size()) {
      return fail(structure_error(program, id,
                                  fmt::format("a tuple of {} operands is not {}", operands.size(),
                                              program.shapes().text(instruction.shape, false))));
    }
  }
  return {};
}

Status check_parameters(const Program& program, ComputationId id) {
  const auto parameters = program.parameters(id);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const int64_t number = program[parameters[i]].number;
    if (number == static_cast<int64_t>(i)) continue;
    const bool doubled = i > 0 && number == static_cast<int64_t>(i) - 1;
    return fail(
        structure_error(program, parameters[i],
                        doubled ? fmt::format("parameter {} is defined twice", number)
                                : fmt::format("parameter {} is missing: numbers go from 0 to {}", i,
                                              parameters.size() - 1)));
  }
  return {};
}

Status check_layouts(const Program& program, InstructionId id, std::vector<bool>& checked) {
  const ShapeId shape_id = program[id].shape;
  if (!shape_id.valid() || shape_id.value >= program.shapes().size()) {
    return fail(structure_error(program, id, "the instruction has no shape"));
  }
  if (checked[shape_id.value]) return {};
  checked[shape_id.value] = true;
  const Shape& shape = program.shapes()[shape_id];
  if (!shape.is_array() || !shape.has_layout) return {};
  std::vector<int64_t> order = shape.layout.minor_to_major;
  std::sort(order.begin(), order.end());
  bool good = order.size() == shape.rank();
  for (size_t i = 0; good && i < order.size(); ++i) good = order[i] == static_cast<int64_t>(i);
  if (good) return {};
  return fail(structure_error(program, id,
                              fmt::format("the layout of {} does not fit its {} dimensions",
                                          program.shapes().text(shape_id), shape.rank())));
}

Status check_computations(const Program& program) {
  if (program.computation_count() == 0) {
    return fail(ErrorCode::kInvalidInput, "the module has no computations");
  }
  if (!program.entry().valid() || program.entry().value >= program.computation_count()) {
    return fail(ErrorCode::kInvalidInput, "the module has no entry computation");
  }
  for (const ComputationId id : program.computations()) {
    const Computation& computation = program[id];
    if (computation.instructions.empty()) {
      return fail(computation_error(program, id, "has no instructions"));
    }
    if (!computation.instructions.contains(computation.root)) {
      return fail(computation_error(program, id, "has no root"));
    }
    HLOSCOPE_TRY(check_parameters(program, id));
  }
  return {};
}

}  // namespace

Status check_structure(const Program& program) {
  HLOSCOPE_TRY(check_computations(program));
  std::vector<bool> layout_checked(program.shapes().size(), false);
  for (const InstructionId id : program.instructions()) {
    HLOSCOPE_TRY(check_layouts(program, id, layout_checked));
    HLOSCOPE_TRY(check_operands(program, id));
    HLOSCOPE_TRY(check_tuple(program, id));
  }
  return check_calls(program);
}

}  // namespace hloscope::hlo
