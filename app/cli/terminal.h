#pragma once

#include "core/base/progress.h"

namespace hloscope::cli {

/// Shows how far the work is on one line of standard error; nothing where that is not a terminal.
[[nodiscard]] Progress terminal_progress();

}  // namespace hloscope::cli
