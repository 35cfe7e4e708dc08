#include "app/cli/html_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/html_compare.h"
#include "app/cli/html_kernel_table.h"
#include "app/cli/html_page.h"
#include "app/cli/html_parts.h"
#include "app/cli/text_table.h"
#include "core/analysis/simulate_svg.h"
#include "core/predict/tile_ranking_svg.h"

namespace hloscope::cli {

namespace {

using analysis::TimeSource;

constexpr int kDeltaCell = 2;  ///< Where the change stands in a row of totals: behind the time.

std::string total_row(const analysis::TimeSourceInfo& source,
                      const analysis::KernelTable::Totals& totals, std::string_view what,
                      bool has_baseline) {
  const auto at = static_cast<size_t>(source.source);
  const double mape = totals.mape[at];
  std::vector<std::string> cells = {
      std::string(source.title), totals.timed[at] == 0 ? "–" : microseconds(totals.time_ns[at]),
      fmt::format("{} of {}", totals.timed[at], totals.kernels),
      mape == mape ? fmt::format("{:.1f}", mape * 100) : "–", std::string(what)};
  const double delta = totals.delta[at];
  if (has_baseline) {
    cells.insert(cells.begin() + kDeltaCell,
                 delta == delta ? fmt::format("{:+.1f}", delta * 100) : "–");
  }
  return html_row(cells);
}

std::string what_it_is(const analysis::ModuleReport& report, TimeSource source, size_t timed) {
  switch (source) {
    case TimeSource::kMeasured:
      if (timed == 0) return "nothing was measured";
      return report.measured_file ? "measured on a device, from " + report.measured_file->file_path
                                  : "measured on a device, from the file";
    case TimeSource::kSimulated:
      return fmt::format("simulated tile by tile, not measured; {}",
                         analysis::rule_share_text(report.rule_share));
    case TimeSource::kAnalytical:
      return "launch + max(compute, memory), not measured";
    case TimeSource::kPredicted:
      return fmt::format("predicted by {}, not measured", report.predicted.by.label());
    case TimeSource::kCompiler:
      return "the compiler's own estimate, not measured";
  }
  return {};
}

/// Kernels x executions, by source.
std::string totals_table(const analysis::KernelTable& table) {
  const analysis::ModuleReport& report = table.report();
  std::vector<uint32_t> rows(table.row_count());
  for (uint32_t row = 0; row < rows.size(); ++row) rows[row] = row;
  const analysis::KernelTable::Totals totals = table.totals(rows);
  const bool has_baseline = table.baseline() != nullptr;
  std::vector<std::string> titles = {"Source", "Total µs", "Kernels with a time", "MAPE %",
                                     "What it is"};
  if (has_baseline) titles.insert(titles.begin() + kDeltaCell, "Δ %");
  std::string out = html_head("Totals by source: kernels with all their executions", titles);
  for (const analysis::TimeSourceInfo& source : analysis::kTimeSources) {
    if (!analysis::has_place(report, source.source)) continue;
    const size_t timed = totals.timed[static_cast<size_t>(source.source)];
    out += total_row(source, totals, what_it_is(report, source.source, timed), has_baseline);
  }
  if (report.program_measured_ns) {
    std::vector<std::string> cells = {
        "Measured program", microseconds(*report.program_measured_ns), "–", "–",
        "the whole program in its default configuration, from the file"};
    if (has_baseline) cells.insert(cells.begin() + kDeltaCell, "–");
    out += html_row(cells);
  }
  out += "</tbody></table>\n";
  if (!has_baseline) return out;
  return out + fmt::format(
                   "<p class=\"note\">Δ: change of the time against {}, positive where it "
                   "takes longer here.</p>\n",
                   html(table.baseline()->label()));
}

std::string machine_details(const sim::Machine& machine) {
  std::string out = fmt::format("<details><summary>Machine: {}, {} constants, hash {}</summary>\n",
                                html(machine.title), machine.constants.size(), machine.hash.hex());
  out += html_head("What the simulator takes the machine for",
                   {"Constant", "Value", "Unit", "Source"});
  for (const auto& [name, constant] : machine.constants) {
    out += html_row({name, fmt::format("{:g}", constant.value), constant.unit, constant.source});
  }
  return out + "</tbody></table></details>\n";
}

std::string summary(const analysis::ModuleReport& report) {
  const hlo::Program& program = *report.module.program;
  std::string out = fmt::format(
      "<p>{} · {} instructions in {} computations · {}, {} distinct; kernels: {}{}<br>\n"
      "{}FLOP, {}B accessed with loops · {} ({})</p>\n",
      html(display_name(report)), grouped(static_cast<double>(program.instruction_count())),
      program.computation_count(),
      counted(static_cast<int64_t>(report.kernels.kernels.size()), "kernel", "kernels"),
      report.kernels.distinct.size(), analysis::title(report.origin),
      report.origin == analysis::KernelOrigin::kRaw
          ? " (not optimised: one instruction = one kernel)"
          : "",
      with_prefix(report.cost.weighted.flops), with_prefix(report.cost.weighted.bytes_accessed),
      html(report.machine.title), html(report.machine.id));
  if (!report.predicted.absence.empty()) {
    out += fmt::format("<p class=\"note\">Nothing is predicted: {}</p>\n",
                       html(report.predicted.absence));
  }
  return out;
}

std::string timeline_figures(const ReportPtr& report, const HtmlOptions& options) {
  // Fails only when cancelled.
  const auto timeline = analysis::ProgramTimeline::make(report).value_or(nullptr);
  if (!timeline || timeline->spans().empty()) {
    return "<p class=\"note\">No kernel takes simulated time: no time axis.</p>\n";
  }
  analysis::TimeWindow window = analysis::default_window(*timeline);
  const double end_ns = timeline->total_ns();
  if (options.window_from_ns) window.from_ns = std::min(*options.window_from_ns, end_ns);
  if (options.window_to_ns) window.to_ns = std::min(*options.window_to_ns, end_ns);
  std::string out = "<div class=\"charts\">\n";
  out += html_figure("Program", "all executions of a kernel together, simulated",
                     analysis::program_strip_svg(*timeline, window));
  if (window.to_ns > window.from_ns) {
    out += html_figure(
        "Units",
        fmt::format("{:.2f} to {:.2f} µs, simulated", window.from_ns / 1e3, window.to_ns / 1e3),
        analysis::unit_lanes_svg(*timeline, window));
  } else {
    out += "<p class=\"note\">The window of the unit lanes lies outside the run.</p>\n";
  }
  out += "</div>\n<div class=\"charts half\">\n";
  out += html_figure("Roofline", "area: share of the time", analysis::roofline_svg(*report));
  out += html_figure("Where the time goes", "simulated", analysis::parts_svg(*timeline));
  return out + "</div>\n";
}

std::string slowdown_text(const std::optional<double>& slowdown) {
  return slowdown ? fmt::format("{:.1f}", *slowdown * 100) : "–";
}

std::string ranking_row(const predict::TileRanking& ranking,
                        const analysis::TimeSourceInfo& source) {
  const predict::TileColumn& column = ranking.column(source.source);
  const accuracy::Ranking& ranks = column.ranking;
  return html_row({std::string(source.title), fmt::format("{}", ranks.tiles),
                   slowdown_text(ranks.top1_slowdown), slowdown_text(ranks.top5_slowdown),
                   slowdown_text(ranks.top10_slowdown),
                   ranks.kendall_tau ? fmt::format("{:.3f}", *ranks.kendall_tau) : "–",
                   column.first ? sim::tile_text(ranking.tile(*column.first)) : "–"});
}

/// Of a module with one kernel whose tiles were measured; else empty.
std::string tiles_section(const ReportPtr& report, ThreadPool& pool) {
  if (report->run_times.empty() || report->kernels.kernels.empty()) return {};
  const auto made = predict::rank_tiles(report, graph::KernelId(0), {}, pool);
  if (!made)
    return fmt::format("<p class=\"note\">No tiles: {}</p>\n", html(made.error().format()));
  const predict::TileRanking& ranking = **made;
  if (ranking.list.measured == 0) return {};
  std::string out =
      fmt::format("<h3>Tiles</h3>\n<p>{} measured tiles of {}{}</p>\n", ranking.list.measured,
                  grouped(ranking.all_count),
                  ranking.ranked_by.empty() ? std::string()
                                            : "; predicted ranks by " + html(ranking.ranked_by));
  out += html_figure("Tiles by each source", "best of the first k against the fastest measured",
                     predict::tile_curve_svg(ranking));
  out += html_head(
      "Slowdown of the first tiles of each source, against the fastest measured; none "
      "under 10 tiles",
      {"Source", "Tiles", "Top-1 %", "Top-5 %", "Top-10 %", "Kendall tau", "First tile"});
  for (const analysis::TimeSourceInfo& source : analysis::kTimeSources) {
    if (!source.is_estimate || ranking.column(source.source).is_empty()) continue;
    out += ranking_row(ranking, source);
  }
  return out + "</tbody></table>\n";
}

std::string module_section(const ReportPtr& report, size_t number, const HtmlOptions& options,
                           ThreadPool& pool) {
  const analysis::KernelTable table(report, options.baseline);
  std::string out = fmt::format("<section id=\"module{}\"><h2>{}</h2>\n", number,
                                html(report->module.program->name()));
  out += summary(*report) + totals_table(table) + machine_details(report->machine);
  if (table.row_count() == 0) {
    return out + "<p class=\"note\">The program has no kernels.</p></section>\n";
  }
  out += timeline_figures(report, options);
  out += tiles_section(report, pool);
  out += "<h3>Kernels</h3>\n" + html_kernel_table(table, number);
  return out + "</section>\n";
}

std::string contents(const std::vector<ReportPtr>& reports) {
  if (reports.size() < 2) return {};
  std::string out = "<nav aria-label=\"Programs\"><ul>\n";
  for (size_t i = 0; i < reports.size(); ++i) {
    out += fmt::format("<li><a href=\"#module{}\">{}</a> {}</li>\n", i + 1,
                       html(reports[i]->module.program->name()), html(display_name(*reports[i])));
  }
  return out + "</ul></nav>\n";
}

}  // namespace

std::string html_report(const std::vector<ReportPtr>& reports, const HtmlOptions& options,
                        ThreadPool& pool) {
  std::string body =
      "<h1>hloscope report</h1>\n"
      "<p class=\"note\">Only times that a device took are called measured. All others are "
      "estimates. Times are of one execution where nothing else is said; share counts executions, "
      "in measured time where every kernel has one, else in simulated time.</p>\n";
  body += contents(reports);
  body += html_compare(reports);
  for (size_t i = 0; i < reports.size(); ++i) {
    body += module_section(reports[i], i + 1, options, pool);
  }
  if (!options.pictures.empty()) body += "<h2>Pages of the desktop program</h2>\n";
  for (const std::string& picture : options.pictures) {
    body += fmt::format("<p>{0}</p><img src=\"{1}\" alt=\"{0}\">\n", html(picture),
                        html(url_of(picture)));
  }
  return html_page("hloscope report", body);
}

}  // namespace hloscope::cli
