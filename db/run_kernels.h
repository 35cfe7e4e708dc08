#pragma once

#include <optional>
#include <string>
#include <vector>

#include "db/database.h"
#include "db/ids.h"

namespace hloscope::db {

/// The stored time of a kernel in one run.
struct RunTime {
  double time_ns = 0;  ///< Of one execution.
  double compute_ns = 0;
  double memory_ns = 0;
  std::string bound;
  std::string tile;
  bool operator==(const RunTime&) const = default;
};

/// A kernel of one run, or of two that are compared.
struct RunKernel {
  KernelRow kernel;
  std::string label;
  std::string op_class;
  /// Of its first place in the program; empty where the program was shown with other kernels since.
  std::string instruction_name;
  double executions = 0;  ///< In one run of the program; 0: not known.
  std::optional<RunTime> first;
  std::optional<RunTime> second;
};

/// The kernels of run `first`, and beside them those of `second` where it is valid: equal kernels
/// share a row, also those of different programs. In order of kernel row. Names and executions are
/// of the first run's program where it has the kernel. Errors: kNotFound for an unknown run; kIo,
/// kInvalidInput.
[[nodiscard]] Result<std::vector<RunKernel>> run_kernels(const Database& database, RunId first,
                                                         RunId second = {});

}  // namespace hloscope::db
