#include "core/eval/ops.h"

namespace hloscope::eval {

namespace {

Status check_operands(const OpCall& call, const Dims& dimensions, bool scalars_allowed) {
  for (size_t i = 0; i < call.operands().size(); ++i) {
    HLOSCOPE_ASSIGN(const Array* operand, call.array(i));
    const bool fits =
        operand->dimensions == dimensions || (scalars_allowed && operand->dimensions.empty());
    HLOSCOPE_TRY(call.require(fits, "has operands of different sizes"));
  }
  return {};
}

}  // namespace

Result<Value> elementwise(const OpCall& call) {
  // The predicate of select and the bounds of clamp may be one scalar for all elements.
  const bool scalars =
      call.opcode() == hlo::Opcode::kSelect || call.opcode() == hlo::Opcode::kClamp;
  HLOSCOPE_ASSIGN(const ScalarOp op, scalar_op(call.program(), call.id()));
  HLOSCOPE_ASSIGN(Array out, call.new_array());
  HLOSCOPE_TRY(check_operands(call, out.dimensions, scalars));
  const size_t arity = call.operands().size();
  const Array* operands[3] = {};
  size_t step[3] = {};
  for (size_t k = 0; k < arity; ++k) {
    operands[k] = &call.operand(k).array();
    step[k] = operands[k]->dimensions.empty() ? 0 : 1;
  }
  Scalar inputs[3];
  for (size_t i = 0; i < out.elements.size(); ++i) {
    for (size_t k = 0; k < arity; ++k) inputs[k] = operands[k]->elements[i * step[k]];
    out.elements[i] = apply(op, inputs);
  }
  return Value(std::move(out));
}

Result<Value> map(const OpCall& call) {
  HLOSCOPE_ASSIGN(ScalarFunction f, call.function(hlo::AttrKey::kToApply));
  HLOSCOPE_ASSIGN(Array out, call.new_array());
  HLOSCOPE_TRY(check_operands(call, out.dimensions, false));
  HLOSCOPE_TRY(call.require(f.result_count() == 1, "applies a computation with several results"));
  std::vector<Scalar> inputs(call.operands().size());
  for (size_t i = 0; i < out.elements.size(); ++i) {
    HLOSCOPE_TRY(call.spend(f.cost()));
    for (size_t k = 0; k < inputs.size(); ++k) inputs[k] = call.operand(k).array().elements[i];
    HLOSCOPE_TRY(f.apply(inputs, std::span(&out.elements[i], 1)));
  }
  return Value(std::move(out));
}

}  // namespace hloscope::eval
