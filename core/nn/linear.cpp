#include <algorithm>
#include <array>

#include "core/nn/operations.h"

namespace hloscope::nn {

namespace {

/// LinearTerms with memory of the tape.
struct Terms {
  std::span<const Var> inputs;
  Var weight;
  Var bias;
  Var table;
  std::span<const uint32_t> rows;
  bool relu = false;
};

template <typename T>
Terms keep(Tape<T>& tape, const LinearTerms& terms, Activation activation) {
  const std::span<Var> inputs = tape.template scratch<Var>(terms.inputs.size());
  std::ranges::copy(terms.inputs, inputs.begin());
  return {inputs,      terms.weight, terms.bias,
          terms.table, terms.rows,   activation == Activation::kRelu};
}

/// Calls body(input, first row of its block of the weight).
template <typename T, typename Body>
void for_each_block(const Tape<T>& tape, std::span<const Var> inputs, Body body) {
  size_t row = 0;
  for (const Var input : inputs) {
    body(input, row);
    row += tape.cols(input);
  }
}

template <typename T>
Factor<T> block(const ConstMatrixMap<T>& weight, size_t first_row, size_t rows) {
  const auto cols = static_cast<size_t>(weight.cols());
  return {weight.data() + first_row * cols, rows, cols, cols, false};
}

template <typename T>
void multiply_blocks(Tape<T>& tape, const Terms& terms, Var y) {
  for_each_block(tape, terms.inputs, [&](Var x, size_t row) {
    gemm(factor(tape.value(x)), block(tape.value(terms.weight), row, tape.cols(x)),
         row == 0 ? T(0) : T(1), target(tape.writable(y)));
  });
}

// Bias, rows of the table and activation, while a row of the result is in the cache.
template <typename T>
void finish_rows(Tape<T>& tape, const Terms& terms, MatrixMap<T> y) {
  const auto cols = static_cast<size_t>(y.cols());
  const T* __restrict bias = tape.value(terms.bias).data();
  for (Eigen::Index r = 0; r < y.rows(); ++r) {
    T* __restrict row = y.data() + r * y.cols();
    if (terms.table.valid()) {
      const auto from = terms.rows[static_cast<size_t>(r)];
      add_row(tape.value(terms.table).data() + from * cols, cols, row);
    }
    if (terms.relu) {
      for (size_t c = 0; c < cols; ++c) row[c] = std::max(row[c] + bias[c], T(0));
    } else {
      add_row(bias, cols, row);
    }
  }
}

// Clears the gradient where relu gave 0, and adds its rows to the gradients of bias and table, all
// while a row is in the cache.
template <typename T>
void rows_backward(Tape<T>& tape, const Terms& terms, Var y) {
  MatrixMap<T> gradient = tape.gradient(y);
  const auto cols = static_cast<size_t>(gradient.cols());
  const auto sum_of = [&](Var v) {
    return v.valid() && tape.needs_gradient(v) ? tape.gradient_sum(v).data() : nullptr;
  };
  T* bias = sum_of(terms.bias);
  T* table = sum_of(terms.table);
  for (Eigen::Index r = 0; r < gradient.rows(); ++r) {
    T* __restrict row = gradient.data() + r * gradient.cols();
    const T* __restrict result = tape.value(y).data() + r * gradient.cols();
    if (terms.relu) {
      for (size_t c = 0; c < cols; ++c) row[c] = result[c] > T(0) ? row[c] : T(0);
    }
    if (bias != nullptr) add_row(row, cols, bias);
    if (table != nullptr) add_row(row, cols, table + terms.rows[static_cast<size_t>(r)] * cols);
  }
}

template <typename T>
void blocks_backward(Tape<T>& tape, const Terms& terms, Var y) {
  const Factor<T> gradient = factor(tape.gradient(y));
  const bool wanted = tape.needs_gradient(terms.weight);
  const T beta = wanted && !tape.open_gradient(terms.weight) ? T(1) : T(0);
  for_each_block(tape, terms.inputs, [&](Var x, size_t row) {
    const size_t depth = tape.cols(x);
    tape.add_product(x, gradient, block(tape.value(terms.weight), row, depth).t());
    if (!wanted) return;
    T* to = tape.gradient(terms.weight).data() + row * gradient.cols;
    gemm(factor(tape.value(x)).t(), gradient, beta, {to, depth, gradient.cols, gradient.cols});
  });
}

}  // namespace

template <typename T>
Var matmul(Tape<T>& tape, Var x, Var w) {
  const Var y = tape.output(tape.rows(x), tape.cols(w), {x, w});
  gemm(factor(tape.value(x)), factor(tape.value(w)), T(0), target(tape.writable(y)));
  tape.on_backward(y, [=](Tape<T>& t) {
    t.add_product(x, factor(t.gradient(y)), factor(t.value(w)).t());
    t.add_product(w, factor(t.value(x)).t(), factor(t.gradient(y)));
  });
  return y;
}

template <typename T>
Var linear(Tape<T>& tape, const LinearTerms& in, Activation activation) {
  assert(!in.inputs.empty());
  assert(tape.rows(in.bias) == 1 && tape.cols(in.bias) == tape.cols(in.weight));
  const size_t rows = tape.rows(in.inputs.front());
  assert(!in.table.valid() || in.rows.size() == rows);
  const Terms terms = keep(tape, in, activation);
  std::array<Var, kMostLinearInputs + 3> all{in.weight, in.bias,
                                             in.table.valid() ? in.table : in.bias};
  std::ranges::copy(in.inputs, all.begin() + 3);
  const Var y = tape.output(rows, tape.cols(in.weight), std::span(all).first(3 + in.inputs.size()));
  multiply_blocks(tape, terms, y);
  finish_rows(tape, terms, tape.writable(y));
  tape.on_backward(y, [=](Tape<T>& t) {
    rows_backward(t, terms, y);
    blocks_backward(t, terms, y);
  });
  return y;
}

template <typename T>
Var linear(Tape<T>& tape, Var x, Var w, Var bias, Activation activation) {
  return linear(tape, LinearTerms{{&x, 1}, w, bias, {}, {}}, activation);
}

template Var matmul(Tape<float>&, Var, Var);
template Var matmul(Tape<double>&, Var, Var);
template Var linear(Tape<float>&, const LinearTerms&, Activation);
template Var linear(Tape<double>&, const LinearTerms&, Activation);
template Var linear(Tape<float>&, Var, Var, Var, Activation);
template Var linear(Tape<double>&, Var, Var, Var, Activation);

}  // namespace hloscope::nn
