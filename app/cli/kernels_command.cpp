#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/baseline_options.h"
#include "app/cli/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/load.h"
#include "app/cli/measured_times.h"
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
  MeasuredOptions measured;
  BaselineOptions baseline;
};

/// The rows that a listing shows, in its order.
Result<std::vector<uint32_t>> chosen_rows(const KernelTable& table, const KernelsOptions& options) {
  HLOSCOPE_ASSIGN(const analysis::KernelQuery query, analysis::KernelQuery::parse(options.filter));
  std::vector<uint32_t> rows = table.filtered(query);
  // The first ones asked for without an order are those that matter most.
  const std::string key = options.sort.empty() && options.top > 0 ? "share" : options.sort;
  if (!key.empty()) {
    const auto column = analysis::column_by_key(key);
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

std::string text_cell(const KernelTable& table, uint32_t row, size_t index) {
  const KernelColumn& column = analysis::kernel_columns()[index];
  if (!column.is_number()) return std::string(table.text(row, index));
  const double value = table.number(row, index);
  if (value != value) return "-";
  switch (column.kind) {
    case ColumnKind::kTime:
      return microseconds(value);
    case ColumnKind::kError:
    case ColumnKind::kDelta:
      return fmt::format("{:+.1f}", value * 100);
    case ColumnKind::kSpread:
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

/// Text leaves out times that no kernel has and, where there is little room, what is not needed
/// most; JSON and CSV do not.
bool is_in_text(const KernelTable& table, size_t index, bool is_narrow) {
  constexpr std::string_view kLeftOut[] = {"class", "instrs", "spread", "far", "flops", "bytes"};
  const KernelColumn& column = analysis::kernel_columns()[index];
  if (!column.shown || !table.has_column(index)) return false;
  if (is_narrow && std::ranges::count(kLeftOut, column.key) > 0) return false;
  if (is_narrow && table.baseline() && column.kind == ColumnKind::kIntensity) return false;
  const bool may_be_empty = column.kind == ColumnKind::kTime || column.kind == ColumnKind::kError;
  if (!may_be_empty) return true;
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    if (!std::isnan(table.number(row, index))) return true;
  }
  return false;
}

/// As the window has them where there is little room.
std::string text_title(const KernelColumn& column) {
  constexpr std::pair<std::string_view, std::string_view> kShort[] = {
      {"Executions", "Exec."},   {"Measured", "Meas."},  {"Simulated", "Simul."},
      {"Analytical", "Analyt."}, {"Predicted", "Pred."}, {"Share of total %", "Share %"}};
  std::string out = column.title;
  for (const auto& [whole, part] : kShort) {
    if (out.starts_with(whole)) out.replace(0, whole.size(), part);
  }
  return out;
}

constexpr size_t kNoLimit = std::numeric_limits<size_t>::max();

std::string to_text(const KernelTable& table, const std::vector<uint32_t>& rows, bool is_narrow) {
  std::vector<TextTable::Column> titles;
  std::vector<size_t> shown;
  for (size_t i = 0; i < analysis::kernel_columns().size(); ++i) {
    const KernelColumn& column = analysis::kernel_columns()[i];
    if (!is_in_text(table, i, is_narrow)) continue;
    shown.push_back(i);
    using enum TextTable::Align;
    titles.push_back({is_narrow ? text_title(column) : column.title,
                      column.is_number()                 ? kRight
                      : column.kind == ColumnKind::kName ? kElided
                                                         : kLeft});
  }
  titles.push_back({"What", TextTable::Align::kElided});
  TextTable text(titles);
  bool has_far = false;
  for (uint32_t row : rows) {
    std::vector<std::string> cells;
    cells.reserve(shown.size() + 1);
    for (size_t i : shown) {
      const bool has_mark = is_narrow && table.is_far(row, i);
      cells.push_back((has_mark ? "!" : "") + text_cell(table, row, i));
      has_far = has_far || has_mark;
    }
    cells.emplace_back(table.label(row));
    text.add_row(std::move(cells));
  }
  const std::string lines = is_narrow ? text.text() : text.text(kNoLimit);
  return lines + (has_far ? "! unlike the kernels that the model learned from\n" : "");
}

/// With all columns where there is room for them.
std::string to_text(const KernelTable& table, const std::vector<uint32_t>& rows) {
  std::string whole = to_text(table, rows, false);
  return width_of(whole) <= output_columns() ? whole : to_text(table, rows, true);
}

std::string summary(const KernelTable& table, const std::vector<uint32_t>& rows) {
  const analysis::ModuleReport& report = table.report();
  std::string out = fmt::format("{}, {} of {} kernels, {}", display_name(report), rows.size(),
                                table.row_count(), report.machine.title);
  out += "\n" + origin_text(report.origin);
  out += fmt::format("\nsimulated {} µs in all, {}", microseconds(report.simulated_total_ns),
                     analysis::rule_share_text(report.rule_share));
  out += fmt::format("\nanalytical {} µs in all", microseconds(report.analytical_total_ns));
  if (!report.predicted.absence.empty()) {
    out += fmt::format("\nnothing predicted: {}", report.predicted.absence);
  }
  if (analysis::has_place(report, analysis::TimeSource::kPredicted)) {
    out += fmt::format("\npredicted {} µs in all, by {}, not measured",
                       microseconds(report.predicted.total_ns), report.predicted.by.label());
  }
  if (analysis::has_place(report, analysis::TimeSource::kCompiler)) {
    out += fmt::format(
        "\nXLA estimate {} µs in all: the compiler's own cycles at this machine's clock, not "
        "measured",
        microseconds(report.compiler_total_ns));
  }
  if (report.program_measured_ns) {
    out += fmt::format("\nmeasured {} µs (whole program, default configuration)",
                       microseconds(*report.program_measured_ns));
  }
  return out + "\nsimulated and analytical times are estimates, not measured\n" +
         baseline_text(table);
}

nlohmann::ordered_json row_json(const KernelTable& table, uint32_t row) {
  nlohmann::ordered_json out;
  for (size_t i = 0; i < analysis::kernel_columns().size(); ++i) {
    const KernelColumn& column = analysis::kernel_columns()[i];
    if (!table.has_column(i)) continue;
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
  nlohmann::ordered_json out = {
      {"file", report.file_path},
      {"module_number", report.module_number},
      {"name", report.module.program->name()},
      {"machine", report.machine.id},
      {"machine_hash", report.machine.hash.hex()},
      {"is_optimized", report.origin == analysis::KernelOrigin::kCompiled},
      {"kernels_from", analysis::name(report.origin)},
      {"kernel_count", table.row_count()},
      {"simulated_total_ns", report.simulated_total_ns},
      {"analytical_total_ns", report.analytical_total_ns},
      {"rule_share", report.rule_share}};
  if (analysis::has_place(report, analysis::TimeSource::kPredicted)) {
    out["predicted_total_ns"] = report.predicted.total_ns;
    out["model"] = report.predicted.by.model;
    out["model_hash"] = report.predicted.by.hash.hex();
  }
  if (table.baseline()) out["baseline"] = baseline_json(table);
  out["kernels"] = std::move(kernels);
  return out;
}

/// What is written of one module.
struct KernelListing {
  KernelTable table;
  std::vector<uint32_t> rows;
  std::optional<MeasuredReport> measured;
};

/// Those that any module has: one header is for all.
std::vector<size_t> csv_columns(const std::vector<KernelListing>& listings) {
  std::vector<size_t> columns;
  for (size_t i = 0; i < analysis::kernel_columns().size(); ++i) {
    const auto has = [i](const KernelListing& one) { return one.table.has_column(i); };
    if (std::any_of(listings.begin(), listings.end(), has)) columns.push_back(i);
  }
  return columns;
}

Result<KernelListing> listing(const ReportPtr& report, const KernelsOptions& options,
                              const std::optional<measured::HloStats>& stats,
                              const analysis::BaselinePtr& baseline) {
  std::optional<MeasuredReport> measured;
  if (stats) measured = join_measured(*report, *stats, options.measured);
  KernelTable table(measured ? measured->report : report, baseline);
  HLOSCOPE_ASSIGN(std::vector<uint32_t> rows, chosen_rows(table, options));
  return KernelListing{std::move(table), std::move(rows), std::move(measured)};
}

/// Times of a file that does not fit are shown, not stored.
bool store(const KernelListing& listing, const ReportPtr& report, const KernelsOptions& options) {
  const bool takes_measured = listing.measured && listing.measured->join.fits();
  return store_if_asked(options.db, takes_measured ? *listing.measured->report : *report);
}

std::string text_of(const KernelListing& listing) {
  return summary(listing.table, listing.rows) +
         (listing.measured ? measured_text(*listing.measured) : "") +
         to_text(listing.table, listing.rows);
}

/// Of every module that can be listed; after an error, which is printed, of none.
std::vector<KernelListing> listings(const KernelsOptions& options,
                                    const std::optional<measured::HloStats>& stats,
                                    int& exit_code) {
  std::vector<KernelListing> out;
  const std::vector<ReportPtr> reports = load_reports(options, exit_code);
  if (reports.empty()) return out;
  const auto baseline = load_baseline(options.baseline, options, reports, options.db, exit_code);
  if (!baseline) return out;
  for (const ReportPtr& report : reports) {
    if (const auto ran = stats ? analysis::check_may_have_run(*report) : Status(); !ran) {
      print_error(ran.error());
      exit_code = kBadInput;
      continue;
    }
    auto one = listing(report, options, stats, *baseline);
    if (!one) {
      print_error(one.error());
      exit_code = kUsage;
      return {};
    }
    if (!store(*one, report, options)) exit_code = kBadInput;
    out.push_back(std::move(*one));
  }
  return out;
}

nlohmann::ordered_json listing_json(const KernelListing& listing) {
  nlohmann::ordered_json out = to_json(listing.table, listing.rows);
  if (listing.measured) out["measured"] = measured_json(*listing.measured);
  return out;
}

void run_kernels(const KernelsOptions& options, int& exit_code) {
  const auto stats = read_measured(options.measured, exit_code);
  if (!stats && !options.measured.stats.empty()) return;
  const std::vector<KernelListing> all = listings(options, stats, exit_code);
  if (options.json) {
    auto list = nlohmann::ordered_json::array();
    for (const KernelListing& one : all) list.push_back(listing_json(one));
    std::cout << json_text(list) << "\n";
    return;
  }
  const std::vector<size_t> columns = csv_columns(all);
  bool first = true;
  for (const KernelListing& one : all) {
    if (options.csv) {
      const std::string csv =
          analysis::export_rows(one.table, one.rows, columns, analysis::TableFormat::kCsv);
      std::cout << (first ? csv : csv.substr(csv.find('\n') + 1));
    } else {
      std::cout << (first ? "" : "\n") << text_of(one);
    }
    first = false;
  }
}

}  // namespace

void add_kernels_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<KernelsOptions>();
  options->predictor.emplace();
  CLI::App* command = app.add_subcommand("kernels", "the kernels of a program with their times");
  add_file_options(*command, *options);
  add_machine_option(*command, *options);
  add_raw_option(*command, *options);
  command
      ->add_option("--top", options->top,
                   "only the first N rows, without --sort those with the largest share of the time")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 31));
  command->add_option("--sort", options->sort,
                      "column: name, class, simulated, analytical, predicted, measured, compiler, "
                      "err, flops, share, ...");
  command->add_option("--filter", options->filter, "e.g. 'class:matmul simulated>100'");
  auto* db =
      command->add_option("--db", options->db, "also store program and times in this database");
  add_baseline_options(*command, options->baseline, db);
  add_measured_options(*command, options->measured);
  command->footer(
      "Times are of one execution; share counts executions (loop trips). Numbers sort descending.\n"
      "A narrow terminal leaves out class, instructions, FLOPs, bytes and spread.\n"
      "Example: hloscope-cli kernels samples/mobilenet_v2.hlo --top 10 --sort simulated\n"
      "JSON: [{\"file\", \"module_number\", \"name\", \"machine\", \"machine_hash\", "
      "\"is_optimized\", \"kernels_from\": \"own_fusion\", "
      "\"kernel_count\",\n  \"simulated_total_ns\", \"analytical_total_ns\", \"rule_share\": 1.0, "
      "\"kernels\": [{\"kernel\": \"fusion.1\",\n  \"measured_ns\": null, \"simulated_ns\": "
      "1230.5, "
      "\"analytical_ns\": 1234.5, ..., \"tile\": \"out=12x4x4x3\",\n  \"vmem_bytes\": 8192.0, "
      "\"has_fallback\": false, \"label\": \"add\", \"kernel_hash\": \"...\"}]}]\n"
      "kernels_from: compiled, own_fusion, raw.\nhas_fallback: an opcode without a rule of its own "
      "takes part; rule_share: the share of the\n"
      "simulated time in the other kernels. Only where a learned model is there for the machine: "
      "\"predicted_total_ns\",\n\"model\", \"model_hash\", and of kernels \"predicted_ns\", "
      "\"predicted_spread\", \"is_far\", \"predicted_error\". Only where the compiler wrote its "
      "estimates: "
      "\"compiler_ns\",\n\"compiler_error\", in their place behind those of the models.\n"
      "With --baseline or --baseline-run the change of each time, (now - baseline) / baseline: "
      "\"simulated_delta\",\n... of kernels, and of the program \"baseline\": {\"label\": \"TPU "
      "v4\", "
      "\"simulated_total_delta\": 0.12, ...}. Filters: dsim>5 (%)\n"
      "With --measured: \"measured\": {\"file\", \"device\", \"program\", \"program_count\", "
      "\"fits\",\n  \"matched_share\", \"measured_kernels\", \"kernels_without_row\", "
      "\"kernel_rows\": {\"rows\",\n  \"total_ns\", \"examples\"}, \"waiting_rows\", "
      "\"no_kernel_rows\", \"other_shape_rows\", \"unknown_rows\",\n  \"accuracy\": "
      "[{\"source\", \"kernels\", \"mape\", \"median_ape\", \"kendall_tau\"}]}");
  command->callback([options, &exit_code] { run_kernels(*options, exit_code); });
}

}  // namespace hloscope::cli
