#include "core/predict/pairing.h"

#include <algorithm>
#include <numeric>

namespace hloscope::predict {

namespace {

// Calls body(row, unit, sample) for every row of the pairing.
template <typename Body>
void for_each_pair(const Pairing& p, Body body) {
  for (size_t g = 0; g < p.units.count(); ++g) {
    for (size_t s = p.samples.begin(g); s < p.samples.end(g); ++s) {
      size_t row = p.rows.begin(s);
      for (size_t u = p.units.begin(g); u < p.units.end(g); ++u) body(row++, u, s);
    }
  }
}

}  // namespace

template <typename T>
Pairing pair(nn::Tape<T>& tape, nn::Segments units, nn::Segments samples) {
  assert(units.count() == samples.count());
  const std::span<uint32_t> offsets = tape.template scratch<uint32_t>(samples.rows() + 1);
  offsets[0] = 0;
  for (size_t g = 0; g < units.count(); ++g) {
    for (size_t s = samples.begin(g); s < samples.end(g); ++s) {
      offsets[s + 1] = offsets[s] + static_cast<uint32_t>(units.size(g));
    }
  }
  return {units, samples, {offsets}};
}

template <typename T>
std::span<const uint32_t> unit_rows(nn::Tape<T>& tape, const Pairing& pairing) {
  const std::span<uint32_t> out = tape.template scratch<uint32_t>(pairing.rows.rows());
  for_each_pair(pairing,
                [&](size_t row, size_t u, size_t /*s*/) { out[row] = static_cast<uint32_t>(u); });
  return out;
}

template <typename T>
nn::Segments single_rows(nn::Tape<T>& tape, size_t count) {
  const std::span<uint32_t> offsets = tape.template scratch<uint32_t>(count + 1);
  std::iota(offsets.begin(), offsets.end(), 0U);
  return {offsets};
}

template <typename T>
nn::Var relu_of_pairs(nn::Tape<T>& tape, nn::Var units, nn::Var samples, Pairing pairing) {
  const size_t cols = tape.cols(units);
  assert(tape.rows(units) == pairing.units.rows() && tape.cols(samples) == cols);
  assert(tape.rows(samples) == pairing.samples.rows());
  const nn::Var y = tape.output(pairing.rows.rows(), cols, {units, samples});
  const T* unit = tape.value(units).data();
  const T* sample = tape.value(samples).data();
  T* out = tape.writable(y).data();
  for_each_pair(pairing, [=](size_t row, size_t u, size_t s) {
    const T* a = unit + u * cols;
    const T* b = sample + s * cols;
    T* to = out + row * cols;
    for (size_t c = 0; c < cols; ++c) to[c] = std::max(a[c] + b[c], T(0));
  });
  tape.on_backward(y, [=](nn::Tape<T>& t) {
    const T* value = t.value(y).data();
    T* gradient = t.gradient(y).data();
    T* unit_sum = t.needs_gradient(units) ? t.gradient_sum(units).data() : nullptr;
    T* sample_sum = t.needs_gradient(samples) ? t.gradient_sum(samples).data() : nullptr;
    for_each_pair(pairing, [=](size_t row, size_t u, size_t s) {
      T* g = gradient + row * cols;
      for (size_t c = 0; c < cols; ++c) g[c] = value[row * cols + c] > T(0) ? g[c] : T(0);
      if (unit_sum != nullptr) nn::add_row(g, cols, unit_sum + u * cols);
      if (sample_sum != nullptr) nn::add_row(g, cols, sample_sum + s * cols);
    });
  });
  return y;
}

template Pairing pair(nn::Tape<float>&, nn::Segments, nn::Segments);
template Pairing pair(nn::Tape<double>&, nn::Segments, nn::Segments);
template std::span<const uint32_t> unit_rows(nn::Tape<float>&, const Pairing&);
template std::span<const uint32_t> unit_rows(nn::Tape<double>&, const Pairing&);
template nn::Segments single_rows(nn::Tape<float>&, size_t);
template nn::Segments single_rows(nn::Tape<double>&, size_t);
template nn::Var relu_of_pairs(nn::Tape<float>&, nn::Var, nn::Var, Pairing);
template nn::Var relu_of_pairs(nn::Tape<double>&, nn::Var, nn::Var, Pairing);

}  // namespace hloscope::predict
