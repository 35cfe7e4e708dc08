#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hloscope::data {

/// Appends the LEB128 form of the zigzag code: one byte for -64..63.
void put_integer(std::string& out, int64_t value);
/// Takes one from the front of `bytes`; nothing where they end within it.
[[nodiscard]] std::optional<int64_t> take_integer(std::string_view& bytes);
/// A count of things that take at least a byte each: never more than there are bytes left.
[[nodiscard]] std::optional<size_t> take_count(std::string_view& bytes);

}  // namespace hloscope::data
