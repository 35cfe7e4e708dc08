#include "core/predict/model.h"

#include "core/predict/model_loss.h"

namespace hloscope::predict {

namespace {

template <typename Layer, typename... Arguments>
std::optional<Layer> if_nodes(const ModelOptions& options, Arguments&... arguments) {
  if (options.readout == Readout::kNone) return std::nullopt;
  return Layer(arguments...);
}

}  // namespace

// The builder refers to parameters_, which is made before the parts are; those add to it in order.
template <typename T>
Model<T>::Model(const ModelOptions& options, const InputWidths& widths, uint64_t seed)
    : Model(options, widths, ParameterBuilder<T>(parameters_, seed)) {}

template <typename T>
Model<T>::Model(const ModelOptions& options, const InputWidths& widths, ParameterBuilder<T> builder)
    : options_(options),
      widths_(widths),
      input_(if_nodes<InputLayer<T>>(options, builder, options, widths)),
      network_(if_nodes<GraphNetwork<T>>(options, builder, options)),
      readout_(builder, options),
      head_(builder, options, widths, readout_.width()) {}

template <typename T>
nn::Var Model<T>::forward(const Pass<T>& pass) const {
  assert(static_cast<size_t>(pass.batch.node_features.cols()) == widths_.node);
  const Pairing nodes =
      pair(pass.tape, pass.batch.nodes_of_graphs(), pass.batch.samples_of_graphs());
  const RowGraph graph = row_graph(pass, options_, nodes);
  if (!input_) return head_.forward(pass, {}, graph, nodes);
  nn::Var x = input_->forward(pass, nodes);
  x = network_->forward(pass, x, graph);
  x = readout_.forward(pass, x, graph.groups);
  return head_.forward(pass, x, graph, nodes);
}

template <typename T>
nn::Var Model<T>::predict(nn::Tape<T>& tape, const Batch<T>& batch) const {
  return forward({tape, batch});
}

template <typename T>
nn::PartLoss Model<T>::loss(nn::Tape<T>& tape, const Batch<T>& batch, Rng* dropout) const {
  const nn::Var prediction = forward({tape, batch, options_.dropout, dropout});
  return model_loss(tape, batch, prediction, options_.loss);
}

template class Model<float>;
template class Model<double>;

}  // namespace hloscope::predict
