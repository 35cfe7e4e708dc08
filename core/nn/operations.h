#pragma once

#include <initializer_list>
#include <span>

#include "core/base/rng.h"
#include "core/nn/segments.h"
#include "core/nn/tape.h"

// Operations on the matrices of a tape: each computes its result and notes its gradient. Sizes in
// brackets are [rows x columns]. Index arrays (Segments, Neighbours, rows to gather) are referred
// to and must outlive the step. Sizes that do not fit are a programmer's error (assert).

namespace hloscope::nn {

// ---- Products ----

/// x [n x k] w [k x m] -> [n x m].
template <typename T>
[[nodiscard]] Var matmul(Tape<T>& tape, Var x, Var w);

enum class Activation { kNone, kRelu };
/// activation(x [n x k] w [k x m] + bias [1 x m]) -> [n x m]; bias and activation in one pass.
template <typename T>
[[nodiscard]] Var linear(Tape<T>& tape, Var x, Var w, Var bias,
                         Activation activation = Activation::kNone);

/// What a layer adds up.
struct LinearTerms {
  std::span<const Var> inputs;     ///< [n x k_i] each, at most kMostLinearInputs, side by side.
  Var weight;                      ///< [sum of k_i x m]
  Var bias;                        ///< [1 x m]
  Var table;                       ///< [v x m]; invalid: none.
  std::span<const uint32_t> rows;  ///< [n]: the row of the table that is added to each row.
};
inline constexpr size_t kMostLinearInputs = 3;
/// As linear() above of the inputs side by side, without the copy that puts them there, plus rows
/// of a table (e.g. what an embedding is multiplied to) before the activation -> [n x m].
template <typename T>
[[nodiscard]] Var linear(Tape<T>& tape, const LinearTerms& terms, Activation activation);

// ---- Rows ----

/// Row rows[i] of table [v x d] as row i -> [rows.size() x d]: an embedding, or the nodes at the
/// ends of edges. Gradients of a row taken twice are added in the order of `rows`.
template <typename T>
[[nodiscard]] Var gather_rows(Tape<T>& tape, Var table, std::span<const uint32_t> rows);

/// Row s of x [segments.count() x d] for every row of segment s -> [segments.rows() x d].
template <typename T>
[[nodiscard]] Var broadcast_rows(Tape<T>& tape, Var x, Segments segments);

/// The last row of every segment of x [n x d] -> [segments.count() x d]; 0 for empty segments.
template <typename T>
[[nodiscard]] Var last_rows(Tape<T>& tape, Var x, Segments segments);

// ---- Reductions over segments and neighbours ----

enum class Reduction { kSum, kMean, kMax };
/// Reduces the rows of each segment of x [n x d] -> [segments.count() x d]. An empty segment gives
/// 0. Where several rows have the largest value, the first one gets the gradient.
template <typename T>
[[nodiscard]] Var segment_reduce(Tape<T>& tape, Var x, Segments segments, Reduction reduction);

/// Sum, mean and largest of each segment side by side, as of segment_reduce, in one pass over x
/// [n x d] -> [segments.count() x 3d].
template <typename T>
[[nodiscard]] Var segment_summary(Tape<T>& tape, Var x, Segments segments);

/// Reduces the rows of the neighbours of each node: x [n x d] -> [neighbours.edges().count() x d].
/// As segment_reduce of the rows gathered by neighbours.indices, without that copy.
template <typename T>
[[nodiscard]] Var neighbour_reduce(Tape<T>& tape, Var x, Neighbours neighbours,
                                   Reduction reduction);

/// Sum of all numbers of x -> [1 x 1].
template <typename T>
[[nodiscard]] Var total(Tape<T>& tape, Var x);

// ---- Attention over neighbours (GAT, arXiv 1710.10903) ----

/// x [n x heads d], a [1 x heads d] -> [n x heads]: sum over d of x a, for each head.
template <typename T>
[[nodiscard]] Var head_scores(Tape<T>& tape, Var x, Var a, size_t heads);

/// Softmax over the rows of each segment, for each column of x [n x h] -> [n x h].
template <typename T>
[[nodiscard]] Var segment_softmax(Tape<T>& tape, Var x, Segments segments);

/// x [n x heads d], weights [edges x heads] -> [nodes x heads d]: for each node the sum over its
/// neighbours of the neighbour's row, each head's part times the weight of edge and head.
template <typename T>
[[nodiscard]] Var weighted_neighbour_sum(Tape<T>& tape, Var x, Var weights, Neighbours neighbours);

// ---- Element by element ----

template <typename T>
[[nodiscard]] Var relu(Tape<T>& tape, Var x);
/// x for x > 0, else slope x.
template <typename T>
[[nodiscard]] Var leaky_relu(Tape<T>& tape, Var x, T slope);
template <typename T>
[[nodiscard]] Var tanh(Tape<T>& tape, Var x);
/// 1 / (1 + exp(-x)).
template <typename T>
[[nodiscard]] Var sigmoid(Tape<T>& tape, Var x);
template <typename T>
[[nodiscard]] Var exp(Tape<T>& tape, Var x);
/// The tanh form: x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) (arXiv 1606.08415).
template <typename T>
[[nodiscard]] Var gelu(Tape<T>& tape, Var x);
/// a + b, both [n x d].
template <typename T>
[[nodiscard]] Var add(Tape<T>& tape, Var a, Var b);
/// a b, both [n x d].
template <typename T>
[[nodiscard]] Var multiply(Tape<T>& tape, Var a, Var b);
template <typename T>
[[nodiscard]] Var scale(Tape<T>& tape, Var x, T factor);
/// Each number is 0 with the given probability (in [0, 1)), else divided by 1 - probability. With
/// probability 0 it is x itself and takes no random numbers.
template <typename T>
[[nodiscard]] Var dropout(Tape<T>& tape, Var x, double probability, Rng& rng);

// ---- Columns ----

/// The matrices, all of n rows, side by side.
template <typename T>
[[nodiscard]] Var concat_columns(Tape<T>& tape, std::span<const Var> parts);
template <typename T>
[[nodiscard]] Var concat_columns(Tape<T>& tape, std::initializer_list<Var> parts) {
  return concat_columns(tape, std::span(parts.begin(), parts.size()));
}
/// x [n x d] gain [1 x d] + shift [1 x d], for each row.
template <typename T>
[[nodiscard]] Var scale_shift(Tape<T>& tape, Var x, Var gain, Var shift);

// ---- Normalisation ----

/// Each row divided by max(its Euclidean norm, 1e-12).
template <typename T>
[[nodiscard]] Var l2_normalise_rows(Tape<T>& tape, Var x);
/// Each row to mean 0 and variance 1 (divisor d, 1e-5 added to the variance), then scale_shift.
template <typename T>
[[nodiscard]] Var layer_norm(Tape<T>& tape, Var x, Var gain, Var shift);
/// Each column to mean 0 and variance 1 over the rows of each segment (divisor: the number of
/// rows, 1e-5 added to the variance). scale_shift may follow.
template <typename T>
[[nodiscard]] Var instance_norm(Tape<T>& tape, Var x, Segments segments);

// ---- Sequences ----

/// LSTM over the rows of each segment in order, from a state of zeros. `gates` [n x 4h] is the part
/// of the input, x w + bias, in the order input, forget, cell, output; `recurrent` [h x 4h].
/// -> the hidden state after each row [n x h]. Segments of all lengths run at once: step t is one
/// product over all that have a row t.
template <typename T>
[[nodiscard]] Var lstm(Tape<T>& tape, Var gates, Var recurrent, Segments segments);

struct QueryKeyValue {
  Var query;
  Var key;
  Var value;
};
/// Scaled dot-product attention of every row to all rows of its segment: query, key and value
/// [n x heads d] -> [n x heads d]; softmax(query key^T / sqrt(d)) value for each head (arXiv
/// 1706.03762). Takes memory for heads times the sum of the squared sizes of the segments.
template <typename T>
[[nodiscard]] Var attention(Tape<T>& tape, QueryKeyValue in, Segments segments, size_t heads);

}  // namespace hloscope::nn
