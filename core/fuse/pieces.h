#pragma once

#include <optional>
#include <vector>

#include "core/hlo/program.h"

namespace hloscope::fuse {

using Members = std::vector<hlo::InstructionId>;

/// The positions of disjoint sets of instructions of one computation, each after those whose values
/// it uses directly; empty when they use each other. Ties by position.
[[nodiscard]] std::optional<std::vector<size_t>> order_of(const hlo::Program& program,
                                                          const std::vector<const Members*>& sets);

}  // namespace hloscope::fuse
