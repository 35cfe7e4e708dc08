#include <fmt/format.h>

#include <iostream>

#include "app/cli/accuracy.h"
#include "app/cli/json_text.h"
#include "app/cli/terminal.h"
#include "core/accuracy/workload_accuracy.h"
#include "core/base/units.h"
#include "core/base/write_file.h"

namespace hloscope::cli {

namespace {

using accuracy::WorkloadAccuracy;
using accuracy::WorkloadKernel;
using accuracy::WorkloadsAccuracy;

nlohmann::ordered_json to_json(const WorkloadAccuracy& row) {
  auto kernels = nlohmann::ordered_json::array();
  for (const WorkloadKernel& kernel : row.kernels) {
    kernels.push_back({{"what", kernel.what},
                       {"time_us", kernel.time_ns / kNsPerUs},
                       {"executions", kernel.executions},
                       {"tile", sim::tile_text(kernel.tile)}});
  }
  return {{"name", row.name},
          {"kind", row.kind},
          {"measured_us", row.measured_ns / kNsPerUs},
          {"time_us", row.time_ns / kNsPerUs},
          {"error", row.error},
          {"kernels", std::move(kernels)},
          {"assumptions", row.assumptions}};
}

nlohmann::ordered_json to_json(const WorkloadsAccuracy& result) {
  auto rows = nlohmann::ordered_json::array();
  for (const WorkloadAccuracy& row : result.rows) rows.push_back(to_json(row));
  auto skipped = nlohmann::ordered_json::array();
  for (const accuracy::SkippedWorkload& row : result.skipped) {
    skipped.push_back({{"name", row.name}, {"kind", row.kind}, {"reason", row.reason}});
  }
  return {{"rows", std::move(rows)},
          {"total",
           {{"gemm_conv_attention_mape", or_null(result.gemm_conv_attention_mape)},
            {"mape", or_null(result.mape)}}},
          {"skipped", std::move(skipped)}};
}

TextTable row_table(const WorkloadsAccuracy& result) {
  using enum TextTable::Align;
  TextTable table({{"name", kLeft}, {"kind", kLeft}, {"measured_us"}, {"time_us"}, {"error"}});
  for (const WorkloadAccuracy& row : result.rows) {
    table.add_row({row.name, row.kind, fmt::format("{}", row.measured_ns / kNsPerUs),
                   fmt::format("{}", row.time_ns / kNsPerUs), fmt::format("{}", row.error)});
  }
  return table;
}

void print_row(const WorkloadAccuracy& row) {
  using enum TextTable::Align;
  std::cout << fmt::format("\n{}\n", row.name);
  TextTable table({{"  kernel", kLeft}, {"µs"}, {"times"}, {"tile", kLeft}});
  for (const WorkloadKernel& kernel : row.kernels) {
    table.add_row({"  " + kernel.what, microseconds(kernel.time_ns),
                   fmt::format("{}", kernel.executions), sim::tile_text(kernel.tile)});
  }
  std::cout << table.text();
  for (const std::string& assumption : row.assumptions) {
    std::cout << "  assumed: " << assumption << "\n";
  }
}

void print_text(const WorkloadsAccuracy& result, const AccuracyOptions& options,
                const sim::Machine& machine) {
  using enum TextTable::Align;
  const std::string_view model = accuracy::name(options.model);
  std::cout << fmt::format("{} of {} against measured times\n\n", model, machine.title);
  TextTable table({{"workload", kLeft},
                   {"measured µs"},
                   {fmt::format("{} µs", model)},
                   {"error"},
                   {"kernels"}});
  for (const WorkloadAccuracy& row : result.rows) {
    table.add_row({row.name, microseconds(row.measured_ns), microseconds(row.time_ns),
                   fmt::format("{:+.1f} %", row.error * 100),
                   fmt::format("{}", row.kernels.size())});
  }
  std::cout << table.text()
            << fmt::format("\nmean error of gemm, conv and attention: {}; of all rows: {}\n",
                           percent(result.gemm_conv_attention_mape), percent(result.mape));
  for (const accuracy::SkippedWorkload& row : result.skipped) {
    std::cout << fmt::format("skipped {}: {}\n", row.name, row.reason);
  }
  for (const WorkloadAccuracy& row : result.rows) print_row(row);
}

}  // namespace

Status run_workload_accuracy(const AccuracyOptions& options, const sim::Machine& machine) {
  HLOSCOPE_ASSIGN(const auto rows, measured::read_workload_rows(options.workloads));
  HLOSCOPE_ASSIGN(
      const WorkloadsAccuracy result,
      accuracy::workload_accuracy(rows, sim::Rates(machine), options.model, terminal_progress()));
  if (!options.rows.empty()) {
    HLOSCOPE_TRY(write_file(options.rows, row_table(result).csv()));
  }
  if (!options.json) {
    print_text(result, options, machine);
    return {};
  }
  nlohmann::ordered_json out = to_json(result);
  add_origin(out, options, machine);
  std::cout << json_text(out) << "\n";
  return {};
}

}  // namespace hloscope::cli
