#pragma once

#include "core/hlo/parse_context.h"

namespace hloscope::hlo {

/// `[ENTRY] NAME [signature] { ... } [, execution_thread="..."]`.
[[nodiscard]] bool parse_computation(ParseContext& c, bool& is_entry, ComputationId& id);
/// The value of to_apply and the like: a name, or an inline body.
[[nodiscard]] bool parse_computation_reference(ParseContext& c, ComputationId& id);
/// Gives made instructions of the current scope their names and sets the root.
void finish_scope(ParseContext& c);
/// Gives computations that the reader made their names.
void name_made_computations(ParseContext& c);

}  // namespace hloscope::hlo
