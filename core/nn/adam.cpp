#include "core/nn/adam.h"

#include <cassert>
#include <cmath>

namespace hloscope::nn {

namespace {

template <typename T>
using Numbers = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>;

template <typename T>
Numbers<T> numbers(std::span<T> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

/// The numbers of one step.
template <typename T>
struct Factors {
  T decay;
  T shrink;
  T beta1;
  T new1;
  T beta2;
  T new2;
  T root;
  T epsilon;
  T step_size;
};

template <typename T>
struct Moments {
  T* first;
  T* second;
};

// One pass over all arrays, which do not fit into the near caches.
template <typename T>
void update(const Factors<T> f, size_t n, const T* __restrict gradients, Moments<T> moments,
            T* __restrict values) {
  T* __restrict first = moments.first;
  T* __restrict second = moments.second;
  for (size_t i = 0; i < n; ++i) {
    const T gradient = gradients[i] + f.decay * values[i];
    first[i] = f.beta1 * first[i] + f.new1 * gradient;
    second[i] = f.beta2 * second[i] + f.new2 * gradient * gradient;
    values[i] =
        f.shrink * values[i] - f.step_size * first[i] / (std::sqrt(second[i]) * f.root + f.epsilon);
  }
}

}  // namespace

template <typename T>
Adam<T>::Adam(const ParameterSet<T>& parameters, AdamOptions options)
    : options_(options),
      first_(parameters.values().size(), T(0)),
      second_(parameters.values().size(), T(0)) {}

template <typename T>
void Adam<T>::step(ParameterSet<T>& parameters, double learning_rate) {
  assert(parameters.values().size() == first_.size());
  ++steps_;
  const auto count = static_cast<double>(steps_);
  const double step_size = learning_rate / (1.0 - std::pow(options_.beta1, count));
  const double root = 1.0 / std::sqrt(1.0 - std::pow(options_.beta2, count));
  const bool decoupled = options_.decoupled;
  const Factors<T> factors{
      .decay = static_cast<T>(decoupled ? 0.0 : options_.weight_decay),
      .shrink = static_cast<T>(decoupled ? 1.0 - learning_rate * options_.weight_decay : 1.0),
      .beta1 = static_cast<T>(options_.beta1),
      .new1 = static_cast<T>(1.0 - options_.beta1),
      .beta2 = static_cast<T>(options_.beta2),
      .new2 = static_cast<T>(1.0 - options_.beta2),
      .root = static_cast<T>(root),
      .epsilon = static_cast<T>(options_.epsilon),
      .step_size = static_cast<T>(step_size)};
  const size_t n = first_.size();
  update(factors, n, parameters.gradients().data(), {first_.data(), second_.data()},
         parameters.values().data());
}

template <typename T>
double clip_gradients(ParameterSet<T>& parameters, double max_norm) {
  const double norm =
      std::sqrt(numbers(parameters.gradients()).template cast<double>().square().sum());
  const double factor = max_norm / (norm + 1e-6);
  if (std::isfinite(norm) && factor < 1.0) {
    numbers(parameters.gradients()) *= static_cast<T>(factor);
  }
  return norm;
}

template class Adam<float>;
template class Adam<double>;
template double clip_gradients(ParameterSet<float>&, double);
template double clip_gradients(ParameterSet<double>&, double);

}  // namespace hloscope::nn
