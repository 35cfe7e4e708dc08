#include "app/cli/tile_rows.h"

#include <fmt/format.h>

#include "core/base/units.h"
#include "core/sim/simulate.h"

namespace hloscope::cli {

std::vector<TileRow> tile_rows(const sim::KernelModel& model,
                               std::vector<std::vector<int64_t>> bounds, const sim::Rates& rates,
                               ThreadPool& pool) {
  std::vector<TileRow> rows(bounds.size());
  pool.parallel_for(bounds.size(), [&](size_t i) {
    const sim::Simulation s = sim::simulate(model, bounds[i], rates);
    rows[i] = {std::move(bounds[i]), s.time_ns, s.tiles, s.footprint_bytes, s.bottleneck, {}};
  });
  return rows;
}

nlohmann::ordered_json tile_row_json(const TileRow& row, const sim::KernelModel& model) {
  nlohmann::ordered_json out = {{"tile", sim::tile_text(sim::tile_of(model, row.bounds))},
                                {"time_ns", row.time_ns},
                                {"iterations", row.iterations},
                                {"footprint_bytes", row.footprint_bytes},
                                {"bottleneck", sim::name(row.bottleneck)},
                                {"measured_ns", nullptr}};
  if (row.measured_ns) out["measured_ns"] = *row.measured_ns;
  return out;
}

std::string tile_table(const std::vector<TileRow>& rows, const sim::KernelModel& model,
                       bool measured) {
  std::vector<TextTable::Column> columns = {{"Simulated µs"}};
  if (measured) columns.push_back({"Measured µs"});
  columns.push_back({"Iterations"});
  columns.push_back({"VMEM MiB"});
  columns.push_back({"Bottleneck", TextTable::Align::kLeft});
  columns.push_back({"Tile", TextTable::Align::kLeft});
  TextTable table(columns);
  for (const TileRow& row : rows) {
    std::vector<std::string> cells = {microseconds(row.time_ns)};
    if (measured) cells.push_back(row.measured_ns ? microseconds(*row.measured_ns) : "-");
    cells.push_back(grouped(row.iterations));
    cells.push_back(fmt::format("{:.2f}", row.footprint_bytes / kBytesPerMib));
    cells.emplace_back(sim::name(row.bottleneck));
    cells.push_back(sim::tile_text(sim::tile_of(model, row.bounds)));
    table.add_row(std::move(cells));
  }
  return table.text();
}

Error too_many_tiles(double count, std::string what_to_do) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message =
      fmt::format("{} tiles fit, more than {} are not listed", grouped(count), grouped(kMostTiles));
  error.hint = std::move(what_to_do);
  return error;
}

}  // namespace hloscope::cli
