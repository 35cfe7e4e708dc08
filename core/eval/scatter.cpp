#include "core/eval/index_rows.h"
#include "core/eval/ops.h"

namespace hloscope::eval {

namespace {

using hlo::AttrKey;

// How the dimensions of updates belong to those of the operand.
struct WindowMap {
  std::span<const int64_t> update_dims;  // Of the updates, in a window.
  Dims operand_dims;                     // Of the operand, one per entry above.
  Dims batch_dims;                       // Of the updates, not in a window.
};

struct Operands {
  std::vector<const Array*> updates;
  std::vector<Array> results;  // Start as the operands.
};

Result<Operands> read_operands(const OpCall& call, size_t count) {
  Operands out;
  HLOSCOPE_ASSIGN(out.results, call.new_arrays());
  HLOSCOPE_TRY(call.require(out.results.size() == count, "has another number of results"));
  for (size_t k = 0; k < count; ++k) {
    HLOSCOPE_ASSIGN(const Array* operand, call.array(k));
    HLOSCOPE_ASSIGN(const Array* update, call.array(count + 1 + k));
    const Array& result = out.results[k];
    HLOSCOPE_TRY(call.require(operand->dimensions == result.dimensions &&
                                  operand->dimensions == out.results[0].dimensions &&
                                  operand->type == result.type && update->type == result.type,
                              "has results that do not fit its operands"));
    out.results[k].elements = operand->elements;
    out.updates.push_back(update);
    HLOSCOPE_TRY(call.require(update->dimensions == out.updates[0]->dimensions,
                              "has updates of different sizes"));
  }
  return out;
}

Result<WindowMap> window_map(const OpCall& call, size_t rank, const Dims& updates,
                             const IndexRows& rows) {
  WindowMap map;
  map.update_dims = call.ints(AttrKey::kUpdateWindowDims);
  map.operand_dims = other_dimensions(
      rank, {call.ints(AttrKey::kInsertedWindowDims), call.ints(AttrKey::kInputBatchingDims)});
  map.batch_dims = other_dimensions(updates.size(), {map.update_dims});
  bool fits = are_dimensions(map.update_dims, updates.size()) &&
              map.update_dims.size() == map.operand_dims.size() &&
              map.batch_dims.size() == rows.batch_dimensions().size();
  for (size_t k = 0; fits && k < map.batch_dims.size(); ++k) {
    fits = updates[at(map.batch_dims[k])] == rows.batch_dimensions()[k];
  }
  HLOSCOPE_TRY(call.require(fits, "has updates that do not fit its operand and its indices"));
  return map;
}

// The place of an update in the operand. A window that is not wholly inside is left out, as XLA's
// ScatterExpander does.
std::optional<size_t> target(const WindowMap& map, const Dims& operand, const Dims& updates,
                             const Dims& index, Dims& start) {
  for (size_t k = 0; k < map.update_dims.size(); ++k) {
    int64_t& position = start[at(map.operand_dims[k])];
    const int64_t last = operand[at(map.operand_dims[k])] - updates[at(map.update_dims[k])];
    if (position < 0 || position > last) return std::nullopt;
    position += index[at(map.update_dims[k])];
  }
  return position_of(operand, start);
}

}  // namespace

Result<Value> scatter(const OpCall& call) {
  const size_t count = call.operands().size() / 2;
  HLOSCOPE_ASSIGN(Operands arrays, read_operands(call, count));
  HLOSCOPE_ASSIGN(const Array* indices, call.array(count));
  HLOSCOPE_ASSIGN(ScalarFunction f, call.function(AttrKey::kToApply));
  HLOSCOPE_TRY(call.require(f.result_count() == count, "combines another number of values"));
  const Dims& operand = arrays.results[0].dimensions;
  const Dims& updates = arrays.updates[0]->dimensions;
  HLOSCOPE_ASSIGN(
      const IndexRows rows,
      IndexRows::make(
          call, operand.size(), *indices,
          {call.ints(AttrKey::kScatterDimsToOperandDims), call.ints(AttrKey::kInputBatchingDims),
           call.ints(AttrKey::kScatterIndicesBatchingDims),
           call.program().integer(call.id(), AttrKey::kIndexVectorDim).value_or(0)}));
  HLOSCOPE_ASSIGN(const WindowMap map, window_map(call, operand.size(), updates, rows));
  Dims batch(map.batch_dims.size(), 0);
  Dims start(operand.size(), 0);
  std::vector<Scalar> inputs(2 * count);
  std::vector<Scalar> outputs(count);
  for (IndexWalk walk(updates); !walk.done(); walk.next()) {
    HLOSCOPE_TRY(call.spend(f.cost()));
    for (size_t k = 0; k < batch.size(); ++k) batch[k] = walk.index()[at(map.batch_dims[k])];
    rows.start(batch, start);
    const auto place = target(map, operand, updates, walk.index(), start);
    if (!place) continue;
    for (size_t k = 0; k < count; ++k) {
      inputs[k] = arrays.results[k].elements[*place];
      inputs[count + k] = arrays.updates[k]->elements[walk.position()];
    }
    HLOSCOPE_TRY(f.apply(inputs, outputs));
    for (size_t k = 0; k < count; ++k) arrays.results[k].elements[*place] = outputs[k];
  }
  return call.value_of(std::move(arrays.results));
}

}  // namespace hloscope::eval
