#include "core/hlo/program_builder.h"

#include <algorithm>
#include <numeric>

namespace hloscope::hlo {

ProgramBuilder::ProgramBuilder(std::shared_ptr<const std::string> source) {
  d_.source = std::move(source);
}

void ProgramBuilder::reserve(size_t instructions) {
  d_.instructions.reserve(instructions);
  d_.operands.reserve(instructions, 2 * instructions);
  d_.attributes.reserve(instructions, 2 * instructions);
}

ComputationId ProgramBuilder::begin_computation(std::string_view name) {
  Computation computation;
  computation.name = name;
  return d_.computations.push_back(computation);
}

InstructionId ProgramBuilder::add(const NewInstruction& n) {
  for (InstructionId operand : n.operands) d_.operands.add(operand);
  d_.operands.end_row();
  for (const Attribute& attribute : n.attributes) d_.attributes.add(attribute);
  d_.attributes.end_row();
  return d_.instructions.push_back(
      {n.name, n.shape, n.computation, n.opcode, n.number, n.literal, n.span});
}

uint32_t ProgramBuilder::add_literal(Literal literal) {
  d_.literals.push_back(std::move(literal));
  return static_cast<uint32_t>(d_.literals.size() - 1);
}

Attribute ProgramBuilder::ints(AttrKey key, AttrKind kind, std::span<const int64_t> values) {
  const auto begin = static_cast<uint32_t>(d_.pool.size());
  d_.pool.insert(d_.pool.end(), values.begin(), values.end());
  return Attribute::of_pool(key, kind, begin, static_cast<uint32_t>(values.size()));
}

namespace {

using NewIds = std::vector<InstructionId>;  // by old id

void renumber(const Attribute& attribute, const NewIds& new_ids, std::vector<int64_t>& pool) {
  if (attribute.kind() != AttrKind::kInstructions) return;
  for (uint32_t k = 0; k < attribute.pool_count(); ++k) {
    int64_t& id = pool[attribute.pool_begin() + k];
    id = new_ids[static_cast<size_t>(id)].value;
  }
}

// Puts the instructions into the order of `order`, which holds old ids.
void reorder(ProgramData& d, const std::vector<InstructionId>& order) {
  NewIds new_ids(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) new_ids[order[i].value] = InstructionId(i);
  IndexedVector<InstructionId, Instruction> instructions;
  instructions.reserve(order.size());
  Csr<InstructionId, InstructionId> operands;
  Csr<InstructionId, Attribute> attributes;
  for (InstructionId old : order) {
    instructions.push_back(d.instructions[old]);
    for (InstructionId operand : d.operands[old]) operands.add(new_ids[operand.value]);
    operands.end_row();
    for (const Attribute& attribute : d.attributes[old]) {
      attributes.add(attribute);
      renumber(attribute, new_ids, d.pool);
    }
    attributes.end_row();
  }
  for (Computation& computation : d.computations) {
    if (computation.root.valid()) computation.root = new_ids[computation.root.value];
  }
  d.instructions = std::move(instructions);
  d.operands = std::move(operands);
  d.attributes = std::move(attributes);
}

}  // namespace

void ProgramBuilder::make_contiguous() {
  const auto by_computation = [this](InstructionId a, InstructionId b) {
    return d_.instructions[a].computation < d_.instructions[b].computation;
  };
  std::vector<InstructionId> order;
  order.reserve(d_.instructions.size());
  for (uint32_t i = 0; i < d_.instructions.size(); ++i) order.emplace_back(i);
  if (!std::is_sorted(order.begin(), order.end(), by_computation)) {
    std::stable_sort(order.begin(), order.end(), by_computation);
    reorder(d_, order);
  }
  uint32_t first = 0;
  for (uint32_t c = 0; c < d_.computations.size(); ++c) {
    uint32_t last = first;
    while (last < d_.instructions.size() &&
           d_.instructions[InstructionId(last)].computation == ComputationId(c)) {
      ++last;
    }
    d_.computations[ComputationId(c)].instructions = {first, last};
    first = last;
  }
}

void ProgramBuilder::derive_tables() {
  const size_t count = d_.instructions.size();
  d_.users = d_.operands.transposed(count);
  d_.called.reserve(count, 0);
  for (uint32_t i = 0; i < count; ++i) {
    for (const Attribute& attribute : d_.attributes[InstructionId(i)]) {
      if (attribute.kind() != AttrKind::kComputations) continue;
      for (int64_t id : pool(attribute)) d_.called.add(ComputationId(static_cast<uint32_t>(id)));
    }
    d_.called.end_row();
  }
  d_.callers = d_.called.transposed(d_.computations.size());
  std::vector<InstructionId> parameters;
  for (const Computation& computation : d_.computations) {
    parameters.clear();
    for (InstructionId id : computation.instructions) {
      if (d_.instructions[id].opcode == Opcode::kParameter) parameters.push_back(id);
    }
    std::stable_sort(parameters.begin(), parameters.end(),
                     [this](InstructionId a, InstructionId b) {
                       return d_.instructions[a].number < d_.instructions[b].number;
                     });
    for (InstructionId id : parameters) d_.parameters.add(id);
    d_.parameters.end_row();
  }
}

Result<ProgramPtr> ProgramBuilder::finish() {
  make_contiguous();
  derive_tables();
  auto program = std::make_shared<const Program>(std::move(d_));
  d_ = ProgramData();
  HLOSCOPE_TRY(check_structure(*program));
  return program;
}

Error error_at(std::string_view source, uint32_t offset, std::string message, std::string hint) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = std::move(message);
  error.hint = std::move(hint);
  const size_t at = std::min<size_t>(offset, source.size());
  const std::string_view before = source.substr(0, at);
  const size_t line_begin =
      before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  error.line = static_cast<int>(1 + std::count(before.begin(), before.end(), '\n'));
  error.column = static_cast<int>(1 + at - line_begin);
  const size_t line_end = std::min(source.find('\n', at), source.size());
  error.source_line = std::string(source.substr(line_begin, line_end - line_begin));
  return error;
}

}  // namespace hloscope::hlo
