#include "core/accuracy/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/accuracy/fitted_constants.h"
#include "core/accuracy/least_squares.h"
#include "core/accuracy/machine_file.h"
#include "core/base/thread_pool.h"

namespace hloscope::accuracy {

namespace {

constexpr double kKnee = 0.1;
constexpr double kPull = 0.03;
constexpr double kRowWeight = -0.5;
constexpr double kSensitivityStep = 0.01;
// Fewer rows tell nothing: the constants would be the a-priori values under the name of a fit.
constexpr size_t kLeastRows = 5;

using Values = std::vector<double>;

Values exponentials(std::span<const double> logs) {
  Values out;
  for (double x : logs) out.push_back(std::exp(x));
  return out;
}

Values a_priori_logs() {
  Values out;
  for (const FittedConstant& constant : fitted_constants()) {
    out.push_back(std::log(constant.a_priori));
  }
  return out;
}

// sqrt of twice the pseudo-Huber loss, with the sign of the error.
double robust(double error) {
  const double ratio = error / kKnee;
  return std::copysign(kKnee * std::sqrt(2 * (std::sqrt(1 + ratio * ratio) - 1)), error);
}

class Calibrator {
 public:
  Calibrator(const TileSamples& samples, const sim::Machine& machine)
      : samples_(samples), machine_(machine), rows_(samples.kernels.size()) {
    for (const TileSample& sample : samples.samples) rows_[sample.kernel] += 1;
  }

  Result<Calibration> run(const Progress& progress) {
    const std::vector<Hash128> folds = distinct_kernels();
    const double parts = folds.size() > 1 ? static_cast<double>(folds.size() + 1) : 1;
    HLOSCOPE_ASSIGN(const Values fitted, fit({}, progress.part(0, 1 / parts)));
    sensitivity_ = sensitivities(fitted);
    Calibration out;
    out.before = tile_accuracy(samples_, times_ns(machine_));
    add_constants(out, fitted);
    out.in_sample = tile_accuracy(samples_, times_ns(out.machine));
    if (folds.size() < 2) return out;
    Values left_out_ns(samples_.samples.size());
    out.shifts.resize(samples_.kernels.size());
    for (size_t f = 0; f < folds.size(); ++f) {
      const double at = static_cast<double>(f + 1);
      const Progress part = progress.part(at / parts, (at + 1) / parts);
      HLOSCOPE_ASSIGN(const Values values, fit(folds[f], part));
      time_left_out(folds[f], values, left_out_ns);
      add_shifts(out, folds[f], fitted, values);
    }
    out.left_out = tile_accuracy(samples_, left_out_ns);
    return out;
  }

 private:
  bool is_of(const TileSample& sample, const Hash128& kernel) const {
    return samples_.kernels[sample.kernel].hash == kernel;
  }

  std::vector<Hash128> distinct_kernels() const {
    std::vector<Hash128> out;
    for (const TileKernel& kernel : samples_.kernels) {
      if (std::find(out.begin(), out.end(), kernel.hash) == out.end()) out.push_back(kernel.hash);
    }
    return out;
  }

  double time_ns(const TileSample& sample, const sim::Rates& rates) const {
    return predict_ns(samples_.kernels[sample.kernel].model, sample.bounds, rates,
                      TimeModel::kSimulator);
  }
  Values times_ns(const sim::Machine& machine) const {
    const sim::Rates rates(machine);
    Values out;
    for (const TileSample& sample : samples_.samples) out.push_back(time_ns(sample, rates));
    return out;
  }

  // Values fitted to the samples of all kernels but one.
  Result<Values> fit(const std::optional<Hash128>& without, const Progress& progress) {
    const Values start = a_priori_logs();
    const auto residuals = [&](std::span<const double> logs) {
      const sim::Rates rates(with_values(machine_, exponentials(logs)));
      Values out;
      for (const TileSample& sample : samples_.samples) {
        if (without && is_of(sample, *without)) continue;
        const double ns = time_ns(sample, rates);
        out.push_back(std::pow(rows_[sample.kernel], kRowWeight / 2) *
                      robust(std::log(ns / sample.measured_ns)));
      }
      for (size_t i = 0; i < logs.size(); ++i) out.push_back(kPull * (logs[i] - start[i]));
      return out;
    };
    HLOSCOPE_ASSIGN(const LeastSquaresFit fit, least_squares(residuals, start, threads_, progress));
    return exponentials(fit.x);
  }

  // By constant and kernel: mean square of d log(time) / d log(constant).
  std::vector<Values> sensitivities(const Values& values) {
    std::vector<Values> out(values.size(), Values(samples_.kernels.size()));
    const Values here_ns = times_ns(with_values(machine_, values));
    threads_.parallel_for(values.size(), [&](size_t c) {
      Values moved = values;
      moved[c] *= std::exp(kSensitivityStep);
      const Values there_ns = times_ns(with_values(machine_, moved));
      for (size_t s = 0; s < here_ns.size(); ++s) {
        const double slope = std::log(there_ns[s] / here_ns[s]) / kSensitivityStep;
        const uint32_t kernel = samples_.samples[s].kernel;
        out[c][kernel] += slope * slope / rows_[kernel];
      }
    });
    return out;
  }

  void add_constants(Calibration& out, const Values& fitted) const {
    Values kept;
    for (size_t c = 0; c < fitted.size(); ++c) {
      const FittedConstant& constant = fitted_constants()[c];
      CalibratedConstant entry{constant.name, constant.a_priori, machine_[constant.name]};
      double sum = 0;
      double most = 0;
      for (uint32_t k = 0; k < rows_.size(); ++k) {
        // The weight of a kernel in the fit: n rows of weight n^-0.5.
        const double told = sensitivity_[c][k] * std::sqrt(rows_[k]);
        sum += told;
        if (told <= most) continue;
        most = told;
        entry.main_kernel = k;
      }
      entry.is_determined = sum > 0;
      entry.main_share = sum > 0 ? most / sum : 0;
      entry.value = entry.is_determined ? rounded(fitted[c]) : entry.old_value;
      kept.push_back(entry.value);
      out.constants.push_back(entry);
    }
    out.machine = with_values(machine_, kept);
  }

  void time_left_out(const Hash128& kernel, const Values& values, Values& left_out_ns) const {
    const sim::Rates rates(with_values(machine_, values));
    for (size_t s = 0; s < samples_.samples.size(); ++s) {
      const TileSample& sample = samples_.samples[s];
      if (!is_of(sample, kernel)) continue;
      left_out_ns[s] = time_ns(sample, rates);
    }
  }

  void add_shifts(Calibration& out, const Hash128& kernel, const Values& fitted,
                  const Values& values) const {
    for (size_t k = 0; k < samples_.kernels.size(); ++k) {
      if (samples_.kernels[k].hash != kernel) continue;
      std::vector<ConstantShift>& shifts = out.shifts[k];
      for (size_t c = 0; c < values.size(); ++c) {
        const double change = std::log(values[c] / fitted[c]);
        shifts.push_back({c, values[c], std::abs(change) * std::sqrt(sensitivity_[c][k])});
      }
      std::stable_sort(shifts.begin(), shifts.end(),
                       [](const auto& a, const auto& b) { return a.effect > b.effect; });
    }
  }

  const TileSamples& samples_;
  const sim::Machine& machine_;
  Values rows_;  // By kernel.
  ThreadPool threads_;
  std::vector<Values> sensitivity_;
};

}  // namespace

Result<Calibration> calibrate(const TileSamples& samples, const sim::Machine& machine,
                              const Progress& progress) {
  if (samples.samples.empty()) {
    return fail(ErrorCode::kInvalidInput, "no measured row has a tile of one of the kernels",
                "rows need output_bounds, and module_name must be the name of a module");
  }
  if (samples.samples.size() < kLeastRows) {
    return fail(
        ErrorCode::kInvalidInput,
        fmt::format("{} measured rows are too few to fit constants to", samples.samples.size()),
        fmt::format("give at least {} rows, of several kernels", kLeastRows));
  }
  return Calibrator(samples, machine).run(progress);
}

}  // namespace hloscope::accuracy
