#pragma once

#include <optional>
#include <string_view>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/graph/kernels.h"
#include "core/sim/machine.h"

namespace hloscope::analysis {

/// What the TPU compiler itself expected an instruction to take: `window_config.estimated_cycles`
/// of its backend_config (JSON), a whole number or a string of digits, in cycles of the core clock.
/// Empty where there is none, where the text is not JSON (other backends write what they like), and
/// for numbers that are no estimate: not above zero, or the largest of int64, which stands for "not
/// known".
[[nodiscard]] std::optional<double> estimated_cycles(std::string_view backend_config);

/// estimated_cycles() of each kernel's instruction / clock of the machine, in ns of one execution;
/// an empty vector where no kernel has any. An estimate for the device and the window (tile) that
/// the compiler had, so right only where the machine is that device; the program does not name it.
/// A kernel that is split over both cores of a chip (`megacore_config`, TPU v4 and v5p) has the
/// cycles of its half. That they are of the core clock shows in three matmuls of a TPU v4 (0.64 to
/// 0.77 of the peak of both cores at 1.05 GHz; above 1.36 GHz one would beat it) and in a fusion
/// measured on a TPU v6e (14,180,608 cycles, 8.1 ms at 1.75 GHz; profiled 7.3 to 8.4 ms).
/// Error: kCancelled.
[[nodiscard]] Result<IndexedVector<graph::KernelId, std::optional<double>>> compiler_times(
    const hlo::Program& program, const graph::KernelList& kernels, const sim::Machine& machine,
    const Progress& progress = {});

}  // namespace hloscope::analysis
