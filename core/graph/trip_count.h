#pragma once

#include <optional>
#include <string_view>

#include "core/hlo/program.h"

namespace hloscope::graph {

/// How often the body of a while instruction runs: what the compiler wrote into its backend_config,
/// else what its counter shows; nothing when neither tells.
[[nodiscard]] std::optional<int64_t> trip_count(const hlo::Program& program,
                                                hlo::InstructionId loop);

/// N of `"known_trip_count":{"n":"N"}` in a backend_config; the number may be written without
/// quotes.
[[nodiscard]] std::optional<int64_t> known_trip_count(std::string_view backend_config);

/// From the counter: a loop state that starts at a constant, changes by a constant, and is compared
/// with a constant (or with something that no iteration changes) in the condition.
[[nodiscard]] std::optional<int64_t> derived_trip_count(const hlo::Program& program,
                                                        hlo::InstructionId loop);

/// The most trips that are possible: as derived_trip_count(), where the condition asks for more
/// than the counter ("i < 100 and not done").
[[nodiscard]] std::optional<int64_t> trip_limit(const hlo::Program& program,
                                                hlo::InstructionId loop);

/// Iterations of `for (i = init; i DIRECTION limit; i += step)`, DIRECTION as in compare: LT LE GT
/// GE NE EQ. Nothing when the loop would not end (but by overflow).
[[nodiscard]] std::optional<int64_t> count_iterations(int64_t init, int64_t limit, int64_t step,
                                                      std::string_view direction);

}  // namespace hloscope::graph
