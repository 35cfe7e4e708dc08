#include <algorithm>

#include "core/eval/index_rows.h"
#include "core/eval/ops.h"

namespace hloscope::eval {

namespace {

using hlo::AttrKey;

// The sizes of a slice lie inside of the operand and are what the result has.
Status check_slices(const OpCall& call, const Array& from, const Array& out,
                    std::span<const int64_t> sizes, const Dims& window_dims) {
  const auto offsets = call.ints(AttrKey::kOffsetDims);
  bool fits = sizes.size() == from.dimensions.size() && offsets.size() == window_dims.size() &&
              are_dimensions(offsets, out.dimensions.size());
  for (size_t d = 0; fits && d < sizes.size(); ++d) {
    fits = sizes[d] >= 0 && sizes[d] <= from.dimensions[d];
  }
  for (size_t k = 0; fits && k < offsets.size(); ++k) {
    fits = out.dimensions[static_cast<size_t>(offsets[k])] ==
           sizes[static_cast<size_t>(window_dims[k])];
  }
  return call.require(fits, "has slice sizes that do not fit its operand and its result");
}

Status check_batch(const OpCall& call, const IndexRows& rows, const Array& out,
                   const Dims& batch_dims) {
  bool fits = rows.batch_dimensions().size() == batch_dims.size();
  for (size_t k = 0; fits && k < batch_dims.size(); ++k) {
    fits = out.dimensions[static_cast<size_t>(batch_dims[k])] == rows.batch_dimensions()[k];
  }
  return call.require(fits, "has a result that does not fit its indices");
}

}  // namespace

Result<Value> gather(const OpCall& call) {
  HLOSCOPE_ASSIGN(const Array* from, call.array(0));
  HLOSCOPE_ASSIGN(const Array* indices, call.array(1));
  HLOSCOPE_ASSIGN(Array out, call.new_array());
  HLOSCOPE_TRY(call.require(from->type == out.type, "changes the type of its operand"));
  const size_t rank = from->dimensions.size();
  HLOSCOPE_ASSIGN(
      const IndexRows rows,
      IndexRows::make(call, rank, *indices,
                      {call.ints(AttrKey::kStartIndexMap), call.ints(AttrKey::kOperandBatchingDims),
                       call.ints(AttrKey::kStartIndicesBatchingDims),
                       call.program().integer(call.id(), AttrKey::kIndexVectorDim).value_or(0)}));
  const auto sizes = call.ints(AttrKey::kSliceSizes);
  const auto offsets = call.ints(AttrKey::kOffsetDims);
  const Dims window_dims = other_dimensions(
      rank, {call.ints(AttrKey::kCollapsedSliceDims), call.ints(AttrKey::kOperandBatchingDims)});
  const Dims batch_dims = other_dimensions(out.dimensions.size(), {offsets});
  HLOSCOPE_TRY(check_slices(call, *from, out, sizes, window_dims));
  HLOSCOPE_TRY(check_batch(call, rows, out, batch_dims));
  Dims batch(batch_dims.size(), 0);
  HLOSCOPE_TRY(remap(call, *from, out, [&](const Dims& index, Dims& source) {
    for (size_t k = 0; k < batch.size(); ++k) {
      batch[k] = index[static_cast<size_t>(batch_dims[k])];
    }
    rows.start(batch, source);
    // The slice is moved into the operand as a whole.
    for (size_t d = 0; d < rank; ++d) {
      source[d] = std::clamp<int64_t>(source[d], 0, from->dimensions[d] - sizes[d]);
    }
    for (size_t k = 0; k < window_dims.size(); ++k) {
      source[static_cast<size_t>(window_dims[k])] += index[static_cast<size_t>(offsets[k])];
    }
  }));
  return Value(std::move(out));
}

}  // namespace hloscope::eval
