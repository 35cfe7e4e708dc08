#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/cli/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/load.h"
#include "app/cli/store.h"
#include "app/cli/text_table.h"
#include "core/analysis/kernel_export.h"
#include "core/analysis/kernel_table.h"

namespace hloscope::cli {

namespace {

using analysis::ColumnKind;
using analysis::KernelColumn;
using analysis::KernelTable;

struct KernelsOptions : InputOptions {
  size_t top = 0;  ///< 0: all.
  std::string sort;
  std::string filter;
  std::string db;
};

/// The rows that a listing shows, in its order.
Result<std::vector<uint32_t>> chosen_rows(const KernelTable& table, const KernelsOptions& options) {
  HLOSCOPE_ASSIGN(const analysis::KernelQuery query, analysis::KernelQuery::parse(options.filter));
  std::vector<uint32_t> rows = table.filtered(query);
  if (!options.sort.empty()) {
    const auto column = analysis::column_by_key(options.sort);
    if (!column) {
      std::string keys;
      for (const KernelColumn& known : analysis::kernel_columns()) keys += " " + known.key;
      return fail(ErrorCode::kNotFound, fmt::format("no column is called '{}'", options.sort),
                  "sort by one of:" + keys);
    }
    table.sort(rows, *column, analysis::kernel_columns()[*column].is_number());
  }
  if (options.top > 0 && rows.size() > options.top) rows.resize(options.top);
  return rows;
}

std::string cell(const KernelTable& table, uint32_t row, size_t index) {
  const KernelColumn& column = analysis::kernel_columns()[index];
  if (!column.is_number()) return std::string(table.text(row, index));
  const double value = table.number(row, index);
  if (value != value) return "-";
  switch (column.kind) {
    case ColumnKind::kTime:
      return microseconds(value);
    case ColumnKind::kError:
      return fmt::format("{:+.1f}", value * 100);
    case ColumnKind::kShare:
      return fmt::format("{:.1f}", value * 100);
    case ColumnKind::kCount:
      return fmt::format("{:g}", value);
    case ColumnKind::kIntensity:
      return fmt::format("{:.1f}", value);
    case ColumnKind::kFlag:
      return value > 0 ? "yes" : "no";
    default:
      return with_prefix(value);
  }
}

std::string to_text(const KernelTable& table, const std::vector<uint32_t>& rows) {
  std::vector<TextTable::Column> titles;
  std::vector<size_t> shown;
  for (size_t i = 0; i < analysis::kernel_columns().size(); ++i) {
    const KernelColumn& column = analysis::kernel_columns()[i];
    if (!column.shown) continue;
    shown.push_back(i);
    titles.push_back(
        {column.title, column.is_number() ? TextTable::Align::kRight : TextTable::Align::kLeft});
  }
  titles.push_back({"What", TextTable::Align::kLeft});
  TextTable text(titles);
  for (uint32_t row : rows) {
    std::vector<std::string> cells;
    cells.reserve(shown.size() + 1);
    for (size_t i : shown) cells.push_back(cell(table, row, i));
    cells.emplace_back(table.label(row));
    text.add_row(std::move(cells));
  }
  return text.text();
}

std::string summary(const KernelTable& table, const std::vector<uint32_t>& rows) {
  const analysis::ModuleReport& report = table.report();
  std::string out = fmt::format("{}, {} of {} kernels, {}", display_name(report), rows.size(),
                                table.row_count(), report.machine.title);
  out += "\n" + origin_text(report.origin);
  out += fmt::format("\nsimulated {} µs in all, {}", microseconds(report.simulated_total_ns),
                     analysis::rule_share_text(report.rule_share));
  out += fmt::format("\nanalytical {} µs in all", microseconds(report.analytical_total_ns));
  if (report.program_measured_ns) {
    out += fmt::format("\nmeasured {} µs (whole program, default configuration)",
                       microseconds(*report.program_measured_ns));
  }
  return out + "\nsimulated and analytical times are estimates, not measured\n";
}

nlohmann::ordered_json row_json(const KernelTable& table, uint32_t row) {
  nlohmann::ordered_json out;
  for (size_t i = 0; i < analysis::kernel_columns().size(); ++i) {
    const KernelColumn& column = analysis::kernel_columns()[i];
    if (!column.is_number()) {
      out[column.csv_name] = table.text(row, i);
      continue;
    }
    const double value = table.number(row, i);
    if (column.kind == ColumnKind::kFlag && value == value) {
      out[column.csv_name] = value > 0;
      continue;
    }
    out[column.csv_name] =
        value == value ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
  }
  out["label"] = table.label(row);
  out["kernel_hash"] = table.kernel(row).hash.hex();
  return out;
}

nlohmann::ordered_json to_json(const KernelTable& table, const std::vector<uint32_t>& rows) {
  const analysis::ModuleReport& report = table.report();
  auto kernels = nlohmann::ordered_json::array();
  for (uint32_t row : rows) kernels.push_back(row_json(table, row));
  return {{"file", report.file_path},
          {"module_number", report.module_number},
          {"name", report.module.program->name()},
          {"machine", report.machine.id},
          {"machine_hash", report.machine.hash.hex()},
          {"is_optimized", report.origin == analysis::KernelOrigin::kCompiled},
          {"kernels_from", analysis::name(report.origin)},
          {"kernel_count", table.row_count()},
          {"simulated_total_ns", report.simulated_total_ns},
          {"analytical_total_ns", report.analytical_total_ns},
          {"rule_share", report.rule_share},
          {"kernels", kernels}};
}

std::string to_csv(const KernelTable& table, const std::vector<uint32_t>& rows) {
  std::vector<size_t> columns(analysis::kernel_columns().size());
  std::iota(columns.begin(), columns.end(), size_t{0});
  return analysis::export_rows(table, rows, columns, analysis::TableFormat::kCsv);
}

void run(const KernelsOptions& options, int& exit_code) {
  auto list = nlohmann::ordered_json::array();
  bool first = true;
  for (const ReportPtr& report : load_reports(options, exit_code)) {
    if (!store_if_asked(options.db, *report)) exit_code = kBadInput;
    const KernelTable table(report);
    const auto rows = chosen_rows(table, options);
    if (!rows) {
      print_error(rows.error());
      exit_code = kUsage;
      return;
    }
    if (options.json) {
      list.push_back(to_json(table, *rows));
    } else if (options.csv) {
      const std::string csv = to_csv(table, *rows);
      // One header for all modules.
      std::cout << (first ? csv : csv.substr(csv.find('\n') + 1));
    } else {
      std::cout << (first ? "" : "\n") << summary(table, *rows) << to_text(table, *rows);
    }
    first = false;
  }
  if (options.json) std::cout << json_text(list) << "\n";
}

}  // namespace

void add_kernels_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<KernelsOptions>();
  CLI::App* command = app.add_subcommand("kernels", "the kernels of a program with their times");
  add_file_options(*command, *options);
  add_machine_option(*command, *options);
  add_raw_option(*command, *options);
  command->add_option("--top", options->top, "only the first N rows")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 31));
  command->add_option(
      "--sort", options->sort,
      "column: name, class, simulated, analytical, measured, err, flops, share, ...");
  command->add_option("--filter", options->filter, "e.g. 'class:matmul simulated>100'");
  command->add_option("--db", options->db, "also store program and times in this database");
  command->footer(
      "Times are of one execution; share counts executions (loop trips). Numbers sort descending.\n"
      "Example: hloscope-cli kernels samples/mobilenet_v2.hlo --top 10 --sort simulated\n"
      "JSON: [{\"file\", \"module_number\", \"name\", \"machine\", \"machine_hash\", "
      "\"is_optimized\", \"kernels_from\": \"own_fusion\", "
      "\"kernel_count\",\n  \"simulated_total_ns\", \"analytical_total_ns\", \"rule_share\": 1.0, "
      "\"kernels\": [{\"kernel\": \"fusion.1\",\n  \"measured_ns\": null, \"simulated_ns\": "
      "1230.5, "
      "\"analytical_ns\": 1234.5, ..., \"tile\": \"out=12x4x4x3\",\n  \"vmem_bytes\": 8192.0, "
      "\"has_fallback\": false, \"label\": \"add\", \"kernel_hash\": \"...\"}]}]\n"
      "kernels_from: compiled, own_fusion, raw.\nhas_fallback: an opcode without a rule of its own takes part; rule_share: the share of the\n"
      "simulated time in the other kernels.");
  command->callback([options, &exit_code] { run(*options, exit_code); });
}

}  // namespace hloscope::cli
