#pragma once

#include "core/hlo/program.h"

namespace hloscope::graph {

/// async-start, copy-start, all-reduce-start, send, recv, ...
[[nodiscard]] bool is_async_start(hlo::Opcode opcode);
/// The done, or an update, of such a pair.
[[nodiscard]] bool is_async_end(hlo::Opcode opcode);
[[nodiscard]] bool is_async_done(hlo::Opcode opcode);

/// The start that an update or done belongs to; invalid when it is in another computation (a
/// transfer that crosses a loop iteration).
[[nodiscard]] hlo::InstructionId async_start_of(const hlo::Program& program,
                                                hlo::InstructionId end);
/// The done of a start; invalid when there is none in its computation.
[[nodiscard]] hlo::InstructionId async_done_of(const hlo::Program& program,
                                               hlo::InstructionId start);

}  // namespace hloscope::graph
