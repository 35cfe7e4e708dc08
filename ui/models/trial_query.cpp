#include "ui/models/trial_query.h"

#include <cmath>
#include <limits>

namespace hloscope::ui {
namespace {

enum Number : size_t { kTrial, kPredicted, kMeasured, kSpeedup, kError, kChanged, kOrder };
constexpr std::string_view kNumbers[] = {"trial", "predicted", "measured", "speedup",
                                         "error", "changed",   "order"};
enum Word : size_t { kAccepted, kRejected, kFailed, kIsMeasured, kRefined };
constexpr std::string_view kWords[] = {"accepted", "rejected", "failed", "measured", "refined"};
constexpr std::string_view kHelp =
    "Numbers: trial, predicted, measured, speedup, error, changed, order with < > <= >= =; words: "
    "accepted, rejected, failed, measured, refined, or a part of the configuration";

double number(size_t key, const TrialColumns& trials, size_t trial, double baseline_ns) {
  switch (key) {
    case kTrial:
      return static_cast<double>(trial);
    case kPredicted:
      return trials.predicted_ns[trial] / 1e3;
    case kMeasured:
      return trials.hardware_ns[trial] / 1e3;
    case kSpeedup:
      return baseline_ns / trials.result_ns(trial);
    case kError:
      return std::abs(trials.error(trial)) * 100;
    case kChanged:
      return trials.has_config(trial) ? trials.changed[trial]
                                      : std::numeric_limits<double>::quiet_NaN();
    default:
      if (trials.measured_as[trial] > 0) return trials.measured_as[trial];
      return std::numeric_limits<double>::quiet_NaN();
  }
}

bool holds(size_t key, const TrialColumns& trials, size_t trial) {
  switch (key) {
    case kAccepted:
      return trials.accepted[trial] != 0;
    case kRejected:
      return trials.accepted[trial] == 0;
    case kFailed:
      return std::isnan(trials.result_ns(trial));
    case kRefined:
      return trials.refined[trial] != 0;
    default:
      return trials.measured_as[trial] > 0;
  }
}

}  // namespace

Result<TrialQuery> TrialQuery::parse(std::string_view text) {
  TrialQuery out;
  HLOSCOPE_ASSIGN(out.query_, TermQuery::parse(text, {kNumbers, kWords, kHelp}));
  return out;
}

bool TrialQuery::matches(const TrialColumns& trials, size_t trial, double baseline_ns) const {
  return query_.matches([&](size_t key) { return number(key, trials, trial, baseline_ns); },
                        [&](size_t key) { return holds(key, trials, trial); },
                        [&](const std::string& part) {
                          return trials.has_config(trial) &&
                                 trials.config[trial].find(part) != std::string::npos;
                        });
}

}  // namespace hloscope::ui
