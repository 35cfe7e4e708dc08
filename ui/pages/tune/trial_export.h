#pragma once

#include <string>

#include "ui/models/tune_columns.h"

namespace hloscope::ui {

enum class ExportFormat { kCsv, kJson };

/// All trials with what is known of each: times in ns, what has none is empty (null).
[[nodiscard]] std::string exportText(const TrialColumns& trials, ExportFormat format);

}  // namespace hloscope::ui
