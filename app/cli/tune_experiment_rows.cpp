#include "app/cli/tune_experiment_rows.h"

#include <fmt/format.h>

namespace hloscope::cli {

namespace {

using nlohmann::ordered_json;
using tune::Comparison;
using tune::ProgramOutcome;
using tune::Spread;
using tune::Start;
using Align = TextTable::Align;

std::string_view name(Start start) {
  return start == Start::kDefault ? "default" : "random";
}

std::string spread_ms(const Spread& spread) {
  return fmt::format("{:.4f} ± {:.4f}", spread.mean / 1e6, spread.deviation / 1e6);
}

std::string spread_percent(const Spread& spread) {
  return fmt::format("{:+.2f} ± {:.2f} %", 100 * spread.mean, 100 * spread.deviation);
}

std::string p_text(double p) {
  return p < 0.0001 ? "< 0.0001" : fmt::format("{:.4f}", p);
}

ordered_json json_of(const Spread& spread) {
  return {{"mean", spread.mean}, {"spread", spread.deviation}};
}

/// The same comparison in all programs.
struct Means {
  Spread gain;  ///< Of the programs' mean gains.
  Spread above_best;
  size_t better = 0;  ///< Programs where the model is better with p < 0.05.
  size_t worse = 0;
};

Means means_at(std::span<const ProgramOutcome> outcomes, Start start, double hardware_s) {
  Means out;
  std::vector<double> gains;
  std::vector<double> above;
  for (const ProgramOutcome& outcome : outcomes) {
    const Comparison comparison = tune::compare_at(outcome, start, hardware_s);
    gains.push_back(comparison.gain.mean);
    above.push_back(comparison.above_best);
    if (comparison.p >= 0.05) continue;
    comparison.gain.mean > 0 ? ++out.better : ++out.worse;
  }
  out.gain = tune::spread_of(gains);
  out.above_best = tune::spread_of(above);
  return out;
}

}  // namespace

TextTable experiment_table(std::span<const ProgramOutcome> outcomes,
                           const tune::ExperimentOptions& options) {
  TextTable table({{"Program", Align::kLeft},
                   {"Start", Align::kLeft},
                   {"Hardware s"},
                   {"Model first ms"},
                   {"Hardware only ms"},
                   {"Gain"},
                   {"p"},
                   {"Default ms"},
                   {"Above best"}});
  for (const ProgramOutcome& outcome : outcomes) {
    for (const Start start : tune::kStarts) {
      for (const double hardware_s : options.hardware_s) {
        const Comparison c = tune::compare_at(outcome, start, hardware_s);
        table.add_row({outcome.program, std::string(name(start)), fmt::format("{:g}", hardware_s),
                       spread_ms(c.guided_ns), spread_ms(c.alone_ns), spread_percent(c.gain),
                       p_text(c.p), fmt::format("{:.4f}", outcome.default_ns / 1e6),
                       percent(c.above_best)});
      }
    }
  }
  return table;
}

TextTable experiment_means(std::span<const ProgramOutcome> outcomes,
                           const tune::ExperimentOptions& options) {
  TextTable table({{"Start", Align::kLeft},
                   {"Hardware s"},
                   {"Gain"},
                   {"Better (p < 0.05)"},
                   {"Worse (p < 0.05)"},
                   {"Above best"},
                   {"Paper's gain, TPU v3"}});
  for (const Start start : tune::kStarts) {
    for (const double hardware_s : options.hardware_s) {
      const Means means = means_at(outcomes, start, hardware_s);
      table.add_row({std::string(name(start)), fmt::format("{:g}", hardware_s),
                     spread_percent(means.gain),
                     fmt::format("{} of {}", means.better, outcomes.size()),
                     fmt::format("{} of {}", means.worse, outcomes.size()),
                     percent(means.above_best.mean), start == Start::kDefault ? "2 %" : "8 %"});
    }
  }
  return table;
}

ordered_json experiment_json(std::span<const ProgramOutcome> outcomes,
                             const tune::ExperimentOptions& options) {
  auto programs = ordered_json::array();
  for (const ProgramOutcome& outcome : outcomes) {
    auto rows = ordered_json::array();
    for (const Start start : tune::kStarts) {
      for (const double hardware_s : options.hardware_s) {
        const Comparison c = tune::compare_at(outcome, start, hardware_s);
        rows.push_back({{"start", name(start)},
                        {"hardware_s", hardware_s},
                        {"model_first_ns", json_of(c.guided_ns)},
                        {"hardware_only_ns", json_of(c.alone_ns)},
                        {"gain", json_of(c.gain)},
                        {"p", c.p},
                        {"above_best", c.above_best}});
      }
    }
    programs.push_back({{"program", outcome.program},
                        {"default_ns", outcome.default_ns},
                        {"best_ns", outcome.best_ns},
                        {"model", outcome.guided_by},
                        {"hardware", outcome.hardware},
                        {"rows", std::move(rows)}});
  }
  auto means = ordered_json::array();
  for (const Start start : tune::kStarts) {
    for (const double hardware_s : options.hardware_s) {
      const Means m = means_at(outcomes, start, hardware_s);
      means.push_back({{"start", name(start)},
                       {"hardware_s", hardware_s},
                       {"gain", json_of(m.gain)},
                       {"programs_better", m.better},
                       {"programs_worse", m.worse},
                       {"above_best", json_of(m.above_best)}});
    }
  }
  return {{"space", tune::name(options.space)},
          {"machine", options.machine},
          {"default_tiles", options.space == tune::SpaceKind::kProgramTiles
                                ? ordered_json(tune::name(options.default_tiles))
                                : ordered_json()},
          {"seeds", options.seeds},
          {"model_trials", options.model_trials},
          {"compile_s", options.compile_s},
          {"repeats", options.repeats},
          {"programs", std::move(programs)},
          {"means", std::move(means)}};
}

std::string curves_csv(std::span<const ProgramOutcome> outcomes) {
  TextTable table({{"program", Align::kLeft},
                   {"start", Align::kLeft},
                   {"seed"},
                   {"method", Align::kLeft},
                   {"measured"},
                   {"hardware_s"},
                   {"best_ns"}});
  for (const ProgramOutcome& outcome : outcomes) {
    for (const Start start : tune::kStarts) {
      const auto& runs = outcome.runs[static_cast<size_t>(start)];
      for (size_t seed = 0; seed < runs.size(); ++seed) {
        const auto add = [&](std::string_view method, const tune::CurvePoint& point) {
          table.add_row({outcome.program, std::string(name(start)), fmt::format("{}", seed + 1),
                         std::string(method), fmt::format("{}", point.measured),
                         fmt::format("{:.6f}", point.booked_ns / 1e9),
                         fmt::format("{:.3f}", point.best_ns)});
        };
        for (const tune::CurvePoint& point : runs[seed].guided) add("model first", point);
        for (const tune::CurvePoint& point : runs[seed].alone) add("hardware only", point);
      }
    }
  }
  return table.csv();
}

}  // namespace hloscope::cli
