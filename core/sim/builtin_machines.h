#pragma once

#include <span>
#include <string_view>

namespace hloscope::sim {

/// The texts of resources/machines/*.json, built into the program, in order of generation.
[[nodiscard]] std::span<const std::string_view> builtin_machine_files();

}  // namespace hloscope::sim
