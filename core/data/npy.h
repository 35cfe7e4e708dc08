#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/data/array.h"

namespace hloscope::data {

/// Reads a .npy file of format 1.0, 2.0 or 3.0 (NEP 1) from memory. Fortran order is turned into C
/// order. Errors: kInvalidInput (no .npy, damaged header, fewer or more bytes than the shape says),
/// kUnsupported (big-endian numbers; types other than ElementType, e.g. objects).
[[nodiscard]] Result<Array> read_npy(std::string_view bytes);

/// A .npy file of format 1.0, in C order; 2.0 where the header is too long for 1.0.
[[nodiscard]] std::string write_npy(const Array& array);

}  // namespace hloscope::data
