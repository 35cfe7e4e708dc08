#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace hloscope::measured {

/// One kernel run with one tile on a device.
struct TileRow {
  std::string module_name;
  uint32_t run_index = 0;  ///< Position among the module's runs in the tuning file.
  /// Physical major to minor, the two minor dimensions in tiles; empty when not recorded.
  std::vector<int64_t> output_bounds;
  std::vector<int64_t> kernel_bounds;
  double time_ns = 0;  ///< Measured.
  bool is_default = false;
};

/// One workload (a gemm, a layer, a model) timed as a whole.
struct WorkloadRow {
  std::string name;
  std::string kind;                       ///< gemm, conv, softmax, ...
  std::map<std::string, int64_t> params;  ///< A word without "=" (a model's name) has the value 1.
  std::optional<double> time_us;          ///< Measured; none where the row holds no time.
};

/// One JAX operator with one shape.
struct OpRow {
  std::string op;
  std::vector<int64_t> shape;   ///< Logical; empty for matmul.
  int64_t m = 0, n = 0, k = 0;  ///< matmul: [m,k] x [k,n]; else 0.
  std::string dtype;
  std::string event;  ///< Names of the timed kernels, joined by "+".
  double min_us = 0;  ///< Measured: the fastest event, summed over the kernels of one run.
};

/// Columns module_name, run_index, output_bounds, kernel_bounds, time_ns, is_default; found by
/// name, others are ignored. Errors: those of reading the file; kInvalidInput with line and column
/// (missing column, bad number, unclosed quote).
[[nodiscard]] Result<std::vector<TileRow>> read_tile_rows(const std::string& path);
/// Columns workload, kind, params ("m=256 k=256 n=256"), tpuv3_us.
[[nodiscard]] Result<std::vector<WorkloadRow>> read_workload_rows(const std::string& path);
/// Columns op, shape, m, n, k, dtype, event, min_us.
[[nodiscard]] Result<std::vector<OpRow>> read_op_rows(const std::string& path);

}  // namespace hloscope::measured
