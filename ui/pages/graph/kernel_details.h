#pragma once

#include <memory>
#include <vector>

#include "core/analysis/kernel_table.h"
#include "ui/pages/graph/hlo_text_view.h"
#include "ui/pages/graph/property_grid.h"

namespace hloscope::ui {

/// What the dock "Kernel" says about a kernel, an instruction outside of kernels, or a whole
/// module.
[[nodiscard]] std::vector<Property> kernelProperties(const analysis::KernelTable& table,
                                                     graph::KernelId kernel);
[[nodiscard]] std::vector<Property> instructionProperties(const hlo::Program& program,
                                                          hlo::InstructionId instruction);
[[nodiscard]] std::vector<Property> moduleProperties(const analysis::KernelTable& table);

/// HLO text with what keeps it alive.
struct HloExcerpt {
  std::vector<HloTextView::Line> lines;
  std::shared_ptr<const void> owner;
};
/// The instruction and the computations it calls, with line numbers of the file where there is
/// text; else printed.
[[nodiscard]] HloExcerpt hloExcerpt(const hlo::ProgramPtr& program, hlo::InstructionId instruction);

}  // namespace hloscope::ui
