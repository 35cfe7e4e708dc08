#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "app/cli/text_table.h"
#include "core/tune/experiment.h"
#include "core/tune/recorded_experiment.h"

namespace hloscope::cli {

/// A row for each program, start and hardware time.
[[nodiscard]] TextTable experiment_table(std::span<const tune::ProgramOutcome> outcomes,
                                         const tune::ExperimentOptions& options);
/// Means over the programs, for each start and hardware time.
[[nodiscard]] TextTable experiment_means(std::span<const tune::ProgramOutcome> outcomes,
                                         const tune::ExperimentOptions& options);
[[nodiscard]] nlohmann::ordered_json experiment_json(std::span<const tune::ProgramOutcome> outcomes,
                                                     const tune::ExperimentOptions& options);
/// program,start,seed,method,measured,hardware_s,best_ns: every run's best so far.
[[nodiscard]] std::string curves_csv(std::span<const tune::ProgramOutcome> outcomes);

/// A row for each kernel and source, and one for random draws.
[[nodiscard]] TextTable recorded_table(std::span<const tune::RecordedOutcome> outcomes);
[[nodiscard]] nlohmann::ordered_json recorded_json(std::span<const tune::RecordedOutcome> outcomes);

}  // namespace hloscope::cli
