#include "core/predict/input_layer.h"

namespace hloscope::predict {

namespace {

constexpr size_t kOpcodes = 256;  // Batch::opcodes are below

}  // namespace

template <typename T>
InputLayer<T>::InputLayer(ParameterBuilder<T>& builder, const ModelOptions& options,
                          const InputWidths& widths)
    : join_(options.join) {
  const size_t hidden = options.hidden_width;
  embedding_ = builder.embedding("opcode.embedding", kOpcodes, options.opcode_width);
  opcode_ = builder.weight("input.opcode.weight", options.opcode_width, hidden);
  node_ = builder.dense("input.node", widths.node, hidden);
  if (options.static_features == StaticFeatures::kNode) {
    static_ = builder.weight("input.static.weight", widths.graph, hidden);
  }
  if (runs_per_sample(join_)) {
    configuration_ = builder.weight("input.configuration.weight", widths.configuration, hidden);
  }
}

template <typename T>
nn::Var InputLayer<T>::forward(const Pass<T>& pass, Pairing nodes) const {
  nn::Tape<T>& tape = pass.tape;
  const Batch<T>& batch = pass.batch;
  const nn::Var table = product(tape, tape.parameter(embedding_), opcode_);
  nn::Var x = nn::add(tape, dense(tape, pass.input(batch.node_features), node_),
                      nn::gather_rows(tape, table, std::span(batch.opcodes)));
  if (static_.valid()) {
    const nn::Var kernel = product(tape, pass.input(batch.graph_features), static_);
    x = nn::add(tape, x, nn::broadcast_rows(tape, kernel, batch.nodes_of_graphs()));
  }
  return pass.regularise(configuration_.valid() ? join(pass, x, nodes) : nn::relu(tape, x));
}

template <typename T>
nn::Var InputLayer<T>::join(const Pass<T>& pass, nn::Var x, Pairing nodes) const {
  nn::Tape<T>& tape = pass.tape;
  const nn::Var rows = product(tape, pass.input(pass.batch.configurations), configuration_);
  if (join_ == ConfigurationJoin::kEarly) return relu_of_pairs(tape, x, rows, nodes);
  // Row 0 is of zeros, and stays so without a bias.
  const nn::Var own = nn::gather_rows(tape, rows, std::span(pass.batch.node_configurations));
  return nn::relu(tape, nn::add(tape, nn::gather_rows(tape, x, unit_rows(tape, nodes)), own));
}

template class InputLayer<float>;
template class InputLayer<double>;

}  // namespace hloscope::predict
