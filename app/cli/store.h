#pragma once

#include <string>

#include "core/analysis/report.h"

namespace hloscope::cli {

/// Stores the report in the database `path`; does nothing when `path` is empty (the command line
/// writes only where it is told to). False after an error, which is printed.
bool store_if_asked(const std::string& path, const analysis::ModuleReport& report);

}  // namespace hloscope::cli
