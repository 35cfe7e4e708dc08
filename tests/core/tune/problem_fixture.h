#pragma once

#include "core/sim/tile.h"
#include "core/tune/problem.h"
#include "tests/core/fuse/fuse_fixture.h"

namespace hloscope::testing {

inline tune::Settings settings_for(tune::SpaceKind space, tune::EvaluatorKind evaluator) {
  tune::Settings out;
  out.space = space;
  out.search.kind = evaluator;
  out.budget.trials = 100;
  return out;
}

/// The time of one configuration; a failed one ends the test run.
inline double time_of(tune::Evaluator& evaluator, const tune::Config& config) {
  const auto found = value_of(evaluator.evaluate({&config, 1}, {}));
  if (!found.front().time_ns) qFatal("%s", found.front().error.c_str());
  return *found.front().time_ns;
}

/// The module of the measured TPU v3 kernels whose kernel has this name, with its runs.
inline hlo::Module measured_kernel(std::string_view name) {
  const auto file = value_of(hlo::read_file(HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb"));
  for (const hlo::Module& module : file.modules) {
    const hlo::Program& program = *module.program;
    if (program[program[program.entry()].root].name == name) return module;
  }
  qFatal("no kernel %s", std::string(name).c_str());
}

inline tune::Recorded recorded_of(const hlo::Module& module) {
  tune::Recorded out;
  out.device = "TPU v3";
  for (const hlo::MeasuredRun& run : module.runs) {
    const std::optional<double> time_ns =
        run.failed ? std::nullopt : std::optional(static_cast<double>(run.time_ns));
    out.runs.push_back(
        {sim::tile_text({run.output_bounds, run.kernel_bounds}), time_ns, run.is_default});
  }
  return out;
}

}  // namespace hloscope::testing
