#include "core/sim/flat_body.h"

#include <map>

#include "core/graph/callee_order.h"

namespace hloscope::sim {

namespace {

using hlo::InstructionId;
using hlo::Opcode;

// Bodies that call each other many times are opened up to here, and calls beyond stay one node.
constexpr size_t kMaxNodes = 100'000;
// The same of instructions gone through, most of which may leave no node.
constexpr size_t kMaxSteps = 1'000'000;
// Calls inside calls: no compiler nests fusions more than a few levels deep.
constexpr int kMaxDepth = 300;

// What an instruction stands for: the arrays of its result.
using Values = std::vector<FlatId>;

class Flattener {
 public:
  explicit Flattener(const hlo::Program& program) : program_(program) {}

  FlatBody run(InstructionId kernel) {
    std::vector<Values> operands;
    for (InstructionId operand : program_.operands(kernel)) operands.push_back(leaves(operand));
    body_.outputs = instruction(kernel, operands);
    return std::move(body_);
  }

 private:
  // The arrays of an operand of the kernel.
  Values leaves(InstructionId id) {
    const auto known = leaves_.find(id);
    if (known != leaves_.end()) return known->second;
    Values values;
    add_leaves(id, program_[id].shape, values);
    leaves_.emplace(id, values);
    return values;
  }

  void add_leaves(InstructionId id, hlo::ShapeId shape_id, Values& values) {
    const hlo::Shape& shape = program_.shape(shape_id);
    if (shape.is_tuple()) {
      for (hlo::ShapeId element : shape.elements) add_leaves(id, element, values);
    } else {
      values.push_back(body_.nodes.push_back(
          {.instruction = id, .shape = shape_id, .operands = {}, .is_leaf = true}));
    }
  }

  hlo::ShapeId first_array(hlo::ShapeId id) const {
    while (program_.shape(id).is_tuple() && !program_.shape(id).elements.empty()) {
      id = program_.shape(id).elements.front();
    }
    return id;
  }

  size_t array_count(hlo::ShapeId id) const {
    return static_cast<size_t>(std::max<int64_t>(program_.shapes().leaf_count(id), 1));
  }

  // Whether the computation that an instruction calls takes the instruction's place.
  bool opens(InstructionId id) const {
    const Opcode opcode = program_[id].opcode;
    return graph::inlines_callees(opcode) && opcode != Opcode::kWhile &&
           program_.called(id).size() == 1 && body_.nodes.size() < kMaxNodes &&
           steps_ < kMaxSteps && depth_ < kMaxDepth;
  }

  Values instruction(InstructionId id, const std::vector<Values>& operands) {
    const Opcode opcode = program_[id].opcode;
    if (opcode == Opcode::kTuple) return joined(operands);
    if (opcode == Opcode::kGetTupleElement) return element(id, operands);
    if (opens(id)) return computation(program_.called(id)[0], operands);
    const bool passes_on = opcode == Opcode::kAsyncDone || opcode == Opcode::kAsyncUpdate ||
                           opcode == Opcode::kOptBarrier || opcode == Opcode::kDomain ||
                           opcode == Opcode::kAddDependency;
    if (passes_on && !operands.empty()) return operands.front();
    const FlatId node = body_.nodes.push_back({.instruction = id,
                                               .shape = first_array(program_[id].shape),
                                               .operands = joined(operands)});
    // The arrays of a sort or of a reduction of several values are cut alike.
    return Values(array_count(program_[id].shape), node);
  }

  static Values joined(const std::vector<Values>& operands) {
    Values all;
    for (const Values& values : operands) all.insert(all.end(), values.begin(), values.end());
    return all;
  }

  // An element of a tuple: its arrays stand one after the other.
  Values element(InstructionId id, const std::vector<Values>& operands) {
    const hlo::Shape& tuple = program_.shape(program_.operands(id)[0]);
    const auto index = static_cast<size_t>(std::max<int64_t>(program_[id].number, 0));
    if (operands.empty() || index >= tuple.elements.size()) return joined(operands);
    size_t begin = 0;
    for (size_t i = 0; i < index; ++i) begin += array_count(tuple.elements[i]);
    const size_t count = array_count(tuple.elements[index]);
    const Values& all = operands.front();
    if (begin + count > all.size()) return all;
    return {all.begin() + static_cast<std::ptrdiff_t>(begin),
            all.begin() + static_cast<std::ptrdiff_t>(begin + count)};
  }

  Values computation(hlo::ComputationId id, const std::vector<Values>& arguments) {
    ++depth_;
    std::map<InstructionId, Values> values;
    for (InstructionId inner : program_[id].instructions) {
      ++steps_;
      if (program_[inner].opcode == Opcode::kParameter) {
        const auto number = static_cast<size_t>(std::max<int64_t>(program_[inner].number, 0));
        values[inner] = number < arguments.size() ? arguments[number] : Values();
        continue;
      }
      std::vector<Values> operands;
      for (InstructionId operand : program_.operands(inner)) operands.push_back(values[operand]);
      values[inner] = instruction(inner, operands);
    }
    --depth_;
    return values[program_[id].root];
  }

  const hlo::Program& program_;
  FlatBody body_;
  size_t steps_ = 0;
  int depth_ = 0;
  std::map<InstructionId, Values> leaves_;
};

}  // namespace

FlatBody flatten(const hlo::Program& program, InstructionId kernel) {
  return Flattener(program).run(kernel);
}

}  // namespace hloscope::sim
