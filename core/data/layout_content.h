#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/hlo/program.h"

namespace hloscope::data {

/// A program with the instructions whose layouts a configuration gives, in its order.
struct LayoutModule {
  hlo::ProgramPtr program;
  std::vector<hlo::InstructionId> configurable;
};

/// The content of a layout graph in the form kHlo: HLO text of the module below a comment with the
/// positions of the configurable instructions, `// configurable: 443 457`. Constants of more than
/// 10 elements are left out. Error: kInternal when the text does not read back as the module.
[[nodiscard]] Result<std::string> layout_content(const hlo::Program& program,
                                                 std::span<const hlo::InstructionId> configurable);

/// Reads it back. Errors: what the parser finds wrong; kInvalidInput for positions that the module
/// does not have.
[[nodiscard]] Result<LayoutModule> read_layout_content(const std::string& content);

}  // namespace hloscope::data
