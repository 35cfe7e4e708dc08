#pragma once

#include <string>
#include <string_view>

#include "core/tune/settings.h"

namespace hloscope::tune {

/// What a new session of a space begins with: a model searches, the simulator stands for hardware.
[[nodiscard]] Settings default_settings(SpaceKind space);

/// The command that makes the same session from `file` (FILE or FILE#N), without --db and --name;
/// what stands in default_settings() is left out.
[[nodiscard]] std::string tune_command(const Settings& settings, std::string_view file);

}  // namespace hloscope::tune
