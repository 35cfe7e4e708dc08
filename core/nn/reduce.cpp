#include <algorithm>

#include "core/nn/operations.h"

namespace hloscope::nn {

namespace {

/// The rows that are reduced to one: those of `groups`, through `indices` where there are any.
struct Members {
  Segments groups;
  std::span<const uint32_t> indices;  // empty data(): row r itself

  [[nodiscard]] size_t row(size_t r) const { return indices.data() == nullptr ? r : indices[r]; }
};

// 1 for a sum, 1 / size for a mean.
template <typename T>
T weight(const Segments& groups, size_t s, Reduction reduction) {
  return reduction == Reduction::kSum ? T(1) : T(1) / static_cast<T>(groups.size(s));
}

template <typename T>
Var add_up(Tape<T>& tape, Var x, Members members, Reduction reduction) {
  const size_t cols = tape.cols(x);
  const Segments groups = members.groups;
  const Var y = tape.output(groups.count(), cols, {x});
  const T* from = tape.value(x).data();
  T* to = tape.writable(y).data();
  for (size_t s = 0; s < groups.count(); ++s) {
    T* sum = to + s * cols;
    if (groups.size(s) == 0) {
      std::fill_n(sum, cols, T(0));
      continue;
    }
    std::copy_n(from + members.row(groups.begin(s)) * cols, cols, sum);
    for (size_t r = groups.begin(s) + 1; r < groups.end(s); ++r) {
      add_row(from + members.row(r) * cols, cols, sum);
    }
    if (reduction == Reduction::kMean && groups.size(s) > 1) {
      const T factor = weight<T>(groups, s, reduction);
      for (size_t c = 0; c < cols; ++c) sum[c] *= factor;
    }
  }
  tape.on_backward(y, [=](Tape<T>& t) {
    T* sum = t.gradient_sum(x).data();
    const T* gradient = t.gradient(y).data();
    for (size_t s = 0; s < groups.count(); ++s) {
      for (size_t r = groups.begin(s); r < groups.end(s); ++r) {
        add_scaled_row(weight<T>(groups, s, reduction), gradient + s * cols, cols,
                       sum + members.row(r) * cols);
      }
    }
  });
  return y;
}

/// Takes the numbers of a row that are larger than the best so far; `best_row` may be null.
template <typename T>
void take_larger(const T* row, size_t cols, uint32_t id, T* best, uint32_t* best_row) {
  if (best_row != nullptr) {
    for (size_t c = 0; c < cols; ++c) best_row[c] = row[c] > best[c] ? id : best_row[c];
  }
  for (size_t c = 0; c < cols; ++c) best[c] = std::max(best[c], row[c]);
}

/// The largest of each column, and where `source` is wanted the first row that has it.
template <typename T>
void largest(const T* x, Members members, size_t cols, MatrixMap<T> y, uint32_t* source) {
  const Segments groups = members.groups;
  y.setZero();
  for (size_t s = 0; s < groups.count(); ++s) {
    if (groups.size(s) == 0) continue;
    T* best = y.data() + s * cols;
    uint32_t* best_row = source == nullptr ? nullptr : source + s * cols;
    const size_t first = members.row(groups.begin(s));
    std::copy_n(x + first * cols, cols, best);
    if (best_row != nullptr) std::fill_n(best_row, cols, static_cast<uint32_t>(first));
    for (size_t r = groups.begin(s) + 1; r < groups.end(s); ++r) {
      const size_t row = members.row(r);
      take_larger(x + row * cols, cols, static_cast<uint32_t>(row), best, best_row);
    }
  }
}

template <typename T>
Var maximum(Tape<T>& tape, Var x, Members members) {
  const size_t cols = tape.cols(x);
  const Segments groups = members.groups;
  const Var y = tape.output(groups.count(), cols, {x});
  uint32_t* source = nullptr;
  if (tape.needs_gradient(y)) {
    source = tape.template scratch<uint32_t>(groups.count() * cols).data();
  }
  largest(tape.value(x).data(), members, cols, tape.writable(y), source);
  tape.on_backward(y, [=](Tape<T>& t) {
    T* sum = t.gradient_sum(x).data();
    const T* gradient = t.gradient(y).data();
    for (size_t s = 0; s < groups.count(); ++s) {
      if (groups.size(s) == 0) continue;
      for (size_t c = 0; c < cols; ++c) {
        sum[source[s * cols + c] * cols + c] += gradient[s * cols + c];
      }
    }
  });
  return y;
}

// Sum, mean and largest of the rows [begin, end) of x, which are not none.
template <typename T>
void summarise(const T* x, size_t begin, size_t end, size_t cols, T* out, uint32_t* source) {
  T* sum = out;
  T* mean = out + cols;
  T* best = out + 2 * cols;
  std::copy_n(x + begin * cols, cols, sum);
  std::copy_n(x + begin * cols, cols, best);
  if (source != nullptr) std::fill_n(source, cols, static_cast<uint32_t>(begin));
  for (size_t r = begin + 1; r < end; ++r) {
    add_row(x + r * cols, cols, sum);
    take_larger(x + r * cols, cols, static_cast<uint32_t>(r), best, source);
  }
  const T factor = T(1) / static_cast<T>(end - begin);
  for (size_t c = 0; c < cols; ++c) mean[c] = sum[c] * factor;
}

// The reverse: `gradient` is that of the summary, `fresh` where `to` is not initialised.
template <typename T>
struct SummaryGradient {
  const T* gradient;
  const uint32_t* source;
  T* to;
  bool fresh;
  T* share;  // [cols], scratch

  void spread(size_t begin, size_t end, size_t cols) const {
    const T factor = T(1) / static_cast<T>(end - begin);
    for (size_t c = 0; c < cols; ++c) share[c] = gradient[c] + factor * gradient[cols + c];
    for (size_t r = begin; r < end; ++r) {
      if (fresh) {
        std::copy_n(share, cols, to + r * cols);
      } else {
        add_row(share, cols, to + r * cols);
      }
    }
    for (size_t c = 0; c < cols; ++c) to[source[c] * cols + c] += gradient[2 * cols + c];
  }
};

}  // namespace

template <typename T>
Var segment_summary(Tape<T>& tape, Var x, Segments segments) {
  assert(tape.rows(x) == segments.rows());
  const size_t cols = tape.cols(x);
  const size_t count = segments.count();
  const Var y = tape.output(count, 3 * cols, {x});
  uint32_t* sources =
      tape.needs_gradient(y) ? tape.template scratch<uint32_t>(count * cols).data() : nullptr;
  T* to = tape.writable(y).data();
  for (size_t s = 0; s < count; ++s) {
    T* row = to + 3 * s * cols;
    if (segments.size(s) == 0) {
      std::fill_n(row, 3 * cols, T(0));
    } else {
      summarise(tape.value(x).data(), segments.begin(s), segments.end(s), cols, row,
                sources == nullptr ? nullptr : sources + s * cols);
    }
  }
  tape.on_backward(y, [=](Tape<T>& t) {
    const bool fresh = t.open_gradient(x);
    T* share = t.template scratch<T>(cols).data();
    for (size_t s = 0; s < count; ++s) {
      if (segments.size(s) == 0) continue;
      SummaryGradient<T>{t.gradient(y).data() + 3 * s * cols, sources + s * cols,
                         t.gradient(x).data(), fresh, share}
          .spread(segments.begin(s), segments.end(s), cols);
    }
  });
  return y;
}

template <typename T>
Var segment_reduce(Tape<T>& tape, Var x, Segments segments, Reduction reduction) {
  assert(tape.rows(x) == segments.rows());
  const Members members{segments, {}};
  return reduction == Reduction::kMax ? maximum(tape, x, members)
                                      : add_up(tape, x, members, reduction);
}

template <typename T>
Var neighbour_reduce(Tape<T>& tape, Var x, Neighbours neighbours, Reduction reduction) {
  assert(neighbours.indices.size() == neighbours.edges().rows());
  const Members members{neighbours.edges(), neighbours.indices};
  return reduction == Reduction::kMax ? maximum(tape, x, members)
                                      : add_up(tape, x, members, reduction);
}

template <typename T>
Var total(Tape<T>& tape, Var x) {
  const Var y = tape.output(1, 1, {x});
  tape.writable(y)(0, 0) = tape.value(x).sum();
  tape.on_backward(y, [=](Tape<T>& t) {
    const T gradient = t.gradient(y)(0, 0);
    t.gradient_sum(x).array() += gradient;
  });
  return y;
}

template Var segment_summary(Tape<float>&, Var, Segments);
template Var segment_summary(Tape<double>&, Var, Segments);
template Var segment_reduce(Tape<float>&, Var, Segments, Reduction);
template Var segment_reduce(Tape<double>&, Var, Segments, Reduction);
template Var neighbour_reduce(Tape<float>&, Var, Neighbours, Reduction);
template Var neighbour_reduce(Tape<double>&, Var, Neighbours, Reduction);
template Var total(Tape<float>&, Var);
template Var total(Tape<double>&, Var);

}  // namespace hloscope::nn
