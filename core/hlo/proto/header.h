#pragma once

#include "core/base/result.h"
#include "core/hlo/program_builder.h"
#include "core/hlo/proto/module_index.h"

namespace hloscope::hlo {

/// Module attributes and stack frames, equal to what the text parser gives for XLA's print.
[[nodiscard]] Status add_module_header(const WireModule& module, ProgramBuilder& builder);

}  // namespace hloscope::hlo
