#pragma once

#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/hlo/program.h"

namespace hloscope::hlo {

/// True when the bytes, taken as an HloModuleProto, have a computation with an instruction that
/// has an opcode.
[[nodiscard]] bool looks_like_module(std::string_view bytes);

/// Decodes xla.HloModuleProto. Errors: kInvalidInput (the message names computation and
/// instruction), kCancelled.
[[nodiscard]] Result<ProgramPtr> module_from_wire(std::string_view bytes, const Progress& progress);

/// The same for a module inside of another's recovery table; such tables do not nest.
[[nodiscard]] Result<ProgramPtr> recovery_module_from_wire(std::string_view bytes);

}  // namespace hloscope::hlo
