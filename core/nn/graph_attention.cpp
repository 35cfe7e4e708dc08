#include <algorithm>
#include <cmath>

#include "core/nn/operations.h"

namespace hloscope::nn {

namespace {

template <typename T>
T dot(const T* a, const T* b, size_t n) {
  using Row = Eigen::Map<const Eigen::Array<T, 1, Eigen::Dynamic>>;
  const auto size = static_cast<Eigen::Index>(n);
  return (Row(a, size) * Row(b, size)).sum();
}

// Softmax of each column of rows [begin, end) of a matrix of `cols` columns.
template <typename T>
void softmax_columns(const T* x, size_t rows, size_t cols, T* y) {
  for (size_t c = 0; c < cols; ++c) {
    T largest = x[c];
    for (size_t r = 1; r < rows; ++r) largest = std::max(largest, x[r * cols + c]);
    T sum = 0;
    for (size_t r = 0; r < rows; ++r) {
      y[r * cols + c] = std::exp(x[r * cols + c] - largest);
      sum += y[r * cols + c];
    }
    for (size_t r = 0; r < rows; ++r) y[r * cols + c] /= sum;
  }
}

}  // namespace

template <typename T>
Var head_scores(Tape<T>& tape, Var x, Var a, size_t heads) {
  assert(tape.rows(a) == 1 && tape.cols(a) == tape.cols(x) && tape.cols(x) % heads == 0);
  const size_t width = tape.cols(x) / heads;
  const size_t pairs = tape.rows(x) * heads;  // of a row and a head
  const Var y = tape.output(tape.rows(x), heads, {x, a});
  const T* rows = tape.value(x).data();
  const T* factors = tape.value(a).data();
  T* to = tape.writable(y).data();
  for (size_t i = 0; i < pairs; ++i) {
    to[i] = dot(rows + i * width, factors + i % heads * width, width);
  }
  tape.on_backward(y, [=](Tape<T>& t) {
    const T* gradient = t.gradient(y).data();
    T* x_sum = t.needs_gradient(x) ? t.gradient_sum(x).data() : nullptr;
    T* a_sum = t.needs_gradient(a) ? t.gradient_sum(a).data() : nullptr;
    for (size_t i = 0; i < pairs; ++i) {
      const size_t head = i % heads * width;
      if (x_sum != nullptr) add_scaled_row(gradient[i], factors + head, width, x_sum + i * width);
      if (a_sum != nullptr) add_scaled_row(gradient[i], rows + i * width, width, a_sum + head);
    }
  });
  return y;
}

template <typename T>
Var segment_softmax(Tape<T>& tape, Var x, Segments segments) {
  assert(tape.rows(x) == segments.rows());
  const size_t cols = tape.cols(x);
  const Var y = tape.output(tape.rows(x), cols, {x});
  for (size_t s = 0; s < segments.count(); ++s) {
    const size_t start = segments.begin(s) * cols;
    if (segments.size(s) == 0) continue;
    softmax_columns(tape.value(x).data() + start, segments.size(s), cols,
                    tape.writable(y).data() + start);
  }
  tape.on_backward(y, [=](Tape<T>& t) {
    const T* p = t.value(y).data();
    const T* g = t.gradient(y).data();
    T* sum = t.gradient_sum(x).data();
    for (size_t s = 0; s < segments.count(); ++s) {
      const size_t begin = segments.begin(s) * cols;
      const size_t end = segments.end(s) * cols;
      for (size_t c = 0; c < cols; ++c) {
        T mean = 0;
        for (size_t i = begin + c; i < end; i += cols) mean += p[i] * g[i];
        for (size_t i = begin + c; i < end; i += cols) sum[i] += p[i] * (g[i] - mean);
      }
    }
  });
  return y;
}

template <typename T>
Var weighted_neighbour_sum(Tape<T>& tape, Var x, Var weights, Neighbours neighbours) {
  const size_t heads = tape.cols(weights);
  const size_t cols = tape.cols(x);
  const size_t width = cols / heads;
  const Segments edges = neighbours.edges();
  assert(cols % heads == 0 && tape.rows(weights) == edges.rows());
  const Var y = tape.output(edges.count(), cols, {x, weights});
  const T* w = tape.value(weights).data();
  const T* rows = tape.value(x).data();
  tape.writable(y).setZero();
  T* to = tape.writable(y).data();
  for (size_t i = 0; i < edges.count(); ++i) {
    for (size_t e = edges.begin(i); e < edges.end(i); ++e) {
      const T* row = rows + neighbours.indices[e] * cols;
      for (size_t h = 0; h < heads; ++h) {
        add_scaled_row(w[e * heads + h], row + h * width, width, to + i * cols + h * width);
      }
    }
  }
  tape.on_backward(y, [=](Tape<T>& t) {
    const T* gradient = t.gradient(y).data();
    T* x_sum = t.needs_gradient(x) ? t.gradient_sum(x).data() : nullptr;
    T* w_sum = t.needs_gradient(weights) ? t.gradient_sum(weights).data() : nullptr;
    const auto edge = [&](size_t i, size_t e, size_t h) {
      const size_t at = neighbours.indices[e] * cols + h * width;
      const T* g = gradient + i * cols + h * width;
      if (x_sum != nullptr) add_scaled_row(w[e * heads + h], g, width, x_sum + at);
      if (w_sum != nullptr) w_sum[e * heads + h] += dot(g, rows + at, width);
    };
    for (size_t i = 0; i < edges.count(); ++i) {
      for (size_t e = edges.begin(i); e < edges.end(i); ++e) {
        for (size_t h = 0; h < heads; ++h) edge(i, e, h);
      }
    }
  });
  return y;
}

template Var head_scores(Tape<float>&, Var, Var, size_t);
template Var head_scores(Tape<double>&, Var, Var, size_t);
template Var segment_softmax(Tape<float>&, Var, Segments);
template Var segment_softmax(Tape<double>&, Var, Segments);
template Var weighted_neighbour_sum(Tape<float>&, Var, Var, Neighbours);
template Var weighted_neighbour_sum(Tape<double>&, Var, Var, Neighbours);

}  // namespace hloscope::nn
