#include "core/fuse/fusion_writer.h"

#include <fmt/format.h>

#include <algorithm>

namespace hloscope::fuse {

using hlo::Attribute;
using hlo::AttrKey;
using hlo::AttrKind;
using hlo::ComputationId;
using hlo::InstructionId;
using hlo::Opcode;

FusionWriter::FusionWriter(const FusionSpace& space)
    : space_(space),
      program_(space.program()),
      writer_(space.program()),
      values_(space.program().instruction_count()) {}

void FusionWriter::reserve_computation_names() {
  for (ComputationId id : program_.computations()) computation_names_.emplace(program_[id].name);
}

std::string_view FusionWriter::unused_computation_name(std::string_view wanted) {
  std::string name(wanted);
  for (int i = 1; !computation_names_.insert(name).second; ++i) {
    name = fmt::format("{}.{}", wanted, i);
  }
  return writer_.builder().arena().copy(name);
}

void FusionWriter::copy_callees(const Group& group) {
  for (InstructionId id : group.members) {
    for (ComputationId callee : program_.called(id)) writer_.copy_computation(callee);
  }
  const hlo::ProgramBuilder& out = writer_.builder();
  for (uint32_t i = 0; i < out.computation_count(); ++i) {
    computation_names_.emplace(out.computation(ComputationId(i)).name);
  }
}

InstructionId FusionWriter::write(const Group& group, ComputationId target) {
  if (group.facts.is_plain) return write_plain(group, target);
  return write_fusion(group, target, write_body(group));
}

InstructionId FusionWriter::write_plain(const Group& group, ComputationId target) {
  InstructionId last;
  for (InstructionId id : group.members) {
    std::vector<InstructionId> operands;
    std::vector<InstructionId> predecessors;
    for (InstructionId operand : program_.operands(id)) operands.push_back(values_[operand]);
    for (InstructionId before : space_.predecessors(id)) predecessors.push_back(values_[before]);
    values_[id] = last = writer_.add(id, target, operands, predecessors);
  }
  return last;
}

ComputationId FusionWriter::write_body(const Group& group) {
  hlo::ProgramBuilder& out = writer_.builder();
  ++fusions_;
  const ComputationId body =
      out.begin_computation(unused_computation_name(fmt::format("fused_computation.{}", fusions_)));
  inside_.clear();
  by_hash_.clear();
  int64_t number = 0;
  for (const Operand& operand : group.facts.operands) {
    hlo::NewInstruction parameter;
    parameter.name = writer_.unused_name(body, fmt::format("param_{}", number));
    parameter.shape = writer_.copy_shape(program_[operand.value].shape);
    parameter.computation = body;
    parameter.number = number++;
    inside_[operand.value] = out.add(parameter);
  }
  write_constants(group, body);
  for (InstructionId id : group.members) inside_[id] = write_member(id, body);
  std::vector<InstructionId> results;
  for (InstructionId result : group.facts.results) results.push_back(inside_[result]);
  out.computation(body).root = add_results(group.facts.results, body);
  return body;
}

// Scalar constants outside are not read but copied.
void FusionWriter::write_constants(const Group& group, ComputationId body) {
  for (InstructionId id : group.members) {
    for (InstructionId operand : program_.operands(id)) {
      if (space_.role(operand) != Role::kConstant || inside_.contains(operand) ||
          std::binary_search(group.members.begin(), group.members.end(), operand)) {
        continue;
      }
      inside_[operand] = write_member(operand, body);
    }
  }
}

InstructionId FusionWriter::write_member(InstructionId id, ComputationId body) {
  std::vector<InstructionId> operands;
  uint64_t hash = static_cast<uint64_t>(program_[id].opcode);
  for (InstructionId operand : program_.operands(id)) {
    operands.push_back(inside_.at(operand));
    hash = hash * 1099511628211ULL + operands.back().value;
  }
  for (auto [it, end] = by_hash_.equal_range(hash); it != end; ++it) {
    const InstructionId copy = inside_.at(it->second);
    const auto other = writer_.builder().operands(copy);
    if (same_operation(program_, it->second, id) &&
        std::equal(other.begin(), other.end(), operands.begin(), operands.end())) {
      return copy;
    }
  }
  by_hash_.emplace(hash, id);
  return writer_.add(id, body, operands);
}

hlo::ShapeId FusionWriter::shape_of(std::span<const InstructionId> results) {
  if (results.size() == 1) return writer_.copy_shape(program_[results[0]].shape);
  hlo::Shape tuple;
  tuple.element_type = hlo::PrimitiveType::kTuple;
  for (InstructionId id : results) {
    tuple.elements.push_back(writer_.copy_shape(program_[id].shape));
  }
  return writer_.builder().shapes().intern(std::move(tuple));
}

InstructionId FusionWriter::add_results(std::span<const InstructionId> results,
                                        ComputationId body) {
  if (results.size() == 1) return inside_.at(results[0]);
  std::vector<InstructionId> elements;
  for (InstructionId result : results) elements.push_back(inside_.at(result));
  hlo::NewInstruction tuple;
  tuple.name = writer_.unused_name(body, "tuple");
  tuple.opcode = Opcode::kTuple;
  tuple.shape = shape_of(results);
  tuple.computation = body;
  tuple.operands = elements;
  return writer_.builder().add(tuple);
}

std::vector<Attribute> FusionWriter::attributes_of(const Group& group, ComputationId body) {
  std::string_view kind = "kLoop";
  InstructionId hero = group.facts.results.back();
  for (InstructionId id : group.members) {
    const Role role = space_.role(id);
    if (role == Role::kMatrix) {
      kind = "kOutput";
      hero = id;
    } else if (kind == "kLoop" && (role == Role::kReduce || role == Role::kWindow)) {
      kind = "kInput";
    }
  }
  std::vector<Attribute> attributes = {
      Attribute::of_text(AttrKey::kKind, AttrKind::kText, kind),
      writer_.builder().ids(AttrKey::kCalls, AttrKind::kComputations,
                            std::span<const ComputationId>(&body, 1))};
  if (const Attribute* metadata = program_.find(hero, AttrKey::kMetadata)) {
    attributes.push_back(writer_.copy_attribute(*metadata));
  }
  return attributes;
}

InstructionId FusionWriter::write_fusion(const Group& group, ComputationId target,
                                         ComputationId body) {
  const std::vector<InstructionId>& results = group.facts.results;
  std::vector<InstructionId> operands;
  for (const Operand& operand : group.facts.operands) operands.push_back(values_[operand.value]);
  const std::vector<Attribute> attributes = attributes_of(group, body);
  hlo::NewInstruction fusion;
  fusion.name = writer_.unused_name(target, fmt::format("fusion.{}", fusions_));
  fusion.opcode = Opcode::kFusion;
  fusion.shape = shape_of(results);
  fusion.computation = target;
  fusion.operands = operands;
  fusion.attributes = attributes;
  const InstructionId id = writer_.builder().add(fusion);
  if (results.size() == 1) return values_[results[0]] = id;
  for (size_t i = 0; i < results.size(); ++i) {
    hlo::NewInstruction element;
    element.name = writer_.unused_name(target, "get-tuple-element");
    element.opcode = Opcode::kGetTupleElement;
    element.shape = writer_.copy_shape(program_[results[i]].shape);
    element.computation = target;
    element.number = static_cast<int64_t>(i);
    element.operands = std::span<const InstructionId>(&id, 1);
    values_[results[i]] = writer_.builder().add(element);
  }
  return id;
}

}  // namespace hloscope::fuse
