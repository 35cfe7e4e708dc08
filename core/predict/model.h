#pragma once

#include <optional>

#include "core/nn/losses.h"
#include "core/predict/graph_network.h"
#include "core/predict/head.h"
#include "core/predict/input_layer.h"
#include "core/predict/readout.h"

namespace hloscope::predict {

/// A model of kernel times: opcode embedding and input layer, graph network, readout, head (arXiv
/// 2008.01040, with the choices of ModelOptions). T is float, or double to check gradients.
template <typename T>
class Model {
 public:
  /// check_model_options() must accept the options. The same seed gives the same parameters.
  Model(const ModelOptions& options, const InputWidths& widths, uint64_t seed);

  /// [samples x 1]: log ns where predicts_time(options().loss), else a score that is larger for
  /// what takes longer and only compares samples of one graph. `tape` is of parameters() and was
  /// reset; the batch fits widths(), has a sample, and must outlive the step.
  [[nodiscard]] nn::Var predict(nn::Tape<T>& tape, const Batch<T>& batch) const;
  /// The loss of a batch with targets, as a part for nn::DataParallel. `dropout` draws what is
  /// dropped; without it nothing is, as in validation.
  [[nodiscard]] nn::PartLoss loss(nn::Tape<T>& tape, const Batch<T>& batch,
                                  Rng* dropout = nullptr) const;
  /// Starts training near the mean of the targets, which saves the steps to get there.
  void set_output_bias(T bias) { parameters_.value(head_.output_bias())(0, 0) = bias; }

  [[nodiscard]] const ModelOptions& options() const { return options_; }
  [[nodiscard]] const InputWidths& widths() const { return widths_; }
  [[nodiscard]] nn::ParameterSet<T>& parameters() { return parameters_; }
  [[nodiscard]] const nn::ParameterSet<T>& parameters() const { return parameters_; }

 private:
  Model(const ModelOptions& options, const InputWidths& widths, ParameterBuilder<T> builder);
  nn::Var forward(const Pass<T>& pass) const;

  ModelOptions options_;
  InputWidths widths_;
  nn::ParameterSet<T> parameters_;
  std::optional<InputLayer<T>> input_;  ///< And what follows: empty where nodes are not looked at.
  std::optional<GraphNetwork<T>> network_;
  ReadoutLayer<T> readout_;
  Head<T> head_;
};

extern template class Model<float>;
extern template class Model<double>;

}  // namespace hloscope::predict
