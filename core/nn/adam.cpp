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
  const auto beta1 = static_cast<T>(options_.beta1);
  const auto beta2 = static_cast<T>(options_.beta2);
  const auto decay = static_cast<T>(options_.weight_decay);
  const auto step_size = static_cast<T>(learning_rate / (1.0 - std::pow(options_.beta1, count)));
  const auto root = static_cast<T>(1.0 / std::sqrt(1.0 - std::pow(options_.beta2, count)));
  Numbers<T> values = numbers(parameters.values());
  Numbers<T> gradients = numbers(parameters.gradients());
  Numbers<T> first = numbers(first_moments());
  Numbers<T> second = numbers(second_moments());
  if (options_.weight_decay != 0.0) {
    if (options_.decoupled) {
      values *= static_cast<T>(1.0 - learning_rate * options_.weight_decay);
    } else {
      gradients += decay * values;
    }
  }
  first = beta1 * first + static_cast<T>(1.0 - options_.beta1) * gradients;
  second = beta2 * second + static_cast<T>(1.0 - options_.beta2) * gradients.square();
  values -= step_size * first / (second.sqrt() * root + static_cast<T>(options_.epsilon));
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
