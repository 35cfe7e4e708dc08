#pragma once

#include <vector>

#include "core/predict/row_graph.h"

namespace hloscope::predict {

/// Layers that each take [rows x hidden] to [rows x hidden]. For row i, with neighbours N(i), a
/// reduction R and l2 as chosen:
///   GraphSAGE (arXiv 2008.01040): l2(relu([x_i, R of relu(x_j W3 + b3) over j in N(i)] W2 + b2)),
///     without message layer x_j itself in place of relu(x_j W3 + b3);
///   attention (arXiv 1710.10903): l2(relu(sum of a_ij z_j over j in N(i) and i)), z = x W + b,
///     a_i = softmax of leaky_relu(z_i u + z_j v), slope 0.2, for each head.
/// With Edges::kBoth operands and users are two N with weights of their own; GraphSAGE puts both
/// reductions side by side, attention adds both sums.
template <typename T>
class GraphNetwork {
 public:
  GraphNetwork(ParameterBuilder<T>& builder, const ModelOptions& options);

  [[nodiscard]] nn::Var forward(const Pass<T>& pass, nn::Var x, const RowGraph& graph) const;

 private:
  /// The parameters for one list of neighbours.
  struct Messages {
    Dense value;                // W3 and b3 (invalid without message layer), or W and b
    nn::ParameterId own;        // u
    nn::ParameterId neighbour;  // v
  };
  struct Layer {
    std::vector<Messages> lists;
    Dense update;  // GraphSAGE: W2 and b2
  };
  [[nodiscard]] bool has_message_layer() const {
    return options_.network == Network::kGat || options_.message_layer;
  }
  Layer add_layer(ParameterBuilder<T>& builder, const std::string& name) const;
  nn::Var sage(const Pass<T>& pass, nn::Var x, const Layer& layer, const RowGraph& graph) const;
  nn::Var attend(const Pass<T>& pass, nn::Var x, const Layer& layer, const RowGraph& graph) const;
  nn::Var attend_list(nn::Tape<T>& tape, nn::Var x, const Messages& list,
                      nn::Neighbours neighbours) const;

  ModelOptions options_;
  std::vector<Layer> layers_;
};

}  // namespace hloscope::predict
