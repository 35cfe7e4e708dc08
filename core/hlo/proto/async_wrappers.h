#pragma once

#include "core/hlo/program_builder.h"

namespace hloscope::hlo {

/// Marks the computations that HLO text writes as "op-start": called by one async-start, and made
/// of parameters and one operation on them. Only those for which that form loses nothing but the
/// names inside are marked.
void mark_async_wrappers(ProgramBuilder& builder);

}  // namespace hloscope::hlo
