#include "core/analysis/measured_file.h"

#include <algorithm>

#include "core/analysis/report.h"

namespace hloscope::analysis {

Status check_may_have_run(const ModuleReport& report) {
  if (report.origin != KernelOrigin::kOwnFusion) return {};
  Error error;
  error.code = ErrorCode::kUnsupported;
  error.file = report.file_path;
  error.message = "measured times cannot be added: the kernels are of hloscope's own fusion";
  error.hint = "give the program as it ran, after optimisations; or show the kernels raw";
  return fail(std::move(error));
}

std::shared_ptr<const ModuleReport> with_measured(
    const ModuleReport& report, MeasuredFile file,
    IndexedVector<graph::KernelId, std::optional<double>> measured_ns) {
  auto copy = std::make_shared<ModuleReport>(report);
  copy->measured_file = std::move(file);
  copy->measured_ns = std::move(measured_ns);
  copy->measured_ns.resize(copy->kernels.kernels.size());
  return copy;
}

std::shared_ptr<const ModuleReport> keep_measured(const ModuleReport& old,
                                                  std::shared_ptr<const ModuleReport> report) {
  const bool same_kernels = old.module.content_hash == report->module.content_hash &&
                            std::ranges::equal(old.kernels.kernels, report->kernels.kernels, {},
                                               &graph::Kernel::hash, &graph::Kernel::hash);
  if (!old.measured_file || !same_kernels) return report;
  return with_measured(*report, *old.measured_file, old.measured_ns);
}

}  // namespace hloscope::analysis
