#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/graph/kernels.h"
#include "core/hlo/read.h"
#include "core/sim/machine.h"
#include "core/sim/simulate.h"
#include "core/sim/tile.h"

namespace hloscope::analysis {

/// What takes the time of a kernel.
enum class Bound : uint8_t {
  kScalar,   ///< The scalar unit: launch, the loop over tiles, issue of DMAs.
  kCompute,  ///< The matrix unit.
  kVector,   ///< The vector unit, its transcendental unit or its cross-lane unit.
  kMemory,   ///< HBM traffic.
  kLink,     ///< Between chips, or to the host.
  kUnknown,  ///< A custom-call: only its operands and result are known.
};
[[nodiscard]] std::string_view name(Bound bound);
[[nodiscard]] Bound bound_of(sim::Unit bottleneck);

/// One execution of a kernel as a model sees it. Not measured.
struct ModelTime {
  double time_ns = 0;
  double compute_ns = 0;  ///< The core.
  double memory_ns = 0;   ///< Transfers.
  Bound bound = Bound::kUnknown;
};

/// The tile that a kernel is timed with.
struct TileChoice {
  sim::Tile tile;  ///< Empty for what is not cut in tiles.
  double tiles = 1;
  double footprint_bytes = 0;        ///< VMEM.
  bool has_fallback = false;         ///< An opcode without a rule of its own takes part.
  std::vector<int64_t> bounds = {};  ///< The tile by LoopId.
  bool is_written = false;  ///< The program says it (sim::written_tile()); else it was chosen.
};

/// Times of all kernels of a program by both models, each distinct kernel computed once, at the
/// tile that the analytical model chooses.
struct KernelTimes {
  IndexedVector<graph::KernelId, ModelTime> analytical;
  IndexedVector<graph::KernelId, ModelTime> simulated;
  std::vector<TileChoice> tiles;  ///< By position in KernelList::distinct.
};
/// Error: kCancelled.
[[nodiscard]] Result<KernelTimes> kernel_times(const hlo::Program& program,
                                               const graph::KernelList& kernels,
                                               const sim::Machine& machine,
                                               const Progress& progress = {});

/// Times of the tile that a run measured, by both models.
struct RunTimes {
  ModelTime analytical;
  ModelTime simulated;
};
/// Times of `kernel` at the tile of each run, by position in `runs`; empty for a run that failed,
/// that has no bounds, or whose bounds do not fit the kernel. Error: kCancelled.
[[nodiscard]] Result<std::vector<std::optional<RunTimes>>> run_times(
    const hlo::Program& program, hlo::InstructionId kernel, std::span<const hlo::MeasuredRun> runs,
    const sim::Machine& machine, const Progress& progress = {});

/// Sum over kernels x executions.
[[nodiscard]] double total_ns(const graph::KernelList& kernels,
                              const IndexedVector<graph::KernelId, ModelTime>& times);
/// Of the kernels that have a time.
[[nodiscard]] double total_ns(const graph::KernelList& kernels,
                              const IndexedVector<graph::KernelId, std::optional<double>>& times);
/// Share of the simulated time in kernels whose every opcode has a rule of its own; 1 without
/// kernels.
[[nodiscard]] double rule_share(const graph::KernelList& kernels, const KernelTimes& times);

}  // namespace hloscope::analysis
