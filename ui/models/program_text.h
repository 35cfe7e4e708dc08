#pragma once

#include <QString>
#include <span>

#include "core/analysis/kernel_table.h"

namespace hloscope::ui {

/// "ENTRY main.742", "body.12 (while body)", ...
[[nodiscard]] QString computationTitle(const analysis::ModuleReport& report,
                                       hlo::ComputationId computation);
/// "×12" for a computation that runs 12 times, "×12, trip count unknown" when a loop around it
/// could not be counted, empty for one that runs once.
[[nodiscard]] QString executionsNote(const analysis::ModuleReport& report,
                                     hlo::ComputationId computation);
/// Sum of time x executions of the given rows in ns; NaN when none has a time.
[[nodiscard]] double computationTime(const analysis::KernelTable& table,
                                     std::span<const uint32_t> rows);

}  // namespace hloscope::ui
