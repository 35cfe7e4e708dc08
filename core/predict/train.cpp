#include "core/predict/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/nn/data_parallel.h"
#include "core/predict/batching.h"
#include "core/predict/learned.h"
#include "core/predict/sampler.h"
#include "core/predict/train_state.h"

namespace hloscope::predict {

namespace {

struct Validation {
  std::string_view metric;
  double value = 0;
};

bool is_larger_better(std::string_view metric) {
  return metric == "kendall_tau";
}

std::optional<Validation> validation_of(const ExampleSet& set, const Predictions& predictions) {
  if (set.is_ranked()) {
    const RankingMetrics metrics = ranking_metrics(set, predictions);
    if (metrics.kendall_tau.n > 0) return Validation{"kendall_tau", metrics.kendall_tau.mean};
    if (metrics.mean_ape) return Validation{"tile_ape", *metrics.mean_ape};
    return std::nullopt;
  }
  const TimeMetrics metrics = time_metrics(set, predictions);
  const std::optional<double>& mape = metrics.large.mape ? metrics.large.mape : metrics.all.mape;
  if (!mape) return std::nullopt;
  return Validation{"mape", *mape};
}

// Of the times, or of what a correction has to make of the analytical ones.
float mean_log_time(const ExampleSet& set, std::span<const uint32_t> positions, bool corrects) {
  double sum = 0;
  for (const uint32_t at : positions) {
    const Example& example = set.examples[at];
    sum += log_ns(example.times_ns[example.default_sample]);
    if (corrects) sum -= double{log_analytical_ns(example, example.default_sample)};
  }
  return static_cast<float>(sum / static_cast<double>(std::max<size_t>(positions.size(), 1)));
}

nn::Schedule schedule_of(const TrainOptions& options) {
  nn::Schedule out;
  out.peak_rate = options.learning_rate;
  out.warmup_steps = options.warmup_steps;
  out.decay = options.decay;
  out.total_steps = options.steps;
  out.step_every = options.steps / 3 + 1;
  return out;
}

// What is learned from.
struct Training {
  const ExampleSet& set;
  std::vector<uint32_t> positions;  // Of its training part.
  Normaliser normaliser;            // Fitted on that.
};

Model<float> first_model(const Training& training, const TrainOptions& options) {
  Model<float> model(options.model, training.normaliser.widths(), options.seed);
  if (predicts_time(options.model.loss)) {
    const bool corrects = options.model.analytical == Analytical::kResidual;
    model.set_output_bias(mean_log_time(training.set, training.positions, corrects));
  }
  return model;
}

class Trainer {
 public:
  // Keeps references to all of them.
  Trainer(const Training& training, const TrainOptions& options, ThreadPool& pool,
          const TrainHooks& hooks)
      : set_(training.set),
        normaliser_(training.normaliser),
        options_(options),
        pool_(pool),
        hooks_(hooks),
        validation_(thinned(set_.of(data::Part::kValid), options.validation_kernels)),
        batcher_(set_, normaliser_),
        sampler_(set_, training.positions,
                 {options.seed, options.batch_nodes, options.configurations}),
        schedule_(schedule_of(options)),
        identity_(identity_json(set_, options)),
        state_(first_model(training, options),
               {.weight_decay = options.weight_decay, .decoupled = true}),
        parallel_(state_.model.parameters(), kGradientParts),
        batches_(kGradientParts) {}
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  Result<StoredModel> run() {
    if (sampler_.empty()) {
      return fail(ErrorCode::kInvalidInput, "the training part has no kernel to learn from",
                  "tiles and layouts are learned from kernels and programs with two of them or "
                  "more; try another split");
    }
    HLOSCOPE_TRY(resume());
    while (true) {
      if (is_due()) {
        HLOSCOPE_TRY(evaluate());
        HLOSCOPE_TRY(save());
      }
      if (is_over()) return stored();
      if (hooks_.progress.stop_requested()) return stopped();
      step();
    }
  }

 private:
  Status resume() {
    if (hooks_.resume == nullptr) return {};
    HLOSCOPE_TRY(load_state(*hooks_.resume, identity_, options_.steps, state_));
    for (uint64_t i = 0; i < state_.step; ++i) (void)sampler_.next();
    return {};
  }

  [[nodiscard]] bool is_due() const {
    if (state_.step == state_.evaluated) return false;
    return state_.step % options_.evaluate_every == 0 || state_.step >= options_.steps;
  }
  [[nodiscard]] bool is_over() const {
    if (state_.step >= options_.steps) return true;
    if (!state_.best_value || options_.patience == 0) return false;
    return state_.evaluated - state_.best_step >= options_.patience * options_.evaluate_every;
  }

  void step() {
    const std::vector<Chosen> chosen = sampler_.next();
    const bool early = runs_per_sample(options_.model.join);
    std::vector<uint64_t> costs;
    for (const Chosen& one : chosen) {
      const size_t samples = one.samples.size();
      costs.push_back(set_.examples[one.example].nodes() * (early ? samples : 1) + samples);
    }
    const std::vector<nn::Shard> shards = nn::shard(costs, kGradientParts);
    const double loss = parallel_.step(pool_, [&](nn::Tape<float>& tape, size_t part) {
      const auto [begin, end] = shards[part];
      if (begin == end) return nn::PartLoss{};
      batcher_.fill(std::span(chosen).subspan(begin, end - begin), batches_[part]);
      Rng dropout(options_.seed ^
                  ((state_.step * kGradientParts + part + 1) * 0x9e3779b97f4a7c15ULL));
      return state_.model.loss(tape, batches_[part], &dropout);
    });
    const double norm = nn::clip_gradients(state_.model.parameters(), options_.max_gradient_norm);
    if (std::isfinite(norm) && std::isfinite(loss)) {
      state_.adam.step(state_.model.parameters(), schedule_.rate(state_.step));
      state_.loss_sum += loss;
      ++state_.loss_count;
    }
    ++state_.step;
    hooks_.progress.report(
        fraction(), fmt::format("step {} of {}, loss {:.4f}", state_.step, options_.steps, loss));
  }

  [[nodiscard]] double fraction() const {
    return static_cast<double>(state_.step) / static_cast<double>(options_.steps);
  }

  Status evaluate() {
    auto validation = validate();
    if (!validation) {
      // The state is kept as after the step: the evaluation comes first when it goes on.
      if (validation.error().code == ErrorCode::kCancelled) return stopped();
      return fail(std::move(validation).error());
    }
    TrainPoint point;
    point.step = state_.step;
    point.loss =
        state_.loss_count > 0 ? state_.loss_sum / static_cast<double>(state_.loss_count) : 0;
    if (*validation) {
      state_.metric = (*validation)->metric;
      point.validation = (*validation)->value;
    }
    point.metric = state_.metric;
    point.is_best = is_best(*validation);
    if (point.is_best) {
      std::ranges::copy(state_.model.parameters().values(),
                        state_.best.parameters().values().begin());
      state_.best_step = state_.step;
      state_.best_value = point.validation;
    }
    state_.evaluated = state_.step;
    state_.loss_sum = 0;
    state_.loss_count = 0;
    if (hooks_.evaluated) hooks_.evaluated(point);
    return {};
  }

  Result<std::optional<Validation>> validate() {
    if (validation_.empty()) return std::optional<Validation>();
    HLOSCOPE_ASSIGN(const Predictions predictions,
                    predict_learned(set_, validation_, {state_.model, normaliser_}, pool_,
                                    hooks_.progress.part(fraction(), fraction())));
    return validation_of(set_, predictions);
  }
  [[nodiscard]] bool is_best(const std::optional<Validation>& validation) const {
    if (!validation || !state_.best_value) return true;
    return is_larger_better(validation->metric) ? validation->value > *state_.best_value
                                                : validation->value < *state_.best_value;
  }

  Status save() {
    if (!hooks_.checkpoint) return {};
    nn::SafeTensors content = model_content(stored());
    add_state(state_, identity_, content);
    return hooks_.checkpoint(content);
  }
  tl::unexpected<Error> stopped() {
    if (Status saved = save(); !saved) return fail(std::move(saved).error());
    return fail(ErrorCode::kCancelled, fmt::format("stopped after step {}", state_.step));
  }
  [[nodiscard]] StoredModel stored() const {
    return {state_.best, normaliser_.to_json(), record_json(identity_, state_)};
  }

  const ExampleSet& set_;
  const Normaliser& normaliser_;
  const TrainOptions& options_;
  ThreadPool& pool_;
  const TrainHooks& hooks_;
  std::vector<uint32_t> validation_;
  Batcher batcher_;
  BatchSampler sampler_;
  nn::Schedule schedule_;
  std::string identity_;
  TrainState state_;
  nn::DataParallel<float> parallel_;
  std::vector<Batch<float>> batches_;
};

Status check(const ExampleSet& set, const TrainOptions& options) {
  if (options.steps == 0 || options.evaluate_every == 0) {
    return fail(ErrorCode::kInvalidInput, "a training needs a step, and evaluations a distance",
                "give at least 1 for both");
  }
  const bool is_layout = set.info.task == data::Task::kLayout;
  if (is_layout != (options.model.join == ConfigurationJoin::kNode)) {
    return fail(ErrorCode::kInvalidInput, "layouts, and nothing else, are joined at nodes",
                R"(set the model option "join" to "node" for task layout, else to another)");
  }
  if (is_layout && predicts_time(options.model.loss)) {
    return fail(ErrorCode::kInvalidInput, "layouts are ranked, their times are not predicted",
                "choose the loss pairwise_hinge, pairwise_logistic or list_mle");
  }
  if (!set.is_ranked() && !predicts_time(options.model.loss)) {
    return fail(
        ErrorCode::kInvalidInput,
        "a ranking loss needs kernels with several configurations, as tasks tile and layout have",
        "choose the loss mse, weighted_mse or mape");
  }
  return {};
}

}  // namespace

Result<StoredModel> train(const ExampleSet& set, const TrainOptions& options, ThreadPool& pool,
                          const TrainHooks& hooks) {
  HLOSCOPE_TRY(check(set, options));
  Training training{set, set.of(data::Part::kTrain), {}};
  if (training.positions.empty()) {
    const bool is_layout = set.info.task == data::Task::kLayout;
    return fail(ErrorCode::kInvalidInput,
                fmt::format("part train of split '{}' has no {}", set.split,
                            is_layout ? "programs" : "kernels"),
                "choose another split, or split the data set again with a larger training part");
  }
  training.normaliser = fit_normaliser(set, training.positions);
  if (options.model.analytical != Analytical::kOff) {
    if (!set.has_estimates()) {
      return fail(ErrorCode::kInvalidInput,
                  "the model uses the analytical model, which knows nothing of these graphs: they "
                  "have features only",
                  R"(set the model option "analytical" to "off")");
    }
    fit_estimates(set, training.positions, training.normaliser);
  }
  HLOSCOPE_TRY(check_model_options(options.model, training.normaliser.widths()));
  Trainer trainer(training, options, pool, hooks);
  HLOSCOPE_ASSIGN(StoredModel out, trainer.run());
  if (set.info.task != data::Task::kLayout) {
    out.novelty = fit_novelty(set, training.positions, training.normaliser, pool);
  }
  return out;
}

}  // namespace hloscope::predict
