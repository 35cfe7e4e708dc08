#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/graph/kernels.h"

namespace hloscope::analysis {

struct ModuleReport;

/// A file of measured times beside a program, such as the op statistics of a profiler.
struct MeasuredFile {
  std::string file_path;
  Hash128 hash;        ///< Of its bytes.
  std::string device;  ///< What the times were measured on; empty: not stated.
};

/// kUnsupported for kernels of own fusion: they never ran on a device, and names of theirs, such as
/// fusion.1, are those of other kernels in the profile.
[[nodiscard]] Status check_may_have_run(const ModuleReport& report);

/// A copy of the report with the times of a file, of one execution by kernel, in place of the
/// measured times of kernels that it had.
[[nodiscard]] std::shared_ptr<const ModuleReport> with_measured(
    const ModuleReport& report, MeasuredFile file,
    IndexedVector<graph::KernelId, std::optional<double>> measured_ns);

/// `report` with the measured times of `old`, where those came from a file of their own and both
/// reports are of the same kernels; else `report` itself. For a module that is analysed again.
[[nodiscard]] std::shared_ptr<const ModuleReport> keep_measured(
    const ModuleReport& old, std::shared_ptr<const ModuleReport> report);

}  // namespace hloscope::analysis
