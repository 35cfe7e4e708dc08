#pragma once

#include "core/hlo/parse_context.h"

namespace hloscope::hlo {

/// One module: `HloModule ...`, headless computations, or bare instructions; up to the end of the
/// text or the next `HloModule`. `fallback_name` names what has no name of its own.
[[nodiscard]] bool parse_module(ParseContext& c, std::string_view fallback_name);
/// `HloModule NAME (, attribute)*` and the tables behind it.
[[nodiscard]] bool parse_module_header(ParseContext& c);
/// Whether the entries of input_output_alias and buffer_donor exist in the entry computation.
[[nodiscard]] bool check_aliases(ParseContext& c);
/// FileNames, FunctionNames, FileLocations and StackFrames: all four or none.
[[nodiscard]] bool parse_frame_tables(ParseContext& c);

}  // namespace hloscope::hlo
