#include <cmath>

#include "core/nn/operations.h"

namespace hloscope::nn {

namespace {

/// The columns of one head and the rows of one segment.
struct Part {
  size_t first_row;
  size_t rows;
  size_t first_col;
  size_t cols;
  size_t stride;

  template <typename T>
  [[nodiscard]] Factor<T> of(const T* data) const {
    return {data + first_row * stride + first_col, rows, cols, stride, false};
  }
  template <typename T>
  [[nodiscard]] Target<T> in(T* data) const {
    return {data + first_row * stride + first_col, rows, cols, stride};
  }
};

/// Calls body(part, i) for each segment that has rows and each head, where the probabilities of
/// the part start at number i of all probabilities.
template <typename Body>
void for_each_part(Segments segments, size_t heads, size_t cols, Body body) {
  size_t at = 0;
  for (size_t s = 0; s < segments.count(); ++s) {
    const size_t rows = segments.size(s);
    for (size_t h = 0; h < heads && rows > 0; ++h) {
      const size_t width = cols / heads;
      body(Part{segments.begin(s), rows, h * width, width, cols}, at);
      at += rows * rows;
    }
  }
}

size_t probability_count(Segments segments, size_t heads) {
  size_t count = 0;
  for (size_t s = 0; s < segments.count(); ++s) count += segments.size(s) * segments.size(s);
  return count * heads;
}

// Each row to softmax(factor x row).
template <typename T>
void softmax_rows(MatrixMap<T> m, T factor) {
  for (Eigen::Index r = 0; r < m.rows(); ++r) {
    auto row = m.row(r).array();
    row = ((row - row.maxCoeff()) * factor).exp();
    row /= row.sum();
  }
}

// From the gradient of the probabilities p to that of the scores that softmax_rows got.
template <typename T>
void softmax_rows_backward(const ConstMatrixMap<T>& p, T factor, MatrixMap<T> gradient) {
  for (Eigen::Index r = 0; r < p.rows(); ++r) {
    const T mean = gradient.row(r).dot(p.row(r));
    gradient.row(r).array() = p.row(r).array() * (gradient.row(r).array() - mean) * factor;
  }
}

/// What forward and backward share.
template <typename T>
struct Attention {
  QueryKeyValue in;
  Var result;
  Segments segments;
  size_t heads;
  T factor;  // 1 / sqrt(d)
};

template <typename T>
void forward(Tape<T>& tape, const Attention<T>& a, T* probabilities) {
  const T* q = tape.value(a.in.query).data();
  const T* k = tape.value(a.in.key).data();
  const T* v = tape.value(a.in.value).data();
  T* out = tape.writable(a.result).data();
  const bool keep = tape.needs_gradient(a.result);
  for_each_part(a.segments, a.heads, tape.cols(a.result), [&](const Part& part, size_t at) {
    MatrixMap<T> p(probabilities + (keep ? at : 0), part.rows, part.rows);
    gemm(part.of(q), part.of(k).t(), T(0), target(p));
    softmax_rows(p, a.factor);
    gemm(factor(p), part.of(v), T(0), part.in(out));
  });
}

template <typename T>
void backward(Tape<T>& tape, const Attention<T>& a, const T* probabilities) {
  const T* q = tape.value(a.in.query).data();
  const T* k = tape.value(a.in.key).data();
  const T* v = tape.value(a.in.value).data();
  const T* d_out = tape.gradient(a.result).data();
  const auto sum = [&](Var in) {
    return tape.needs_gradient(in) ? tape.gradient_sum(in).data() : nullptr;
  };
  T* d_q = sum(a.in.query);
  T* d_k = sum(a.in.key);
  T* d_v = sum(a.in.value);
  T* square = tape.template scratch<T>(a.segments.longest() * a.segments.longest()).data();
  for_each_part(a.segments, a.heads, tape.cols(a.result), [&](const Part& part, size_t at) {
    const ConstMatrixMap<T> p(probabilities + at, part.rows, part.rows);
    MatrixMap<T> d_p(square, part.rows, part.rows);
    if (d_v != nullptr) gemm(factor(p).t(), part.of(d_out), T(1), part.in(d_v));
    gemm(part.of(d_out), part.of(v).t(), T(0), target(d_p));
    softmax_rows_backward(p, a.factor, d_p);
    if (d_q != nullptr) gemm(factor(d_p), part.of(k), T(1), part.in(d_q));
    if (d_k != nullptr) gemm(factor(d_p).t(), part.of(q), T(1), part.in(d_k));
  });
}

}  // namespace

template <typename T>
Var attention(Tape<T>& tape, QueryKeyValue in, Segments segments, size_t heads) {
  const size_t cols = tape.cols(in.query);
  assert(tape.rows(in.query) == segments.rows() && cols % heads == 0);
  assert(tape.rows(in.key) == segments.rows() && tape.cols(in.key) == cols);
  assert(tape.rows(in.value) == segments.rows() && tape.cols(in.value) == cols);
  const Var y = tape.output(segments.rows(), cols, {in.query, in.key, in.value});
  const size_t width = cols / heads;
  const T factor = T(1) / std::sqrt(static_cast<T>(width));
  const Attention<T> task{in, y, segments, heads, factor};
  const size_t numbers = tape.needs_gradient(y) ? probability_count(segments, heads)
                                                : segments.longest() * segments.longest();
  T* probabilities = tape.template scratch<T>(numbers).data();
  forward(tape, task, probabilities);
  tape.on_backward(y, [=](Tape<T>& t) { backward(t, task, probabilities); });
  return y;
}

template Var attention(Tape<float>&, QueryKeyValue, Segments, size_t);
template Var attention(Tape<double>&, QueryKeyValue, Segments, size_t);

}  // namespace hloscope::nn
