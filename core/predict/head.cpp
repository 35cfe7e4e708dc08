#include "core/predict/head.h"

namespace hloscope::predict {

template <typename T>
Head<T>::Head(ParameterBuilder<T>& builder, const ModelOptions& options, const InputWidths& widths,
              size_t width)
    : per_node_(options.readout == Readout::kPerNode), join_(options.join) {
  const size_t hidden = options.hidden_width;
  hidden_ = builder.dense("head.readout", width, hidden);
  if (options.static_features == StaticFeatures::kKernel) {
    static_ = builder.weight("head.static.weight", widths.graph, hidden);
  }
  if (join_ == ConfigurationJoin::kLate) {
    configuration_ = builder.weight("head.configuration.weight", widths.configuration, hidden);
  }
  output_ = builder.dense("output", hidden, 1);
}

// The part of the static features, for each row of what the readout gives.
template <typename T>
nn::Var Head<T>::static_rows(const Pass<T>& pass, const RowGraph& graph) const {
  nn::Var rows = product(pass.tape, pass.input(pass.batch.graph_features), static_);
  if (join_ == ConfigurationJoin::kEarly) {
    rows = nn::broadcast_rows(pass.tape, rows, pass.batch.samples_of_graphs());
  }
  return per_node_ ? nn::broadcast_rows(pass.tape, rows, graph.groups) : rows;
}

// [samples x hidden].
template <typename T>
nn::Var Head<T>::join_late(const Pass<T>& pass, nn::Var x, Pairing nodes) const {
  nn::Tape<T>& tape = pass.tape;
  const nn::Var samples = product(tape, pass.input(pass.batch.configurations), configuration_);
  if (per_node_) {
    const nn::Var rows = pass.regularise(relu_of_pairs(tape, x, samples, nodes));
    return nn::segment_reduce(tape, rows, nodes.rows, nn::Reduction::kSum);
  }
  const Pairing graphs =
      pair(tape, single_rows(tape, pass.batch.graphs()), pass.batch.samples_of_graphs());
  return pass.regularise(relu_of_pairs(tape, x, samples, graphs));
}

template <typename T>
nn::Var Head<T>::forward(const Pass<T>& pass, nn::Var x, const RowGraph& graph,
                         Pairing nodes) const {
  nn::Tape<T>& tape = pass.tape;
  x = dense(tape, x, hidden_);
  if (static_.valid()) x = nn::add(tape, x, static_rows(pass, graph));
  if (join_ == ConfigurationJoin::kLate) {
    return dense(tape, join_late(pass, x, nodes), output_);
  }
  x = pass.regularise(nn::relu(tape, x));
  // The sum of products with w' is the product of the sum.
  if (per_node_) x = nn::segment_reduce(tape, x, graph.groups, nn::Reduction::kSum);
  const nn::Var y = dense(tape, x, output_);
  return join_ == ConfigurationJoin::kEarly
             ? y
             : nn::broadcast_rows(tape, y, pass.batch.samples_of_graphs());
}

template class Head<float>;
template class Head<double>;

}  // namespace hloscope::predict
