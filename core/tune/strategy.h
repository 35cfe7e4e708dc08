#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/result.h"
#include "core/tune/settings.h"
#include "core/tune/space.h"
#include "core/tune/trial.h"

namespace hloscope::tune {

/// What was tried, by config_hash(): strategies never ask for the same configuration twice.
class TrialMemory {
 public:
  struct Entry {
    uint64_t number = 0;
    std::optional<double> time_ns;  ///< Trial::search_ns().
  };
  void add(const Trial& trial) {
    entries_.emplace(config_hash(trial.config), Entry{trial.number, trial.search_ns()});
  }
  /// Null: not tried.
  [[nodiscard]] const Entry* find(const Config& config) const {
    const auto it = entries_.find(config_hash(config));
    return it == entries_.end() ? nullptr : &it->second;
  }
  [[nodiscard]] size_t size() const { return entries_.size(); }

 private:
  std::unordered_map<uint64_t, Entry> entries_;
};

/// The configuration of a stored trial.
using ConfigLookup = std::function<Result<Config>(uint64_t number)>;

/// Chooses what to try next. What save() gives and the stored trials are all there is to it: after
/// load() it asks for the very configuration that it would have asked for.
class Strategy {
 public:
  Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;
  virtual ~Strategy() = default;

  /// How many configurations may be asked for before the first of them is told; at least 1.
  [[nodiscard]] virtual size_t batch() const = 0;
  /// Not in the memory and not asked for before. Empty: nothing is left to try.
  [[nodiscard]] virtual std::optional<Config> ask() = 0;
  /// What came of it, in the order in which it was asked for. Sets accepted and temperature.
  virtual void tell(Trial& trial) = 0;
  /// When nothing is waiting to be told.
  [[nodiscard]] virtual std::string save() const = 0;
  /// Errors: kInvalidInput for bytes that save() does not write; those of the lookup.
  [[nodiscard]] virtual Status load(std::string_view state, const ConfigLookup& lookup) = 0;
};

/// Keeps references to space and memory; the session adds to the memory before it tells.
[[nodiscard]] std::unique_ptr<Strategy> make_strategy(const StrategySettings& settings,
                                                      const Space& space,
                                                      const TrialMemory& memory);

}  // namespace hloscope::tune
