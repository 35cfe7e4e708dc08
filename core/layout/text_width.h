#pragma once

#include <string_view>

namespace hloscope::layout {

enum class FontFace { kRegular, kBold, kMono };

/// Width in pixels of UTF-8 text set in DejaVu Sans (Bold, Sans Mono), by the advance widths of
/// the fonts (version 2.37, 2048 units per em), without kerning. Characters outside of the table
/// count as 0.8 em; DejaVu's arrows and mathematical signs have exact values.
[[nodiscard]] float text_width(std::string_view utf8, float pixel_size, FontFace face);

}  // namespace hloscope::layout
