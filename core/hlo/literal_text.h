#pragma once

#include <string>

#include "core/hlo/program.h"

namespace hloscope::hlo {

/// HLO text of a literal without its shape, as XLA prints it: `1`, `{1, 2}`, `{ { 1, 2 } }`,
/// `( 1, {2} )`, `{...}`. Text from files is given as it was written.
[[nodiscard]] std::string literal_text(const Program& program, uint32_t literal);
/// The form with shapes that custom calls have: `f32[2]{0} {1, 2}`, `( f32[] 1, s32[] 2 )`.
[[nodiscard]] std::string shaped_literal_text(const Program& program, uint32_t literal);

}  // namespace hloscope::hlo
