#include "core/tune/memory_trials.h"

#include <fmt/format.h>

#include <algorithm>

namespace hloscope::tune {

Status MemoryTrials::append(std::span<const Trial> trials, const SessionState& state) {
  trials_.insert(trials_.end(), trials.begin(), trials.end());
  return save(state);
}

Status MemoryTrials::update(const Trial& trial, const SessionState& state) {
  trials_[static_cast<size_t>(trial.number)] = trial;
  return save(state);
}

Status MemoryTrials::save(const SessionState& state) {
  state_ = state;
  return {};
}

Status MemoryTrials::each(const std::function<bool(const Trial&)>& callback) const {
  for (const Trial& trial : trials_) {
    if (!callback(trial)) break;
  }
  return {};
}

Result<Trial> MemoryTrials::get(uint64_t number) const {
  if (number < trials_.size()) return trials_[static_cast<size_t>(number)];
  return fail(ErrorCode::kNotFound, fmt::format("there is no trial {}", number));
}

Result<std::vector<Trial>> MemoryTrials::best_predicted(uint64_t count) const {
  std::vector<uint64_t> order;
  for (const Trial& trial : trials_) {
    if (trial.predicted_ns && !trial.refined) order.push_back(trial.number);
  }
  const auto time_ns = [this](uint64_t number) {
    return *trials_[static_cast<size_t>(number)].predicted_ns;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](uint64_t a, uint64_t b) { return time_ns(a) < time_ns(b); });
  if (order.size() > count) order.resize(static_cast<size_t>(count));
  std::vector<Trial> out;
  for (const uint64_t number : order) out.push_back(trials_[static_cast<size_t>(number)]);
  return out;
}

}  // namespace hloscope::tune
