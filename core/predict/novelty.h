#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/base/thread_pool.h"
#include "core/nn/matrix.h"
#include "core/nn/safetensors.h"
#include "core/predict/example_set.h"
#include "core/predict/normaliser.h"

namespace hloscope::predict {

/// Tells kernels that are unlike those that a model learned from, whose predictions are worth less.
/// The distance of a kernel is that of its pooled features (pooled_features()) from the training
/// kernels: squared, the mean over the directions in which those vary most, each in units of its
/// variance there, and what lies across them in units of its mean there. (Of principal directions,
/// all directions with a shrunk covariance, nearest kernels and nearest prototypes this and the
/// second told large errors of held-out programs best.) An opcode that no training kernel has
/// makes a kernel far, whatever the rest.
class Novelty {
 public:
  static constexpr double kQuantile = 0.995;  ///< Of the training kernels that are not far.

  /// By position in `examples`; infinity for an unknown opcode.
  [[nodiscard]] std::vector<double> distances(const ExampleSet& set,
                                              std::span<const uint32_t> examples,
                                              const Normaliser& normaliser, ThreadPool& pool) const;
  /// 1 where the distance is above threshold().
  [[nodiscard]] std::vector<uint8_t> are_far(const ExampleSet& set,
                                             std::span<const uint32_t> examples,
                                             const Normaliser& normaliser, ThreadPool& pool) const;
  [[nodiscard]] double threshold() const { return threshold_; }

  /// As tensors "novelty/..." and metadata "novelty".
  void save(nn::SafeTensors& content) const;
  /// Nothing where the file has none. Error: kInvalidInput (tensors missing, of another shape, not
  /// finite).
  [[nodiscard]] static Result<std::optional<Novelty>> load(const nn::SafeTensors& content);

 private:
  friend Novelty fit_novelty(const ExampleSet& set, std::span<const uint32_t> training,
                             const Normaliser& normaliser, ThreadPool& pool);
  [[nodiscard]] double distance(std::span<const double> pooled) const;

  std::vector<float> mean_;           ///< [features]
  nn::Matrix<float> directions_;      ///< [directions x features]: orthogonal, unit length.
  std::vector<float> scales_;         ///< [directions]: 1 / standard deviation.
  double rest_scale_ = 0;             ///< 1 / root mean square of what lies across the directions.
  std::array<float, 256> opcodes_{};  ///< 1: a training kernel has it.
  double threshold_ = 0;
};

/// From the given examples, which should be those of the training part; of many, some spread
/// evenly.
[[nodiscard]] Novelty fit_novelty(const ExampleSet& set, std::span<const uint32_t> training,
                                  const Normaliser& normaliser, ThreadPool& pool);

}  // namespace hloscope::predict
