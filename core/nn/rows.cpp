#include <algorithm>

#include "core/nn/operations.h"

namespace hloscope::nn {

template <typename T>
Var gather_rows(Tape<T>& tape, Var table, std::span<const uint32_t> rows) {
  const size_t cols = tape.cols(table);
  const Var y = tape.output(rows.size(), cols, {table});
  const T* from = tape.value(table).data();
  T* to = tape.writable(y).data();
  for (size_t i = 0; i < rows.size(); ++i) {
    assert(rows[i] < tape.rows(table));
    std::copy_n(from + rows[i] * cols, cols, to + i * cols);
  }
  tape.on_backward(y, [=](Tape<T>& t) {
    T* sum = t.gradient_sum(table).data();
    const T* gradient = t.gradient(y).data();
    for (size_t i = 0; i < rows.size(); ++i) {
      add_row(gradient + i * cols, cols, sum + rows[i] * cols);
    }
  });
  return y;
}

template <typename T>
Var broadcast_rows(Tape<T>& tape, Var x, Segments segments) {
  assert(tape.rows(x) == segments.count());
  const size_t cols = tape.cols(x);
  const Var y = tape.output(segments.rows(), cols, {x});
  const T* from = tape.value(x).data();
  T* to = tape.writable(y).data();
  for (size_t s = 0; s < segments.count(); ++s) {
    for (size_t r = segments.begin(s); r < segments.end(s); ++r) {
      std::copy_n(from + s * cols, cols, to + r * cols);
    }
  }
  tape.on_backward(y, [=](Tape<T>& t) {
    T* sum = t.gradient_sum(x).data();
    const T* gradient = t.gradient(y).data();
    for (size_t s = 0; s < segments.count(); ++s) {
      for (size_t r = segments.begin(s); r < segments.end(s); ++r) {
        add_row(gradient + r * cols, cols, sum + s * cols);
      }
    }
  });
  return y;
}

template <typename T>
Var last_rows(Tape<T>& tape, Var x, Segments segments) {
  assert(tape.rows(x) == segments.rows());
  const size_t cols = tape.cols(x);
  const Var y = tape.output(segments.count(), cols, {x});
  const T* from = tape.value(x).data();
  T* to = tape.writable(y).data();
  for (size_t s = 0; s < segments.count(); ++s) {
    if (segments.size(s) == 0) {
      std::fill_n(to + s * cols, cols, T(0));
    } else {
      std::copy_n(from + (segments.end(s) - 1) * cols, cols, to + s * cols);
    }
  }
  tape.on_backward(y, [=](Tape<T>& t) {
    T* sum = t.gradient_sum(x).data();
    const T* gradient = t.gradient(y).data();
    for (size_t s = 0; s < segments.count(); ++s) {
      if (segments.size(s) == 0) continue;
      add_row(gradient + s * cols, cols, sum + (segments.end(s) - 1) * cols);
    }
  });
  return y;
}

template Var gather_rows(Tape<float>&, Var, std::span<const uint32_t>);
template Var gather_rows(Tape<double>&, Var, std::span<const uint32_t>);
template Var broadcast_rows(Tape<float>&, Var, Segments);
template Var broadcast_rows(Tape<double>&, Var, Segments);
template Var last_rows(Tape<float>&, Var, Segments);
template Var last_rows(Tape<double>&, Var, Segments);

}  // namespace hloscope::nn
