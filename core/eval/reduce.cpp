#include "core/eval/ops.h"

namespace hloscope::eval {

namespace {

using hlo::AttrKey;

Status check_reduce(const OpCall& call, std::span<const int64_t> dims, size_t count,
                    const std::vector<Array>& results) {
  bool fits = results.size() == count;
  HLOSCOPE_ASSIGN(const Array* first, call.array(0));
  const size_t rank = first->dimensions.size();
  fits = fits && are_dimensions(dims, rank);
  Dims kept;
  for (const int64_t d : other_dimensions(rank, {dims})) {
    kept.push_back(first->dimensions[static_cast<size_t>(d)]);
  }
  for (size_t k = 0; k < count; ++k) {
    HLOSCOPE_ASSIGN(const Array* from, call.array(k));
    HLOSCOPE_ASSIGN(const Array* init, call.array(count + k));
    fits = fits && from->dimensions == first->dimensions && init->dimensions.empty() &&
           results[k].dimensions == kept && results[k].type == init->type;
  }
  return call.require(fits, "has a result that does not fit its operands");
}

}  // namespace

Result<Value> reduce(const OpCall& call) {
  const size_t count = call.operands().size() / 2;
  const auto dims = call.ints(AttrKey::kDimensions);
  HLOSCOPE_ASSIGN(std::vector<Array> results, call.new_arrays());
  HLOSCOPE_TRY(check_reduce(call, dims, count, results));
  HLOSCOPE_ASSIGN(ScalarFunction f, call.function(AttrKey::kToApply));
  HLOSCOPE_TRY(call.require(f.result_count() == count, "combines another number of values"));
  for (size_t k = 0; k < count; ++k) {
    const Scalar init = call.operand(count + k).array().elements[0];
    results[k].elements.assign(results[k].elements.size(), init);
  }
  const Dims& from = call.operand(0).array().dimensions;
  const Dims kept = other_dimensions(from.size(), {dims});
  Dims index(kept.size(), 0);
  std::vector<Scalar> inputs(2 * count);
  std::vector<Scalar> outputs(count);
  for (IndexWalk walk(from); !walk.done(); walk.next()) {
    HLOSCOPE_TRY(call.spend(f.cost()));
    for (size_t d = 0; d < kept.size(); ++d) {
      index[d] = walk.index()[static_cast<size_t>(kept[d])];
    }
    const size_t place = *position_of(results[0].dimensions, index);
    for (size_t k = 0; k < count; ++k) {
      inputs[k] = results[k].elements[place];
      inputs[count + k] = call.operand(k).array().elements[walk.position()];
    }
    HLOSCOPE_TRY(f.apply(inputs, outputs));
    for (size_t k = 0; k < count; ++k) results[k].elements[place] = outputs[k];
  }
  return call.value_of(std::move(results));
}

}  // namespace hloscope::eval
