#pragma once

#include <string_view>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/hlo/read.h"

namespace hloscope::hlo {

/// Reads binary protobuf: HloProto, HloModuleProto, HloSnapshot, TuningData, ModuleTuningData. All
/// of them can decode each other's bytes, so the kind is the one under which modules with
/// computations and instructions are found. `path` and `bytes` of the File are the caller's to set.
/// Errors: kInvalidInput (no known message, or a damaged one; the message names computation,
/// instruction and field), kCancelled.
[[nodiscard]] Result<File> read_proto(std::string_view bytes, const Progress& progress = {});

}  // namespace hloscope::hlo
