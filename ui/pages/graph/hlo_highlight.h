#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace hloscope::ui {

enum class HloToken : uint8_t { kPlain, kName, kShape, kOpcode, kNumber, kText, kComment };

/// A run of one colour in a line of HLO text.
struct HloSpan {
  uint32_t begin = 0;
  uint32_t length = 0;
  HloToken token = HloToken::kPlain;
};

/// Colours of one line, in order, without gaps. Looks at this line only, so that a view of any size
/// colours just what it shows.
[[nodiscard]] std::vector<HloSpan> highlight(std::string_view line);

}  // namespace hloscope::ui
