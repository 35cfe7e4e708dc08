#include "core/fuse/group_body.h"

#include <algorithm>

#include "core/fuse/twins.h"

namespace hloscope::fuse {

using hlo::InstructionId;
using sim::FlatId;

GroupBodies::GroupBodies(const FusionSpace& space)
    : space_(space), program_(space.program()), known_(program_.instruction_count()) {}

hlo::ShapeId GroupBodies::first_array(hlo::ShapeId id) const {
  while (program_.shape(id).is_tuple() && !program_.shape(id).elements.empty()) {
    id = program_.shape(id).elements.front();
  }
  return id;
}

// As FusionWriter::write_body() writes them: operands, constants, members.
sim::FlatBody GroupBodies::of(const Group& group) {
  ++stamp_;
  written_.clear();
  sim::FlatBody body;
  for (const Operand& operand : group.facts.operands) {
    const FlatId leaf = body.nodes.push_back({.instruction = operand.value,
                                              .shape = program_[operand.value].shape,
                                              .operands = {},
                                              .is_leaf = true});
    known_[operand.value] = {stamp_, leaf};
  }
  add_constants(group, body);
  for (InstructionId id : group.members) write(id, body);
  for (InstructionId result : group.facts.results) {
    const auto arrays = std::max<int64_t>(program_.shapes().leaf_count(program_[result].shape), 1);
    body.outputs.insert(body.outputs.end(), static_cast<size_t>(arrays), known_[result].node);
  }
  return body;
}

void GroupBodies::add_constants(const Group& group, sim::FlatBody& body) {
  for (InstructionId id : group.members) {
    for (InstructionId operand : program_.operands(id)) {
      if (space_.role(operand) != Role::kConstant || known_[operand].stamp == stamp_ ||
          std::binary_search(group.members.begin(), group.members.end(), operand)) {
        continue;
      }
      write(operand, body);
    }
  }
}

void GroupBodies::write(InstructionId id, sim::FlatBody& body) {
  sim::FlatNode node{.instruction = id, .shape = first_array(program_[id].shape), .operands = {}};
  uint64_t hash = static_cast<uint64_t>(program_[id].opcode);
  for (InstructionId operand : program_.operands(id)) {
    node.operands.push_back(known_[operand].node);
    hash = hash * 1099511628211ULL + node.operands.back().value;
  }
  for (const Written& other : written_) {
    if (other.hash == hash && body.nodes[other.node].operands == node.operands &&
        same_operation(program_, other.instruction, id)) {
      known_[id] = {stamp_, other.node};
      return;
    }
  }
  known_[id] = {stamp_, body.nodes.push_back(std::move(node))};
  written_.push_back({hash, id, known_[id].node});
}

}  // namespace hloscope::fuse
