#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/base/hash.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/data/data_set.h"
#include "core/data/prepared_program.h"
#include "core/data/sampling.h"

namespace hloscope::data {

/// A distinct kernel that was met in a unit.
struct MetKernel {
  Hash128 hash;
  double executions = 0;  ///< In one run of the program.
};

struct GeneratedGraph {
  GraphRecord graph;
  std::vector<Sample> samples;  ///< At least one.
};

/// What one fusion configuration of a program gives.
struct GeneratedUnit {
  std::vector<MetKernel> kernels;          ///< In program order.
  std::vector<GeneratedGraph> new_graphs;  ///< Of those kernels the ones that are not known yet.
};

/// Kernels of `program` with fusion configuration `configuration`: 0 is the default fusion, the
/// others are drawn with the seed: each edge is set with the same probability, which is drawn
/// first. A compiled program has its own kernels, whatever the configuration.
///
/// Kernels that the simulator cannot cut in tiles (custom-calls, collectives, copies by DMA), or
/// whose body has an opcode without a rule, are left out, and for task kTile those with a single
/// tile. The same arguments give the same bytes. Errors: kCancelled; what extracting a kernel
/// gives.
[[nodiscard]] Result<GeneratedUnit> generate_unit(
    PreparedProgram& program, int64_t configuration, const SamplingOptions& options,
    const std::function<bool(const Hash128&)>& is_known, const Progress& progress = {});

}  // namespace hloscope::data
