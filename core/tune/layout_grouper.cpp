#include "core/tune/layout_grouper.h"

#include <fmt/format.h>

#include <algorithm>

namespace hloscope::tune {

using hlo::ComputationId;
using hlo::InstructionId;
using hlo::Opcode;

LayoutGrouper::LayoutGrouper(LayoutGroups& out) : out_(out), program_(*out.program_), sets_(0) {}

template <typename Visit>
void LayoutGrouper::each_running(Visit visit) const {
  for (ComputationId computation : out_.kernels_.scheduled) {
    for (InstructionId id : program_[computation].instructions) visit(id);
  }
}

void LayoutGrouper::run() {
  number_nodes();
  each_running([this](InstructionId id) { link_kernel(id); });
  for (ComputationId computation : out_.kernels_.scheduled) {
    fix(out_.root_node_[computation]);
  }
  make_groups();
  make_uses();
  make_sequence();
  make_dimensions();
}

// Results of all instructions, then operands of those that run, then roots of what runs.
void LayoutGrouper::number_nodes() {
  const auto add = [this](InstructionId array) {
    array_of_node_.push_back(array);
    return static_cast<Node>(array_of_node_.size() - 1);
  };
  for (InstructionId id : program_.instructions()) add(id);
  out_.is_body_.resize(program_.computation_count(), 0);
  out_.first_operand_.resize(program_.instruction_count(), kNone);
  each_running([&](InstructionId id) {
    out_.first_operand_[id] = static_cast<Node>(array_of_node_.size());
    for (InstructionId operand : program_.operands(id)) add(operand);
    const ComputationId body = body_of(id);
    if (body.valid()) out_.is_body_[body] = 1;
  });
  out_.root_node_.resize(program_.computation_count(), kNone);
  for (ComputationId computation : out_.kernels_.scheduled) {
    out_.root_node_[computation] = add(program_[computation].root);
  }
  sets_ = data::DisjointSets(array_of_node_.size());
  fixed_.assign(array_of_node_.size(), 0);
  port_.assign(array_of_node_.size(), 0);
}

// Of a fusion, when no other instruction calls it.
ComputationId LayoutGrouper::body_of(InstructionId id) const {
  if (program_[id].opcode != Opcode::kFusion) return {};
  const ComputationId body = program_.computation(id, hlo::AttrKey::kCalls);
  return body.valid() && program_.callers(body).size() == 1 ? body : ComputationId();
}

const hlo::Shape& LayoutGrouper::shape_of(Node node) const {
  return program_.shape(array_of_node_[node]);
}

LayoutGrouper::Node LayoutGrouper::result_node(InstructionId id) const {
  return id.value;
}

// Inside of a body an operand is what its producer made of it.
LayoutGrouper::Node LayoutGrouper::operand_node(InstructionId id, size_t index) const {
  const Node first = out_.first_operand_[id];
  return first == kNone ? program_.operands(id)[index].value : first + static_cast<Node>(index);
}

void LayoutGrouper::join(Node a, Node b) {
  const hlo::Shape& left = shape_of(a);
  const hlo::Shape& right = shape_of(b);
  if (!left.is_array() || !right.is_array() || left.rank() < 2) return;
  if (left.layout.minor_to_major == right.layout.minor_to_major) {
    sets_.join(a, b);
  } else if (left.rank() == right.rank()) {
    // The program itself has them differ: it is left alone.
    fix(a);
    fix(b);
  }
}

void LayoutGrouper::fix(Node node) {
  fixed_[node] = 1;
}
void LayoutGrouper::mark_port(Node node) {
  port_[node] = 1;
}

void LayoutGrouper::fix_all(InstructionId id) {
  fix(result_node(id));
  for (size_t i = 0; i < program_.operands(id).size(); ++i) fix(operand_node(id, i));
}

void LayoutGrouper::link_kernel(InstructionId id) {
  mark_port(result_node(id));
  for (size_t i = 0; i < program_.operands(id).size(); ++i) mark_port(operand_node(id, i));
  const Opcode opcode = program_[id].opcode;
  const ComputationId body = body_of(id);
  if (body.valid()) {
    link_fusion(id, body);
  } else if (opcode == Opcode::kGetTupleElement) {
    // Of such a fusion: joined there.
    if (!body_of(program_.operands(id)[0]).valid()) fix(result_node(id));
  } else {
    link(id);
  }
}

void LayoutGrouper::link_fusion(InstructionId id, ComputationId body) {
  const auto parameters = program_.parameters(body);
  for (size_t i = 0; i < parameters.size(); ++i) {
    join(operand_node(id, i), result_node(parameters[i]));
  }
  for (InstructionId member : program_[body].instructions) link_member(member);
  const InstructionId root = program_[body].root;
  if (program_.shape(id).is_tuple()) {
    link_tuple_results(id, root);
  } else {
    join(result_node(id), result_node(root));
  }
}

// The users of a fusion with several results take them one by one, or the tuple stays as it is.
void LayoutGrouper::link_tuple_results(InstructionId fusion, InstructionId root) {
  const auto results = program_.operands(root);
  const bool is_tuple = program_[root].opcode == Opcode::kTuple;
  bool is_whole = !is_tuple || program_[program_[fusion].computation].root == fusion;
  for (InstructionId user : program_.users(fusion)) {
    if (program_[user].opcode != Opcode::kGetTupleElement) {
      is_whole = true;
    } else if (const auto index = static_cast<size_t>(program_[user].number);
               is_tuple && index < results.size()) {
      join(result_node(user), result_node(results[index]));
    } else {
      fix(result_node(user));
    }
  }
  if (is_whole) fix_all(root);
}

void LayoutGrouper::link_member(InstructionId id) {
  const hlo::Computation& body = program_[program_[id].computation];
  switch (program_[id].opcode) {
    case Opcode::kParameter:
      return;
    case Opcode::kTuple:
      if (body.root != id) fix_all(id);
      return;
    default:
      link(id);
  }
}

void LayoutGrouper::link(InstructionId id) {
  const size_t operands = program_.operands(id).size();
  switch (fuse::role_of(program_, id)) {
    case fuse::Role::kNever:
      if (program_[id].opcode != Opcode::kConstant) fix_all(id);
      return;
    case fuse::Role::kElementwise:
      if (program_[id].opcode == Opcode::kCopy) return;  // May change the order.
      for (size_t i = 0; i < operands; ++i) join(result_node(id), operand_node(id, i));
      return;
    case fuse::Role::kUpdate:
      join(result_node(id), operand_node(id, 0));
      join(result_node(id), operand_node(id, 1));
      return;
    case fuse::Role::kWindow:
      join(result_node(id), operand_node(id, 0));
      return;
    case fuse::Role::kReduce:
      if (program_.shape(id).is_tuple()) fix_all(id);
      return;
    case fuse::Role::kReorder:
    case fuse::Role::kMove:
      link_move(id);
      return;
    case fuse::Role::kConstant:
    case fuse::Role::kIota:
    case fuse::Role::kBroadcast:
    case fuse::Role::kMatrix:
      return;
  }
}

void LayoutGrouper::link_move(InstructionId id) {
  switch (program_[id].opcode) {
    case Opcode::kBitcast:
    case Opcode::kBitcastConvert:
      fix_all(id);
      return;
    case Opcode::kReverse:
    case Opcode::kSlice:
    case Opcode::kPad:
    case Opcode::kDynamicSlice:
      join(result_node(id), operand_node(id, 0));
      return;
    case Opcode::kConcatenate:
      for (size_t i = 0; i < program_.operands(id).size(); ++i) {
        join(result_node(id), operand_node(id, i));
      }
      return;
    default:  // Reshape, transpose, gather: each side for itself.
      return;
  }
}

LayoutOrderId LayoutGrouper::order_id(const LayoutOrder& order) {
  const auto [it, is_new] = order_ids_.emplace(order, LayoutOrderId(out_.orders_.size()));
  if (is_new) out_.orders_.push_back(order);
  return it->second;
}

void LayoutGrouper::make_groups() {
  out_.group_of_node_.assign(array_of_node_.size(), {});
  for (Node node = 0; node < array_of_node_.size(); ++node) {
    const hlo::Shape& shape = shape_of(node);
    const ComputationId computation = program_[array_of_node_[node]].computation;
    const bool is_live =
        out_.kernels_.computations[computation].is_scheduled || out_.is_body_[computation] != 0;
    if (!is_live || !shape.is_array() || shape.rank() < 2) continue;
    LayoutGroupId& first = out_.group_of_node_[sets_.root(node)];
    if (!first.valid()) {
      first = out_.groups_.push_back(
          {.array = array_of_node_[node], .original = order_id(shape.layout.minor_to_major)});
    }
    const LayoutGroupId id = first;
    out_.group_of_node_[node] = id;
    LayoutGroup& group = out_.groups_[id];
    group.is_fixed = group.is_fixed || fixed_[node] != 0 || !has_plain_layout(shape);
    group.is_port = group.is_port || port_[node] != 0;
  }
}

void LayoutGrouper::make_uses() {
  const auto add = [this](InstructionId user, InstructionId value, uint32_t operand, Node node) {
    const LayoutGroupId to = out_.group_of_node_[node];
    const LayoutGroupId from = out_.group_of_node_[result_node(value)];
    if (!to.valid() || !from.valid()) return;
    const auto bytes = static_cast<double>(program_.shapes().byte_size(program_[value].shape));
    out_.uses_.push_back({value, user, operand, from, to, bytes});
  };
  each_running([&](InstructionId id) {
    const auto operands = program_.operands(id);
    for (uint32_t i = 0; i < operands.size(); ++i) add(id, operands[i], i, operand_node(id, i));
  });
  for (ComputationId computation : out_.kernels_.scheduled) {
    add({}, program_[computation].root, 0, out_.root_node_[computation]);
  }
  std::stable_sort(out_.uses_.begin(), out_.uses_.end(),
                   [](const LayoutUse& a, const LayoutUse& b) { return a.value < b.value; });
}

void LayoutGrouper::make_sequence() {
  std::vector<uint8_t> seen(out_.groups_.size(), 0);
  const auto add = [&](Node node) {
    const LayoutGroupId group = out_.group_of_node_[node];
    if (!group.valid() || seen[group.value] != 0) return;
    seen[group.value] = 1;
    out_.sequence_.push_back(group);
  };
  each_running([&](InstructionId id) {
    for (size_t i = 0; i < program_.operands(id).size(); ++i) add(operand_node(id, i));
    add(result_node(id));
  });
}

void LayoutGrouper::make_dimensions() {
  each_running([this](InstructionId id) {
    const ComputationId body = body_of(id);
    if (!body.valid()) return add_dimensions(id);
    for (InstructionId member : program_[body].instructions) add_dimensions(member);
  });
}

void LayoutGrouper::add_dimensions(InstructionId id) {
  const Opcode opcode = program_[id].opcode;
  if (opcode != Opcode::kConvolution && opcode != Opcode::kDot && opcode != Opcode::kReshape) {
    return;
  }
  const auto count = static_cast<int>(program_.operands(id).size());
  for (int i = 0; i < count; ++i) add_dimension(operand_node(id, static_cast<size_t>(i)), id, i);
  add_dimension(result_node(id), id, -1);
}

void LayoutGrouper::add_dimension(Node node, InstructionId id, int operand) {
  const LayoutGroupId group_id = out_.group_of_node_[node];
  if (!group_id.valid()) return;
  LayoutGroup& group = out_.groups_[group_id];
  if (group.is_fixed || !group.is_port || group.is_chosen) return;
  LayoutDimension dimension;
  dimension.group = group_id;
  for (const LayoutOrder& order : layout_choices(program_.shape(group.array))) {
    dimension.choices.push_back(order_id(order));
  }
  if (dimension.choices.size() < 2) return;
  group.is_chosen = true;
  group.dimension = out_.dimensions_.size();
  const std::string name(program_[id].name);
  const std::string part = operand < 0 ? "out" : fmt::format("in{}", operand);
  dimension.name =
      name + (operand < 0 ? std::string(" result") : fmt::format(" operand {}", operand));
  dimension.key = fmt::format("{}/{}", name, part);
  // Names are unique in their computation only.
  if (!keys_.insert(dimension.key).second) {
    dimension.key = fmt::format("{}@{}/{}", name, program_[program_[id].computation].name, part);
    keys_.insert(dimension.key);
  }
  out_.dimensions_.push_back(std::move(dimension));
}

}  // namespace hloscope::tune
