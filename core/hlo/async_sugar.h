#pragma once

#include "core/hlo/opcode.h"

namespace hloscope::hlo {

/// True where "OP-start" and "OP-done" are opcodes of their own, or OP is half of a pair already:
/// such an OP is never written as sugar for an async-start around it.
[[nodiscard]] bool has_native_pair(Opcode opcode);

}  // namespace hloscope::hlo
