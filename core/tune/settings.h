#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

// The window includes this: nothing of core/features may come along.
namespace hloscope::tune {

enum class SpaceKind : uint8_t {
  kTiles,         ///< Of one kernel.
  kProgramTiles,  ///< Of every kernel of a program.
  kFusion,        ///< One bit per edge of a program.
  kLayout,        ///< Of operands and results of convolutions, dots and reshapes of a program.
};
enum class StrategyKind : uint8_t { kExhaustive, kRandom, kAnnealing, kGenetic };
enum class EvaluatorKind : uint8_t {
  kModel,       ///< A learned model.
  kAnalytical,  ///< The hand-written model.
  kSimulator,   ///< As a search model, or in the place of hardware.
  kRecorded,    ///< Measured runs of the database, replayed.
};
/// How tile spaces choose their default configuration.
enum class DefaultTiles : uint8_t {
  kSimulated,   ///< sim::default_bounds(): what the simulator runs fastest of a few.
  kAnalytical,  ///< sim::analytical_bounds(): as a compiler without hardware at hand.
};
/// Spaces of tiles, of one kernel or of all.
[[nodiscard]] constexpr bool is_of_tiles(SpaceKind kind) {
  return kind == SpaceKind::kTiles || kind == SpaceKind::kProgramTiles;
}
/// "tiles", "program-tiles", "fusion", "layout"; "exhaustive", ...; "model", ...
[[nodiscard]] std::string_view name(SpaceKind kind);
[[nodiscard]] std::string_view name(StrategyKind kind);
[[nodiscard]] std::string_view name(EvaluatorKind kind);
[[nodiscard]] std::string_view name(DefaultTiles kind);
/// Error: kInvalidInput, with the names there are.
[[nodiscard]] Result<SpaceKind> parse_space(std::string_view text);
[[nodiscard]] Result<StrategyKind> parse_strategy(std::string_view text);
[[nodiscard]] Result<EvaluatorKind> parse_evaluator(std::string_view text);
[[nodiscard]] Result<DefaultTiles> parse_default_tiles(std::string_view text);

struct StrategySettings {
  StrategyKind kind = StrategyKind::kAnnealing;
  uint64_t seed = 1;
  bool random_start = false;  ///< Else from the default configuration.
  /// Of annealing: a move that makes the time the share d longer is accepted with probability
  /// exp(-d / temperature). Multiplied by `cooling` with every trial.
  double temperature = 0.3;
  double cooling = 0.995;
  /// Trials until annealing starts again with the first temperature, from the best so far.
  uint64_t restart_trials = 500;
  uint64_t population = 40;  ///< Of the genetic strategy.
  double mutation = 0.5;     ///< Probability of a move after crossing; again after each move.
  bool operator==(const StrategySettings&) const = default;
};

struct EvaluatorSettings {
  EvaluatorKind kind = EvaluatorKind::kModel;
  std::vector<std::string> models;  ///< Of kModel: names or files; none: the built-in one.
  /// Of the simulator in the place of hardware: booked for each configuration.
  double compile_s = 1;
  /// And so many runs of the program or kernel, of which the least counts.
  uint64_t repeats = 3;
  bool operator==(const EvaluatorSettings&) const = default;
};

/// What ends a session, whichever comes first; empty: no limit.
struct Budget {
  std::optional<uint64_t> trials;
  std::optional<double> time_s;      ///< That the session runs, pauses not counted.
  std::optional<double> hardware_s;  ///< Booked by the evaluator that is or stands for hardware.
  bool operator==(const Budget&) const = default;
};

/// All that determines a session besides its program and the recorded runs.
struct Settings {
  SpaceKind space = SpaceKind::kTiles;
  std::string kernel;                                     ///< Of kTiles: the instruction's name.
  std::string machine = "tpu_v3";                         ///< Name or file.
  DefaultTiles default_tiles = DefaultTiles::kSimulated;  ///< Of kTiles and kProgramTiles.
  StrategySettings strategy;
  EvaluatorSettings search;
  /// The best of the search are run by this one. Empty: the search's own times are the result.
  std::optional<EvaluatorSettings> measure;
  uint64_t top_k = 10;
  /// After them so many more measurements around the best of them, see Refiner.
  uint64_t refine = 0;
  Budget budget;
  bool operator==(const Settings&) const = default;

  /// Whether the search itself runs on hardware (or what stands for it).
  [[nodiscard]] bool searches_hardware() const;
  /// Whether one of the evaluators replays measured runs: the space is then that of the runs.
  [[nodiscard]] bool replays() const;
  /// The same space with the cheapest evaluator that gives it: for those who look at
  /// configurations and time none.
  [[nodiscard]] Settings for_space() const;
};

/// JSON, one line, keys in a fixed order.
[[nodiscard]] std::string settings_json(const Settings& settings);
/// Error: kInvalidInput, with the key.
[[nodiscard]] Result<Settings> parse_settings(std::string_view json);
/// Error: kInvalidInput, for values out of range and combinations that make no sense: what and
/// what to do.
[[nodiscard]] Status check_settings(const Settings& settings);

}  // namespace hloscope::tune
