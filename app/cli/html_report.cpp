#include "app/cli/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>

#include "app/cli/text_table.h"
#include "core/analysis/kernel_table.h"

namespace hloscope::cli {

namespace {

constexpr size_t kMaxRows = 300;

constexpr std::string_view kStyle = R"(
  :root { color-scheme: light dark; }
  body { font: 14px/1.45 system-ui, sans-serif; max-width: 1200px; margin: 24px auto; padding: 0 16px; }
  h1 { font-size: 22px; } h2 { font-size: 17px; margin-top: 32px; }
  table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
  th, td { padding: 3px 8px; border-bottom: 1px solid #8884; text-align: right; white-space: nowrap; }
  th:nth-child(-n+3), td:nth-child(-n+3) { text-align: left; }
  td:nth-child(2) { max-width: 420px; overflow: hidden; text-overflow: ellipsis; }
  .note { opacity: .75; } img { max-width: 100%; border: 1px solid #8884; margin: 6px 0; }
  .scroll { overflow-x: auto; }
)";

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string time_cell(std::optional<double> time_ns) {
  return time_ns ? microseconds(*time_ns) : "–";
}

/// The headings or the cells of a row of those sources of times that most programs do not have.
std::string optional_cells(const analysis::KernelTable& table, std::optional<uint32_t> row) {
  std::string out;
  for (const analysis::TimeSourceInfo& source : analysis::kTimeSources) {
    if (!source.is_optional || !analysis::has_place(table.report(), source.source)) continue;
    if (!row) {
      out += fmt::format("<th>{} µs</th>", source.title);
    } else {
      const auto time = analysis::time_ns(table.report(), source.source, graph::KernelId(*row));
      out += fmt::format("<td>{}</td>", time_cell(time));
    }
  }
  return out;
}

std::string kernel_row(const analysis::KernelTable& table, uint32_t row) {
  static const size_t kShare = *analysis::column_by_key("share");
  static const size_t kTile = *analysis::column_by_key("tile");
  const analysis::ModuleReport& report = table.report();
  const graph::KernelId id(row);
  const graph::Kernel& kernel = report.kernels.kernels[id];
  const analysis::Cost& cost = report.cost.kernels[id];
  const double share = table.number(row, kShare);
  const std::string_view tile = table.text(row, kTile);
  std::string out = fmt::format(
      "<tr><td>{}</td><td>{}</td><td>{}</td><td>{:g}</td><td>{}</td><td>{}</td><td>{}</td>{}",
      escaped(table.name(row)), escaped(table.label(row)), hlo::name(kernel.op_class),
      kernel.executions, time_cell(report.measured_ns[id]),
      microseconds(report.times.simulated[id].time_ns),
      microseconds(report.times.analytical[id].time_ns), optional_cells(table, row));
  return out +
         fmt::format("<td>{:.1f}</td><td>{}</td><td>{}FLOP</td><td>{}B</td><td>{}</td></tr>\n",
                     share == share ? share * 100 : 0,
                     analysis::name(report.times.simulated[id].bound),
                     with_prefix(std::max(0.0, cost.flops)), with_prefix(cost.bytes_accessed),
                     tile.empty() ? "–" : escaped(tile));
}

std::string totals_text(const analysis::ModuleReport& report) {
  std::string out =
      fmt::format("simulated {} µs, analytical {} µs on {}, not measured; {}",
                  microseconds(report.simulated_total_ns), microseconds(report.analytical_total_ns),
                  escaped(report.machine.title), analysis::rule_share_text(report.rule_share));
  if (analysis::has_place(report, analysis::TimeSource::kPredicted)) {
    out +=
        fmt::format("; predicted {} µs by {}, not measured",
                    microseconds(report.predicted.total_ns), escaped(report.predicted.by.label()));
  }
  if (report.program_measured_ns) {
    out += fmt::format(" · measured {} µs", microseconds(*report.program_measured_ns));
  }
  return out;
}

std::string module_section(const ReportPtr& report) {
  const analysis::KernelTable table(report);
  std::vector<uint32_t> rows(table.row_count());
  std::iota(rows.begin(), rows.end(), 0U);
  if (const auto share = analysis::column_by_key("share")) table.sort(rows, *share, true);
  const size_t all = rows.size();
  rows.resize(std::min(rows.size(), kMaxRows));

  const hlo::Program& program = *report->module.program;
  std::string out = fmt::format("<h2>{}</h2>\n", escaped(program.name()));
  out += fmt::format(
      "<p>{} · {} instructions in {} computations · {} kernels, {} distinct; kernels: {}{}<br>\n"
      "{}FLOP, {}B accessed with loops · {}</p>\n",
      escaped(display_name(*report)), grouped(static_cast<double>(program.instruction_count())),
      program.computation_count(), all, report->kernels.distinct.size(),
      analysis::title(report->origin),
      report->origin == analysis::KernelOrigin::kRaw
          ? " (not optimised: one instruction = one kernel)"
          : "",
      with_prefix(report->cost.weighted.flops), with_prefix(report->cost.weighted.bytes_accessed),
      totals_text(*report));
  if (rows.size() < all) {
    out += fmt::format("<p class=\"note\">The {} kernels with the largest share of {}.</p>\n",
                       rows.size(), all);
  }
  out +=
      "<div "
      "class=\"scroll\"><table><tr><th>Kernel</th><th>What</th><th>Class</th><th>Executions</th>"
      "<th>Measured µs</th><th>Simulated µs</th><th>Analytical µs</th>";
  out += optional_cells(table, std::nullopt);
  out += "<th>Share %</th><th>Bound by</th><th>Work</th><th>Traffic</th><th>Tile</th></tr>\n";
  for (uint32_t row : rows) out += kernel_row(table, row);
  return out + "</table></div>\n";
}

}  // namespace

std::string html_report(const std::vector<ReportPtr>& reports,
                        const std::vector<std::string>& pictures) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width\"><title>hloscope report</title>"
      "<style>{}</style></head><body>\n<h1>hloscope report</h1>\n",
      kStyle);
  out +=
      "<p class=\"note\">Simulated times come from the tile-by-tile simulator, analytical ones "
      "from "
      "launch + max(compute, memory): both are estimates, not measurements. Measured times come "
      "from the file itself. Times are of one execution; share counts executions, in measured time "
      "where every kernel has one, else in simulated time.</p>\n";
  for (const ReportPtr& report : reports) out += module_section(report);
  if (!pictures.empty()) out += "<h2>Pages of the desktop program</h2>\n";
  for (const std::string& picture : pictures) {
    out += fmt::format("<p>{0}</p><img src=\"{0}\" alt=\"{0}\">\n", escaped(picture));
  }
  return out + "</body></html>\n";
}

}  // namespace hloscope::cli
