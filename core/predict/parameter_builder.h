#pragma once

#include <string>

#include "core/nn/initialise.h"
#include "core/nn/operations.h"
#include "core/predict/batch.h"

namespace hloscope::predict {

/// One evaluation of a model.
template <typename T>
struct Pass {
  nn::Tape<T>& tape;
  const Batch<T>& batch;
  double dropout = 0.0;
  Rng* random = nullptr;  ///< Null: no dropout.

  [[nodiscard]] nn::Var regularise(nn::Var x) const {
    return random == nullptr ? x : nn::dropout(tape, x, dropout, *random);
  }
  /// A matrix of the batch.
  [[nodiscard]] nn::Var input(const nn::Matrix<T>& m) const {
    return tape.constant(m.data(), static_cast<size_t>(m.rows()), static_cast<size_t>(m.cols()));
  }
};

/// A layer with a bias.
struct Dense {
  nn::ParameterId weight;
  nn::ParameterId bias;
};

template <typename T>
[[nodiscard]] nn::Var dense(nn::Tape<T>& tape, nn::Var x, Dense layer,
                            nn::Activation activation = nn::Activation::kNone) {
  return nn::linear(tape, x, tape.parameter(layer.weight), tape.parameter(layer.bias), activation);
}
template <typename T>
[[nodiscard]] nn::Var product(nn::Tape<T>& tape, nn::Var x, nn::ParameterId weight) {
  return nn::matmul(tape, x, tape.parameter(weight));
}

/// Adds the parameters of a model one by one, with their initial numbers.
template <typename T>
class ParameterBuilder {
 public:
  ParameterBuilder(nn::ParameterSet<T>& parameters, uint64_t seed)
      : parameters_(parameters), rng_(seed) {}

  /// Drawn as Glorot and Bengio say.
  nn::ParameterId weight(const std::string& name, size_t rows, size_t cols) {
    const nn::ParameterId id = parameters_.add(name, rows, cols);
    nn::initialise_glorot(parameters_, id, rng_);
    return id;
  }
  /// Drawn uniformly from [-1, 1).
  nn::ParameterId embedding(const std::string& name, size_t rows, size_t cols) {
    const nn::ParameterId id = parameters_.add(name, rows, cols);
    nn::initialise_uniform(parameters_, id, 1.0, rng_);
    return id;
  }
  nn::ParameterId filled(const std::string& name, size_t cols, T value) {
    const nn::ParameterId id = parameters_.add(name, 1, cols);
    parameters_.value(id).setConstant(value);
    return id;
  }
  /// NAME.weight and NAME.bias, the bias 0.
  Dense dense(const std::string& name, size_t rows, size_t cols) {
    const nn::ParameterId w = weight(name + ".weight", rows, cols);
    return {w, filled(name + ".bias", cols, T(0))};
  }
  [[nodiscard]] nn::ParameterSet<T>& parameters() { return parameters_; }

 private:
  nn::ParameterSet<T>& parameters_;
  Rng rng_;
};

}  // namespace hloscope::predict
