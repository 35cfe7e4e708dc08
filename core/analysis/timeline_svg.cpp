#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/analysis/simulate_svg.h"
#include "core/analysis/svg.h"

namespace hloscope::analysis {

namespace {

constexpr double kWidth = 1100;
constexpr double kTimelineLeft = 72;
constexpr size_t kMostStretches = 1500;
constexpr double kLane = 30;
constexpr double kAround = 0.15;  ///< Shown of a kernel's time before and behind it.
constexpr size_t kClasses = hlo::kOpClassCount;
constexpr std::string_view kLetters = "MERDCXP";  ///< By OpClass.

svg::Frame chart_frame(double top, double height) {
  return {kTimelineLeft, top, kWidth - kTimelineLeft - 64, height};
}

const graph::Kernel& kernel_of(const ProgramTimeline& timeline, const KernelSpan& span) {
  return timeline.report().kernels.kernels[span.kernel];
}

std::string_view name_of(const ProgramTimeline& timeline, const KernelSpan& span) {
  return (*timeline.report().module.program)[kernel_of(timeline, span).instruction].name;
}

/// A bar of a kernel with as much of its name as there is room for.
std::string span_bar(const ProgramTimeline& timeline, const KernelSpan& span,
                     const svg::Frame& place) {
  const auto op_class = static_cast<size_t>(kernel_of(timeline, span).op_class);
  const std::string colour = svg::colour("class", op_class);
  const std::string_view name = name_of(timeline, span);
  std::string out =
      svg::rect(place, fmt::format("fill=\"{0}\" fill-opacity=\"0.35\" stroke=\"{0}\"", colour),
                fmt::format("{} ({})\nfrom {:.2f} µs, {:.2f} µs × {:g}, simulated", name,
                            hlo::name(kernel_of(timeline, span).op_class), span.start_ns / 1e3,
                            span.time_ns / 1e3, span.executions));
  constexpr double kLetter = 7;
  const std::string label(1, kLetters[op_class]);
  const bool whole = place.width > kLetter * (static_cast<double>(name.size()) + 3);
  if (place.width < kLetter * 2) return out;
  return out + svg::text(place.left + place.width / 2, place.top + place.height / 2 + 4,
                         whole ? fmt::format("{} {}", label, name) : label,
                         fmt::format("text-anchor=\"middle\" pointer-events=\"none\" fill=\"{}\"",
                                     svg::colour("ink")));
}

/// Kernels too narrow to stand alone: by pixel the class that takes most of it.
class PixelClasses {
 public:
  explicit PixelClasses(const svg::Frame& frame)
      : frame_(frame), time_(static_cast<size_t>(frame.width) + 1) {}

  void add(double from, double to, size_t op_class) {
    const double last = static_cast<double>(time_.size()) - 1;
    const double at = std::clamp((from + to) / 2 - frame_.left, 0.0, last);
    time_[static_cast<size_t>(at)][op_class] += to - from;
  }
  [[nodiscard]] std::string svg() const {
    std::array<std::string, kClasses> paths;
    for (size_t x = 0; x < time_.size(); ++x) {
      const auto most = std::max_element(time_[x].begin(), time_[x].end());
      if (!(*most > 0)) continue;
      paths[static_cast<size_t>(most - time_[x].begin())] += fmt::format(
          "M{:.0f} {:.0f}v{:.0f}", frame_.left + static_cast<double>(x), frame_.top, frame_.height);
    }
    std::string out;
    for (size_t c = 0; c < kClasses; ++c) {
      if (paths[c].empty()) continue;
      out += fmt::format("<path d=\"{}\" stroke=\"{}\" stroke-opacity=\"0.6\"/>\n", paths[c],
                         svg::colour("class", c));
    }
    return out;
  }

 private:
  svg::Frame frame_;
  std::vector<std::array<double, kClasses>> time_;
};

/// The kernels of a window in one row.
std::string kernel_row(const ProgramTimeline& timeline, TimeWindow window,
                       const svg::Frame& frame) {
  constexpr double kNarrow = 1.5;
  const double per_ns = frame.width / (window.to_ns - window.from_ns);
  PixelClasses narrow(frame);
  std::string out;
  for (size_t i = timeline.span_at(window.from_ns); i < timeline.spans().size(); ++i) {
    const KernelSpan& span = timeline.spans()[i];
    if (span.start_ns >= window.to_ns) break;
    const double from =
        frame.left + (std::max(span.start_ns, window.from_ns) - window.from_ns) * per_ns;
    const double to =
        frame.left + (std::min(span.end_ns(), window.to_ns) - window.from_ns) * per_ns;
    if (to - from >= kNarrow) {
      out += span_bar(timeline, span, {from, frame.top, to - from, frame.height});
    } else if (to > from) {
      narrow.add(from, to, static_cast<size_t>(kernel_of(timeline, span).op_class));
    }
  }
  return narrow.svg() + out;
}

svg::Scale axis_of(TimeWindow window) {
  return {window.from_ns / 1e3, window.to_ns / 1e3, false};
}

/// Stretches as one path of boxes.
std::string stretch_path(const std::vector<Stretch>& stretches, TimeWindow window,
                         const svg::Frame& lane) {
  constexpr double kThinnest = 0.5;
  const double per_ns = lane.width / (window.to_ns - window.from_ns);
  std::string out;
  for (const Stretch& one : stretches) {
    const double from = std::max(one.start_ns, window.from_ns);
    const double to = std::min(one.end_ns, window.to_ns);
    if (!(to > from)) continue;
    const double width = std::max(kThinnest, (to - from) * per_ns);
    out += fmt::format("M{:.2f} {:.2f}h{:.2f}v{:.2f}h{:.2f}z",
                       lane.left + (from - window.from_ns) * per_ns, lane.top, width, lane.height,
                       -width);
  }
  return out;
}

/// How much of each pixel the unit works, as a height.
std::string busy_path(const ProgramTimeline& timeline, sim::Unit unit, TimeWindow window,
                      const svg::Frame& lane) {
  const auto steps = static_cast<size_t>(lane.width);
  const double step_ns = (window.to_ns - window.from_ns) / static_cast<double>(steps);
  std::string out = fmt::format("M{:.2f} {:.2f}", lane.left, lane.bottom());
  for (size_t i = 0; i < steps; ++i) {
    const double from_ns = window.from_ns + step_ns * static_cast<double>(i);
    const double busy = timeline.busy_ns(unit, from_ns, from_ns + step_ns) / step_ns;
    out += fmt::format("V{:.2f}h1", lane.bottom() - lane.height * std::clamp(busy, 0.0, 1.0));
  }
  return out + fmt::format("V{:.2f}z", lane.bottom());
}

std::string unit_lane(const ProgramTimeline& timeline, sim::Unit unit, TimeWindow window,
                      const svg::Frame& lane) {
  const auto stretches = timeline.stretches(unit, window.from_ns, window.to_ns, kMostStretches);
  const double busy_ns = timeline.busy_ns(unit, window.from_ns, window.to_ns);
  const double share = busy_ns / (window.to_ns - window.from_ns);
  const std::string path =
      stretches ? stretch_path(*stretches, window, lane) : busy_path(timeline, unit, window, lane);
  std::string out = svg::text(lane.left - 6, lane.top + lane.height / 2 + 4, sim::name(unit),
                              fmt::format("text-anchor=\"end\" fill=\"{}\"", svg::colour("ink")));
  out += svg::line(lane.left, lane.bottom() + 2, lane.right(), lane.bottom() + 2,
                   fmt::format("stroke=\"{}\"", svg::colour("grid")));
  if (!path.empty()) {
    out += fmt::format(
        "<path d=\"{}\" fill=\"{}\"><title>{}: busy {:.2f} µs of the window{}"
        "</title></path>\n",
        path, svg::colour("source", 1), svg::escaped(sim::name(unit)), busy_ns / 1e3,
        stretches ? "" : "; the height is its use");
  }
  return out + svg::text(lane.right() + 8, lane.top + lane.height / 2 + 4,
                         fmt::format("{:.1f} %", share * 100),
                         fmt::format("fill=\"{}\"", svg::colour("muted")));
}

const KernelSpan* longest(const ProgramTimeline& timeline) {
  const auto longer = [](const KernelSpan& a, const KernelSpan& b) {
    return a.end_ns() - a.start_ns < b.end_ns() - b.start_ns;
  };
  const auto found = std::max_element(timeline.spans().begin(), timeline.spans().end(), longer);
  return found == timeline.spans().end() ? nullptr : &*found;
}

}  // namespace

TimeWindow default_window(const ProgramTimeline& timeline) {
  const KernelSpan* span = longest(timeline);
  if (span == nullptr || timeline.stretch_count() <= static_cast<double>(kMostStretches)) {
    return {0, timeline.total_ns()};
  }
  const double margin = kAround * span->time_ns;
  return {std::max(0.0, span->start_ns - margin),
          std::min(timeline.total_ns(), span->start_ns + span->time_ns + margin)};
}

std::string program_strip_svg(const ProgramTimeline& timeline, TimeWindow window) {
  const TimeWindow all{0, timeline.total_ns()};
  if (!(all.to_ns > 0)) return {};
  const svg::Frame frame = chart_frame(12, 40);
  std::string body =
      svg::x_axis(frame, axis_of(all), "time since the start of the program, simulated, µs");
  body += kernel_row(timeline, all, frame);
  const double per_ns = frame.width / all.to_ns;
  body += svg::rect({frame.left + window.from_ns * per_ns, frame.top - 5,
                     std::max(2.0, (window.to_ns - window.from_ns) * per_ns), frame.height + 10},
                    fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"2\" "
                                "pointer-events=\"none\"",
                                svg::colour("accent")));
  return svg::document(
      {kWidth, 92, "Program on a time axis",
       fmt::format("{} kernels one after the other, {:.1f} µs simulated; letters: M matmul or "
                   "convolution, E elementwise, R reduction, D data movement, X collective. The "
                   "frame is the window of the unit lanes.",
                   timeline.spans().size(), all.to_ns / 1e3)},
      body);
}

std::string unit_lanes_svg(const ProgramTimeline& timeline, TimeWindow window) {
  if (timeline.spans().empty() || !(window.to_ns > window.from_ns)) return {};
  std::vector<sim::Unit> units;
  for (size_t i = 0; i < sim::kUnitCount; ++i) {
    if (timeline.uses(static_cast<sim::Unit>(i))) units.push_back(static_cast<sim::Unit>(i));
  }
  const double top = 40;
  const svg::Frame frame = chart_frame(top, kLane * static_cast<double>(units.size()));
  std::string body =
      svg::x_axis(frame, axis_of(window), "time since the start of the program, simulated, µs");
  body += kernel_row(timeline, window, chart_frame(10, 22));
  body +=
      svg::text(frame.right() + 8, 26, "busy", fmt::format("fill=\"{}\"", svg::colour("muted")));
  for (size_t i = 0; i < units.size(); ++i) {
    const double y = top + kLane * static_cast<double>(i);
    body += unit_lane(timeline, units[i], window, chart_frame(y + 4, kLane - 8));
  }
  return svg::document(
      {kWidth, frame.bottom() + 44, "Units of the core",
       fmt::format("What each unit does from {:.2f} to {:.2f} µs of the simulated run, and how "
                   "much of that time it is busy.",
                   window.from_ns / 1e3, window.to_ns / 1e3)},
      body);
}

}  // namespace hloscope::analysis
