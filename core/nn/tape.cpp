#include "core/nn/tape.h"

#include <algorithm>

namespace hloscope::nn {

template <typename T>
Tape<T>::Tape(const ParameterSet<T>& parameters) : parameters_(parameters) {
  reset();
}

template <typename T>
void Tape<T>::reset() {
  arena_.reset();
  slots_.clear();
  steps_.clear();
  parameter_vars_.assign(parameters_.size(), Var());
}

template <typename T>
Var Tape<T>::add_slot(Slot slot) {
  slots_.push_back(slot);
  return Var(slots_.size() - 1);
}

template <typename T>
Var Tape<T>::input(size_t rows, size_t cols) {
  return add_slot({.value = scratch<T>(rows * cols).data(), .rows = rows, .cols = cols});
}

template <typename T>
Var Tape<T>::constant(const T* data, size_t rows, size_t cols) {
  return add_slot({.value = const_cast<T*>(data), .rows = rows, .cols = cols});  // value() is const
}

template <typename T>
Var Tape<T>::parameter(ParameterId id) {
  Var& var = parameter_vars_[id.value];
  if (!var.valid()) {
    T* value = const_cast<T*>(parameters_.value(id).data());  // value() is const
    var = add_slot({.value = value,
                    .rows = parameters_.rows(id),
                    .cols = parameters_.cols(id),
                    .needs_gradient = recording_});
  }
  return var;
}

template <typename T>
ConstMatrixMap<T> Tape<T>::value(Var v) const {
  const Slot& s = slot(v);
  return {s.value, static_cast<Eigen::Index>(s.rows), static_cast<Eigen::Index>(s.cols)};
}

template <typename T>
MatrixMap<T> Tape<T>::writable(Var v) {
  return map(slot(v).value, slot(v).rows, slot(v).cols);
}

template <typename T>
Var Tape<T>::output(size_t rows, size_t cols, std::span<const Var> inputs) {
  const bool needs_gradient =
      std::any_of(inputs.begin(), inputs.end(), [this](Var v) { return slot(v).needs_gradient; });
  return add_slot({.value = scratch<T>(rows * cols).data(),
                   .rows = rows,
                   .cols = cols,
                   .needs_gradient = needs_gradient});
}

template <typename T>
bool Tape<T>::open_gradient(Var v) {
  Slot& s = slots_[v.value];
  if (s.gradient != nullptr) return false;
  s.gradient = s.place != nullptr ? s.place : scratch<T>(s.rows * s.cols).data();
  return true;
}

template <typename T>
MatrixMap<T> Tape<T>::gradient(Var v) {
  return map(slot(v).gradient, slot(v).rows, slot(v).cols);
}

template <typename T>
MatrixMap<T> Tape<T>::gradient_sum(Var v) {
  assert(needs_gradient(v));
  if (open_gradient(v)) gradient(v).setZero();
  return gradient(v);
}

template <typename T>
void Tape<T>::add_product(Var v, const Factor<T>& a, const Factor<T>& b) {
  if (!needs_gradient(v)) return;
  const bool fresh = open_gradient(v);
  gemm(a, b, fresh ? T(0) : T(1), target(gradient(v)));
}

template <typename T>
void Tape<T>::place_parameter_gradients() {
  gradients_.resize(parameters_.values().size(), T(0));  // what is between matrices stays 0
  for (const ParameterId id : parameters_.ids()) {
    const Var var = parameter_vars_[id.value];
    if (var.valid()) slots_[var.value].place = gradients_.data() + parameters_.offset(id);
  }
}

template <typename T>
void Tape<T>::clear_unused_gradients() {
  for (const ParameterId id : parameters_.ids()) {
    const Var var = parameter_vars_[id.value];
    if (var.valid() && slot(var).gradient != nullptr) continue;
    std::fill_n(gradients_.data() + parameters_.offset(id),
                parameters_.rows(id) * parameters_.cols(id), T(0));
  }
}

template <typename T>
void Tape<T>::backward(Var loss, T seed) {
  assert(rows(loss) == 1 && cols(loss) == 1);
  place_parameter_gradients();
  if (needs_gradient(loss)) {
    gradient_sum(loss)(0, 0) += seed;
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
      if (slot(step->result).gradient != nullptr) step->call(step->closure, *this);
    }
  }
  clear_unused_gradients();
}

template class Tape<float>;
template class Tape<double>;

}  // namespace hloscope::nn
