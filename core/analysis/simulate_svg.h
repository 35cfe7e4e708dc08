#pragma once

#include <string>

#include "core/analysis/program_timeline.h"
#include "core/analysis/roofline.h"

namespace hloscope::analysis {

/// Kernels under the roof of the machine, log-log: shape and colour by class, area by share of the
/// time. Equal kernels are one point; simulated ones are filled, measured ones are outlines.
[[nodiscard]] std::string roofline_svg(const ModuleReport& report);

/// What the simulated time is spent on: the program, then the kernels that take most of it.
[[nodiscard]] std::string parts_svg(const ProgramTimeline& timeline);

/// A stretch of the program's time axis.
struct TimeWindow {
  double from_ns = 0;
  double to_ns = 0;
};
/// What is shown where nothing else is asked for: all of a short run, else the first execution of
/// the kernel that takes the most time, with a little of what stands around it.
[[nodiscard]] TimeWindow default_window(const ProgramTimeline& timeline);

/// All kernels in the order of the program, by class; the window is marked.
[[nodiscard]] std::string program_strip_svg(const ProgramTimeline& timeline, TimeWindow window);
/// What each unit does within the window: stretches of work, or how busy it is where they are too
/// many to tell apart.
[[nodiscard]] std::string unit_lanes_svg(const ProgramTimeline& timeline, TimeWindow window);

}  // namespace hloscope::analysis
