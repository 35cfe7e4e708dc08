#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/rng.h"
#include "core/predict/batching.h"

namespace hloscope::predict {

struct SamplerOptions {
  uint64_t seed = 1;
  size_t nodes = 700;          ///< Of a batch, about; a larger kernel is a batch alone.
  size_t configurations = 16;  ///< Of tasks tile and layout: of a kernel in a batch, at most.
};

/// Draws batches for training without end. Program families take turns, in a new random order each
/// round; the kernels of a family come in random order, each once before any comes again. So every
/// family counts the same, and within it every kernel. Determined by the seed.
///
/// Tasks tile and layout: of each kernel the fastest configuration, by chance as many of the
/// fastest quarter as make up half, and others: the model has to tell apart what is good. Kernels
/// with one sample are left out. Of large programs there are fewer, as the network runs for each.
/// Task fusion: the default sample of each kernel.
class BatchSampler {
 public:
  /// Keeps a reference to the set. `positions`: of the examples to draw from.
  BatchSampler(const ExampleSet& set, std::span<const uint32_t> positions,
               const SamplerOptions& options);

  /// Nothing to draw from: next() gives empty batches.
  [[nodiscard]] bool empty() const { return turns_.cards.empty(); }
  /// Examples that are drawn from.
  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] std::vector<Chosen> next();

 private:
  struct Deck {
    std::vector<uint32_t> cards;
    size_t next = 0;
    uint32_t draw(Rng& rng);
  };
  uint32_t draw_example();
  [[nodiscard]] Chosen choose(uint32_t example);

  const ExampleSet& set_;
  SamplerOptions options_;
  Rng rng_;
  std::vector<Deck> families_;
  Deck turns_;  ///< Positions in families_.
  size_t size_ = 0;
  std::optional<uint32_t> waiting_;  ///< The example that did not fit in the last batch.
};

/// At most so many of the positions, spread evenly.
[[nodiscard]] std::vector<uint32_t> thinned(std::span<const uint32_t> positions, size_t most);

/// All samples of the given examples once, in their order: for evaluation. Batches have about
/// `nodes` nodes and at most `samples` samples; a kernel with more samples stands in several.
[[nodiscard]] std::vector<std::vector<Chosen>> full_pass(const ExampleSet& set,
                                                         std::span<const uint32_t> positions,
                                                         size_t nodes = 1000,
                                                         size_t samples = 4096);

}  // namespace hloscope::predict
