#pragma once

#include <array>
#include <span>

#include "core/predict/model_options.h"
#include "core/predict/pairing.h"
#include "core/predict/parameter_builder.h"

namespace hloscope::predict {

/// The graph that a network works on: the nodes of the batch, or with early join and join at
/// nodes a copy of them for each sample.
struct RowGraph {
  nn::Segments groups;  ///< Rows of each graph, or of each sample.
  /// Where a row hears from: one list, or with Edges::kBoth operands and users.
  std::array<nn::Neighbours, 2> lists;
  size_t list_count = 0;

  [[nodiscard]] std::span<const nn::Neighbours> neighbours() const {
    return {lists.data(), list_count};
  }
};

/// The names of the lists of neighbours.
[[nodiscard]] std::span<const char* const> neighbour_list_names(Edges edges);

/// Graph attention hears from the node itself too, first. `nodes` pairs nodes and samples; it is
/// used with those joins only. The memory is the batch's or the tape's.
template <typename T>
[[nodiscard]] RowGraph row_graph(const Pass<T>& pass, const ModelOptions& options, Pairing nodes);

}  // namespace hloscope::predict
