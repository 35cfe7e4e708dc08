#pragma once

#include <span>
#include <string>

#include "core/analysis/compare_pairs.h"

namespace hloscope::analysis {

/// Texts and colours ("#c77700") of a picture.
struct ScatterStyle {
  std::string title;
  std::string ink = "#1d2430";
  std::string muted = "#566171";
  std::string grid = "#e9ecf0";
  std::string accent = "#1f66d1";
  std::string point = "#c77700";
  std::string paper = "#ffffff";
  int width = 720;
  int height = 640;
};

/// The comparison chart as an SVG document: log-log, y = x, the band, the line between short and
/// long kernels. Points without one of the times are left out; each has its name and times as a
/// title.
[[nodiscard]] std::string scatter_svg(std::span<const ComparePoint> points, const PairAxes& axes,
                                      const ScatterStyle& style);
/// An estimate against measured times.
[[nodiscard]] std::string scatter_svg(std::span<const ComparePoint> points, TimeSource source,
                                      const ScatterStyle& style);

}  // namespace hloscope::analysis
