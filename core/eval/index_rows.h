#pragma once

#include <span>

#include "core/eval/op_call.h"

namespace hloscope::eval {

/// The start positions that gather and scatter find in their array of indices: one vector along
/// its dimension `index_vector_dim`, per position in its other dimensions (the batch).
class IndexRows {
 public:
  /// What the attributes say. `index_map` (start_index_map, or scatter_dims_to_operand_dims): which
  /// dimension of the operand each element of a vector is for. `operand_batching[i]` of the operand
  /// runs along with `indices_batching[i]` of the indices.
  struct Attributes {
    std::span<const int64_t> index_map;
    std::span<const int64_t> operand_batching;
    std::span<const int64_t> indices_batching;
    int64_t index_vector_dim = 0;
  };
  /// kInvalidInput when the attributes do not fit the arrays.
  [[nodiscard]] static Result<IndexRows> make(const OpCall& call, size_t operand_rank,
                                              const Array& indices, const Attributes& attributes);

  /// The dimensions of the indices without the one of the vectors.
  [[nodiscard]] const Dims& batch_dimensions() const { return batch_dimensions_; }
  /// The start in each dimension of the operand; 0 where no index says so.
  void start(std::span<const int64_t> batch, Dims& out) const;

 private:
  const Array* indices_ = nullptr;
  Attributes attributes_;
  Dims batch_dimensions_;
};

}  // namespace hloscope::eval
