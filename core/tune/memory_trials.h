#pragma once

#include <vector>

#include "core/tune/trial_store.h"

namespace hloscope::tune {

/// Trials of a session that is not kept: of experiments, benchmarks and tests.
class MemoryTrials : public TrialStore {
 public:
  [[nodiscard]] const std::vector<Trial>& trials() const { return trials_; }
  [[nodiscard]] const SessionState& state() const { return state_; }  ///< As stored last.
  void ask_for(Request request) { request_ = request; }

  [[nodiscard]] Status append(std::span<const Trial> trials, const SessionState& state) override;
  [[nodiscard]] Status update(const Trial& trial, const SessionState& state) override;
  [[nodiscard]] Status save(const SessionState& state) override;
  [[nodiscard]] Status each(const std::function<bool(const Trial&)>& callback) const override;
  [[nodiscard]] Result<Trial> get(uint64_t number) const override;
  [[nodiscard]] Result<std::vector<Trial>> best_predicted(uint64_t count) const override;
  [[nodiscard]] Result<Request> request() override { return request_; }

 private:
  std::vector<Trial> trials_;
  SessionState state_;
  Request request_ = Request::kNone;
};

}  // namespace hloscope::tune
