#include <algorithm>

#include "core/eval/ops.h"

namespace hloscope::eval {

namespace {

using hlo::AttrKey;

// The branch that a conditional takes: true first; an index outside takes the last.
Result<size_t> branch_of(const OpCall& call, size_t count) {
  HLOSCOPE_ASSIGN(const int64_t index, call.integer(0));
  if (call.operand(0).array().type == hlo::PrimitiveType::kPred) return index != 0 ? 0 : 1;
  const auto last = static_cast<int64_t>(count) - 1;
  return static_cast<size_t>(index < 0 ? last : std::min(index, last));
}

}  // namespace

Result<Value> call_computation(const OpCall& call) {
  const auto called = call.program().called(call.id());
  HLOSCOPE_TRY(call.require(called.size() == 1, "does not call one computation"));
  return call.run(called[0], call.operands());
}

Result<Value> conditional(const OpCall& call) {
  const auto branches = call.program().called(call.id());
  HLOSCOPE_TRY(call.require(branches.size() + 1 == call.operands().size() && !branches.empty(),
                            "does not have one operand per branch"));
  HLOSCOPE_ASSIGN(const size_t branch, branch_of(call, branches.size()));
  HLOSCOPE_TRY(call.require(branch < branches.size(), "lacks a branch"));
  return call.run(branches[branch], call.operands().subspan(1 + branch, 1));
}

Result<Value> get_dimension_size(const OpCall& call) {
  HLOSCOPE_ASSIGN(const Array* from, call.array(0));
  HLOSCOPE_ASSIGN(Array out, call.new_array());
  const auto dims = call.ints(AttrKey::kDimensions);
  HLOSCOPE_TRY(call.require(dims.size() == 1 && are_dimensions(dims, from->dimensions.size()) &&
                                out.dimensions.empty() && domain(out.type) == Domain::kInteger,
                            "asks for a dimension that its operand does not have"));
  const int64_t size = from->dimensions[static_cast<size_t>(dims[0])];
  out.elements[0] = Scalar::of(wrapped(out.type, size));
  return Value(std::move(out));
}

Result<Value> get_tuple_element(const OpCall& call) {
  const int64_t number = call.program()[call.id()].number;
  const Value& from = call.operand(0);
  HLOSCOPE_TRY(call.require(
      from.is_tuple() && number >= 0 && static_cast<size_t>(number) < from.elements().size(),
      "asks for an element that its operand does not have"));
  return from.elements()[static_cast<size_t>(number)];
}

Result<Value> make_tuple(const OpCall& call) {
  return Value::tuple(std::vector<Value>(call.operands().begin(), call.operands().end()));
}

Result<Value> pass_on(const OpCall& call) {
  // Several values come out of a barrier as they went in: it has one operand, a tuple.
  HLOSCOPE_TRY(call.require(!call.operands().empty(), "has no operand"));
  return call.operand(0);
}

Result<Value> while_loop(const OpCall& call) {
  const hlo::ComputationId condition = call.program().computation(call.id(), AttrKey::kCondition);
  const hlo::ComputationId body = call.program().computation(call.id(), AttrKey::kBody);
  HLOSCOPE_TRY(call.require(condition.valid() && body.valid(), "lacks its computations"));
  Value state = call.operand(0);
  while (true) {
    HLOSCOPE_TRY(call.spend(1));
    HLOSCOPE_ASSIGN(const Value goes_on, call.run(condition, std::span(&state, 1)));
    HLOSCOPE_TRY(call.require(goes_on.is_array() && goes_on.array().elements.size() == 1,
                              "has a condition that gives no pred"));
    if (goes_on.array().elements[0].i == 0) return state;
    HLOSCOPE_ASSIGN(state, call.run(body, std::span(&state, 1)));
  }
}

}  // namespace hloscope::eval
