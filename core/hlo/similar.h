#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace hloscope::hlo {

/// The candidate that `word` is most likely a misspelling of: the fewest letters to insert, drop,
/// change or swap (case does not count), at most one of three. The first of equals.
[[nodiscard]] std::optional<std::string_view> most_similar(
    std::string_view word, std::span<const std::string_view> candidates);

}  // namespace hloscope::hlo
