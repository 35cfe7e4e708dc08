#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/hlo/program.h"
#include "core/tune/session.h"

namespace hloscope::tune {

/// Measured runs to replay.
struct Recorded {
  struct Run {
    std::string config;             ///< As Space::parse() reads it.
    std::optional<double> time_ns;  ///< Empty: it failed on the device.
    bool is_default = false;
  };
  std::string device;  ///< "TPU v3"; as the file says it.
  std::string file;    ///< Where they come from.
  std::vector<Run> runs;
};

/// The space of the settings over a program, with its evaluators. The program is kept. Of a program
/// that is not optimised kernels are those of hloscope's own fusion. `recorded` where an evaluator
/// replays: the space then holds the recorded configurations alone, as nothing is known of others.
/// Errors: those of check_settings(); kNotFound for an unknown kernel (with similar names), machine
/// or model; kUnsupported for what the space cannot be made of (a kernel with a single tile, a
/// compiled program for fusion), with what to do.
[[nodiscard]] Result<Problem> make_problem(hlo::ProgramPtr program, const Settings& settings,
                                           const Recorded& recorded = {},
                                           const Progress& progress = {});

}  // namespace hloscope::tune
