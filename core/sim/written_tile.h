#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/graph/written_tile.h"
#include "core/hlo/program.h"
#include "core/sim/kernel_model.h"
#include "core/sim/rates.h"

namespace hloscope::sim {

using graph::written_tile;

/// Bounds of a tile as tile_text() writes it, or `loops=2x3`, a bound for each loop (see
/// list_tile_text()); whether they fit in VMEM or not. Error: kInvalidInput.
[[nodiscard]] Result<std::vector<int64_t>> parse_bounds(const KernelModel& model,
                                                        std::string_view text);
/// For tiles that tile_text() has no bound of every loop for.
[[nodiscard]] std::string list_tile_text(const std::vector<int64_t>& bounds);

/// Bounds of written_tile(); empty where there is none, or none that this kernel could run with on
/// this machine.
[[nodiscard]] std::optional<std::vector<int64_t>> written_bounds(const hlo::Program& program,
                                                                 hlo::InstructionId kernel,
                                                                 const KernelModel& model,
                                                                 const Rates& rates);
/// Why written_tile() is not used; empty where it is, or there is none.
[[nodiscard]] std::optional<Error> written_tile_error(const hlo::Program& program,
                                                      hlo::InstructionId kernel,
                                                      const KernelModel& model, const Rates& rates);
/// The tile that a kernel of a program is timed with: what the program says, else default_bounds().
[[nodiscard]] std::vector<int64_t> program_bounds(const hlo::Program& program,
                                                  hlo::InstructionId kernel,
                                                  const KernelModel& model, const Rates& rates);

}  // namespace hloscope::sim
