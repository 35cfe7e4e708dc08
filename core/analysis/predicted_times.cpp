#include "core/analysis/predicted_times.h"

#include "core/analysis/report.h"
#include "core/base/hash_label.h"

namespace hloscope::analysis {

std::string PredictedBy::label() const {
  return hash_label(model, hash);
}

void add_totals(const graph::KernelList& kernels, PredictedTimes& times) {
  double far_ns = 0;
  times.total_ns = 0;
  for (uint32_t k = 0; k < times.of_kernels.size(); ++k) {
    const graph::KernelId id(k);
    const std::optional<PredictedTime>& time = times.of_kernels[id];
    if (!time) continue;
    const double all_ns = time->time_ns * kernels.kernels[id].executions;
    times.total_ns += all_ns;
    if (time->is_far) far_ns += all_ns;
  }
  times.far_share = times.total_ns > 0 ? far_ns / times.total_ns : 0;
}

std::shared_ptr<const ModuleReport> with_predicted(const ModuleReport& report,
                                                   PredictedTimes times) {
  auto copy = std::make_shared<ModuleReport>(report);
  copy->predicted = std::move(times);
  return copy;
}

}  // namespace hloscope::analysis
