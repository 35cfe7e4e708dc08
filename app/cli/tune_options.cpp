#include "app/cli/tune_options.h"

#include <fmt/format.h>

#include "core/tune/command_line.h"

namespace hloscope::cli {

namespace {

using tune::EvaluatorKind;
using tune::Settings;
using tune::SpaceKind;
using tune::StrategyKind;

constexpr std::string_view kNone = "none";

template <typename T>
void take(const std::optional<T>& given, T& out) {
  if (given) out = *given;
}

Status take_strategy(const TuneOptions& options, tune::StrategySettings& out) {
  if (options.strategy) {
    HLOSCOPE_ASSIGN(out.kind, tune::parse_strategy(*options.strategy));
  }
  if (options.start) out.random_start = *options.start == "random";
  take(options.seed, out.seed);
  take(options.temperature, out.temperature);
  take(options.cooling, out.cooling);
  take(options.restart_trials, out.restart_trials);
  take(options.population, out.population);
  take(options.mutation, out.mutation);
  return {};
}

Status take_evaluators(const TuneOptions& options, Settings& out) {
  if (options.evaluator) {
    HLOSCOPE_ASSIGN(out.search.kind, tune::parse_evaluator(*options.evaluator));
  }
  out.search.models = options.models;
  // A search on what stands for hardware leaves nothing to measure.
  const bool is_guess =
      out.search.kind == EvaluatorKind::kModel || out.search.kind == EvaluatorKind::kAnalytical;
  if (options.measure ? *options.measure == kNone : !is_guess) out.measure.reset();
  if (options.measure && *options.measure != kNone) {
    HLOSCOPE_ASSIGN(out.measure.emplace().kind, tune::parse_evaluator(*options.measure));
  }
  tune::EvaluatorSettings& hardware = out.measure ? *out.measure : out.search;
  take(options.compile_s, hardware.compile_s);
  take(options.repeats, hardware.repeats);
  take(options.top_k, out.top_k);
  take(options.refine, out.refine);
  return {};
}

/// The default budget is for those who say none.
void take_budget(const TuneOptions& options, Settings& out) {
  const bool is_limited = options.time_s || (options.hardware_s && out.searches_hardware()) ||
                          out.strategy.kind == StrategyKind::kExhaustive;
  if (options.trials || is_limited) out.budget.trials = options.trials;
  out.budget.time_s = options.time_s;
  out.budget.hardware_s = options.hardware_s;
}

void add_strategy_options(CLI::App& command, const Settings& usual, TuneOptions& options) {
  const tune::StrategySettings& s = usual.strategy;
  command.add_option("--strategy", options.strategy, "how to search [annealing]")
      ->check(CLI::IsMember({"annealing", "exhaustive", "random", "genetic"}));
  command.add_option("--seed", options.seed, "of every random choice [1]");
  command.add_option("--start", options.start, "the first configuration [default]")
      ->check(CLI::IsMember({"default", "random"}));
  command.add_option(
      "--temperature", options.temperature,
      fmt::format("of annealing: what is the share d slower is accepted with probability "
                  "exp(-d / T) [{}]",
                  s.temperature));
  command.add_option("--cooling", options.cooling,
                     fmt::format("of annealing: T times this after each trial [{}]", s.cooling));
  command.add_option(
      "--restarts", options.restart_trials,
      fmt::format("of annealing: from the best with the first T after so many trials [{}]",
                  s.restart_trials));
  command.add_option("--population", options.population,
                     fmt::format("of the genetic strategy [{}]", s.population));
  command.add_option(
      "--mutation", options.mutation,
      fmt::format("of the genetic strategy: probability of a move after crossing [{}]",
                  s.mutation));
}

void add_evaluator_options(CLI::App& command, const Settings& usual, TuneOptions& options) {
  command.add_option("--evaluator", options.evaluator, "what the search goes by [model]")
      ->check(CLI::IsMember({"model", "analytical", "simulator", "recorded"}));
  command
      .add_option("--models", options.models, "names or files of learned models [the built-in one]")
      ->delimiter(',');
  command
      .add_option("--measure", options.measure,
                  "what the best of the search are run on: the simulator in the place of hardware, "
                  "or measured runs replayed [simulator; none where the search is on it]")
      ->check(CLI::IsMember({"simulator", "recorded", "none"}));
  command.add_option("--top", options.top_k, fmt::format("so many are run [{}]", usual.top_k));
  command.add_option(
      "--refine", options.refine,
      fmt::format("then so many more around the best of them: which of its changes the "
                  "hardware likes [{}]",
                  usual.refine));
  command.add_option("--compile-s", options.compile_s,
                     fmt::format("hardware time booked for compiling a configuration [{}]",
                                 usual.search.compile_s));
  command.add_option("--repeats", options.repeats,
                     fmt::format("and for so many runs of it [{}]", usual.search.repeats));
  command.add_option("--machine", options.machine,
                     "machine id (tpu_v2 .. tpu_v6e) or machine file [tpu_v3]");
}

void add_budget_options(CLI::App& command, const Settings& usual, TuneOptions& options) {
  command.add_option(
      "--trials", options.trials,
      fmt::format("of the search [{}, unless another limit is given]", *usual.budget.trials));
  command.add_option("--time", options.time_s, "seconds that the search may take");
  command.add_option("--hardware", options.hardware_s,
                     "seconds that what stands for hardware may be busy");
}

}  // namespace

void add_tune_options(CLI::App& command, SpaceKind space, TuneOptions& options) {
  const Settings usual = tune::default_settings(space);
  command.add_option("FILE", options.file, "HLO text or proto; FILE#N is its Nth module")
      ->required();
  if (space == SpaceKind::kTiles) {
    command.add_option("--kernel", options.kernel,
                       "NAME or COMPUTATION/NAME; not needed where there is only one");
  }
  if (tune::is_of_tiles(space)) {
    command
        .add_option("--default-tiles", options.default_tiles,
                    "the configuration to beat: what the simulator runs fastest of a few tiles, or "
                    "what the analytical model chooses alone, as a compiler does [simulated]")
        ->check(CLI::IsMember({"simulated", "analytical"}));
  }
  add_strategy_options(command, usual, options);
  add_evaluator_options(command, usual, options);
  add_budget_options(command, usual, options);
  command.add_option("--name", options.name, "of the session");
  CLI::Option* database =
      command.add_option("--db", options.db, "database to keep the session in; else it is lost");
  command.add_flag("--queue", options.queue, "only make the session and print its number")
      ->needs(database);
  command.add_flag("--json", options.json, "write JSON");
}

Result<Settings> settings_of(const TuneOptions& options, SpaceKind space) {
  Settings out = tune::default_settings(space);
  out.kernel = options.kernel;
  take(options.machine, out.machine);
  if (options.default_tiles) {
    HLOSCOPE_ASSIGN(out.default_tiles, tune::parse_default_tiles(*options.default_tiles));
  }
  HLOSCOPE_TRY(take_strategy(options, out.strategy));
  HLOSCOPE_TRY(take_evaluators(options, out));
  take_budget(options, out);
  return out;
}

}  // namespace hloscope::cli
