#include "core/predict/head.h"

#include <algorithm>
#include <string>

namespace hloscope::predict {

namespace {

// Ranking losses want differences of about 1 between scores; times of tiles worth telling apart
// differ by some tenths of their log.
template <typename T>
constexpr T kRankingScale = T(8);

}  // namespace

template <typename T>
Head<T>::Head(ParameterBuilder<T>& builder, const ModelOptions& options, const InputWidths& widths,
              size_t width)
    : per_node_(options.readout == Readout::kPerNode), join_(options.join) {
  const size_t hidden = options.hidden_width;
  if (width > 0) {
    hidden_ = builder.dense("head.readout", width, hidden);
  } else {
    hidden_.bias = builder.filled("head.readout.bias", hidden, T(0));
  }
  if (options.static_features == StaticFeatures::kKernel) {
    static_ = builder.weight("head.static.weight", widths.graph, hidden);
  }
  if (join_ == ConfigurationJoin::kLate) {
    configuration_ = builder.weight("head.configuration.weight", widths.configuration, hidden);
  }
  for (uint32_t i = 1; i < options.head_layers; ++i) {
    further_.push_back(builder.dense("head." + std::to_string(i), hidden, hidden));
  }
  output_ = builder.dense("output", hidden, 1);
  if (options.analytical == Analytical::kResidual) {
    const T scale = predicts_time(options.loss) ? T(1) : kRankingScale<T>;
    analytical_ = builder.filled("output.analytical", 1, scale);
    // It starts as the analytical model, which is right about most kernels.
    builder.parameters().value(output_.weight).setZero();
  }
}

template <typename T>
nn::Var Head<T>::further(const Pass<T>& pass, nn::Var x) const {
  for (const Dense& layer : further_) {
    x = pass.regularise(dense(pass.tape, x, layer, nn::Activation::kRelu));
  }
  return x;
}

// The part of the static features, for each row of what the readout gives.
template <typename T>
nn::Var Head<T>::static_rows(const Pass<T>& pass, const RowGraph& graph) const {
  nn::Var rows = product(pass.tape, pass.input(pass.batch.graph_features), static_);
  if (runs_per_sample(join_)) {
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
    const nn::Var rows = further(pass, pass.regularise(relu_of_pairs(tape, x, samples, nodes)));
    return nn::segment_reduce(tape, rows, nodes.rows, nn::Reduction::kSum);
  }
  const Pairing graphs =
      pair(tape, single_rows(tape, pass.batch.graphs()), pass.batch.samples_of_graphs());
  return further(pass, pass.regularise(relu_of_pairs(tape, x, samples, graphs)));
}

// Of kernels whose nodes are not looked at.
template <typename T>
nn::Var Head<T>::bias_rows(const Pass<T>& pass) const {
  const std::span<uint32_t> rows = pass.tape.template scratch<uint32_t>(pass.batch.graphs());
  std::ranges::fill(rows, 0U);
  return nn::gather_rows(pass.tape, pass.tape.parameter(hidden_.bias), rows);
}

template <typename T>
nn::Var Head<T>::correction(const Pass<T>& pass, nn::Var x, const RowGraph& graph,
                            Pairing nodes) const {
  nn::Tape<T>& tape = pass.tape;
  x = hidden_.weight.valid() ? dense(tape, x, hidden_) : bias_rows(pass);
  if (static_.valid()) x = nn::add(tape, x, static_rows(pass, graph));
  if (join_ == ConfigurationJoin::kLate) {
    return dense(tape, join_late(pass, x, nodes), output_);
  }
  x = further(pass, pass.regularise(nn::relu(tape, x)));
  // The sum of products with w' is the product of the sum.
  if (per_node_) x = nn::segment_reduce(tape, x, graph.groups, nn::Reduction::kSum);
  const nn::Var y = dense(tape, x, output_);
  return runs_per_sample(join_) ? y : nn::broadcast_rows(tape, y, pass.batch.samples_of_graphs());
}

template <typename T>
nn::Var Head<T>::forward(const Pass<T>& pass, nn::Var x, const RowGraph& graph,
                         Pairing nodes) const {
  const nn::Var y = correction(pass, x, graph, nodes);
  if (!analytical_.valid()) return y;
  const nn::Var log_time = product(pass.tape, pass.input(pass.batch.analytical), analytical_);
  return nn::add(pass.tape, y, log_time);
}

template class Head<float>;
template class Head<double>;

}  // namespace hloscope::predict
