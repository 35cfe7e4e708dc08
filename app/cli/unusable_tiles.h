#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/cli/kernel_choice.h"
#include "core/analysis/report.h"

/// Kernels whose tile the program states (hloscope_tile, see sim::written_tile()), but that cannot
/// run with it: they are timed at the default, which is to be said.
namespace hloscope::cli {

/// "hloscope_tile of the program, out=9x1: why"; empty where the kernel has none, or runs with it.
[[nodiscard]] std::optional<std::string> unusable_tile(const ChosenKernel& chosen,
                                                       const sim::Rates& rates);

/// How many kernels, the first of them and why; empty for none.
[[nodiscard]] std::string unusable_tiles_text(const analysis::ModuleReport& report);
/// [{"kernel": "...", "tile": "...", "why": "..."}]
[[nodiscard]] nlohmann::ordered_json unusable_tiles_json(const analysis::ModuleReport& report);

}  // namespace hloscope::cli
