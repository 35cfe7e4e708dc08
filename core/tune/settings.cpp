#include "core/tune/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace hloscope::tune {

namespace {

constexpr uint64_t kMostMeasured = 1'000'000;
// Whole numbers up to here are the same in JSON readers, which take them for doubles.
constexpr uint64_t kMostTrials = 1'000'000'000'000'000;

template <typename E>
struct Choice {
  E value;
  std::string_view name;
};

constexpr Choice<SpaceKind> kSpaces[] = {{SpaceKind::kTiles, "tiles"},
                                         {SpaceKind::kProgramTiles, "program-tiles"},
                                         {SpaceKind::kFusion, "fusion"},
                                         {SpaceKind::kLayout, "layout"}};
constexpr Choice<StrategyKind> kStrategies[] = {{StrategyKind::kExhaustive, "exhaustive"},
                                                {StrategyKind::kRandom, "random"},
                                                {StrategyKind::kAnnealing, "annealing"},
                                                {StrategyKind::kGenetic, "genetic"}};
constexpr Choice<EvaluatorKind> kEvaluators[] = {{EvaluatorKind::kModel, "model"},
                                                 {EvaluatorKind::kAnalytical, "analytical"},
                                                 {EvaluatorKind::kSimulator, "simulator"},
                                                 {EvaluatorKind::kRecorded, "recorded"}};

constexpr Choice<DefaultTiles> kDefaultTiles[] = {{DefaultTiles::kSimulated, "simulated"},
                                                  {DefaultTiles::kAnalytical, "analytical"}};

template <typename E, size_t n>
std::string_view name_of(E value, const Choice<E> (&choices)[n]) {
  for (const Choice<E>& choice : choices) {
    if (choice.value == value) return choice.name;
  }
  return {};
}

template <typename E, size_t n>
Result<E> parse(std::string_view text, std::string_view what, const Choice<E> (&choices)[n]) {
  std::vector<std::string_view> names;
  for (const Choice<E>& choice : choices) {
    if (choice.name == text) return choice.value;
    names.push_back(choice.name);
  }
  return fail(ErrorCode::kInvalidInput, fmt::format("there is no {} \"{}\"", what, text),
              fmt::format("take one of {}", fmt::join(names, ", ")));
}

tl::unexpected<Error> wrong(std::string message, std::string hint) {
  return fail(ErrorCode::kInvalidInput, std::move(message), std::move(hint));
}

bool is_hardware(EvaluatorKind kind) {
  return kind == EvaluatorKind::kRecorded || kind == EvaluatorKind::kSimulator;
}

bool is_positive(const std::optional<double>& value) {
  return !value || (std::isfinite(*value) && *value > 0);
}

Status check_strategy(const Settings& settings) {
  const StrategySettings& s = settings.strategy;
  if (!(std::isfinite(s.temperature) && s.temperature > 0)) {
    return wrong("the temperature must be above 0",
                 "0.3 suits tiles, 0.001 the fusion of a program");
  }
  if (!(s.cooling > 0 && s.cooling <= 1)) {
    return wrong("the cooling must be above 0 and at most 1", "0.995 cools to half in 138 trials");
  }
  if (s.restart_trials == 0) return wrong("a restart needs at least 1 trial", "take 500");
  if (s.population < 2 || s.population > 10'000) {
    return wrong("the population must be 2 to 10000", "40 is usual");
  }
  if (!(s.mutation >= 0 && s.mutation < 1)) {
    return wrong("the probability of a mutation must be 0 to below 1", "0.5 is usual");
  }
  return {};
}

Status check_evaluator(const EvaluatorSettings& settings) {
  if (!(std::isfinite(settings.compile_s) && settings.compile_s >= 0)) {
    return wrong("the compile time must be 0 s or more", "1 s is the default");
  }
  if (settings.repeats == 0 || settings.repeats > 1'000'000) {
    return wrong("a measurement has 1 to 1000000 runs", "3 is the default");
  }
  return {};
}

Status check_measure(const Settings& settings) {
  if (!settings.measure && settings.refine > 0) {
    return wrong("nothing measures, so that nothing can be refined",
                 "name what the best of the search are run on, or leave out the refining");
  }
  if (!settings.measure) return {};
  HLOSCOPE_TRY(check_evaluator(*settings.measure));
  if (!is_hardware(settings.measure->kind)) {
    return wrong(fmt::format("the {} cannot stand for measurements", name(settings.measure->kind)),
                 "measure with recorded runs or with the simulator");
  }
  if (settings.search.kind == EvaluatorKind::kRecorded) {
    return wrong("the search replays measured runs: there is nothing left to measure",
                 "search with a model, or leave the measuring evaluator out");
  }
  if (settings.search.kind == settings.measure->kind) {
    return wrong("search and measurement have the same evaluator",
                 "search with a model, or leave the measuring evaluator out");
  }
  if (settings.top_k == 0) return wrong("nothing is to be measured", "take the best 10");
  if (settings.top_k > kMostMeasured || settings.refine > kMostMeasured) {
    return wrong(fmt::format("at most {} trials can be measured", kMostMeasured),
                 "take the best 10");
  }
  return {};
}

Status check_budget(const Settings& settings) {
  const Budget& budget = settings.budget;
  if (budget.trials && *budget.trials == 0) {
    return wrong("a session needs at least 1 trial", "2000 trials are a beginning");
  }
  if (budget.trials && *budget.trials > kMostTrials) {
    return wrong(fmt::format("{} trials are too many", *budget.trials),
                 "a session can have 1000000000000000");
  }
  if (!is_positive(budget.time_s)) return wrong("the time must be above 0 s", "give seconds");
  if (!is_positive(budget.hardware_s)) {
    return wrong("the hardware time must be above 0 s", "give seconds");
  }
  const bool search_ends = budget.trials || budget.time_s ||
                           (budget.hardware_s && settings.searches_hardware()) ||
                           settings.strategy.kind == StrategyKind::kExhaustive;
  if (search_ends) return {};
  return wrong("nothing ends the search", "give a budget of trials or of time");
}

}  // namespace

std::string_view name(SpaceKind kind) {
  return name_of(kind, kSpaces);
}
std::string_view name(StrategyKind kind) {
  return name_of(kind, kStrategies);
}
std::string_view name(EvaluatorKind kind) {
  return name_of(kind, kEvaluators);
}
std::string_view name(DefaultTiles kind) {
  return name_of(kind, kDefaultTiles);
}

Result<SpaceKind> parse_space(std::string_view text) {
  return parse(text, "space", kSpaces);
}
Result<StrategyKind> parse_strategy(std::string_view text) {
  return parse(text, "strategy", kStrategies);
}
Result<EvaluatorKind> parse_evaluator(std::string_view text) {
  return parse(text, "evaluator", kEvaluators);
}
Result<DefaultTiles> parse_default_tiles(std::string_view text) {
  return parse(text, "choice of default tiles", kDefaultTiles);
}

bool Settings::searches_hardware() const {
  return !measure && is_hardware(search.kind);
}

bool Settings::replays() const {
  return search.kind == EvaluatorKind::kRecorded ||
         (measure && measure->kind == EvaluatorKind::kRecorded);
}

Settings Settings::for_space() const {
  Settings out = *this;
  out.search = {};
  out.search.kind = replays() ? EvaluatorKind::kRecorded : EvaluatorKind::kAnalytical;
  out.measure.reset();
  out.refine = 0;
  if (!out.budget.trials) out.budget.trials = 1;
  return out;
}

Status check_settings(const Settings& settings) {
  if (settings.space == SpaceKind::kTiles && settings.kernel.empty()) {
    return wrong("no kernel is named", "name the kernel whose tiles are to be tuned");
  }
  if (settings.replays() && settings.space != SpaceKind::kTiles) {
    if (settings.space == SpaceKind::kLayout) {
      return wrong(
          "recorded layouts cannot be replayed: they give arrays inside of fusions a layout too, "
          "and "
          "this space has those that kernels read and write",
          "measure with the simulator; 'dataset import' and 'dataset show --graph 1' list recorded "
          "layouts with their times, and train ranks them");
    }
    return wrong(fmt::format("there are no recorded runs of {}", name(settings.space)),
                 "measured runs are of the tiles of a kernel; measure with the simulator");
  }
  HLOSCOPE_TRY(check_evaluator(settings.search));
  HLOSCOPE_TRY(check_strategy(settings));
  HLOSCOPE_TRY(check_measure(settings));
  return check_budget(settings);
}

}  // namespace hloscope::tune
