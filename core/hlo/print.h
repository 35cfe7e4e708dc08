#pragma once

#include <string>

#include "core/hlo/program.h"

namespace hloscope::hlo {

/// The defaults give XLA's long form, with all constants whole: it reads back as the same program.
struct PrintOptions {
  bool metadata = true;  ///< Also the stack frame tables.
  bool backend_config = true;
  bool operand_shapes = false;
  bool percent = true;          ///< Names that are reserved words keep their "%".
  bool large_constants = true;  ///< Otherwise those of more than 10 elements are `{...}`.
};

/// HLO text of the whole module, computations before their callers.
[[nodiscard]] std::string print(const Program& program, const PrintOptions& options = {});
/// One computation, without those that it calls.
[[nodiscard]] std::string print(const Program& program, ComputationId id,
                                const PrintOptions& options = {});
/// One line without indentation and line end; "ROOT" in front of a root.
[[nodiscard]] std::string print_instruction(const Program& program, InstructionId id,
                                            const PrintOptions& options = {});

}  // namespace hloscope::hlo
