#pragma once

#include <QString>

#include "core/analysis/report.h"

namespace hloscope::ui {

/// Name, opcode, shape, times and source line of a node. `kernel` may be invalid.
[[nodiscard]] QString nodeToolTip(const analysis::ModuleReport& report,
                                  hlo::InstructionId instruction, graph::KernelId kernel);

}  // namespace hloscope::ui
