#pragma once

#include <vector>

#include "core/hlo/program.h"
#include "core/predict/ensemble.h"
#include "core/sim/rates.h"

namespace hloscope::predict {

/// A kernel where it stands in a program, and the configurations that it is asked about.
struct AskedKernel {
  const hlo::Program* program = nullptr;
  hlo::InstructionId kernel;
  std::vector<data::Sample> samples;  ///< At least one. Times only for metrics: no model sees them.
};

/// Kernels as an ensemble takes them, for predict_ensemble().
struct AskedExamples {
  ExampleSet set;               ///< Without programs: for scores and metrics of kernels.
  std::vector<uint32_t> asked;  ///< By example: position among the kernels that were asked for.
  [[nodiscard]] std::vector<uint32_t> all() const;  ///< Positions of all examples.
};

/// Encodes on all threads, in order. Kernels that no graph can be made of are left out. `rates`: of
/// the machine of the analytical estimates. Error: kCancelled.
[[nodiscard]] Result<AskedExamples> encode_kernels(std::span<const AskedKernel> kernels,
                                                   const Ensemble& ensemble,
                                                   const sim::Rates& rates, ThreadPool& pool,
                                                   const Progress& progress = {});

}  // namespace hloscope::predict
