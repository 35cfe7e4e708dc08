#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/tune/trial.h"

namespace hloscope::tune {

enum class Phase : uint8_t { kSearch, kMeasure, kDone };

/// Everything of a session that is not in its settings and trials.
struct SessionState {
  Phase phase = Phase::kSearch;
  uint64_t trials = 0;
  uint64_t failed = 0;    ///< Trials without a time.
  uint64_t measured = 0;  ///< Trials with Trial::measured_as.
  uint64_t refined = 0;   ///< Trials with Trial::refined.
  double active_s = 0;    ///< Time it ran.
  double booked_ns = 0;   ///< Of hardware.
  /// Trial with the least time, by the hardware's time as soon as one has it.
  std::optional<uint64_t> best;
  std::optional<double> best_ns;
  bool best_is_hardware = false;
  /// Of the default configuration by the evaluator that decides, for speed-ups; not booked.
  std::optional<double> baseline_ns;
  std::string strategy;  ///< Strategy::save().

  /// What a budget of trials counts.
  [[nodiscard]] uint64_t searched() const { return trials - refined; }
};

/// What somebody asked a running session to do.
enum class Request : uint8_t { kNone, kPause, kStop };

/// Where a session keeps its trials.
class TrialStore {
 public:
  virtual ~TrialStore() = default;
  /// New trials and the state after them, all or nothing.
  [[nodiscard]] virtual Status append(std::span<const Trial> trials, const SessionState& state) = 0;
  /// A trial that is there and was measured now.
  [[nodiscard]] virtual Status update(const Trial& trial, const SessionState& state) = 0;
  /// The state alone (phase, end).
  [[nodiscard]] virtual Status save(const SessionState& state) = 0;
  /// In order of number, until the callback returns false.
  [[nodiscard]] virtual Status each(const std::function<bool(const Trial&)>& callback) const = 0;
  /// Error: kNotFound.
  [[nodiscard]] virtual Result<Trial> get(uint64_t number) const = 0;
  /// Those of the search with a predicted time, least first, of equal ones the first.
  [[nodiscard]] virtual Result<std::vector<Trial>> best_predicted(uint64_t count) const = 0;
  /// Looked at between batches.
  [[nodiscard]] virtual Result<Request> request() = 0;
};

}  // namespace hloscope::tune
