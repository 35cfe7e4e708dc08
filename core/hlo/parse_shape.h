#pragma once

#include "core/hlo/parse_context.h"

namespace hloscope::hlo {

/// Whether a shape starts here: "(", a type followed by "[", or "b(".
[[nodiscard]] bool at_shape(ParseContext& c);
[[nodiscard]] bool parse_shape(ParseContext& c, ShapeId& shape);
/// Reports that `word` at `at` names no element type, with the type it may be meant to be; false.
bool fail_unknown_type(ParseContext& c, const char* at, std::string_view word);
/// `{ ... }` behind an array shape; the cursor is at the brace.
[[nodiscard]] bool parse_layout(ParseContext& c, Shape& shape);
/// Whether "{" starts a layout (an integer or ":" follows) and not a body.
[[nodiscard]] bool at_layout(ParseContext& c);
/// The descending default layout.
void set_default_layout(Shape& shape);

}  // namespace hloscope::hlo
