#pragma once

#include <string_view>
#include <vector>

#include "core/eval/value.h"
#include "core/hlo/program.h"

namespace hloscope::eval {

/// Arguments from JSON: a list with one entry per parameter of the entry. An array is a number, or
/// lists of lists of numbers as deep as its dimensions; or one flat list in row-major order. A
/// tuple is a list of its elements, a complex number [re, im]; pred takes true, false, 0 and 1;
/// "inf",
/// "-inf" and "nan" are strings. Numbers are rounded to the type. kInvalidInput says which argument
/// does not fit, and what it should be.
[[nodiscard]] Result<std::vector<Value>> arguments_from_json(const hlo::Program& program,
                                                             std::string_view json);

}  // namespace hloscope::eval
