#pragma once

#include <memory>

#include "core/tune/evaluator.h"
#include "core/tune/kernel_timer.h"
#include "core/tune/program_tiles.h"
#include "core/tune/recorded_tiles.h"

namespace hloscope::tune {

/// What an evaluator books for a configuration where it stands for hardware; else nothing.
struct HardwareCost {
  bool is_hardware = false;
  double compile_ns = 0;
  double repeats = 1;

  [[nodiscard]] double of(double time_ns) const {
    return is_hardware ? compile_ns + repeats * time_ns : 0;
  }
};

/// Times of the tiles of a kernel, by a timer. References are kept.
[[nodiscard]] std::unique_ptr<Evaluator> make_tile_evaluator(const TileConfigs& space,
                                                             std::unique_ptr<KernelTimer> timer,
                                                             HardwareCost cost);
/// The sum over the kernels of the program; those without a choice of tiles, `others`, at their
/// only one.
[[nodiscard]] std::unique_ptr<Evaluator> make_program_tile_evaluator(
    const ProgramTiles& space, std::vector<TileKernelPtr> others,
    std::unique_ptr<KernelTimer> timer, HardwareCost cost);
/// The recorded times. A tile that failed on the device is an Evaluation with an error; it and what
/// is not recorded book nothing.
[[nodiscard]] std::unique_ptr<Evaluator> make_recorded_evaluator(const RecordedTiles& space,
                                                                 std::string device);

}  // namespace hloscope::tune
