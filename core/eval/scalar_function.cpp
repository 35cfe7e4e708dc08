#include "core/eval/scalar_function.h"

#include <algorithm>
#include <unordered_map>

#include "core/eval/constant.h"

namespace hloscope::eval {

namespace {

using hlo::Opcode;

// A function of more steps (calls in place may double them at each level) is not made flat.
constexpr size_t kMostSteps = 4096;
constexpr int kMostScalarLevels = 64;

bool is_scalar(const hlo::Program& program, hlo::InstructionId id) {
  const hlo::Shape& shape = program.shape(id);
  return shape.is_array() && shape.rank() == 0;
}

// Opcodes that give a scalar on unchanged when operand and result are scalars of one type.
bool passes_on(Opcode opcode) {
  switch (opcode) {
    case Opcode::kBitcast:
    case Opcode::kBroadcast:
    case Opcode::kCopy:
    case Opcode::kReshape:
    case Opcode::kTranspose:
      return true;
    default:
      return false;
  }
}

}  // namespace

// Walks a computation and, in place, what it calls. Every instruction stands for one register, or
// for several when it is a tuple.
class ScalarCompiler {
 public:
  using Registers = std::vector<uint32_t>;

  explicit ScalarCompiler(const hlo::Program& program) : program_(program) {}

  std::optional<ScalarFunction> compile(hlo::ComputationId id) {
    std::vector<Registers> arguments;
    for (const hlo::InstructionId parameter : program_.parameters(id)) {
      if (!is_scalar(program_, parameter) ||
          !is_supported(program_.shape(parameter).element_type)) {
        return std::nullopt;
      }
      arguments.push_back({new_register()});
    }
    auto results = inline_computation(id, arguments, 0);
    if (!results) return std::nullopt;
    f_.results_ = std::move(*results);
    f_.result_count_ = f_.results_.size();
    f_.cost_ = std::max<int64_t>(1, static_cast<int64_t>(f_.steps_.size()));
    return std::move(f_);
  }

 private:
  uint32_t new_register() {
    f_.registers_.emplace_back();
    return static_cast<uint32_t>(f_.registers_.size() - 1);
  }

  std::optional<Registers> inline_computation(hlo::ComputationId id,
                                              const std::vector<Registers>& arguments, int level) {
    const auto& instructions = program_[id].instructions;
    if (level > kMostScalarLevels || instructions.size() > kMostSteps) return std::nullopt;
    std::unordered_map<hlo::InstructionId, Registers> known;
    for (const hlo::InstructionId instruction : instructions) {
      if (f_.registers_.size() > kMostSteps) return std::nullopt;
      auto registers = registers_of(instruction, arguments, known, level);
      if (!registers) return std::nullopt;
      known.emplace(instruction, std::move(*registers));
    }
    return known.at(program_[id].root);
  }

  using Known = std::unordered_map<hlo::InstructionId, Registers>;

  std::optional<Registers> registers_of(hlo::InstructionId id,
                                        const std::vector<Registers>& arguments, const Known& known,
                                        int level) {
    const hlo::Instruction& instruction = program_[id];
    const auto operands = program_.operands(id);
    switch (instruction.opcode) {
      case Opcode::kParameter: {
        const auto number = static_cast<size_t>(instruction.number);
        return number < arguments.size() ? std::optional(arguments[number]) : std::nullopt;
      }
      case Opcode::kConstant:
        return constant(id);
      case Opcode::kTuple:
        return tuple(operands, known);
      case Opcode::kGetTupleElement: {
        // Tuples of scalars only, so registers and elements are the same.
        const Registers& all = known.at(operands[0]);
        const auto number = static_cast<size_t>(instruction.number);
        return number < all.size() ? std::optional(Registers{all[number]}) : std::nullopt;
      }
      case Opcode::kCall:
      case Opcode::kFusion: {
        std::vector<Registers> inner;
        for (const hlo::InstructionId operand : operands) inner.push_back(known.at(operand));
        const auto called = program_.called(id);
        return called.size() == 1 ? inline_computation(called[0], inner, level + 1) : std::nullopt;
      }
      default:
        return step(id, known);
    }
  }

  std::optional<Registers> tuple(std::span<const hlo::InstructionId> operands, const Known& known) {
    Registers out;
    for (const hlo::InstructionId operand : operands) {
      if (!is_scalar(program_, operand)) return std::nullopt;
      out.push_back(known.at(operand)[0]);
    }
    return out;
  }

  std::optional<Registers> constant(hlo::InstructionId id) {
    if (!is_scalar(program_, id)) return std::nullopt;
    const Result<Value> value = literal_value(program_, program_[id].literal);
    if (!value || !value->is_array()) return std::nullopt;
    const uint32_t place = new_register();
    f_.registers_[place] = value->array().elements[0];
    return Registers{place};
  }

  std::optional<Registers> step(hlo::InstructionId id, const Known& known) {
    const auto operands = program_.operands(id);
    if (!is_scalar(program_, id)) return std::nullopt;
    for (const hlo::InstructionId operand : operands) {
      if (!is_scalar(program_, operand)) return std::nullopt;
    }
    if (passes_on(program_[id].opcode)) {
      const bool same = operands.size() == 1 &&
                        program_.shape(operands[0]).element_type == program_.shape(id).element_type;
      return same ? std::optional(known.at(operands[0])) : std::nullopt;
    }
    const Result<ScalarOp> op = scalar_op(program_, id);
    if (!op || operands.size() > 3) return std::nullopt;
    ScalarFunction::Step step;
    step.op = *op;
    for (size_t i = 0; i < operands.size(); ++i) step.operands[i] = known.at(operands[i])[0];
    step.result = new_register();
    f_.steps_.push_back(step);
    return Registers{step.result};
  }

  const hlo::Program& program_;
  ScalarFunction f_;
};

std::optional<ScalarFunction> ScalarFunction::compile(const hlo::Program& program,
                                                      hlo::ComputationId computation) {
  return ScalarCompiler(program).compile(computation);
}

ScalarFunction ScalarFunction::general(size_t results, int64_t cost, General run) {
  ScalarFunction f;
  f.result_count_ = results;
  f.cost_ = cost;
  f.general_ = std::move(run);
  return f;
}

Status ScalarFunction::apply(std::span<const Scalar> arguments, std::span<Scalar> results) {
  if (general_) return general_(arguments, results);
  std::copy(arguments.begin(), arguments.end(), registers_.begin());
  for (const Step& step : steps_) {
    const Scalar operands[3] = {registers_[step.operands[0]], registers_[step.operands[1]],
                                registers_[step.operands[2]]};
    registers_[step.result] = eval::apply(step.op, operands);
  }
  for (size_t i = 0; i < results_.size(); ++i) results[i] = registers_[results_[i]];
  return {};
}

}  // namespace hloscope::eval
