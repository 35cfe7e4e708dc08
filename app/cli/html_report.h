#pragma once

#include <string>
#include <vector>

#include "app/cli/load.h"

namespace hloscope::cli {

/// A self-contained page (no scripts, no network): for each module a summary and the table of its
/// kernels by share of time. `pictures` are names of PNG files that lie beside the page.
[[nodiscard]] std::string html_report(const std::vector<ReportPtr>& reports,
                                      const std::vector<std::string>& pictures);

}  // namespace hloscope::cli
