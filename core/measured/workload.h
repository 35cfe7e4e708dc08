#pragma once

#include <string>
#include <vector>

#include "core/hlo/program.h"

namespace hloscope::measured {

/// A program of exactly one kernel.
struct TimedKernel {
  hlo::ProgramPtr program;
  double executions = 1;  ///< How often the workload runs it.
  std::string what;       ///< "scores", "exp and sum", ...
};

/// The kernels whose times add up to the measured time of a row.
struct Workload {
  std::vector<TimedKernel> kernels;
  std::vector<std::string> assumptions;  ///< What the row does not say; one sentence each.
};

}  // namespace hloscope::measured
