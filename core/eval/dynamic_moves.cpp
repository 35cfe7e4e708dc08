#include <algorithm>

#include "core/eval/ops.h"

namespace hloscope::eval {

namespace {

// The start of a window of `sizes`, from one index per dimension or all in one vector, moved so
// that the window lies inside of the array.
Result<Dims> clamped_start(const OpCall& call, size_t first, const Dims& dimensions,
                           const Dims& sizes) {
  const size_t count = call.operands().size() - first;
  // A vector holds all indices; it is empty for scalars.
  const bool vector = count == 1 && call.operand(first).is_array() &&
                      call.operand(first).array().dimensions.size() == 1;
  bool fits = sizes.size() == dimensions.size() && (vector || count == dimensions.size());
  for (size_t d = 0; fits && d < sizes.size(); ++d) {
    fits = sizes[d] >= 0 && sizes[d] <= dimensions[d];
  }
  HLOSCOPE_TRY(call.require(fits, "has sizes that do not fit its operand"));
  Dims start;
  for (size_t d = 0; d < dimensions.size(); ++d) {
    HLOSCOPE_ASSIGN(const int64_t index, vector ? call.integer(first, d) : call.integer(first + d));
    start.push_back(std::clamp<int64_t>(index, 0, dimensions[d] - sizes[d]));
  }
  return start;
}

}  // namespace

Result<Value> dynamic_slice(const OpCall& call) {
  HLOSCOPE_ASSIGN(const Array* from, call.array(0));
  HLOSCOPE_ASSIGN(Array out, call.new_array());
  HLOSCOPE_TRY(call.require(from->type == out.type, "changes the type of its operand"));
  HLOSCOPE_ASSIGN(const Dims start, clamped_start(call, 1, from->dimensions, out.dimensions));
  HLOSCOPE_TRY(remap(call, *from, out, [&](const Dims& index, Dims& source) {
    for (size_t d = 0; d < index.size(); ++d) source[d] = start[d] + index[d];
  }));
  return Value(std::move(out));
}

Result<Value> dynamic_update_slice(const OpCall& call) {
  HLOSCOPE_ASSIGN(const Array* from, call.array(0));
  HLOSCOPE_ASSIGN(const Array* update, call.array(1));
  HLOSCOPE_ASSIGN(Array out, call.new_array());
  HLOSCOPE_TRY(call.require(
      from->type == out.type && update->type == out.type && from->dimensions == out.dimensions,
      "has operands that do not fit its result"));
  HLOSCOPE_ASSIGN(const Dims start, clamped_start(call, 2, from->dimensions, update->dimensions));
  out.elements = from->elements;
  Dims index(start.size(), 0);
  for (IndexWalk walk(update->dimensions); !walk.done(); walk.next()) {
    for (size_t d = 0; d < index.size(); ++d) index[d] = start[d] + walk.index()[d];
    out.elements[*position_of(out.dimensions, index)] = update->elements[walk.position()];
  }
  return Value(std::move(out));
}

}  // namespace hloscope::eval
