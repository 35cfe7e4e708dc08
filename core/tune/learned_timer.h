#pragma once

#include "core/tune/kernel_timer.h"

namespace hloscope::tune {

/// Times by learned models, the mean of their logs. Where the settings name none: of the built-in
/// ones for the machine that for tiles, where `tiles` are compared, else that for kernels. A model
/// for tiles that only ranks them has no times: error kUnsupported.
[[nodiscard]] Result<std::unique_ptr<KernelTimer>> make_learned_timer(
    const EvaluatorSettings& settings, const sim::Machine& machine, bool tiles);

}  // namespace hloscope::tune
