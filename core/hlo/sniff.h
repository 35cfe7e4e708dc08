#pragma once

#include <optional>
#include <string_view>

#include "core/base/result.h"

namespace hloscope::hlo {

/// Whether the bytes cannot be text: control bytes near the beginning.
[[nodiscard]] bool looks_binary(std::string_view bytes);
/// The error for formats that are known but not read (StableHLO, MLIR bytecode, zip archives, ...);
/// nothing for anything else.
[[nodiscard]] std::optional<Error> foreign_format(std::string_view bytes);
/// Whether text has anything that all HLO has: a module header, an ENTRY or a shape such as `f32[`.
[[nodiscard]] bool has_signs_of_hlo(std::string_view text);

}  // namespace hloscope::hlo
