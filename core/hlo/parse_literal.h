#pragma once

#include "core/hlo/parse_context.h"

namespace hloscope::hlo {

/// The value of a constant of `shape`: checked against it and kept as text.
[[nodiscard]] bool parse_literal(ParseContext& c, ShapeId shape, uint32_t& literal);
/// The value of `literal=` of a custom call, which carries its shapes itself.
[[nodiscard]] bool parse_shaped_literal(ParseContext& c, uint32_t& literal);
/// One element: a number, true or false, or (re, im).
[[nodiscard]] bool skip_scalar(ParseContext& c, PrimitiveType type);

}  // namespace hloscope::hlo
