#include "tests/core/nn/operation_cases.h"

namespace hloscope::testing {

namespace {

using In = const std::vector<nn::Var>&;
using nn::Tape;
using nn::Var;

// A layer of GraphSAGE: l2(relu(concat(x, mean of relu(neighbour w + b)) w2 + b2)).
template <typename T>
Var sage(Tape<T>& t, In in) {
  const Var message = linear(t, in[0], in[1], in[2], nn::Activation::kRelu);
  const Var mean = neighbour_reduce(t, message, five_nodes(), nn::Reduction::kMean);
  const Var joined = concat_columns(t, {in[0], mean});
  return l2_normalise_rows(t, linear(t, joined, in[3], in[4], nn::Activation::kRelu));
}

// A layer of GAT with two heads: inputs x, w, and the factors of both ends of an edge.
template <typename T>
Var gat(Tape<T>& t, In in) {
  const nn::Neighbours graph = five_nodes();
  const Var h = matmul(t, in[0], in[1]);
  const Var from = gather_rows(t, head_scores(t, h, in[2], 2), graph.indices);
  const Var to = broadcast_rows(t, head_scores(t, h, in[3], 2), graph.edges());
  const Var scores = leaky_relu(t, add(t, from, to), T(0.2));
  return weighted_neighbour_sum(t, h, segment_softmax(t, scores, graph.edges()), graph);
}

template <typename T>
auto lstm_over(nn::Segments segments) {
  return [segments](Tape<T>& t, In in) {
    return lstm(t, linear(t, in[0], in[1], in[2]), in[3], segments);
  };
}

template <typename T>
auto attention_over(nn::Segments segments) {
  return [segments](Tape<T>& t, In in) {
    return attention(t, nn::QueryKeyValue{in[0], in[1], in[2]}, segments, 2);
  };
}

}  // namespace

template <typename T>
std::vector<OperationCase<T>> layer_cases() {
  return {
      {"head_scores",
       {{5, 6}, {1, 6}},
       [](Tape<T>& t, In in) { return head_scores(t, in[0], in[1], 2); }},
      {"segment_softmax",
       {{7, 2}},
       [](Tape<T>& t, In in) { return segment_softmax(t, in[0], four_segments()); }},
      {"weighted_neighbour_sum",
       {{5, 6}, {7, 2}},
       [](Tape<T>& t, In in) { return weighted_neighbour_sum(t, in[0], in[1], five_nodes()); }},
      {"sage", {{5, 3}, {3, 4}, {1, 4}, {7, 6}, {1, 6}}, sage<T>},
      {"gat", {{5, 3}, {3, 6}, {1, 6}, {1, 6}}, gat<T>},
      {"lstm", {{7, 2}, {2, 12}, {1, 12}, {3, 12}}, lstm_over<T>(four_segments())},
      {"lstm_one_row", {{1, 2}, {2, 12}, {1, 12}, {3, 12}}, lstm_over<T>(one_row())},
      {"lstm_no_rows", {{0, 2}, {2, 12}, {1, 12}, {3, 12}}, lstm_over<T>(no_rows())},
      {"attention", {{7, 6}, {7, 6}, {7, 6}}, attention_over<T>(four_segments())},
      {"attention_one_row", {{1, 6}, {1, 6}, {1, 6}}, attention_over<T>(one_row())},
      {"attention_no_rows", {{0, 6}, {0, 6}, {0, 6}}, attention_over<T>(no_rows())},
      // The same matrix as query, key and value: three gradients meet.
      {"self_attention",
       {{7, 6}},
       [](Tape<T>& t, In in) {
         return attention(t, nn::QueryKeyValue{in[0], in[0], in[0]}, four_segments(), 3);
       }},
  };
}

template std::vector<OperationCase<float>> layer_cases();
template std::vector<OperationCase<double>> layer_cases();

}  // namespace hloscope::testing
