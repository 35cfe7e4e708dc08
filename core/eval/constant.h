#pragma once

#include "core/eval/value.h"
#include "core/hlo/program.h"

namespace hloscope::eval {

/// The value of a literal, of any form that a file may give it. Errors: kInvalidInput (the values
/// are not in the file, or not as many as the shape has), kUnsupported (type).
[[nodiscard]] Result<Value> literal_value(const hlo::Program& program, uint32_t literal);

}  // namespace hloscope::eval
