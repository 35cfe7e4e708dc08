#include "core/nn/parameters.h"

#include <cassert>

namespace hloscope::nn {

template <typename T>
ParameterId ParameterSet<T>::add(std::string name, size_t rows, size_t cols) {
  assert(!find(name).valid());
  constexpr size_t kStep = kAlignmentBytes / sizeof(T);
  const size_t offset = values_.size();
  const size_t end = offset + (rows * cols + kStep - 1) / kStep * kStep;
  values_.resize(end, T(0));
  gradients_.resize(end, T(0));
  entries_.push_back({std::move(name), rows, cols, offset});
  return ParameterId(entries_.size() - 1);
}

template <typename T>
ParameterId ParameterSet<T>::find(std::string_view name) const {
  for (const ParameterId id : ids()) {
    if (entry(id).name == name) return id;
  }
  return {};
}

template class ParameterSet<float>;
template class ParameterSet<double>;

}  // namespace hloscope::nn
