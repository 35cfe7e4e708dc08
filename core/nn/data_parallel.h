#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/nn/losses.h"
#include "core/nn/tape.h"

namespace hloscope::nn {

/// The items [begin, end) of a batch.
struct Shard {
  size_t begin = 0;
  size_t end = 0;
  bool operator==(const Shard&) const = default;
};

/// Cuts a batch in `parts` runs of items with about the same cost (e.g. the nodes of each graph).
/// Depends on nothing else, least of all on threads. Runs may be empty.
[[nodiscard]] std::vector<Shard> shard(std::span<const uint64_t> costs, size_t parts);

/// Gradients of a batch in a fixed number of parts, each on a tape of its own that is kept from
/// step to step. The same bits for any number of threads.
template <typename T>
class DataParallel {
 public:
  /// Builds the loss of a part on a tape that was reset. Called on any thread, once per part.
  using Body = std::function<PartLoss(Tape<T>& tape, size_t part)>;

  DataParallel(ParameterSet<T>& parameters, size_t parts);

  /// Sets the gradients of the parameters to those of the mean loss over all terms, and returns
  /// that loss; 0 with gradients of 0 where no part has terms.
  double step(ThreadPool& pool, const Body& body);

 private:
  /// The gradients of all parts that have terms, added up and divided by `weight`.
  void set_mean_gradients(double weight);

  ParameterSet<T>& parameters_;
  std::vector<std::unique_ptr<Tape<T>>> tapes_;
  std::vector<double> losses_;
  std::vector<double> weights_;
};

}  // namespace hloscope::nn
