#include "core/accuracy/tile_accuracy.h"

#include <algorithm>

#include "core/sim/estimate.h"

namespace hloscope::accuracy {

namespace {

const sim::KernelModel& model_of(const TileSamples& samples, const TileSample& sample) {
  return samples.kernels[sample.kernel].model;
}

std::optional<double> mean(const std::vector<KernelAccuracy>& kernels,
                           std::optional<double> Ranking::*field) {
  double sum = 0;
  double n = 0;
  for (const KernelAccuracy& kernel : kernels) {
    if (!(kernel.ranking.*field)) continue;
    sum += *(kernel.ranking.*field);
    n += 1;
  }
  if (n == 0) return std::nullopt;
  return sum / n;
}

KernelAccuracy kernel_accuracy(const TileSamples& samples, std::span<const double> estimated_ns,
                               uint32_t kernel) {
  std::vector<RankedRun> runs;
  std::vector<double> estimated;
  std::vector<double> measured;
  for (size_t s = 0; s < samples.samples.size(); ++s) {
    const TileSample& sample = samples.samples[s];
    if (sample.kernel != kernel) continue;
    runs.push_back({sample.bounds, estimated_ns[s], sample.measured_ns});
    estimated.push_back(estimated_ns[s]);
    measured.push_back(sample.measured_ns);
  }
  const ErrorSummary errors = summarise(estimated, measured);
  return {samples.kernels[kernel].module_name, errors.n, errors.mean, rank(runs)};
}

}  // namespace

Result<std::vector<double>> predict(const TileSamples& samples, const sim::Rates& rates,
                                    TimeModel model, const Progress& progress) {
  std::vector<double> out;
  out.reserve(samples.samples.size());
  const auto n = static_cast<double>(samples.samples.size());
  for (const TileSample& sample : samples.samples) {
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
    progress.report(static_cast<double>(out.size()) / n, "timing tiles");
    out.push_back(predict_ns(model_of(samples, sample), sample.bounds, rates, model));
  }
  progress.report(1, "timing tiles");
  return out;
}

TileAccuracy tile_accuracy(const TileSamples& samples, std::span<const double> estimated_ns) {
  TileAccuracy out;
  double error_sum = 0;
  for (uint32_t k = 0; k < samples.kernels.size(); ++k) {
    out.kernels.push_back(kernel_accuracy(samples, estimated_ns, k));
    const KernelAccuracy& kernel = out.kernels.back();
    out.n += kernel.n;
    error_sum += kernel.mape * static_cast<double>(kernel.n);
    out.kernel_mean_mape += kernel.mape / static_cast<double>(samples.kernels.size());
  }
  if (out.n > 0) out.mape = error_sum / static_cast<double>(out.n);
  out.kendall_tau = mean(out.kernels, &Ranking::kendall_tau);
  out.top1_slowdown = mean(out.kernels, &Ranking::top1_slowdown);
  out.top5_slowdown = mean(out.kernels, &Ranking::top5_slowdown);
  return out;
}

size_t beyond_vmem(const TileSamples& samples, const sim::Rates& rates) {
  return static_cast<size_t>(
      std::count_if(samples.samples.begin(), samples.samples.end(), [&](const TileSample& s) {
        return sim::footprint_bytes(model_of(samples, s), s.bounds) > rates.vmem_bytes;
      }));
}

}  // namespace hloscope::accuracy
