#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/kernel_choice.h"
#include "app/cli/text_table.h"
#include "core/base/thread_pool.h"
#include "core/sim/rates.h"
#include "core/sim/tile_work.h"

namespace hloscope::cli {

/// More tiles than this are not listed unless a limit or a sample is asked for.
inline constexpr double kMostTiles = 2e6;

/// A tile of a listing.
struct TileRow {
  std::vector<int64_t> bounds;
  double time_ns = 0;  ///< Simulated.
  double iterations = 0;
  double footprint_bytes = 0;
  sim::Unit bottleneck = sim::Unit::kScalar;
  std::optional<double> measured_ns;
};

/// Simulates the bounds, on all threads; rows in the order of `bounds`.
[[nodiscard]] std::vector<TileRow> tile_rows(const sim::KernelModel& model,
                                             std::vector<std::vector<int64_t>> bounds,
                                             const sim::Rates& rates, ThreadPool& pool);

/// {"tile", "time_ns", "iterations", "footprint_bytes", "bottleneck", "measured_ns"}.
[[nodiscard]] nlohmann::ordered_json tile_row_json(const TileRow& row,
                                                   const sim::KernelModel& model);
/// As aligned text; the measured column only where `measured`.
[[nodiscard]] std::string tile_table(const std::vector<TileRow>& rows,
                                     const sim::KernelModel& model, bool measured);

/// kInvalidInput: `count` tiles are too many to list. `what_to_do` is the hint.
[[nodiscard]] Error too_many_tiles(double count, std::string what_to_do);

}  // namespace hloscope::cli
