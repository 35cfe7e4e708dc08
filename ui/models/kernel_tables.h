#pragma once

#include <memory>

#include "core/analysis/kernel_table.h"

namespace hloscope::ui {

/// The table of a report, with changes against `baseline` if there is one, made once and shared by
/// all views that show it. GUI thread only. Null for null.
[[nodiscard]] std::shared_ptr<const analysis::KernelTable> kernelTable(
    const std::shared_ptr<const analysis::ModuleReport>& report,
    const analysis::BaselinePtr& baseline = nullptr);

}  // namespace hloscope::ui
