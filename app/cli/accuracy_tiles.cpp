#include <fmt/format.h>

#include <cstdio>
#include <iostream>

#include "app/cli/accuracy.h"
#include "app/cli/json_text.h"
#include "app/cli/load.h"
#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "core/base/write_file.h"

namespace hloscope::cli {

namespace {

using accuracy::KernelAccuracy;
using accuracy::RowProblem;
using accuracy::TileSamples;

// On standard error; all of them are in the JSON.

nlohmann::ordered_json to_json(const KernelAccuracy& kernel) {
  return {{"module", kernel.module_name},
          {"n", kernel.n},
          {"mape", kernel.mape},
          {"kendall_tau", or_null(kernel.ranking.kendall_tau)},
          {"top1_slowdown", or_null(kernel.ranking.top1_slowdown)},
          {"top5_slowdown", or_null(kernel.ranking.top5_slowdown)},
          {"tiles", kernel.ranking.tiles}};
}

nlohmann::ordered_json to_json(const std::vector<RowProblem>& problems) {
  auto list = nlohmann::ordered_json::array();
  for (const RowProblem& problem : problems) {
    list.push_back({{"module", problem.module_name},
                    {"run_index", problem.run_index},
                    {"message", problem.message}});
  }
  return list;
}

void warn_of_problems(const TileSamples& samples, const std::string& file) {
  const std::vector<RowProblem>& problems = samples.invalid;
  for (size_t i = 0; i < std::min(problems.size(), kShownProblems); ++i) {
    std::fprintf(stderr, "warning: %s: module %s, run %u: %s; the row is left out\n", file.c_str(),
                 problems[i].module_name.c_str(), problems[i].run_index,
                 problems[i].message.c_str());
  }
  if (problems.size() > kShownProblems) {
    std::fprintf(stderr, "warning: %s: %zu more rows are left out\n", file.c_str(),
                 problems.size() - kShownProblems);
  }
}

TextTable row_table(const TileSamples& samples, const std::vector<measured::TileRow>& rows,
                    const std::vector<double>& times_ns) {
  using enum TextTable::Align;
  TextTable table(
      {{"module", kLeft}, {"run_index"}, {"tile", kLeft}, {"measured_ns"}, {"time_ns"}, {"error"}});
  for (size_t s = 0; s < samples.samples.size(); ++s) {
    const accuracy::TileSample& sample = samples.samples[s];
    const measured::TileRow& row = rows[sample.row];
    table.add_row({samples.kernels[sample.kernel].module_name, fmt::format("{}", row.run_index),
                   sim::tile_text({row.output_bounds, row.kernel_bounds}),
                   fmt::format("{}", sample.measured_ns), fmt::format("{}", times_ns[s]),
                   fmt::format("{}", times_ns[s] / sample.measured_ns - 1)});
  }
  return table;
}

struct LoadedTiles {
  std::vector<measured::TileRow> rows;
  TileSamples samples;
};

Result<LoadedTiles> load_tiles(const std::string& data, const std::string& modules) {
  LoadedTiles out;
  HLOSCOPE_ASSIGN(out.rows, measured::read_tile_rows(data));
  HLOSCOPE_ASSIGN(const LoadedFile file, load(modules));
  out.samples = accuracy::join_tiles(out.rows, file.file.modules);
  warn_of_problems(out.samples, data);
  if (!out.samples.samples.empty()) return out;
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = fmt::format("no row can be held against a kernel: {} without bounds, {} invalid",
                              out.samples.rows_without_bounds, out.samples.invalid.size());
  error.file = data;
  error.hint = fmt::format("module_name must be the name of a module of {}", modules);
  return fail(std::move(error));
}

void print_text(const accuracy::TileAccuracy& result, const TileSamples& samples,
                const AccuracyOptions& options, const sim::Machine& machine, size_t beyond) {
  std::cout << fmt::format("{} of {} against measured times\n\n", accuracy::name(options.model),
                           machine.title)
            << kernel_table(result).text()
            << fmt::format("\nrows without bounds, left out: {}; invalid rows, left out: {}\n",
                           samples.rows_without_bounds, samples.invalid.size());
  if (beyond > 0) {
    std::cout << fmt::format("tiles that seem too large for VMEM, though they ran: {}\n", beyond);
  }
}

}  // namespace

Result<TileSamples> load_tile_samples(const std::string& data, const std::string& modules) {
  HLOSCOPE_ASSIGN(LoadedTiles tiles, load_tiles(data, modules));
  return std::move(tiles.samples);
}

nlohmann::ordered_json tile_accuracy_json(const accuracy::TileAccuracy& result) {
  auto kernels = nlohmann::ordered_json::array();
  for (const KernelAccuracy& kernel : result.kernels) kernels.push_back(to_json(kernel));
  return {{"kernels", std::move(kernels)},
          {"total",
           {{"mape", result.mape},
            {"kernel_mean_mape", result.kernel_mean_mape},
            {"kendall_tau", or_null(result.kendall_tau)},
            {"top1_slowdown", or_null(result.top1_slowdown)},
            {"top5_slowdown", or_null(result.top5_slowdown)},
            {"n", result.n}}}};
}

TextTable kernel_table(const accuracy::TileAccuracy& result) {
  using enum TextTable::Align;
  TextTable table(
      {{"kernel", kElided}, {"rows"}, {"tiles"}, {"MAPE"}, {"Kendall tau"}, {"top 1"}, {"top 5"}});
  for (const KernelAccuracy& kernel : result.kernels) {
    table.add_row({kernel.module_name, fmt::format("{}", kernel.n),
                   fmt::format("{}", kernel.ranking.tiles), percent(kernel.mape),
                   tau_text(kernel.ranking.kendall_tau), percent(kernel.ranking.top1_slowdown),
                   percent(kernel.ranking.top5_slowdown)});
  }
  table.add_row({"all rows", fmt::format("{}", result.n), "", percent(result.mape), "", "", ""});
  table.add_row({"mean of kernels", "", "", percent(result.kernel_mean_mape),
                 tau_text(result.kendall_tau), percent(result.top1_slowdown),
                 percent(result.top5_slowdown)});
  return table;
}

Status run_tile_accuracy(const AccuracyOptions& options, const sim::Machine& machine) {
  HLOSCOPE_ASSIGN(const LoadedTiles tiles, load_tiles(options.data, options.modules));
  const sim::Rates rates(machine);
  HLOSCOPE_ASSIGN(const std::vector<double> times_ns,
                  accuracy::predict(tiles.samples, rates, options.model, terminal_progress()));
  const accuracy::TileAccuracy result = accuracy::tile_accuracy(tiles.samples, times_ns);
  const size_t beyond = accuracy::beyond_vmem(tiles.samples, rates);
  if (!options.rows.empty()) {
    const TextTable rows = row_table(tiles.samples, tiles.rows, times_ns);
    HLOSCOPE_TRY(write_file(options.rows, rows.csv()));
  }
  if (!options.json) {
    print_text(result, tiles.samples, options, machine, beyond);
    return {};
  }
  nlohmann::ordered_json out = tile_accuracy_json(result);
  out["rows_without_bounds"] = tiles.samples.rows_without_bounds;
  out["rows_invalid"] = tiles.samples.invalid.size();
  out["invalid_rows"] = to_json(tiles.samples.invalid);
  out["rows_beyond_vmem"] = beyond;
  add_origin(out, options, machine);
  std::cout << json_text(out) << "\n";
  return {};
}

}  // namespace hloscope::cli
