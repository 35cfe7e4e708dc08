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
  double loss = 0.0;
  double weight = 0.0;
  for (size_t p = 0; p < tapes_.size(); ++p) {
    if (weights_[p] <= 0.0) continue;
    loss += weights_[p] * losses_[p];
    weight += weights_[p];
  }
  if (weight <= 0.0) {
    std::ranges::fill(parameters_.gradients(), T(0));
    return 0.0;
  }
  set_mean_gradients(weight);
  return loss / weight;
}

// Piece by piece, so that a piece stays in the cache until all parts are in it.
template <typename T>
void DataParallel<T>::set_mean_gradients(double weight) {
  constexpr size_t kPiece = 2048;
  const T factor = T(1) / static_cast<T>(weight);
  const std::span<T> all = parameters_.gradients();
  for (size_t begin = 0; begin < all.size(); begin += kPiece) {
    const std::span<T> piece = all.subspan(begin, std::min(kPiece, all.size() - begin));
    std::ranges::fill(piece, T(0));
    for (size_t p = 0; p < tapes_.size(); ++p) {
      if (weights_[p] <= 0.0) continue;
      add_row(tapes_[p]->gradients().data() + begin, piece.size(), piece.data());
    }
    for (T& gradient : piece) gradient *= factor;
  }
}

template class DataParallel<float>;
template class DataParallel<double>;

}  // namespace hloscope::nn
