#pragma once

#include <string>
#include <vector>

#include "app/cli/load.h"

namespace hloscope::cli {

/// Estimates against measured times of all modules: charts, the errors of short and long kernels,
/// the largest errors. Empty where nothing is measured.
[[nodiscard]] std::string html_compare(const std::vector<ReportPtr>& reports);

}  // namespace hloscope::cli
