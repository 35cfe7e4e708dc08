#include <algorithm>
#include <numeric>

#include "core/nn/operations.h"

// The rows are packed by time step: first the first rows of all segments, longest segment first,
// then the second rows of those that have one, and so on. The segments of a step are then the
// first ones of the step before, so that each step reads and writes consecutive rows.

namespace hloscope::nn {

namespace {

struct Packing {
  std::span<uint32_t> rows;   // row of the input for each packed row
  std::span<uint32_t> steps;  // step t has the packed rows [steps[t], steps[t + 1])

  [[nodiscard]] size_t step_count() const { return steps.size() - 1; }
  [[nodiscard]] size_t begin(size_t t) const { return steps[t]; }
  [[nodiscard]] size_t size(size_t t) const { return steps[t + 1] - steps[t]; }
};

template <typename T>
Packing pack(Tape<T>& tape, Segments segments) {
  const std::span<uint32_t> order = tape.template scratch<uint32_t>(segments.count());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return segments.size(a) != segments.size(b) ? segments.size(a) > segments.size(b) : a < b;
  });
  const size_t steps = segments.longest();
  const Packing packing{tape.template scratch<uint32_t>(segments.rows()),
                        tape.template scratch<uint32_t>(steps + 1)};
  uint32_t at = 0;
  for (size_t t = 0; t < steps; ++t) {
    packing.steps[t] = at;
    for (size_t i = 0; i < order.size() && segments.size(order[i]) > t; ++i) {
      packing.rows[at++] = static_cast<uint32_t>(segments.begin(order[i]) + t);
    }
  }
  packing.steps[steps] = at;
  return packing;
}

/// Everything in packed order.
template <typename T>
struct LstmState {
  Packing packing;
  size_t width = 0;     // h
  T* gates = nullptr;   // [n x 4h], after their activations: input, forget, cell, output
  T* cell = nullptr;    // [n x h]
  T* curve = nullptr;   // tanh(cell) [n x h]
  T* hidden = nullptr;  // [n x h]

  [[nodiscard]] Factor<T> rows_of(const T* data, size_t first, size_t count, size_t cols) const {
    return {data + first * cols, count, cols, cols, false};
  }
  [[nodiscard]] Target<T> target_of(T* data, size_t first, size_t count, size_t cols) const {
    return {data + first * cols, count, cols, cols};
  }
};

template <typename T>
using Numbers = Eigen::Map<Eigen::Array<T, 1, Eigen::Dynamic>>;

// One row of one step; `before` is the cell of the row before, or null.
template <typename T>
void cell_forward(const LstmState<T>& state, size_t row, const T* before) {
  const auto h = static_cast<Eigen::Index>(state.width);
  T* data = state.gates + row * 4 * state.width;
  Numbers<T> gates(data, 4 * h);
  gates.head(2 * h) = gates.head(2 * h).logistic();
  gates.segment(2 * h, h) = gates.segment(2 * h, h).tanh();
  gates.tail(h) = gates.tail(h).logistic();
  Numbers<T> cell(state.cell + row * state.width, h);
  cell = gates.head(h) * gates.segment(2 * h, h);
  if (before != nullptr) {
    cell += gates.segment(h, h) * Eigen::Map<const Eigen::Array<T, 1, Eigen::Dynamic>>(before, h);
  }
  Numbers<T> curve(state.curve + row * state.width, h);
  curve = cell.tanh();
  Numbers<T>(state.hidden + row * state.width, h) = gates.tail(h) * curve;
}

template <typename T>
void forward(const LstmState<T>& state, const ConstMatrixMap<T>& recurrent) {
  const size_t h = state.width;
  for (size_t t = 0; t < state.packing.step_count(); ++t) {
    const size_t begin = state.packing.begin(t);
    const size_t count = state.packing.size(t);
    const size_t before = t == 0 ? 0 : state.packing.begin(t - 1);
    if (t > 0) {
      gemm(state.rows_of(state.hidden, before, count, h), factor(recurrent), T(1),
           state.target_of(state.gates, begin, count, 4 * h));
    }
    for (size_t i = 0; i < count; ++i) {
      cell_forward(state, begin + i, t == 0 ? nullptr : state.cell + (before + i) * h);
    }
  }
}

/// Gradients in packed order.
template <typename T>
struct Gradients {
  T* gates;   // [n x 4h], before their activations
  T* cell;    // [n x h]
  T* hidden;  // [n x h]
};

// One row of one step; `before` is the packed row of the same segment in the step before, or null.
template <typename T>
void cell_backward(const LstmState<T>& s, const Gradients<T>& d, size_t row, const size_t* before) {
  const size_t h = s.width;
  const T* gate = s.gates + row * 4 * h;
  T* out = d.gates + row * 4 * h;
  const T* curve = s.curve + row * h;
  const T* d_hidden = d.hidden + row * h;
  const T* d_cell = d.cell + row * h;
  for (size_t c = 0; c < h; ++c) {
    const T input = gate[c];
    const T forget = gate[h + c];
    const T fresh = gate[2 * h + c];
    const T output = gate[3 * h + c];
    const T dc = d_cell[c] + d_hidden[c] * output * (T(1) - curve[c] * curve[c]);
    const T old = before == nullptr ? T(0) : s.cell[*before * h + c];
    out[c] = dc * fresh * input * (T(1) - input);
    out[h + c] = dc * old * forget * (T(1) - forget);
    out[2 * h + c] = dc * input * (T(1) - fresh * fresh);
    out[3 * h + c] = d_hidden[c] * curve[c] * output * (T(1) - output);
    if (before != nullptr) d.cell[*before * h + c] = dc * forget;
  }
}

// Fills d.gates; d.hidden holds the gradient of the result and d.cell zeros before. The recurrent
// matrix comes transposed [4h x h], once for all steps: oneDNN would do so in every product.
template <typename T>
void backward(const LstmState<T>& s, const Gradients<T>& d, const MatrixMap<T>& transposed) {
  for (size_t t = s.packing.step_count(); t-- > 0;) {
    const size_t begin = s.packing.begin(t);
    const size_t count = s.packing.size(t);
    for (size_t i = 0; i < count; ++i) {
      const size_t before = t == 0 ? 0 : s.packing.begin(t - 1) + i;
      cell_backward(s, d, begin + i, t == 0 ? nullptr : &before);
    }
    if (t == 0) break;
    gemm(s.rows_of(d.gates, begin, count, 4 * s.width), factor(transposed), T(1),
         s.target_of(d.hidden, s.packing.begin(t - 1), count, s.width));
  }
}

// The gradient of `recurrent` as one product: the hidden state before each row but the first ones.
template <typename T>
void add_recurrent_gradient(Tape<T>& tape, const LstmState<T>& s, const T* d_gates, Var recurrent) {
  if (!tape.needs_gradient(recurrent) || s.packing.step_count() < 2) return;
  const size_t first = s.packing.size(0);
  const size_t count = s.packing.rows.size() - first;
  MatrixMap<T> before = tape.scratch_matrix(count, s.width);
  T* to = before.data();
  for (size_t t = 1; t < s.packing.step_count(); ++t) {
    to = std::copy_n(s.hidden + s.packing.begin(t - 1) * s.width, s.packing.size(t) * s.width, to);
  }
  tape.add_product(recurrent, factor(before).t(), s.rows_of(d_gates, first, count, 4 * s.width));
}

template <typename T>
void lstm_backward(Tape<T>& tape, const LstmState<T>& s, Var result, Var gates, Var recurrent) {
  const size_t n = s.packing.rows.size();
  const size_t h = s.width;
  const Gradients<T> d{tape.template scratch<T>(n * 4 * h).data(),
                       tape.template scratch<T>(n * h).data(),
                       tape.template scratch<T>(n * h).data()};
  std::fill_n(d.cell, n * h, T(0));
  const T* gradient = tape.gradient(result).data();
  for (size_t p = 0; p < n; ++p) {
    std::copy_n(gradient + s.packing.rows[p] * h, h, d.hidden + p * h);
  }
  MatrixMap<T> transposed = tape.scratch_matrix(4 * h, h);
  transposed = tape.value(recurrent).transpose();
  backward(s, d, transposed);
  add_recurrent_gradient(tape, s, d.gates, recurrent);
  if (!tape.needs_gradient(gates)) return;
  T* sum = tape.gradient_sum(gates).data();
  for (size_t p = 0; p < n; ++p) {
    add_row(d.gates + p * 4 * h, 4 * h, sum + s.packing.rows[p] * 4 * h);
  }
}

}  // namespace

template <typename T>
Var lstm(Tape<T>& tape, Var gates, Var recurrent, Segments segments) {
  const size_t n = tape.rows(gates);
  const size_t h = tape.rows(recurrent);
  assert(segments.rows() == n && tape.cols(gates) == 4 * h && tape.cols(recurrent) == 4 * h);
  const Var y = tape.output(n, h, {gates, recurrent});
  const LstmState<T> state{pack(tape, segments),
                           h,
                           tape.template scratch<T>(n * 4 * h).data(),
                           tape.template scratch<T>(n * h).data(),
                           tape.template scratch<T>(n * h).data(),
                           tape.template scratch<T>(n * h).data()};
  const T* from = tape.value(gates).data();
  for (size_t p = 0; p < n; ++p) {
    std::copy_n(from + state.packing.rows[p] * 4 * h, 4 * h, state.gates + p * 4 * h);
  }
  forward(state, tape.value(recurrent));
  T* to = tape.writable(y).data();
  for (size_t p = 0; p < n; ++p) {
    std::copy_n(state.hidden + p * h, h, to + state.packing.rows[p] * h);
  }
  tape.on_backward(y, [=](Tape<T>& t) { lstm_backward(t, state, y, gates, recurrent); });
  return y;
}

template Var lstm(Tape<float>&, Var, Var, Segments);
template Var lstm(Tape<double>&, Var, Var, Segments);

}  // namespace hloscope::nn
