#include "core/eval/evaluate.h"

#include <fmt/format.h>

#include <functional>

#include "core/eval/budget.h"
#include "core/eval/constant.h"
#include "core/eval/ops.h"
#include "core/hlo/structure_calls.h"

namespace hloscope::eval {

namespace {

using hlo::Opcode;

// Each level of calls takes stack.
constexpr int kMostLevels = 400;

using OpFunction = Result<Value> (*)(const OpCall&);

struct OpEntry {
  Opcode opcode;
  OpFunction function;
};

// Without parameters, constants and what works element by element.
constexpr OpEntry kFunctions[] = {
    {Opcode::kAddDependency, pass_on},
    {Opcode::kBitcast, bitcast},
    {Opcode::kBitcastConvert, bitcast_convert},
    {Opcode::kBroadcast, broadcast},
    {Opcode::kCall, call_computation},
    {Opcode::kConcatenate, concatenate},
    {Opcode::kConditional, conditional},
    {Opcode::kConvolution, convolution},
    {Opcode::kCopy, pass_on},
    {Opcode::kDomain, pass_on},
    {Opcode::kDot, dot},
    {Opcode::kDynamicSlice, dynamic_slice},
    {Opcode::kDynamicUpdateSlice, dynamic_update_slice},
    {Opcode::kFusion, call_computation},
    {Opcode::kGather, gather},
    {Opcode::kGetDimensionSize, get_dimension_size},
    {Opcode::kGetTupleElement, get_tuple_element},
    {Opcode::kIota, iota},
    {Opcode::kMap, map},
    {Opcode::kOptBarrier, pass_on},
    {Opcode::kPad, pad},
    {Opcode::kReduce, reduce},
    {Opcode::kReduceWindow, reduce_window},
    {Opcode::kReshape, reshape},
    {Opcode::kReverse, reverse},
    {Opcode::kScatter, scatter},
    {Opcode::kSelectAndScatter, select_and_scatter},
    {Opcode::kSlice, slice},
    {Opcode::kSort, sort},
    {Opcode::kTranspose, transpose},
    {Opcode::kTuple, make_tuple},
    {Opcode::kWhile, while_loop},
};

// What evaluates an opcode; null for unknown ones, parameters and constants.
OpFunction function_of(Opcode opcode) {
  for (const OpEntry& entry : kFunctions) {
    if (entry.opcode == opcode) return entry.function;
  }
  return is_scalar_op(opcode) ? elementwise : nullptr;
}

// Gives on what it gets, so that nothing new is kept.
bool is_alias(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAddDependency:
    case Opcode::kCopy:
    case Opcode::kDomain:
    case Opcode::kGetTupleElement:
    case Opcode::kOptBarrier:
    case Opcode::kParameter:
    case Opcode::kTuple:
      return true;
    default:
      return false;
  }
}

class Evaluator {
 public:
  Evaluator(const hlo::Program& program, const Options& options)
      : program_(program),
        budget_(options.max_operations, options.max_live_elements, options.progress),
        run_([this](hlo::ComputationId id, std::span<const Value> arguments) {
          return run(id, arguments);
        }) {}

  Result<Value> run(hlo::ComputationId id, std::span<const Value> arguments) {
    if (level_ == kMostLevels) {
      return fail(ErrorCode::kUnsupported,
                  fmt::format("calls are nested more than {} levels deep", kMostLevels));
    }
    if (arguments.size() != program_.parameters(id).size()) {
      return fail(ErrorCode::kInvalidInput,
                  fmt::format("computation \"{}\" takes {} arguments, but gets {}",
                              program_[id].name, program_.parameters(id).size(), arguments.size()));
    }
    ++level_;
    Frame frame(program_, id);
    Result<Value> result = run_frame(frame, arguments);
    --level_;
    budget_.release(frame.held);
    return result;
  }

 private:
  // The values of one run of a computation; each is let go after its last use.
  struct Frame {
    Frame(const hlo::Program& program, hlo::ComputationId id)
        : computation(program[id]),
          first(computation.instructions.empty() ? 0 : computation.instructions.front().value),
          values(computation.instructions.size()),
          uses(computation.instructions.size(), 0) {
      // What the root does not need is not evaluated.
      uses[place(computation.root)] = 1;
      for (size_t i = values.size(); i-- > 0;) {
        if (uses[i] == 0) continue;
        for (const hlo::InstructionId operand : program.operands(computation.instructions[i])) {
          ++uses[place(operand)];
        }
      }
    }
    [[nodiscard]] size_t place(hlo::InstructionId id) const { return id.value - first; }

    const hlo::Computation& computation;
    uint32_t first;
    std::vector<Value> values;
    std::vector<uint32_t> uses;
    int64_t held = 0;
  };

  Result<Value> run_frame(Frame& frame, std::span<const Value> arguments) {
    for (const hlo::InstructionId id : frame.computation.instructions) {
      if (frame.uses[frame.place(id)] == 0) continue;
      HLOSCOPE_TRY(budget_.spend(1));
      HLOSCOPE_ASSIGN(Value value, value_of(frame, id, arguments));
      HLOSCOPE_TRY(check_value(id, value));
      if (!is_alias(program_[id].opcode)) {
        const int64_t count = value.element_count();
        HLOSCOPE_TRY(located(id, budget_.hold(count)));
        frame.held += count;
      }
      frame.values[frame.place(id)] = std::move(value);
      for (const hlo::InstructionId operand : program_.operands(id)) let_go(frame, operand);
    }
    return frame.values[frame.place(frame.computation.root)];
  }

  void let_go(Frame& frame, hlo::InstructionId id) {
    const size_t place = frame.place(id);
    if (--frame.uses[place] > 0) return;
    if (!is_alias(program_[id].opcode)) {
      const int64_t count = frame.values[place].element_count();
      budget_.release(count);
      frame.held -= count;
    }
    frame.values[place] = Value();
  }

  Result<Value> value_of(const Frame& frame, hlo::InstructionId id,
                         std::span<const Value> arguments) {
    const hlo::Instruction& instruction = program_[id];
    switch (instruction.opcode) {
      case Opcode::kParameter:
        return arguments[static_cast<size_t>(instruction.number)];
      case Opcode::kConstant:
        return constant(id);
      case Opcode::kAfterAll:
        return Value();
      case Opcode::kPartitionId:
      case Opcode::kReplicaId:
        return Value(Array{program_.shape(id).element_type, {}, {Scalar::of(int64_t{0})}});
      default:
        break;
    }
    std::vector<Value> operands;
    for (const hlo::InstructionId operand : program_.operands(id)) {
      operands.push_back(frame.values[frame.place(operand)]);
    }
    const OpCall call(program_, id, operands, budget_, run_);
    const OpFunction function = function_of(instruction.opcode);
    if (function == nullptr) return fail(call.unsupported("is not supported"));
    return located(id, function(call));
  }

  Result<Value> constant(hlo::InstructionId id) {
    const int64_t count = element_count(program_.shapes(), program_[id].shape);
    HLOSCOPE_TRY(located(id, budget_.spend(count)));
    HLOSCOPE_TRY(located(id, budget_.hold(count)));
    budget_.release(count);
    return located(id, literal_value(program_, program_[id].literal));
  }

  // Instructions say which shape they have, and XLA's parser takes what does not fit.
  Status check_value(hlo::InstructionId id, const Value& value) const {
    if (fits(value, program_.shapes(), program_[id].shape)) return {};
    return located(
        id, Status(fail(ErrorCode::kInvalidInput,
                        fmt::format("\"{}\" should give {}, but its value is {}", program_[id].name,
                                    program_.shapes().text(program_[id].shape, false),
                                    shape_text(value)))));
  }

  // Adds the place in the source to an error that has none.
  template <typename T>
  Result<T> located(hlo::InstructionId id, Result<T> result) const {
    if (!result && result.error().line == 0 && program_[id].span.length > 0) {
      Error& error = result.error();
      Error at = hlo::structure_error(program_, id, error.message, error.hint);
      at.code = error.code;
      error = std::move(at);
    }
    return result;
  }

  const hlo::Program& program_;
  Budget budget_;
  RunComputation run_;
  int level_ = 0;
};

Status check_arguments(const hlo::Program& program, hlo::ComputationId computation,
                       std::span<const Value> arguments) {
  const auto parameters = program.parameters(computation);
  if (arguments.size() != parameters.size()) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("the program takes {} arguments, but {} are given", parameters.size(),
                            arguments.size()));
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    const hlo::ShapeId shape = program[parameters[i]].shape;
    if (fits(arguments[i], program.shapes(), shape)) continue;
    return fail(
        ErrorCode::kInvalidInput,
        fmt::format("argument {} (\"{}\") should be {}, but is {}", i, program[parameters[i]].name,
                    program.shapes().text(shape, false), shape_text(arguments[i])));
  }
  return {};
}

}  // namespace

Result<Value> evaluate(const hlo::Program& program, std::span<const Value> arguments,
                       const Options& options) {
  return evaluate(program, program.entry(), arguments, options);
}

Result<Value> evaluate(const hlo::Program& program, hlo::ComputationId computation,
                       std::span<const Value> arguments, const Options& options) {
  HLOSCOPE_TRY(check_arguments(program, computation, arguments));
  return Evaluator(program, options).run(computation, arguments);
}

bool is_supported(Opcode opcode) {
  switch (opcode) {
    case Opcode::kParameter:
    case Opcode::kConstant:
    case Opcode::kAfterAll:
    case Opcode::kPartitionId:
    case Opcode::kReplicaId:
      return true;
    default:
      return function_of(opcode) != nullptr;
  }
}

}  // namespace hloscope::eval
