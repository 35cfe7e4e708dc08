#include "core/eval/index_rows.h"

#include <algorithm>

namespace hloscope::eval {

Result<IndexRows> IndexRows::make(const OpCall& call, size_t operand_rank, const Array& indices,
                                  const Attributes& attributes) {
  const size_t rank = indices.dimensions.size();
  const auto vector_dim = static_cast<size_t>(attributes.index_vector_dim);
  bool fits = attributes.index_vector_dim >= 0 && vector_dim <= rank &&
              domain(indices.type) == Domain::kInteger;
  // A vector dimension behind the last one: the indices are vectors of one element.
  const int64_t length = fits && vector_dim < rank ? indices.dimensions[vector_dim] : 1;
  fits = fits && static_cast<int64_t>(attributes.index_map.size()) == length &&
         are_dimensions(attributes.index_map, operand_rank) &&
         are_dimensions(attributes.operand_batching, operand_rank) &&
         are_dimensions(attributes.indices_batching, rank) &&
         attributes.operand_batching.size() == attributes.indices_batching.size();
  for (const int64_t d : attributes.indices_batching) {
    fits = fits && d != attributes.index_vector_dim;
  }
  HLOSCOPE_TRY(call.require(fits, "has index attributes that do not fit its operands"));
  IndexRows rows;
  rows.indices_ = &indices;
  rows.attributes_ = attributes;
  rows.batch_dimensions_ = indices.dimensions;
  if (vector_dim < rank) {
    rows.batch_dimensions_.erase(rows.batch_dimensions_.begin() +
                                 static_cast<std::ptrdiff_t>(vector_dim));
  }
  return rows;
}

void IndexRows::start(std::span<const int64_t> batch, Dims& out) const {
  std::fill(out.begin(), out.end(), 0);
  const auto vector_dim = static_cast<size_t>(attributes_.index_vector_dim);
  Dims index(batch.begin(), batch.end());
  if (vector_dim < indices_->dimensions.size()) {
    index.insert(index.begin() + static_cast<std::ptrdiff_t>(vector_dim), 0);
  }
  for (size_t k = 0; k < attributes_.index_map.size(); ++k) {
    if (vector_dim < indices_->dimensions.size()) index[vector_dim] = static_cast<int64_t>(k);
    const Scalar element = indices_->elements[*position_of(indices_->dimensions, index)];
    // Bits of a u64 beyond int64 turn negative: far outside either way, but above every array.
    const bool wraps = indices_->type == hlo::PrimitiveType::kU64 && element.i < 0;
    out[static_cast<size_t>(attributes_.index_map[k])] = wraps ? INT64_MAX : element.i;
  }
  for (size_t k = 0; k < attributes_.operand_batching.size(); ++k) {
    out[static_cast<size_t>(attributes_.operand_batching[k])] =
        index[static_cast<size_t>(attributes_.indices_batching[k])];
  }
}

}  // namespace hloscope::eval
