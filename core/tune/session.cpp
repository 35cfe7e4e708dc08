#include "core/tune/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <unordered_set>

#include "core/tune/refiner.h"
#include "core/tune/strategy.h"

namespace hloscope::tune {

namespace {

constexpr double kBatchSeconds = 0.05;
constexpr size_t kMostAtOnce = 64;

/// Time that the session runs, added to what it ran before.
class ActiveClock {
 public:
  explicit ActiveClock(double before_s) : before_s_(before_s) {}
  [[nodiscard]] double seconds() const {
    return before_s_ + std::chrono::duration<double>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  double before_s_;
  Clock::time_point start_ = Clock::now();
};

Result<Evaluation> evaluate_one(Evaluator& evaluator, const Config& config,
                                const Progress& progress) {
  HLOSCOPE_ASSIGN(std::vector<Evaluation> found, evaluator.evaluate({&config, 1}, progress));
  return std::move(found.front());
}

class Runner {
 public:
  Runner(Problem& problem, const Settings& settings, SessionState& state, TrialStore& store,
         const Progress& progress)
      : problem_(problem),
        settings_(settings),
        state_(state),
        store_(store),
        progress_(progress),
        clock_(state.active_s),
        strategy_(make_strategy(settings.strategy, *problem.space, memory_)) {}

  Result<Ending> run() {
    HLOSCOPE_TRY(prepare());
    HLOSCOPE_ASSIGN(const std::optional<Ending> searched, search());
    HLOSCOPE_TRY(flush());
    if (searched && *searched != Ending::kExhausted) return *searched;
    if (problem_.measure) {
      HLOSCOPE_ASSIGN(const std::optional<Ending> measured, measure());
      if (measured) return *measured;
      HLOSCOPE_ASSIGN(const std::optional<Ending> refined, refine());
      if (refined) return *refined;
    }
    state_.phase = Phase::kDone;
    HLOSCOPE_TRY(save());
    return searched.value_or(Ending::kFinished);
  }

 private:
  // What was tried before is all there is to go on from.
  Status prepare() {
    if (state_.trials > 0) {
      HLOSCOPE_TRY(store_.each([this](const Trial& trial) {
        memory_.add(trial);
        if (trial.measured_as != 0) measured_.insert(config_hash(trial.config));
        return true;
      }));
    }
    if (!state_.strategy.empty()) {
      HLOSCOPE_TRY(strategy_->load(state_.strategy, [this](uint64_t number) -> Result<Config> {
        HLOSCOPE_ASSIGN(Trial trial, store_.get(number));
        return std::move(trial.config);
      }));
    }
    state_.phase = Phase::kSearch;
    if (state_.baseline_ns) return {};
    Evaluator& decides = problem_.measure ? *problem_.measure : *problem_.search;
    HLOSCOPE_ASSIGN(const Evaluation found,
                    evaluate_one(decides, problem_.space->default_config(), progress_));
    state_.baseline_ns = found.time_ns;
    return {};
  }

  [[nodiscard]] bool hardware_is_spent() const {
    return settings_.budget.hardware_s && state_.booked_ns >= *settings_.budget.hardware_s * 1e9;
  }
  [[nodiscard]] bool search_is_spent() const {
    const Budget& budget = settings_.budget;
    if (budget.trials && state_.searched() >= *budget.trials) return true;
    if (budget.time_s && clock_.seconds() >= *budget.time_s) return true;
    return is_hardware_search() && hardware_is_spent();
  }

  // Without an ending: a budget is spent.
  Result<std::optional<Ending>> search() {
    while (!search_is_spent()) {
      HLOSCOPE_ASSIGN(const std::optional<Ending> asked_to, look_for_request());
      if (asked_to) return asked_to;
      const std::vector<Config> configs = ask();
      if (configs.empty()) return Ending::kExhausted;
      const double before_s = clock_.seconds();
      auto evaluations = problem_.search->evaluate(configs, progress_.part(1, 1));
      if (!evaluations) {
        if (evaluations.error().code == ErrorCode::kCancelled) return Ending::kPaused;
        HLOSCOPE_TRY(flush());
        return fail(std::move(evaluations).error());
      }
      take(configs, *evaluations);
      set_batch(clock_.seconds() - before_s);
      if (is_hardware_search() || clock_.seconds() >= flushed_s_ + kBatchSeconds) {
        HLOSCOPE_TRY(flush());
      }
      report();
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_hardware_search() const { return settings_.searches_hardware(); }

  Result<std::optional<Ending>> look_for_request() {
    if (progress_.stop_requested()) return Ending::kPaused;
    // The database is asked as often as it is written.
    if (!pending_.empty()) return std::nullopt;
    HLOSCOPE_ASSIGN(const Request request, store_.request());
    if (request == Request::kPause) return Ending::kPaused;
    if (request == Request::kStop) return Ending::kStopped;
    return std::nullopt;
  }

  std::vector<Config> ask() {
    uint64_t count = std::min<uint64_t>(batch_, strategy_->batch());
    const Budget& budget = settings_.budget;
    if (budget.trials) count = std::min(count, *budget.trials - state_.searched());
    if (is_hardware_search()) count = 1;
    std::vector<Config> out;
    while (out.size() < count) {
      std::optional<Config> config = strategy_->ask();
      if (!config) break;
      out.push_back(std::move(*config));
    }
    return out;
  }

  // As many at once as take about half the time after which trials are stored.
  void set_batch(double batch_s) {
    if (batch_s > kBatchSeconds && batch_ > 1) batch_ /= 2;
    if (batch_s < kBatchSeconds / 4 && batch_ < kMostAtOnce) batch_ *= 2;
  }

  void take(const std::vector<Config>& configs, const std::vector<Evaluation>& evaluations) {
    for (size_t i = 0; i < configs.size(); ++i) {
      Trial trial;
      trial.number = state_.trials++;
      trial.config = configs[i];
      if (is_hardware_search()) {
        set_measured(trial, evaluations[i]);
      } else {
        trial.predicted_ns = evaluations[i].time_ns;
        trial.error = evaluations[i].error;
      }
      if (!evaluations[i].time_ns) ++state_.failed;
      trial.at_s = clock_.seconds();
      memory_.add(trial);
      strategy_->tell(trial);
      note_best(trial);
      pending_.push_back(std::move(trial));
    }
    state_.strategy = strategy_->save();
  }

  void set_measured(Trial& trial, const Evaluation& evaluation) {
    trial.hardware_ns = evaluation.time_ns;
    trial.error = evaluation.error;
    trial.booked_ns = evaluation.hardware_ns;
    trial.measured_as = ++state_.measured;
    measured_.insert(config_hash(trial.config));
    state_.booked_ns += evaluation.hardware_ns;
  }

  void note_best(const Trial& trial) {
    const bool is_hardware = trial.hardware_ns.has_value();
    if (state_.best_is_hardware && !is_hardware) return;
    const std::optional<double> time_ns = is_hardware ? trial.hardware_ns : trial.predicted_ns;
    if (!time_ns) return;
    const bool is_first_of_kind = is_hardware && !state_.best_is_hardware;
    if (state_.best_ns && !is_first_of_kind && *time_ns >= *state_.best_ns) return;
    state_.best = trial.number;
    state_.best_ns = time_ns;
    state_.best_is_hardware = is_hardware;
  }

  Status flush() {
    flushed_s_ = clock_.seconds();
    if (pending_.empty()) return {};
    state_.active_s = flushed_s_;
    HLOSCOPE_TRY(store_.append(pending_, state_));
    pending_.clear();
    return {};
  }

  Status save() {
    state_.active_s = clock_.seconds();
    return store_.save(state_);
  }

  // The time of the default configuration is known: what is measured has to be better.
  void begin_with_default() {
    const TrialMemory::Entry* tried = memory_.find(problem_.space->default_config());
    if (!tried || !state_.baseline_ns) return;
    if (state_.best_is_hardware && *state_.best_ns <= *state_.baseline_ns) return;
    state_.best = tried->number;
    state_.best_ns = state_.baseline_ns;
    state_.best_is_hardware = true;
  }

  Result<std::optional<Ending>> measure() {
    state_.phase = Phase::kMeasure;
    begin_with_default();
    HLOSCOPE_TRY(save());
    HLOSCOPE_ASSIGN(std::vector<Trial> best, store_.best_predicted(settings_.top_k));
    for (Trial& trial : best) {
      if (trial.measured_as != 0) continue;
      if (hardware_is_spent()) break;
      HLOSCOPE_ASSIGN(const std::optional<Ending> asked_to, look_for_request());
      if (asked_to) return asked_to;
      auto evaluation = evaluate_one(*problem_.measure, trial.config, progress_.part(1, 1));
      if (!evaluation && evaluation.error().code == ErrorCode::kCancelled) return Ending::kPaused;
      if (!evaluation) return fail(std::move(evaluation).error());
      set_measured(trial, *evaluation);
      note_best(trial);
      state_.active_s = clock_.seconds();
      HLOSCOPE_TRY(store_.update(trial, state_));
      report();
    }
    for (const Trial& trial : best) last_of_best_ = std::max(last_of_best_, trial.measured_as);
    return std::nullopt;
  }

  // Measurements around the best one, until the hardware is spent or there are enough after the
  // last of the search's best: what a larger budget finds gets as many again. Told by the trials,
  // so that a killed session knows it.
  Result<std::optional<Ending>> refine() {
    if (settings_.refine == 0) return std::nullopt;
    const Refiner refiner(*problem_.space, settings_.strategy.seed);
    // Its time is known.
    measured_.insert(config_hash(problem_.space->default_config()));
    while (state_.best && state_.best_is_hardware && !hardware_is_spent() &&
           state_.measured < last_of_best_ + settings_.refine) {
      HLOSCOPE_ASSIGN(const std::optional<Ending> asked_to, look_for_request());
      if (asked_to) return asked_to;
      const Result<bool> measured = refine_once(refiner);
      if (!measured && measured.error().code == ErrorCode::kCancelled) return Ending::kPaused;
      if (!measured) return fail(measured.error());
      if (!*measured) break;
      report();
    }
    return std::nullopt;
  }

  // Whether there was anything left to measure.
  Result<bool> refine_once(const Refiner& refiner) {
    HLOSCOPE_ASSIGN(const Trial best, store_.get(*state_.best));
    const auto is_measured = [this](const Config& one) {
      return measured_.contains(config_hash(one));
    };
    HLOSCOPE_ASSIGN(const std::optional<Config> config,
                    refiner.propose(best.config, state_.measured, is_measured, *problem_.search,
                                    progress_.part(1, 1)));
    if (!config) return false;
    HLOSCOPE_ASSIGN(Trial trial, trial_of(*config));
    HLOSCOPE_ASSIGN(const Evaluation evaluation,
                    evaluate_one(*problem_.measure, *config, progress_.part(1, 1)));
    set_measured(trial, evaluation);
    note_best(trial);
    trial.accepted = state_.best == trial.number;  // The next ones start from here.
    state_.active_s = trial.at_s = clock_.seconds();
    HLOSCOPE_TRY(store(trial));
    return true;
  }

  Status store(const Trial& trial) {
    if (trial.number < state_.trials) return store_.update(trial, state_);
    if (!trial.predicted_ns) ++state_.failed;
    ++state_.trials;
    ++state_.refined;
    memory_.add(trial);
    return store_.append({&trial, 1}, state_);
  }

  // As it is stored, or a new one with the model's time.
  Result<Trial> trial_of(const Config& config) {
    if (const TrialMemory::Entry* tried = memory_.find(config)) return store_.get(tried->number);
    HLOSCOPE_ASSIGN(const Evaluation evaluation,
                    evaluate_one(*problem_.search, config, progress_.part(1, 1)));
    Trial out;
    out.number = state_.trials;
    out.config = config;
    out.refined = true;
    out.predicted_ns = evaluation.time_ns;
    out.error = evaluation.error;
    return out;
  }

  void report() const {
    const Budget& budget = settings_.budget;
    double share = 0;
    if (budget.trials) {
      share = static_cast<double>(state_.searched()) / static_cast<double>(*budget.trials);
    }
    if (budget.time_s) share = std::max(share, clock_.seconds() / *budget.time_s);
    if (budget.hardware_s && is_hardware_search()) {
      share = std::max(share, state_.booked_ns / (*budget.hardware_s * 1e9));
    }
    const std::string_view what = state_.phase == Phase::kMeasure ? "measuring" : "searching";
    progress_.report(std::min(share, 1.0), fmt::format("{}, trial {}", what, state_.trials));
  }

  Problem& problem_;
  const Settings& settings_;
  SessionState& state_;
  TrialStore& store_;
  const Progress& progress_;
  ActiveClock clock_;
  TrialMemory memory_;
  std::unique_ptr<Strategy> strategy_;
  std::vector<Trial> pending_;             ///< Told, not stored.
  std::unordered_set<uint64_t> measured_;  ///< By config_hash().
  uint64_t last_of_best_ = 0;              ///< Trial::measured_as, of the best of the search.
  size_t batch_ = 1;
  double flushed_s_ = 0;
};

}  // namespace

Result<Ending> run_session(Problem& problem, const Settings& settings, SessionState& state,
                           TrialStore& store, const Progress& progress) {
  return Runner(problem, settings, state, store, progress).run();
}

}  // namespace hloscope::tune
