#include "tests/core/nn/operation_cases.h"

namespace hloscope::testing {

namespace {

using In = const std::vector<nn::Var>&;

template <typename T>
nn::Var spread(nn::Tape<T>& t, nn::Var x) {
  return scale(t, x, T(4));  // so that the curves are seen where they bend
}

template <typename T>
std::vector<OperationCase<T>> column_cases() {
  using nn::Tape;
  return {
      {"concat",
       {{3, 2}, {3, 1}, {3, 4}},
       [](Tape<T>& t, In in) {
         return concat_columns(t, {in[0], in[1], in[2]});
       }},
      {"concat_twice",
       {{3, 2}},
       [](Tape<T>& t, In in) {
         return concat_columns(t, {in[0], in[0]});
       }},
      {"scale_shift",
       {{4, 3}, {1, 3}, {1, 3}},
       [](Tape<T>& t, In in) { return scale_shift(t, in[0], in[1], in[2]); }},
      {"l2_normalise", {{4, 3}}, [](Tape<T>& t, In in) { return l2_normalise_rows(t, in[0]); }},
      {"layer_norm",
       {{4, 5}, {1, 5}, {1, 5}},
       [](Tape<T>& t, In in) { return layer_norm(t, in[0], in[1], in[2]); }},
      {"instance_norm",
       {{7, 3}},
       [](Tape<T>& t, In in) { return instance_norm(t, in[0], four_segments()); }},
      {"instance_norm_no_rows",
       {{0, 3}},
       [](Tape<T>& t, In in) { return instance_norm(t, in[0], no_rows()); }},
  };
}

}  // namespace

template <typename T>
std::vector<OperationCase<T>> elementwise_cases() {
  using nn::Tape;
  std::vector<OperationCase<T>> cases = {
      {"relu", {{4, 5}}, [](Tape<T>& t, In in) { return relu(t, in[0]); }},
      {"leaky_relu", {{4, 5}}, [](Tape<T>& t, In in) { return leaky_relu(t, in[0], T(0.2)); }},
      {"tanh", {{4, 5}}, [](Tape<T>& t, In in) { return tanh(t, spread(t, in[0])); }},
      {"sigmoid", {{4, 5}}, [](Tape<T>& t, In in) { return sigmoid(t, spread(t, in[0])); }},
      {"exp", {{4, 5}}, [](Tape<T>& t, In in) { return exp(t, in[0]); }},
      {"gelu", {{4, 5}}, [](Tape<T>& t, In in) { return gelu(t, spread(t, in[0])); }},
      {"add", {{3, 4}, {3, 4}}, [](Tape<T>& t, In in) { return add(t, in[0], in[1]); }},
      {"multiply", {{3, 4}, {3, 4}}, [](Tape<T>& t, In in) { return multiply(t, in[0], in[1]); }},
      {"square", {{3, 4}}, [](Tape<T>& t, In in) { return multiply(t, in[0], in[0]); }},
      {"scale", {{3, 4}}, [](Tape<T>& t, In in) { return scale(t, in[0], T(-2.5)); }},
      {"dropout",
       {{5, 4}},
       [](Tape<T>& t, In in) {
         Rng rng(7);
         return dropout(t, in[0], 0.4, rng);
       }},
  };
  const std::vector<OperationCase<T>> columns = column_cases<T>();
  cases.insert(cases.end(), columns.begin(), columns.end());
  return cases;
}

template std::vector<OperationCase<float>> elementwise_cases();
template std::vector<OperationCase<double>> elementwise_cases();

}  // namespace hloscope::testing
