#pragma once

#include "core/predict/model_options.h"
#include "core/predict/pairing.h"
#include "core/predict/parameter_builder.h"
#include "core/predict/row_graph.h"

namespace hloscope::predict {

/// The last layers: relu([readout, static features, configuration] W + b), with a block of W for
/// each part as in InputLayer, further relu(x W + b) up to ModelOptions::head_layers, then
/// w' x + b' without activation. With Readout::kPerNode all are applied to each node and added up,
/// b' once; the configuration of late join is then given to each node, and the rest of the network
/// still runs once for each kernel. With Analytical::kResidual the log of the analytical time is
/// added, times a factor that is learned.
template <typename T>
class Head {
 public:
  /// `width`: columns of what the readout gives.
  Head(ParameterBuilder<T>& builder, const ModelOptions& options, const InputWidths& widths,
       size_t width);

  /// What the readout gives -> [samples x 1].
  [[nodiscard]] nn::Var forward(const Pass<T>& pass, nn::Var x, const RowGraph& graph,
                                Pairing nodes) const;
  [[nodiscard]] nn::ParameterId output_bias() const { return output_.bias; }

 private:
  nn::Var correction(const Pass<T>& pass, nn::Var x, const RowGraph& graph, Pairing nodes) const;
  nn::Var bias_rows(const Pass<T>& pass) const;
  nn::Var static_rows(const Pass<T>& pass, const RowGraph& graph) const;
  nn::Var further(const Pass<T>& pass, nn::Var x) const;
  nn::Var join_late(const Pass<T>& pass, nn::Var x, Pairing nodes) const;

  bool per_node_;
  ConfigurationJoin join_;
  Dense hidden_;                   ///< Without a weight where the readout gives nothing.
  nn::ParameterId static_;         // invalid where not used
  nn::ParameterId configuration_;  // invalid where not used
  std::vector<Dense> further_;
  Dense output_;
  nn::ParameterId analytical_;  // invalid where not used
};

}  // namespace hloscope::predict
