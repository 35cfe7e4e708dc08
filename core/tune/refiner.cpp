#include "core/tune/refiner.h"

#include <algorithm>
#include <cmath>

namespace hloscope::tune {

namespace {

constexpr uint64_t kTurns = 4;
constexpr int kTries = 40;
constexpr size_t kMoves = 16;
constexpr uint64_t kMostSteps = 3;      // Of a move.
constexpr uint64_t kSmallestShare = 7;  // 1 / 2^7 of the differing places are taken back.

}  // namespace

Refiner::Refiner(const Space& space, uint64_t seed)
    : space_(space), seed_(seed), default_(space.default_config()) {}

std::optional<Config> Refiner::taken_back(const Config& best, const IsMeasured& is_measured,
                                          Rng& rng) const {
  if (best == default_) return std::nullopt;
  for (int i = 0; i < kTries; ++i) {
    const double share = std::ldexp(1.0, -static_cast<int>(1 + rng.below(kSmallestShare)));
    Config config = space_.toward(best, default_, share, rng);
    if (!is_measured(config)) return config;
  }
  return std::nullopt;
}

std::vector<Config> Refiner::moves(const Config& best, const IsMeasured& is_measured,
                                   Rng& rng) const {
  std::vector<Config> out;
  for (int i = 0; i < kTries && out.size() < kMoves; ++i) {
    Config config = best;
    for (uint64_t step = 1 + rng.below(kMostSteps); step > 0; --step) {
      std::optional<Config> moved = space_.neighbour(config, rng);
      if (!moved) break;
      config = std::move(*moved);
    }
    if (!is_measured(config) && std::ranges::count(out, config) == 0) {
      out.push_back(std::move(config));
    }
  }
  return out;
}

Result<std::optional<Config>> Refiner::propose(const Config& best, uint64_t index,
                                               const IsMeasured& is_measured, Evaluator& model,
                                               const Progress& progress) const {
  Rng rng(seed_ + index * 0x9e3779b97f4a7c15ULL);
  const uint64_t turn = index % kTurns;
  if (turn == 0) {
    if (auto config = taken_back(best, is_measured, rng)) return config;
  }
  std::vector<Config> candidates = moves(best, is_measured, rng);
  if (candidates.empty()) return taken_back(best, is_measured, rng);
  // What the model is wrong about it would never propose.
  if (turn == kTurns - 1) return std::move(candidates.front());
  HLOSCOPE_ASSIGN(const std::vector<Evaluation> times, model.evaluate(candidates, progress));
  const auto by_time = [](const Evaluation& a, const Evaluation& b) {
    return a.time_ns && (!b.time_ns || *a.time_ns < *b.time_ns);
  };
  const auto least = std::min_element(times.begin(), times.end(), by_time);
  return std::move(candidates[static_cast<size_t>(least - times.begin())]);
}

}  // namespace hloscope::tune
