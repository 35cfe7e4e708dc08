#pragma once

#include <optional>

#include "core/sim/kernel_model.h"

namespace hloscope::sim {

/// The model of a kernel whose time is that of a link: collectives between chips (a ring over the
/// group: assumed, an HLO program does not say what network it runs on; of 8 devices where it names
/// none), asynchronous copies, infeed, outfeed, and host
/// transfers. Null for all others.
[[nodiscard]] std::optional<KernelModel> link_model(const hlo::Program& program,
                                                    hlo::InstructionId kernel);

/// The model of a kernel of which only operands and results are known.
[[nodiscard]] KernelModel opaque_model(const hlo::Program& program, hlo::InstructionId kernel);

}  // namespace hloscope::sim
