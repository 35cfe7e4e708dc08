#pragma once

#include <string_view>

namespace hloscope::ui {

/// The text of resources/palette.json, built into the program.
[[nodiscard]] std::string_view paletteJson();

}  // namespace hloscope::ui
