#include "core/accuracy/workload_accuracy.h"

#include <cmath>

#include "core/base/units.h"
#include "core/measured/workload_hlo.h"
#include "core/sim/tile_space.h"

namespace hloscope::accuracy {

namespace {

Result<WorkloadKernel> time_kernel(const measured::TimedKernel& kernel, const sim::Rates& rates,
                                   TimeModel model) {
  HLOSCOPE_ASSIGN(const hlo::InstructionId instruction, only_kernel(*kernel.program));
  const sim::KernelModel built = sim::kernel_model(*kernel.program, instruction);
  const std::vector<int64_t> bounds = sim::default_bounds(built, rates);
  return WorkloadKernel{kernel.what, predict_ns(built, bounds, rates, model), kernel.executions,
                        sim::tile_of(built, bounds)};
}

Result<WorkloadAccuracy> time_row(const measured::WorkloadRow& row, const sim::Rates& rates,
                                  TimeModel model) {
  if (!row.time_us) return fail(ErrorCode::kUnsupported, "the row holds no measured time");
  HLOSCOPE_ASSIGN(measured::Workload workload, measured::build_workload(row));
  WorkloadAccuracy out{row.name, row.kind, *row.time_us * kNsPerUs, 0, 0, {}, {}};
  for (const measured::TimedKernel& kernel : workload.kernels) {
    HLOSCOPE_ASSIGN(WorkloadKernel timed, time_kernel(kernel, rates, model));
    out.time_ns += timed.time_ns * timed.executions;
    out.kernels.push_back(std::move(timed));
  }
  out.error = out.time_ns / out.measured_ns - 1;
  out.assumptions = std::move(workload.assumptions);
  return out;
}

template <typename Takes>
std::optional<double> mean_error(const std::vector<WorkloadAccuracy>& rows, Takes takes) {
  double sum = 0;
  double n = 0;
  for (const WorkloadAccuracy& row : rows) {
    if (!takes(row)) continue;
    sum += std::abs(row.error);
    n += 1;
  }
  if (n == 0) return std::nullopt;
  return sum / n;
}

}  // namespace

Result<WorkloadsAccuracy> workload_accuracy(std::span<const measured::WorkloadRow> rows,
                                            const sim::Rates& rates, TimeModel model,
                                            const Progress& progress) {
  WorkloadsAccuracy out;
  for (size_t r = 0; r < rows.size(); ++r) {
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
    progress.report(static_cast<double>(r) / static_cast<double>(rows.size()), rows[r].name);
    Result<WorkloadAccuracy> row = time_row(rows[r], rates, model);
    if (row) {
      out.rows.push_back(std::move(*row));
    } else {
      out.skipped.push_back({rows[r].name, rows[r].kind, row.error().message});
    }
  }
  out.mape = mean_error(out.rows, [](const WorkloadAccuracy&) { return true; });
  out.gemm_conv_attention_mape = mean_error(out.rows, [](const WorkloadAccuracy& row) {
    return row.kind == "gemm" || row.kind == "conv" || row.kind == "attention";
  });
  return out;
}

}  // namespace hloscope::accuracy
