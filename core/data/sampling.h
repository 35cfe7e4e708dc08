#pragma once

#include <cstdint>
#include <vector>

#include "core/base/hash.h"
#include "core/data/data_set.h"
#include "core/hlo/program.h"
#include "core/sim/machine.h"
#include "core/sim/rates.h"

namespace hloscope::data {

/// What determines the samples of a kernel.
struct SamplingOptions {
  explicit SamplingOptions(const sim::Machine& machine) : rates(machine) {}

  Task task = Task::kFusion;
  sim::Rates rates;
  uint64_t seed = 1;
  int64_t tiles = 100;  ///< Of task kTile: at most so many besides the default one.
  double noise = 0;     ///< See Target.
  int64_t repeats = 1;
};

/// Simulated times of the kernel that is the root of a program's entry: at the default tile, which
/// comes first, and for task kTile at further ones drawn without repeats from all that fit (all of
/// them where there are no more than asked for). Empty: nothing to learn from it, see
/// generate_unit(). `hash` of the kernel seeds draws and noise.
[[nodiscard]] std::vector<Sample> simulated_samples(const hlo::Program& kernel, const Hash128& hash,
                                                    const SamplingOptions& options);

/// `time_ns` as a device with run-to-run noise would give it: the least of `repeats` runs, each
/// exp(noise x normal) times as long.
[[nodiscard]] double noisy_ns(double time_ns, double noise, int64_t repeats, uint64_t seed);

}  // namespace hloscope::data
