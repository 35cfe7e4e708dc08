#include "core/accuracy/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/graph/kernels.h"
#include "core/sim/estimate.h"
#include "core/sim/simulate.h"

namespace hloscope::accuracy {

namespace {

// Of sorted values.
double quantile(const std::vector<double>& values, double share) {
  const double position = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(position);
  const size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], position - std::floor(position));
}

}  // namespace

std::string_view name(TimeModel model) {
  return model == TimeModel::kSimulator ? "simulator" : "analytical";
}

double predict_ns(const sim::KernelModel& kernel, const std::vector<int64_t>& bounds,
                  const sim::Rates& rates, TimeModel model) {
  return model == TimeModel::kSimulator ? sim::simulate(kernel, bounds, rates).time_ns
                                        : sim::estimate(kernel, bounds, rates).time_ns;
}

Result<hlo::InstructionId> only_kernel(const hlo::Program& program) {
  const graph::KernelList list = graph::kernels(program);
  if (list.kernels.size() == 1) return list.kernels[graph::KernelId(0)].instruction;
  const graph::KernelId of_root = list.kernel_of[program[program.entry()].root];
  if (of_root.valid()) return list.kernels[of_root].instruction;
  return fail(
      ErrorCode::kInvalidInput,
      fmt::format("the module {} has {} kernels, not one", program.name(), list.kernels.size()),
      "give modules of one kernel, as tuning files hold them");
}

ErrorSummary summarise(std::span<const double> estimate, std::span<const double> truth) {
  ErrorSummary out;
  std::vector<double> errors;
  for (size_t i = 0; i < truth.size(); ++i) {
    errors.push_back(std::abs(estimate[i] - truth[i]) / truth[i]);
  }
  if (errors.empty()) return out;
  out.n = errors.size();
  out.mean = std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(out.n);
  std::sort(errors.begin(), errors.end());
  out.median = quantile(errors, 0.5);
  out.p90 = quantile(errors, 0.9);
  return out;
}

}  // namespace hloscope::accuracy
