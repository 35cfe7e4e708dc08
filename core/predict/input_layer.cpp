#include "core/predict/input_layer.h"

#include <algorithm>
#include <array>

namespace hloscope::predict {

namespace {

constexpr size_t kOpcodes = 256;  // Batch::opcodes are below

/// The opcodes that occur, ascending, and for each node which of them it has.
struct DistinctOpcodes {
  std::span<const uint32_t> opcodes;
  std::span<const uint32_t> of_nodes;
};

template <typename T>
DistinctOpcodes distinct_opcodes(nn::Tape<T>& tape, std::span<const uint32_t> of_nodes) {
  std::array<uint32_t, kOpcodes> position{};
  for (const uint32_t opcode : of_nodes) position[opcode] = 1;
  const std::span<uint32_t> opcodes = tape.template scratch<uint32_t>(kOpcodes);
  uint32_t count = 0;
  for (uint32_t opcode = 0; opcode < kOpcodes; ++opcode) {
    if (position[opcode] == 0) continue;
    position[opcode] = count;
    opcodes[count++] = opcode;
  }
  const std::span<uint32_t> positions = tape.template scratch<uint32_t>(of_nodes.size());
  std::ranges::transform(of_nodes, positions.begin(), [&](uint32_t o) { return position[o]; });
  return {opcodes.first(count), positions};
}

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
  const DistinctOpcodes distinct = distinct_opcodes(tape, std::span(batch.opcodes));
  const nn::Var embeddings = nn::gather_rows(tape, tape.parameter(embedding_), distinct.opcodes);
  const nn::Var features = pass.input(batch.node_features);
  const bool is_all = !static_.valid() && !configuration_.valid();
  nn::Var x = nn::linear(tape,
                         {.inputs = {&features, 1},
                          .weight = tape.parameter(node_.weight),
                          .bias = tape.parameter(node_.bias),
                          .table = product(tape, embeddings, opcode_),
                          .rows = distinct.of_nodes},
                         is_all ? nn::Activation::kRelu : nn::Activation::kNone);
  if (is_all) return pass.regularise(x);
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
