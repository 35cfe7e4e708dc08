#include "core/predict/graph_network.h"

#include <array>

namespace hloscope::predict {

template <typename T>
GraphNetwork<T>::GraphNetwork(ParameterBuilder<T>& builder, const ModelOptions& options)
    : options_(options) {
  const size_t layers = options.network == Network::kNone ? 0 : options.layers;
  for (size_t i = 0; i < layers; ++i) {
    layers_.push_back(add_layer(builder, "network." + std::to_string(i)));
  }
}

template <typename T>
typename GraphNetwork<T>::Layer GraphNetwork<T>::add_layer(ParameterBuilder<T>& builder,
                                                           const std::string& name) const {
  const size_t hidden = options_.hidden_width;
  Layer layer;
  for (const char* list : neighbour_list_names(options_.edges)) {
    const std::string prefix = name + "." + list;
    Messages messages;
    if (has_message_layer()) messages.value = builder.dense(prefix, hidden, hidden);
    if (options_.network == Network::kGat) {
      messages.own = builder.weight(prefix + ".attention_own", 1, hidden);
      messages.neighbour = builder.weight(prefix + ".attention_neighbour", 1, hidden);
    }
    layer.lists.push_back(messages);
  }
  if (options_.network == Network::kSage) {
    layer.update = builder.dense(name + ".update", (1 + layer.lists.size()) * hidden, hidden);
  }
  return layer;
}

template <typename T>
nn::Var GraphNetwork<T>::forward(const Pass<T>& pass, nn::Var x, const RowGraph& graph) const {
  for (const Layer& layer : layers_) {
    x = options_.network == Network::kSage ? sage(pass, x, layer, graph)
                                           : attend(pass, x, layer, graph);
    if (options_.l2) x = nn::l2_normalise_rows(pass.tape, x);
    x = pass.regularise(x);
  }
  return x;
}

template <typename T>
nn::Var GraphNetwork<T>::sage(const Pass<T>& pass, nn::Var x, const Layer& layer,
                              const RowGraph& graph) const {
  std::array<nn::Var, 3> parts = {x};
  const size_t lists = layer.lists.size();
  for (size_t i = 0; i < lists; ++i) {
    const Dense& value = layer.lists[i].value;
    const nn::Var messages =
        has_message_layer() ? dense(pass.tape, x, value, nn::Activation::kRelu) : x;
    parts[i + 1] =
        nn::neighbour_reduce(pass.tape, messages, graph.neighbours()[i], options_.neighbours);
  }
  const nn::LinearTerms terms{std::span(parts).first(1 + lists),
                              pass.tape.parameter(layer.update.weight),
                              pass.tape.parameter(layer.update.bias),
                              {},
                              {}};
  return nn::linear(pass.tape, terms, nn::Activation::kRelu);
}

template <typename T>
nn::Var GraphNetwork<T>::attend(const Pass<T>& pass, nn::Var x, const Layer& layer,
                                const RowGraph& graph) const {
  nn::Var sum = attend_list(pass.tape, x, layer.lists[0], graph.neighbours()[0]);
  for (size_t i = 1; i < layer.lists.size(); ++i) {
    sum = nn::add(pass.tape, sum, attend_list(pass.tape, x, layer.lists[i], graph.neighbours()[i]));
  }
  return nn::relu(pass.tape, sum);
}

template <typename T>
nn::Var GraphNetwork<T>::attend_list(nn::Tape<T>& tape, nn::Var x, const Messages& list,
                                     nn::Neighbours neighbours) const {
  const size_t heads = options_.heads;
  const nn::Var z = dense(tape, x, list.value);
  const nn::Var own = nn::head_scores(tape, z, tape.parameter(list.own), heads);
  const nn::Var other = nn::head_scores(tape, z, tape.parameter(list.neighbour), heads);
  const nn::Var scores = nn::add(tape, nn::broadcast_rows(tape, own, neighbours.edges()),
                                 nn::gather_rows(tape, other, neighbours.indices));
  const nn::Var weights =
      nn::segment_softmax(tape, nn::leaky_relu(tape, scores, T(0.2)), neighbours.edges());
  return nn::weighted_neighbour_sum(tape, z, weights, neighbours);
}

template class GraphNetwork<float>;
template class GraphNetwork<double>;

}  // namespace hloscope::predict
