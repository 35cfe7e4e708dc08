#pragma once

#include <cstdint>
#include <span>

#include "core/nn/parameters.h"

namespace hloscope::nn {

struct AdamOptions {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.0;
  /// true: AdamW (arXiv 1711.05101), the decay shrinks the values; false: Adam (arXiv 1412.6980),
  /// the decay is added to the gradient.
  bool decoupled = true;
};

/// Adam and AdamW, with the arithmetic of torch.optim. Its state is the two moments of each number
/// and the count of steps; files keep it exactly (parameter_file.h).
template <typename T>
class Adam {
 public:
  Adam(const ParameterSet<T>& parameters, AdamOptions options);

  /// Changes the values of `parameters` by their gradients (to which Adam adds the decay).
  void step(ParameterSet<T>& parameters, double learning_rate);

  [[nodiscard]] const AdamOptions& options() const { return options_; }
  [[nodiscard]] uint64_t steps() const { return steps_; }
  void set_steps(uint64_t steps) { steps_ = steps; }
  /// Mean of the gradients, and of their squares, laid out as ParameterSet::values().
  [[nodiscard]] std::span<T> first_moments() { return first_; }
  [[nodiscard]] std::span<T> second_moments() { return second_; }
  [[nodiscard]] std::span<const T> first_moments() const { return first_; }
  [[nodiscard]] std::span<const T> second_moments() const { return second_; }

 private:
  AdamOptions options_;
  AlignedVector<T> first_;
  AlignedVector<T> second_;
  uint64_t steps_ = 0;
};

/// Scales the gradients so that their Euclidean norm over all parameters is at most `max_norm`, as
/// torch.nn.utils.clip_grad_norm_. Returns the norm before; where it is not finite the gradients
/// stay as they are, and the caller should leave out the step.
template <typename T>
double clip_gradients(ParameterSet<T>& parameters, double max_norm);

}  // namespace hloscope::nn
