#include "core/tune/layout_writer.h"

#include <map>

#include "core/fuse/program_writer.h"
#include "core/graph/callee_order.h"

namespace hloscope::tune {

using hlo::ComputationId;
using hlo::InstructionId;
using hlo::Opcode;

namespace {

class LayoutWriter {
 public:
  LayoutWriter(const LayoutGroups& groups, const LayoutOrders& orders)
      : groups_(groups), orders_(orders), program_(groups.program()), out_(program_) {}

  Result<hlo::ProgramPtr> whole() {
    out_.copy_header();
    values_.resize(program_.instruction_count());
    graph::CalleeOrder order(program_, graph::Follow::kAll);
    for (ComputationId from : order.visit(program_.entry())) {
      if (groups_.is_body(from)) {
        write_body(from);
      } else if (groups_.kernels().computations[from].is_scheduled) {
        write_running(from);
      } else {
        out_.copy_computation(from);
      }
    }
    return builder().finish();
  }

  Result<hlo::ProgramPtr> kernel(InstructionId id) {
    builder().set_name(builder().arena().copy(program_[id].name));
    for (ComputationId callee : program_.called(id)) {
      if (!groups_.is_body(callee)) {
        out_.copy_computation(callee);
        continue;
      }
      for (InstructionId member : program_[callee].instructions) {
        for (ComputationId inner : program_.called(member)) out_.copy_computation(inner);
      }
      write_body(callee);
    }
    const ComputationId entry = begin_entry();
    std::vector<InstructionId> operands;
    for (size_t i = 0; i < program_.operands(id).size(); ++i) {
      operands.push_back(parameter(id, i, entry));
    }
    builder().computation(entry).root = add(id, entry, operands, {});
    return builder().finish();
  }

  Result<hlo::ProgramPtr> copy(const LayoutCopy& copy) {
    builder().set_name("copy");
    const ComputationId entry = begin_entry();
    const InstructionId value = add_parameter(copy.value, copy.from, entry, 0);
    builder().computation(entry).root = add_copy(copy.value, copy.to, value, entry);
    return builder().finish();
  }

 private:
  hlo::ProgramBuilder& builder() { return out_.builder(); }

  ComputationId begin_entry() {
    std::string name = "main";
    while (program_.find_computation(name).valid()) name += ".1";
    const ComputationId entry = builder().begin_computation(builder().arena().copy(name));
    builder().set_entry(entry);
    return entry;
  }

  /// The shape of `id`, in the order of a group of which it is an array.
  hlo::ShapeId ordered(InstructionId id, LayoutGroupId group) {
    return group.valid() ? ordered(id, orders_[group]) : out_.copy_shape(program_[id].shape);
  }
  hlo::ShapeId ordered(InstructionId id, LayoutOrderId wanted) {
    const hlo::ShapeId same = out_.copy_shape(program_[id].shape);
    const LayoutOrder& order = groups_.order(wanted);
    if (program_.shape(id).layout.minor_to_major == order) return same;
    return builder().shapes().intern(with_order(builder().shapes()[same], order));
  }

  InstructionId add(InstructionId id, ComputationId target, std::span<const InstructionId> operands,
                    std::span<const InstructionId> predecessors) {
    const InstructionId copy = out_.add(id, target, operands, predecessors);
    builder().instruction(copy).shape = result_shape(id);
    return copy;
  }

  hlo::ShapeId result_shape(InstructionId id) {
    if (!program_.shape(id).is_tuple()) return ordered(id, groups_.result(id));
    if (program_[id].opcode == Opcode::kTuple && groups_.is_body(program_[id].computation)) {
      return tuple_shape(id, id);
    }
    if (program_[id].opcode != Opcode::kFusion) return out_.copy_shape(program_[id].shape);
    const ComputationId body = program_.computation(id, hlo::AttrKey::kCalls);
    return tuple_shape(id, program_[body].root);
  }

  /// Of a fusion of several results, or of its root: each in the order that it has now.
  hlo::ShapeId tuple_shape(InstructionId id, InstructionId root) {
    const hlo::ShapeId same = out_.copy_shape(program_[id].shape);
    const auto results = program_.operands(root);
    hlo::Shape shape = builder().shapes()[same];
    if (program_[root].opcode != Opcode::kTuple) return same;
    for (size_t i = 0; i < results.size(); ++i) {
      const LayoutGroupId group = groups_.result(results[i]);
      if (!group.valid() || orders_[group] == groups_[group].original) continue;
      const hlo::Shape element = builder().shapes()[shape.elements[i]];
      shape.elements[i] =
          builder().shapes().intern(with_order(element, groups_.order(orders_[group])));
    }
    return builder().shapes().intern(std::move(shape));
  }

  void write_body(ComputationId from) {
    const ComputationId to = out_.begin(from);
    std::unordered_map<InstructionId, InstructionId> values;
    for (InstructionId id : program_[from].instructions) {
      std::vector<InstructionId> operands;
      for (InstructionId operand : program_.operands(id)) operands.push_back(values.at(operand));
      values[id] = add(id, to, operands,
                       predecessors(id, [&](InstructionId before) { return values.at(before); }));
    }
    builder().computation(to).root = values.at(program_[from].root);
  }

  void write_running(ComputationId from) {
    const ComputationId to = out_.begin(from);
    for (InstructionId id : program_[from].instructions) {
      std::vector<InstructionId> operands;
      for (size_t i = 0; i < program_.operands(id).size(); ++i) {
        operands.push_back(value_for(program_.operands(id)[i], groups_.operand(id, i), to));
      }
      values_[id] = add(id, to, operands,
                        predecessors(id, [&](InstructionId before) { return values_[before]; }));
    }
    builder().computation(to).root = value_for(program_[from].root, groups_.root(from), to);
    if (from == program_.entry()) builder().set_entry(to);
  }

  template <typename Value>
  std::vector<InstructionId> predecessors(InstructionId id, Value value) {
    std::vector<InstructionId> out;
    for (int64_t before : program_.ints(id, hlo::AttrKey::kControlPredecessors)) {
      out.push_back(value(InstructionId(static_cast<uint32_t>(before))));
    }
    return out;
  }

  /// A value as a user reads it: a copy, made before the first that needs it.
  InstructionId value_for(InstructionId value, LayoutGroupId reader, ComputationId to) {
    const LayoutGroupId writer = groups_.result(value);
    if (!reader.valid() || !writer.valid() || orders_[reader] == orders_[writer]) {
      return values_[value];
    }
    InstructionId& copy = copies_[{value, orders_[reader]}];
    if (!copy.valid()) copy = add_copy(value, orders_[reader], values_[value], to);
    return copy;
  }

  InstructionId add_copy(InstructionId value, LayoutOrderId order, InstructionId operand,
                         ComputationId target) {
    hlo::NewInstruction copy;
    copy.name = out_.unused_name(target, "copy." + std::string(program_[value].name));
    copy.opcode = Opcode::kCopy;
    copy.shape = ordered(value, order);
    copy.computation = target;
    copy.operands = {&operand, 1};
    return builder().add(copy);
  }

  InstructionId add_parameter(InstructionId value, LayoutOrderId order, ComputationId entry,
                              int64_t number) {
    hlo::NewInstruction parameter;
    parameter.name = out_.unused_name(entry, program_[value].name);
    parameter.shape =
        order.valid() ? ordered(value, order) : out_.copy_shape(program_[value].shape);
    parameter.computation = entry;
    parameter.number = number;
    return builder().add(parameter);
  }

  InstructionId parameter(InstructionId kernel, size_t index, ComputationId entry) {
    const InstructionId value = program_.operands(kernel)[index];
    const LayoutGroupId group = groups_.operand(kernel, index);
    const LayoutOrderId order = group.valid() ? orders_[group] : LayoutOrderId();
    InstructionId& parameter = copies_[{value, order}];
    if (!parameter.valid()) {
      const auto number = static_cast<int64_t>(copies_.size()) - 1;
      parameter = add_parameter(value, order, entry, number);
    }
    return parameter;
  }

  const LayoutGroups& groups_;
  const LayoutOrders& orders_;
  const hlo::Program& program_;
  fuse::ProgramWriter out_;
  IndexedVector<InstructionId, InstructionId> values_;  ///< Of running computations.
  /// Copies of a value; parameters of a kernel alone.
  std::map<std::pair<InstructionId, LayoutOrderId>, InstructionId> copies_;
};

}  // namespace

Result<hlo::ProgramPtr> write_layouts(const LayoutGroups& groups, const LayoutOrders& orders) {
  return LayoutWriter(groups, orders).whole();
}

Result<hlo::ProgramPtr> write_kernel(const LayoutGroups& groups, const LayoutOrders& orders,
                                     InstructionId kernel) {
  return LayoutWriter(groups, orders).kernel(kernel);
}

Result<hlo::ProgramPtr> write_copy(const LayoutGroups& groups, const LayoutCopy& copy) {
  const LayoutOrders none;
  return LayoutWriter(groups, none).copy(copy);
}

}  // namespace hloscope::tune
