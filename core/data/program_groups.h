#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/data/split.h"

namespace hloscope::data {

/// Programs that stay in one part, by position, those of the least content hash first.
using ProgramGroup = std::vector<uint32_t>;

/// Programs of one content, and when wanted of one family, in groups; programs without a family
/// are alone. In the order of the least content hash of each group: not that of the programs.
[[nodiscard]] std::vector<ProgramGroup> program_groups(std::span<const SourceProgram> programs,
                                                       bool keep_families);

/// How many programs to hold out.
struct HeldOutCounts {
  size_t valid = 0;
  size_t test = 0;
};
/// Errors: see random_split().
[[nodiscard]] Result<HeldOutCounts> held_out_counts(size_t program_count, size_t group_count,
                                                    const HeldOut& fractions);

}  // namespace hloscope::data
