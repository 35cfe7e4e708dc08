#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/accuracy/prediction.h"
#include "core/accuracy/ranking.h"
#include "core/analysis/report.h"
#include "core/analysis/time_source.h"
#include "core/base/thread_pool.h"
#include "core/predict/tile_list.h"

namespace hloscope::predict {

/// What one source says of the tiles of a kernel, by tile. Empty: nothing.
struct TileColumn {
  std::vector<double> values;   ///< ns; or scores that grow with the time. NaN: none.
  std::vector<uint32_t> ranks;  ///< From 1, equal values by position; 0: none.
  /// ns, for charts: the values, or of scores the time that stands at the tile's rank among the
  /// measured times, without such among the simulated ones.
  std::vector<double> chart_ns;
  std::vector<double> deviation;  ///< Of the members of the model, for scores; else empty.
  bool is_score = false;
  std::optional<uint32_t> first;  ///< The tile of rank 1.
  accuracy::Ranking ranking;      ///< Of estimates, against the measured tiles.
  accuracy::ErrorSummary errors;  ///< The same, over all measured runs; n = 0 for scores.
  [[nodiscard]] bool is_empty() const { return values.empty(); }
};

/// The tiles of a kernel as each source ranks them: plain columns by tile. Never changed once made.
struct TileRanking {
  std::shared_ptr<const analysis::ModuleReport> report;
  graph::KernelId kernel;
  sim::KernelModel model;  ///< Of the program in `report`.
  TileList list;
  size_t strangers = 0;  ///< Measured runs of tiles that the kernel does not have.
  std::vector<double> iterations;
  std::vector<double> footprint_bytes;
  std::vector<double> slowdown;  ///< Measured over the best measured, less 1; NaN: not measured.
  std::array<TileColumn, analysis::kTimeSourceCount> columns;  ///< By TimeSource.
  double vmem_bytes = 0;                                       ///< What a tile may take.
  double all_count = 0;                  ///< Tiles of the kernel, fitting or not.
  std::optional<uint32_t> default_tile;  ///< The compiler's choice; none: not among these tiles.
  bool default_is_recorded = false;      ///< The file marks it; false: the model's choice.
  std::string ranked_by;                 ///< The learned model: "tpu_v3_tile@4f1c09ab".
  std::string absence;                   ///< Why there is none.

  [[nodiscard]] size_t size() const { return list.bounds.size(); }
  [[nodiscard]] const TileColumn& column(analysis::TimeSource source) const {
    return columns[static_cast<size_t>(source)];
  }
  [[nodiscard]] sim::Tile tile(uint32_t at) const { return sim::tile_of(model, list.bounds[at]); }
  [[nodiscard]] bool fits(uint32_t at) const { return footprint_bytes[at] <= vmem_bytes; }
  /// The position of a tile; empty: not among these.
  [[nodiscard]] std::optional<uint32_t> find(const sim::Tile& tile) const;
  /// All tiles, by rank of the source; those without one last.
  [[nodiscard]] std::vector<uint32_t> order(analysis::TimeSource source) const;
  /// Measured where tiles are, else the learned model's, else simulated.
  [[nodiscard]] analysis::TimeSource best_source() const;
};

/// Measured tiles count where the module has one kernel. Ranks of the learned model: the built-in
/// one for tiles, of the report's machine. Errors: kInvalidInput for a kernel that is not cut in
/// tiles; those of predict_ensemble(); kCancelled.
[[nodiscard]] Result<std::shared_ptr<const TileRanking>> rank_tiles(
    std::shared_ptr<const analysis::ModuleReport> report, graph::KernelId kernel,
    const TileListOptions& options, ThreadPool& pool, const Progress& progress = {});

/// Distinct kernels that are cut in tiles, those that take the most simulated time first.
[[nodiscard]] std::vector<graph::KernelId> tiled_kernels(const analysis::ModuleReport& report);

/// How a kernel is timed, in words: "collective". Empty for kTiled.
[[nodiscard]] std::string_view untiled_name(sim::KernelKind kind);

}  // namespace hloscope::predict
