#include "core/predict/program_times.h"

#include <cmath>

#include "core/predict/ensemble.h"
#include "core/predict/program_examples.h"

namespace hloscope::predict {

namespace {

using analysis::PredictedTime;

// One of each distinct kernel, with the tile that the report has.
std::vector<AskedKernel> distinct_kernels(const analysis::ModuleReport& report) {
  std::vector<AskedKernel> out;
  out.reserve(report.kernels.distinct.size());
  for (size_t d = 0; d < report.kernels.distinct.size(); ++d) {
    const graph::Kernel& kernel = report.kernels.kernels[report.kernels.distinct[d]];
    const sim::Tile& tile = report.times.tiles[d].tile;
    data::Sample sample;
    sample.is_default = true;
    if (!tile.output.empty()) sample.configuration = {tile.kernel, tile.output, {}};
    out.push_back({report.module.program.get(), kernel.instruction, {std::move(sample)}});
  }
  return out;
}

std::optional<PredictedTime> time_of(double log_ns, double width) {
  const PredictedTime out{std::exp(log_ns), std::exp(log_ns - width), std::exp(log_ns + width)};
  if (!std::isfinite(out.time_ns) || !std::isfinite(out.high_ns)) return std::nullopt;
  return out;
}

analysis::PredictedBy described(const Ensemble& ensemble) {
  analysis::PredictedBy out;
  out.model = ensemble.name();
  out.hash = ensemble.hash();
  out.members = ensemble.members().size();
  out.trained_on = ensemble.trained_on();
  out.has_spread = out.members > 1;
  out.is_calibrated = ensemble.spread().kernels > 0;
  out.knows_far = ensemble.novelty() != nullptr;
  return out;
}

}  // namespace

Result<analysis::PredictedTimes> predict_times(const analysis::ModuleReport& report,
                                               const Ensemble& ensemble, ThreadPool& pool,
                                               const Progress& progress) {
  const std::vector<AskedKernel> kernels = distinct_kernels(report);
  HLOSCOPE_ASSIGN(
      const AskedExamples asked,
      encode_kernels(kernels, ensemble, sim::Rates(report.machine), pool, progress.part(0, 0.5)));
  const std::vector<uint32_t> all = asked.all();
  HLOSCOPE_ASSIGN(const std::vector<EnsembleScores> scores,
                  predict_ensemble(asked.set, all, ensemble, pool, progress.part(0.5, 1)));
  std::vector<std::optional<PredictedTime>> distinct(kernels.size());
  for (size_t i = 0; i < all.size(); ++i) {
    distinct[asked.asked[i]] =
        time_of(scores[i].mean.front(), ensemble.spread().width(scores[i].deviation.front()));
  }
  if (const Novelty* novelty = ensemble.novelty()) {
    const std::vector<uint8_t> is_far =
        novelty->are_far(asked.set, all, ensemble.first().normaliser, pool);
    for (size_t i = 0; i < all.size(); ++i) {
      std::optional<PredictedTime>& time = distinct[asked.asked[i]];
      if (time) time->is_far = is_far[i] != 0;
    }
  }
  analysis::PredictedTimes out;
  out.by = described(ensemble);
  for (const uint32_t d : report.kernels.distinct_of) out.of_kernels.push_back(distinct[d]);
  analysis::add_totals(report.kernels, out);
  return out;
}

Result<std::shared_ptr<const Ensemble>> TimePredictor::find(const sim::Machine& machine) const {
  if (!ensemble) return builtin_for(machine.id, data::Task::kFusion);
  const std::string trained_for = ensemble->machine_id();
  const bool fits = trained_for.empty() || trained_for == machine.id;
  return fits ? ensemble : std::shared_ptr<const Ensemble>();
}

Result<std::shared_ptr<const analysis::ModuleReport>> TimePredictor::add(
    std::shared_ptr<const analysis::ModuleReport> report, ThreadPool& pool,
    const Progress& progress) const {
  HLOSCOPE_ASSIGN(const std::shared_ptr<const Ensemble> found, find(report->machine));
  if (!found) {
    if (!ensemble && builtin_ensembles().empty()) return report;
    analysis::PredictedTimes none;
    none.absence = "no model learned from times of " + report->machine.title;
    return analysis::with_predicted(*report, std::move(none));
  }
  HLOSCOPE_ASSIGN(analysis::PredictedTimes times, predict_times(*report, *found, pool, progress));
  return analysis::with_predicted(*report, std::move(times));
}

Result<TimePredictor> find_time_predictor(std::span<const std::string> names) {
  HLOSCOPE_ASSIGN(Ensemble ensemble, Ensemble::find(names));
  if (ensemble.task() == data::Task::kFusion) {
    return TimePredictor{std::make_shared<const Ensemble>(std::move(ensemble))};
  }
  return fail(ErrorCode::kInvalidInput, ensemble.name() + " ranks tiles and has no times",
              "give a model of kernel times");
}

}  // namespace hloscope::predict
