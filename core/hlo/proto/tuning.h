#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/hlo/read.h"

namespace hloscope::hlo {

/// True when a message whose field 1 is a module has fields that tpu_graphs.ModuleTuningData has
/// and xla.HloProto has not.
[[nodiscard]] bool looks_like_module_tuning(std::string_view bytes);

/// The runs of tpu_graphs.ModuleTuningData. Errors: kInvalidInput.
[[nodiscard]] Result<std::vector<MeasuredRun>> runs_from_wire(std::string_view bytes);

}  // namespace hloscope::hlo
