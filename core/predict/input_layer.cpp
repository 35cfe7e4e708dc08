#include "core/predict/input_layer.h"

namespace hloscope::predict {

namespace {

constexpr size_t kOpcodes = 256;  // Batch::opcodes are below

}  // namespace

template <typename T>
InputLayer<T>::InputLayer(ParameterBuilder<T>& builder, const ModelOptions& options,
                          const InputWidths& widths) {
  const size_t hidden = options.hidden_width;
  embedding_ = builder.embedding("opcode.embedding", kOpcodes, options.opcode_width);
  opcode_ = builder.weight("input.opcode.weight", options.opcode_width, hidden);
  node_ = builder.dense("input.node", widths.node, hidden);
  if (options.static_features == StaticFeatures::kNode) {
    static_ = builder.weight("input.static.weight", widths.graph, hidden);
  }
  if (options.join == ConfigurationJoin::kEarly) {
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
  if (configuration_.valid()) {
    const nn::Var samples = product(tape, pass.input(batch.configurations), configuration_);
    return pass.regularise(relu_of_pairs(tape, x, samples, nodes));
  }
  return pass.regularise(nn::relu(tape, x));
}

template class InputLayer<float>;
template class InputLayer<double>;

}  // namespace hloscope::predict
