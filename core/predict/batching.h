#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/predict/batch.h"
#include "core/predict/example_set.h"
#include "core/predict/normaliser.h"

namespace hloscope::predict {

/// An example of a batch with those of its samples that take part.
struct Chosen {
  uint32_t example = 0;           ///< Position in ExampleSet::examples.
  std::vector<uint32_t> samples;  ///< Positions in the example.
  bool operator==(const Chosen&) const = default;
};

/// log(time in ns), which models learn. Times under a picosecond count as one.
[[nodiscard]] double log_ns(double time_ns);
/// log_ns() of the analytical time of a sample; 0 where it is not known.
[[nodiscard]] float log_analytical_ns(const Example& example, size_t sample);

/// Makes batches from examples; keeps references to both.
class Batcher {
 public:
  Batcher(const ExampleSet& set, const Normaliser& normaliser);

  /// The chosen examples in their order, with log_ns() of their times as targets.
  [[nodiscard]] Batch<float> batch(std::span<const Chosen> chosen) const;
  /// The same in memory that is there already: no allocation once batches are of their usual size.
  void fill(std::span<const Chosen> chosen, Batch<float>& out) const;

 private:
  void fill_nodes(std::span<const Chosen> chosen, Batch<float>& out) const;
  void fill_edges(std::span<const Chosen> chosen, Batch<float>& out) const;
  void fill_samples(std::span<const Chosen> chosen, Batch<float>& out) const;

  const ExampleSet& set_;
  const Normaliser& normaliser_;
  std::vector<float> empty_;            ///< The empty row, normalised.
  std::vector<int32_t> kept_position_;  ///< By column; -1: dropped.
};

}  // namespace hloscope::predict
