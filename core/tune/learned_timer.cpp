#include "core/tune/learned_timer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "core/base/thread_pool.h"
#include "core/predict/learned.h"
#include "core/predict/program_examples.h"
#include "core/tune/terms_timer.h"

namespace hloscope::tune {

namespace {

/// One kernel at one tile at a time: in a larger batch the last bits of a prediction depend on what
/// else is in it, and a session that goes on would no longer make the same trials.
class LearnedTimer final : public KernelTimer {
 public:
  LearnedTimer(const sim::Machine& machine, std::shared_ptr<const predict::Ensemble> ensemble)
      : KernelTimer(machine),
        ensemble_(std::move(ensemble)),
        source_(fmt::format("predicted ({})", ensemble_->label())) {
    for (const predict::Ensemble::Member& member : ensemble_->members()) {
      models_.push_back(member.learned());
    }
  }

  bool reads_program() const override { return true; }

  Result<double> time_ns(const KernelRef& kernel, const std::vector<int64_t>& bounds) override {
    data::Sample sample;
    sample.is_default = true;
    if (kernel.model.kind == sim::KernelKind::kTiled) {
      const sim::Tile tile = sim::tile_of(kernel.model, bounds);
      sample.configuration = {tile.kernel, tile.output, {}};
    }
    const predict::AskedKernel asked{&kernel.program, kernel.kernel, {std::move(sample)}};
    HLOSCOPE_ASSIGN(const predict::AskedExamples encoded,
                    predict::encode_kernels({&asked, 1}, *ensemble_, rates(), pool_));
    if (encoded.set.examples.empty()) {
      return fail(ErrorCode::kUnsupported,
                  fmt::format("the model knows nothing of the kernel {}",
                              kernel.program[kernel.kernel].name),
                  "take the analytical model or the simulator");
    }
    return mean_ns(encoded);
  }
  std::string source() const override { return source_; }

 private:
  Result<double> mean_ns(const predict::AskedExamples& encoded) {
    HLOSCOPE_ASSIGN(const std::vector<predict::Predictions> all,
                    predict::predict_all_learned(encoded.set, encoded.all(), models_, pool_));
    double log_sum = 0;
    for (const predict::Predictions& one : all) log_sum += std::log(one.scores.front().front());
    return std::exp(log_sum / static_cast<double>(models_.size()));
  }

  std::shared_ptr<const predict::Ensemble> ensemble_;
  std::string source_;
  std::vector<predict::LearnedModel> models_;
  ThreadPool pool_{1};
};

Result<std::shared_ptr<const predict::Ensemble>> find_ensemble(const EvaluatorSettings& settings,
                                                               const sim::Machine& machine,
                                                               bool tiles) {
  if (!settings.models.empty()) {
    HLOSCOPE_ASSIGN(predict::Ensemble ensemble, predict::Ensemble::find(settings.models));
    return std::make_shared<const predict::Ensemble>(std::move(ensemble));
  }
  const data::Task task = tiles ? data::Task::kTile : data::Task::kFusion;
  HLOSCOPE_ASSIGN(auto builtin, predict::builtin_for(machine.id, task));
  if (builtin) return builtin;
  return fail(ErrorCode::kNotFound, fmt::format("no model learned from times of {}", machine.title),
              fmt::format("search with the analytical model, or name a model: {}",
                          fmt::join(predict::builtin_ensembles(), ", ")));
}

Status check_ensemble(const predict::Ensemble& ensemble, const sim::Machine& machine, bool tiles) {
  if (!ensemble.machine_id().empty() && ensemble.machine_id() != machine.id) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{} learned from times of {}, not of {}", ensemble.name(),
                            ensemble.machine_id(), machine.id),
                "search with a model of this machine, or with the analytical model");
  }
  if (!tiles && ensemble.task() == data::Task::kTile) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{} is for the tiles of a kernel", ensemble.name()),
                "take a model of kernel times");
  }
  for (const predict::Ensemble::Member& member : ensemble.members()) {
    if (predict::predicts_time(member.stored.model.options().loss)) continue;
    return fail(ErrorCode::kUnsupported,
                fmt::format("{} ranks tiles and tells no times", ensemble.name()),
                "take a model that was trained with a loss of times, such as mape");
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<KernelTimer>> make_learned_timer(const EvaluatorSettings& settings,
                                                        const sim::Machine& machine, bool tiles) {
  HLOSCOPE_ASSIGN(auto ensemble, find_ensemble(settings, machine, tiles));
  HLOSCOPE_TRY(check_ensemble(*ensemble, machine, tiles));
  if (sees_terms_only(*ensemble)) return make_terms_timer(machine, std::move(ensemble));
  return std::make_unique<LearnedTimer>(machine, std::move(ensemble));
}

}  // namespace hloscope::tune
