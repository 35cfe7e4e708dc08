#include "core/tune/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hloscope::tune {

namespace {

// Changing one layout or tile changes the time of a large program by a thousandth, one edge by
// less; one tile that of a kernel by much more.
constexpr double kProgramTemperature = 0.001;
constexpr double kFusionTemperature = 0.0001;
constexpr double kFusionCooling = 0.998;
constexpr uint64_t kFusionTrials = 5000;
constexpr uint64_t kFusionRestart = 2500;
constexpr uint64_t kTileTrials = 1000;
constexpr uint64_t kProgramTrials = 2000;

bool is_plain(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/._-#:=,+@").find(c) != std::string_view::npos;
  });
}

/// For a POSIX shell. A leading # would begin a comment.
std::string quoted(std::string_view text) {
  if (is_plain(text) && text.front() != '#') return std::string(text);
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

class Command {
 public:
  explicit Command(std::string start) : text_(std::move(start)) {}

  template <typename T>
  void add(std::string_view option, const T& value, const T& usual) {
    if (!(value == usual)) text_ += fmt::format(" --{} {}", option, value);
  }
  void add_text(std::string_view option, std::string_view value, std::string_view usual) {
    if (value != usual) text_ += fmt::format(" --{} {}", option, quoted(value));
  }
  template <typename T>
  void add_limit(std::string_view option, const std::optional<T>& value) {
    if (value) text_ += fmt::format(" --{} {}", option, *value);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add_strategy(Command& command, const StrategySettings& now, const StrategySettings& usual) {
  command.add_text("strategy", name(now.kind), name(usual.kind));
  command.add("seed", now.seed, usual.seed);
  command.add_text("start", now.random_start ? "random" : "default",
                   usual.random_start ? "random" : "default");
  if (now.kind == StrategyKind::kAnnealing) {
    command.add("temperature", now.temperature, usual.temperature);
    command.add("cooling", now.cooling, usual.cooling);
    command.add("restarts", now.restart_trials, usual.restart_trials);
  }
  if (now.kind == StrategyKind::kGenetic) {
    command.add("population", now.population, usual.population);
    command.add("mutation", now.mutation, usual.mutation);
  }
}

void add_evaluators(Command& command, const Settings& settings, const Settings& usual) {
  command.add_text("evaluator", name(settings.search.kind), name(usual.search.kind));
  if (!settings.search.models.empty()) {
    command.add_text("models", fmt::format("{}", fmt::join(settings.search.models, ",")), "");
  }
  command.add_text("measure", settings.measure ? name(settings.measure->kind) : "none",
                   name(usual.measure->kind));
  if (settings.measure) command.add("top", settings.top_k, usual.top_k);
  if (settings.measure) command.add("refine", settings.refine, usual.refine);
  // One of the two stands for hardware.
  const EvaluatorSettings& hardware = settings.measure ? *settings.measure : settings.search;
  command.add("compile-s", hardware.compile_s, usual.search.compile_s);
  command.add("repeats", hardware.repeats, usual.search.repeats);
}

}  // namespace

Settings default_settings(SpaceKind space) {
  Settings out;
  out.space = space;
  const bool is_tiles = space == SpaceKind::kTiles;
  out.strategy.temperature = is_tiles ? StrategySettings().temperature : kProgramTemperature;
  out.budget.trials = is_tiles ? kTileTrials : kProgramTrials;
  if (space == SpaceKind::kFusion) {
    out.strategy.temperature = kFusionTemperature;
    out.strategy.cooling = kFusionCooling;
    out.strategy.restart_trials = kFusionRestart;
    out.budget.trials = kFusionTrials;
  }
  out.measure = EvaluatorSettings();
  out.measure->kind = EvaluatorKind::kSimulator;
  return out;
}

std::string tune_command(const Settings& settings, std::string_view file) {
  const Settings usual = default_settings(settings.space);
  Command command(fmt::format("hloscope-cli tune {} {}", name(settings.space), quoted(file)));
  command.add_text("kernel", settings.kernel, "");
  command.add_text("machine", settings.machine, usual.machine);
  command.add_text("default-tiles", name(settings.default_tiles), name(usual.default_tiles));
  add_strategy(command, settings.strategy, usual.strategy);
  add_evaluators(command, settings, usual);
  command.add_limit("trials", settings.budget.trials);
  command.add_limit("time", settings.budget.time_s);
  command.add_limit("hardware", settings.budget.hardware_s);
  return command.text();
}

}  // namespace hloscope::tune
