#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/hlo/shape.h"

namespace hloscope::hlo {

/// Elements of literals in Form::kBytes: little-endian, one byte for types of fewer than 8 bits
/// (their value in the low bits).

/// Bytes of one element; 0 for types without values.
[[nodiscard]] size_t element_bytes(PrimitiveType type);
/// Of pred, signed and unsigned types. u64 values of 2^63 and more come out negative.
[[nodiscard]] int64_t integer_element(PrimitiveType type, const char* bytes);
/// Of floating-point types, exactly. Of complex types: the real part.
[[nodiscard]] double float_element(PrimitiveType type, const char* bytes);
/// HLO text of one element. Floats have the fewest digits that XLA prints and that read back to the
/// same bits (6 or 9 for f32, 15 or 17 for f64); pred is 0 or 1.
[[nodiscard]] std::string element_text(PrimitiveType type, const char* bytes);

}  // namespace hloscope::hlo
