#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/hlo/program_builder.h"

namespace hloscope::hlo {

/// Decodes xla.LiteralProto into the literals of `builder` and returns its index. A literal whose
/// data are absent, as in data sets that drop them, becomes Form::kElided. Errors: kInvalidInput
/// (damaged bytes, data that do not fit the shape, nesting too deep).
[[nodiscard]] Result<uint32_t> literal_from_wire(std::string_view bytes, ProgramBuilder& builder);

}  // namespace hloscope::hlo
