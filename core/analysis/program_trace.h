#pragma once

#include "core/analysis/program_timeline.h"
#include "core/sim/chrome_trace.h"

namespace hloscope::analysis {

/// The kernels that run, once each, in the order of the program, with the first iterations of each:
/// for sim::chrome_trace().
[[nodiscard]] sim::TraceProcess program_trace(const ProgramTimeline& timeline,
                                              int64_t most_tiles = 16);

}  // namespace hloscope::analysis
