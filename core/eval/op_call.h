#pragma once

#include <functional>
#include <span>
#include <string>

#include "core/eval/budget.h"
#include "core/eval/index_walk.h"
#include "core/eval/scalar_function.h"
#include "core/eval/value.h"
#include "core/hlo/program.h"

namespace hloscope::eval {

/// Index of a dimension, which XLA counts signed.
[[nodiscard]] inline size_t at(int64_t dimension) {
  return static_cast<size_t>(dimension);
}

/// Runs a called computation.
using RunComputation =
    std::function<Result<Value>(hlo::ComputationId, std::span<const Value> arguments)>;

/// One instruction that is being evaluated: what the functions of ops.h get.
class OpCall {
 public:
  OpCall(const hlo::Program& program, hlo::InstructionId id, std::span<const Value> operands,
         Budget& budget, const RunComputation& run)
      : program_(program), id_(id), operands_(operands), budget_(budget), run_(run) {}

  [[nodiscard]] const hlo::Program& program() const { return program_; }
  [[nodiscard]] hlo::InstructionId id() const { return id_; }
  [[nodiscard]] hlo::Opcode opcode() const { return program_[id_].opcode; }
  [[nodiscard]] const hlo::Shape& shape() const { return program_.shape(id_); }
  [[nodiscard]] std::span<const int64_t> ints(hlo::AttrKey key) const {
    return program_.ints(id_, key);
  }

  [[nodiscard]] std::span<const Value> operands() const { return operands_; }
  [[nodiscard]] const Value& operand(size_t i) const { return operands_[i]; }
  /// kInvalidInput when there is no such operand or it is no array.
  [[nodiscard]] Result<const Array*> array(size_t i) const;
  /// The integer in a scalar operand, or in element `element` of a vector.
  [[nodiscard]] Result<int64_t> integer(size_t i, size_t element = 0) const;

  [[nodiscard]] Status spend(int64_t operations) const { return budget_.spend(operations); }
  [[nodiscard]] Status check_budget(double operations) const { return budget_.check(operations); }
  /// An array of zeros of the instruction's shape, after its size has been checked and counted.
  [[nodiscard]] Result<Array> new_array() const { return new_array(program_[id_].shape); }
  [[nodiscard]] Result<Array> new_array(hlo::ShapeId shape) const;
  /// Arrays of the instruction's shape, or of the elements of its tuple.
  [[nodiscard]] Result<std::vector<Array>> new_arrays() const;
  /// The arrays as the instruction's value: a tuple where its shape is one.
  [[nodiscard]] Value value_of(std::vector<Array> arrays) const;

  [[nodiscard]] Result<Value> run(hlo::ComputationId computation,
                                  std::span<const Value> arguments) const {
    return run_(computation, arguments);
  }
  /// The computation of an attribute, ready to be applied to elements.
  [[nodiscard]] Result<ScalarFunction> function(hlo::AttrKey key) const;

  /// kInvalidInput at this instruction; `what` follows its opcode and name.
  [[nodiscard]] Error invalid(const std::string& what) const;
  [[nodiscard]] Error unsupported(const std::string& what) const;
  /// invalid(what) unless `good`.
  [[nodiscard]] Status require(bool good, const char* what) const;

 private:
  const hlo::Program& program_;
  hlo::InstructionId id_;
  std::span<const Value> operands_;
  Budget& budget_;
  const RunComputation& run_;
};

/// Fills `to` from `from`: element by element, `source(index in to, index in from)` says where it
/// comes from. kInvalidInput when it comes from outside.
template <typename Source>
[[nodiscard]] Status remap(const OpCall& call, const Array& from, Array& to, Source&& source) {
  Dims index(from.dimensions.size(), 0);
  for (IndexWalk at(to.dimensions); !at.done(); at.next()) {
    source(at.index(), index);
    const auto position = position_of(from.dimensions, index);
    if (!position) return fail(call.invalid("has a shape that does not fit its operand"));
    to.elements[at.position()] = from.elements[*position];
  }
  return {};
}

}  // namespace hloscope::eval
