#include "core/nn/data_parallel.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace hloscope::nn {

std::vector<Shard> shard(std::span<const uint64_t> costs, size_t parts) {
  const double all = std::accumulate(costs.begin(), costs.end(), 0.0, [](double sum, uint64_t c) {
    return sum + static_cast<double>(c);
  });
  std::vector<Shard> shards(parts);
  size_t item = 0;
  double before = 0.0;
  for (size_t p = 0; p < parts; ++p) {
    const double until = all * static_cast<double>(p + 1) / static_cast<double>(parts);
    shards[p].begin = item;
    // An item belongs to the part in which its middle lies.
    while (item < costs.size() &&
           (p + 1 == parts || before + static_cast<double>(costs[item]) / 2.0 < until)) {
      before += static_cast<double>(costs[item++]);
    }
    shards[p].end = item;
  }
  return shards;
}

template <typename T>
DataParallel<T>::DataParallel(ParameterSet<T>& parameters, size_t parts)
    : parameters_(parameters), losses_(parts), weights_(parts) {
  assert(parts > 0);
  for (size_t p = 0; p < parts; ++p) tapes_.push_back(std::make_unique<Tape<T>>(parameters));
}

template <typename T>
double DataParallel<T>::step(ThreadPool& pool, const Body& body) {
  pool.parallel_for(tapes_.size(), [&](size_t p) {
    Tape<T>& tape = *tapes_[p];
    tape.reset();
    const PartLoss part = body(tape, p);
    weights_[p] = part.weight;
    losses_[p] = 0.0;
    if (part.weight <= 0.0) return;
    losses_[p] = static_cast<double>(tape.value(part.loss)(0, 0));
    tape.backward(part.loss, static_cast<T>(part.weight));
  });
  const std::span<T> sum = parameters_.gradients();
  std::fill(sum.begin(), sum.end(), T(0));
  double loss = 0.0;
  double weight = 0.0;
  for (size_t p = 0; p < tapes_.size(); ++p) {
    if (weights_[p] <= 0.0) continue;
    loss += weights_[p] * losses_[p];
    weight += weights_[p];
    add_row(tapes_[p]->gradients().data(), sum.size(), sum.data());
  }
  if (weight <= 0.0) return 0.0;
  for (T& gradient : sum) gradient /= static_cast<T>(weight);
  return loss / weight;
}

template class DataParallel<float>;
template class DataParallel<double>;

}  // namespace hloscope::nn
