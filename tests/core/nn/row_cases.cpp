#include "tests/core/nn/operation_cases.h"

namespace hloscope::testing {

namespace {

template <typename T>
using Cases = std::vector<OperationCase<T>>;
using In = const std::vector<nn::Var>&;
using nn::Reduction;

const std::vector<uint32_t> kGathered = {0, 4, 4, 2, 0, 1};
const std::vector<uint32_t> kNone = {};

constexpr std::pair<const char*, Reduction> kReductions[] = {
    {"sum", Reduction::kSum}, {"mean", Reduction::kMean}, {"max", Reduction::kMax}};

template <typename T>
void add_reductions(Cases<T>& cases) {
  for (const auto& [name, kind] : kReductions) {
    const auto segment = [kind = kind](nn::Segments segments) {
      return [kind, segments](nn::Tape<T>& t, In in) {
        return segment_reduce(t, in[0], segments, kind);
      };
    };
    cases.push_back({std::string("segment_") + name, {{7, 3}}, segment(four_segments())});
    cases.push_back({std::string("segment_one_row_") + name, {{1, 3}}, segment(one_row())});
    cases.push_back({std::string("segment_no_rows_") + name, {{0, 3}}, segment(no_rows())});
    cases.push_back(
        {std::string("neighbour_") + name, {{5, 3}}, [kind = kind](nn::Tape<T>& t, In in) {
           return neighbour_reduce(t, in[0], five_nodes(), kind);
         }});
  }
}

// Two inputs side by side, the second one empty in one case, and rows of a table.
template <typename T>
void add_joined_linears(Cases<T>& cases) {
  const auto joined = [](nn::Activation activation, bool with_table) {
    return [=](nn::Tape<T>& t, In in) {
      nn::LinearTerms terms{std::span(in).first(2), in[2], in[3], {}, {}};
      if (with_table) terms.table = in[4];
      if (with_table) terms.rows = kGathered;
      return linear(t, terms, activation);
    };
  };
  using enum nn::Activation;
  cases.push_back({"linear_joined", {{6, 3}, {6, 2}, {5, 4}, {1, 4}}, joined(kNone, false)});
  cases.push_back({"linear_joined_relu", {{6, 3}, {6, 2}, {5, 4}, {1, 4}}, joined(kRelu, false)});
  cases.push_back({"linear_joined_empty", {{6, 3}, {6, 0}, {3, 4}, {1, 4}}, joined(kRelu, false)});
  cases.push_back(
      {"linear_joined_table", {{6, 3}, {6, 2}, {5, 4}, {1, 4}, {5, 4}}, joined(kRelu, true)});
  cases.push_back({"linear_of_the_same_twice", {{6, 3}, {6, 4}, {1, 4}}, [](nn::Tape<T>& t, In in) {
                     const nn::Var inputs[] = {in[0], in[0]};
                     return linear(t, {inputs, in[1], in[2], {}, {}}, kRelu);
                   }});
}

template <typename T>
void add_summaries(Cases<T>& cases) {
  const auto summary = [](nn::Segments segments) {
    return [=](nn::Tape<T>& t, In in) { return segment_summary(t, in[0], segments); };
  };
  cases.push_back({"segment_summary", {{7, 3}}, summary(four_segments())});
  cases.push_back({"segment_summary_one_row", {{1, 3}}, summary(one_row())});
  cases.push_back({"segment_summary_no_rows", {{0, 3}}, summary(no_rows())});
  // The gradient of x is there already when that of the summary comes.
  cases.push_back({"rows_beside_segment_summary", {{7, 3}}, [](nn::Tape<T>& t, In in) {
                     const nn::Var rows = broadcast_rows(
                         t, segment_summary(t, in[0], four_segments()), four_segments());
                     return concat_columns(t, {rows, in[0]});
                   }});
}

}  // namespace

template <typename T>
std::vector<OperationCase<T>> row_cases() {
  using nn::Tape;
  Cases<T> cases = {
      {"matmul", {{4, 3}, {3, 5}}, [](Tape<T>& t, In in) { return matmul(t, in[0], in[1]); }},
      {"linear",
       {{4, 3}, {3, 5}, {1, 5}},
       [](Tape<T>& t, In in) { return linear(t, in[0], in[1], in[2]); }},
      {"linear_relu",
       {{6, 3}, {3, 5}, {1, 5}},
       [](Tape<T>& t, In in) { return linear(t, in[0], in[1], in[2], nn::Activation::kRelu); }},
      {"linear_no_rows",
       {{0, 3}, {3, 5}, {1, 5}},
       [](Tape<T>& t, In in) { return linear(t, in[0], in[1], in[2]); }},
      {"linear_no_columns",
       {{4, 0}, {0, 5}, {1, 5}},
       [](Tape<T>& t, In in) { return linear(t, in[0], in[1], in[2]); }},
      {"gather_rows",
       {{5, 3}},
       [](Tape<T>& t, In in) { return gather_rows<T>(t, in[0], kGathered); }},
      {"gather_no_rows",
       {{5, 3}},
       [](Tape<T>& t, In in) { return gather_rows<T>(t, in[0], kNone); }},
      {"broadcast_rows",
       {{4, 3}},
       [](Tape<T>& t, In in) { return broadcast_rows(t, in[0], four_segments()); }},
      {"last_rows",
       {{7, 3}},
       [](Tape<T>& t, In in) { return last_rows(t, in[0], four_segments()); }},
      {"total", {{2, 3}}, [](Tape<T>& t, In in) { return total(t, in[0]); }},
  };
  add_reductions(cases);
  add_joined_linears(cases);
  add_summaries(cases);
  return cases;
}

template std::vector<OperationCase<float>> row_cases();
template std::vector<OperationCase<double>> row_cases();

}  // namespace hloscope::testing
