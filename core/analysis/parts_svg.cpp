#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/analysis/simulate_svg.h"
#include "core/analysis/svg.h"

namespace hloscope::analysis {

namespace {

constexpr size_t kMostKernels = 12;
constexpr double kRow = 24;
constexpr size_t kMostLetters = 24;

/// A bar: one kernel with all its executions and those of its equals, or the program.
struct Bar {
  std::string name;
  sim::TimeParts parts{};
  double total_ns = 0;
};

Bar program_bar(const ProgramTimeline& timeline) {
  return {"program", timeline.total_parts(), timeline.total_ns()};
}

std::vector<Bar> kernel_bars(const ProgramTimeline& timeline) {
  const ModuleReport& report = timeline.report();
  std::vector<double> executions(report.kernels.distinct.size());
  for (const KernelSpan& span : timeline.spans()) {
    executions[report.kernels.distinct_of[span.kernel]] += span.executions;
  }
  std::vector<Bar> bars;
  for (size_t d = 0; d < executions.size(); ++d) {
    if (!(executions[d] > 0)) continue;
    const graph::KernelId kernel = report.kernels.distinct[d];
    const graph::Kernel& one = report.kernels.kernels[kernel];
    Bar bar{std::string((*report.module.program)[one.instruction].name), timeline.parts(kernel), 0};
    for (double& part : bar.parts) {
      part *= executions[d];
      bar.total_ns += part;
    }
    if (executions[d] != 1) bar.name += fmt::format(" ×{:g}", executions[d]);
    bars.push_back(std::move(bar));
  }
  std::stable_sort(bars.begin(), bars.end(),
                   [](const Bar& a, const Bar& b) { return a.total_ns > b.total_ns; });
  if (bars.size() > kMostKernels) bars.resize(kMostKernels);
  return bars;
}

/// Hatching, so that parts differ without colour; of each part one.
std::string patterns() {
  constexpr std::array<std::string_view, sim::kTimePartCount> kLines = {
      "", "M0 0 8 8", "M0 4H8", "M4 0V8", "M0 8 8 0", "M0 4H8M4 0V8", "M0 0 8 8M0 8 8 0"};
  std::string out = "<defs>\n";
  for (size_t i = 0; i < kLines.size(); ++i) {
    out += fmt::format(
        "<pattern id=\"part{0}\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">"
        "<rect width=\"8\" height=\"8\" fill=\"{1}\"/><path d=\"{2}\" stroke=\"{3}\" "
        "stroke-width=\"1.2\"/></pattern>\n",
        i, svg::colour("part", i), kLines[i].empty() ? "M0 0" : kLines[i], svg::colour("paper"));
  }
  return out + "</defs>\n";
}

std::string part_fill(size_t part) {
  return fmt::format("fill=\"url(#part{0})\" stroke=\"{1}\"", part, svg::colour("part", part));
}

std::string cut(const std::string& name) {
  if (name.size() <= kMostLetters) return name;
  size_t end = kMostLetters - 1;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
  return name.substr(0, end) + "…";
}

std::string bar_svg(const Bar& bar, const svg::Frame& frame, double top, double full_ns) {
  std::string out = svg::text(frame.left - 6, top + 13, cut(bar.name),
                              fmt::format("text-anchor=\"end\" fill=\"{}\"", svg::colour("ink")));
  double before_ns = 0;
  const double per_ns = frame.width / full_ns;
  for (size_t i = 0; i < bar.parts.size(); ++i) {
    if (!(bar.parts[i] > 0)) continue;
    out += svg::rect({frame.left + before_ns * per_ns, top, bar.parts[i] * per_ns, kRow - 7},
                     part_fill(i),
                     fmt::format("{}: {} {:.2f} µs, {:.1f} %", bar.name,
                                 sim::name(static_cast<sim::TimePart>(i)), bar.parts[i] / 1e3,
                                 100 * bar.parts[i] / bar.total_ns));
    before_ns += bar.parts[i];
  }
  return out + svg::text(frame.left + before_ns * per_ns + 6, top + 13,
                         fmt::format("{:.{}f}", bar.total_ns / 1e3, bar.total_ns < 1e4 ? 2 : 1),
                         fmt::format("fill=\"{}\"", svg::colour("muted")));
}

/// The program has an axis of its own, from 0 to 100 %.
std::string part_legend(const Bar& all, const svg::Frame& place) {
  std::vector<svg::LegendEntry> entries;
  for (size_t i = 0; i < all.parts.size(); ++i) {
    if (!(all.parts[i] > 0)) continue;
    entries.push_back({svg::rect({-8, -7, 16, 13}, part_fill(i)),
                       fmt::format("{} {:.1f} %", sim::name(static_cast<sim::TimePart>(i)),
                                   100 * all.parts[i] / all.total_ns)});
  }
  return svg::legend(place, entries);
}

}  // namespace

std::string parts_svg(const ProgramTimeline& timeline) {
  const Bar all = program_bar(timeline);
  const std::vector<Bar> bars = kernel_bars(timeline);
  if (bars.empty()) return {};
  const double height = kRow * static_cast<double>(bars.size());
  const svg::Frame frame{190, 76, 430, height};
  std::string body = patterns();
  body += part_legend(all, {16, 16, 670, 0});
  body += bar_svg(all, {190, 0, 430, 0}, 50, all.total_ns);
  body +=
      svg::x_axis(frame, {0, bars.front().total_ns / 1e3, false}, "simulated, all executions, µs");
  for (size_t i = 0; i < bars.size(); ++i) {
    body += bar_svg(bars[i], frame, frame.top + 4 + kRow * static_cast<double>(i),
                    bars.front().total_ns);
  }
  return svg::document(
      {700, frame.bottom() + 44, "Where the simulated time goes",
       fmt::format("The program ({:.1f} µs, its bar fills the width) and the {} distinct kernels "
                   "that take most of it; names and hatching say the parts.",
                   all.total_ns / 1e3, bars.size())},
      body);
}

}  // namespace hloscope::analysis
