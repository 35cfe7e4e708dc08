#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/analysis/simulate_svg.h"
#include "core/analysis/svg.h"

namespace hloscope::analysis {

namespace {

constexpr double kTera = 1e12;
constexpr double kLargestRadius = 14;
constexpr double kSmallestRadius = 2.5;

struct Chart {
  const ModuleReport& report;
  Roof roof;
  svg::Frame frame{72, 16, 600, 340};
  svg::Scale x{};
  svg::Scale y{};  ///< TFLOP/s.

  [[nodiscard]] double at_x(double intensity) const {
    return frame.left + frame.width * x.part(intensity);
  }
  [[nodiscard]] double at_y(double flops_per_s) const {
    return frame.bottom() - frame.height * y.part(flops_per_s / kTera);
  }
};

/// Equal kernels as one, largest share first: small ones lie above large ones.
std::vector<RoofPoint> merged(const ModuleReport& report, TimeSource source) {
  std::vector<RoofPoint> out;
  std::map<std::pair<uint32_t, double>, size_t> at;
  for (const RoofPoint& point : roofline(report, source).points) {
    const uint32_t distinct = report.kernels.distinct_of[point.kernel];
    const auto [known, is_new] = at.emplace(std::pair(distinct, point.flops_per_s), out.size());
    if (is_new) {
      out.push_back(point);
    } else {
      out[known->second].share += point.share;
    }
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const RoofPoint& a, const RoofPoint& b) { return a.share > b.share; });
  return out;
}

void fit(Chart& chart, const std::vector<RoofPoint>& points) {
  const double ridge = chart.roof.ridge();
  double x_low = ridge / 100;
  double x_high = ridge * 10;
  double y_low = chart.roof.matrix_flops_per_s / 1e4;
  for (const RoofPoint& point : points) {
    x_low = std::min(x_low, point.intensity);
    x_high = std::max(x_high, point.intensity);
    y_low = std::min(y_low, point.flops_per_s);
  }
  chart.x = svg::log_scale(x_low, x_high, 1.5);
  chart.y = svg::log_scale(y_low / kTera, chart.roof.matrix_flops_per_s / kTera, 1.8);
}

/// A roof: the slope of HBM up to a peak.
std::string roof_lines(const Chart& chart, double peak, std::string_view name, size_t dashes) {
  const double corner = peak / chart.roof.hbm_bytes_per_s;
  const std::string ink = svg::colour("ink");
  const std::string stroke = fmt::format(
      "stroke=\"{}\" stroke-width=\"1.5\" stroke-dasharray=\"{}\"", ink, svg::dashes(dashes));
  const double lowest = chart.y.low * kTera / chart.roof.hbm_bytes_per_s;
  const double from = std::max(chart.x.low, lowest);
  std::string out;
  if (dashes == 0 && from < corner) {
    out += svg::line(chart.at_x(from), chart.at_y(from * chart.roof.hbm_bytes_per_s),
                     chart.at_x(corner), chart.at_y(peak), stroke);
  }
  out += svg::line(chart.at_x(std::max(corner, chart.x.low)), chart.at_y(peak), chart.frame.right(),
                   chart.at_y(peak), stroke);
  return out + svg::text(chart.frame.right() - 4, chart.at_y(peak) - 5, name,
                         fmt::format("text-anchor=\"end\" fill=\"{}\"", ink));
}

std::string point_marks(const Chart& chart, const std::vector<RoofPoint>& points,
                        TimeSource source) {
  std::string out;
  for (const RoofPoint& point : points) {
    const graph::Kernel& kernel = chart.report.kernels.kernels[point.kernel];
    const hlo::Program& program = *chart.report.module.program;
    const auto op_class = static_cast<size_t>(kernel.op_class);
    const std::string colour = svg::colour("class", op_class);
    const double radius =
        std::max(kSmallestRadius, kLargestRadius * std::sqrt(std::min(1.0, point.share)));
    const std::string look =
        source == TimeSource::kMeasured
            ? fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"", colour)
            : fmt::format("fill=\"{0}\" fill-opacity=\"0.55\" stroke=\"{0}\"", colour);
    out += svg::marker(
        op_class, chart.at_x(point.intensity), chart.at_y(point.flops_per_s), radius, look,
        fmt::format("{} ({}), {}\n{:.4g} FLOP/B, {:.4g} TFLOP/s, {:.2f} % of the {} time",
                    program[kernel.instruction].name, hlo::name(kernel.op_class), info(source).name,
                    point.intensity, point.flops_per_s / kTera, point.share * 100,
                    info(source).name));
  }
  return out;
}

std::string class_legend(const ModuleReport& report, const svg::Frame& place) {
  std::array<bool, hlo::kOpClassCount> used{};
  for (const graph::Kernel& kernel : report.kernels.kernels) {
    used[static_cast<size_t>(kernel.op_class)] = true;
  }
  std::vector<svg::LegendEntry> entries;
  for (size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    entries.push_back({svg::marker(i, 0, 0, 5, fmt::format("fill=\"{}\"", svg::colour("class", i))),
                       std::string(hlo::name(static_cast<hlo::OpClass>(i)))});
  }
  return svg::legend(place, entries);
}

}  // namespace

std::string roofline_svg(const ModuleReport& report) {
  Chart chart{.report = report, .roof = roof(report.machine)};
  const std::vector<RoofPoint> simulated = merged(report, TimeSource::kSimulated);
  const std::vector<RoofPoint> measured = merged(report, TimeSource::kMeasured);
  std::vector<RoofPoint> all = simulated;
  all.insert(all.end(), measured.begin(), measured.end());
  fit(chart, all);
  std::string body = svg::x_axis(chart.frame, chart.x, "arithmetic intensity, FLOP/byte");
  body += svg::y_axis(chart.frame, chart.y, "TFLOP/s");
  body += roof_lines(
      chart, chart.roof.matrix_flops_per_s,
      fmt::format("matrix units {:.1f} TFLOP/s", chart.roof.matrix_flops_per_s / kTera), 0);
  body += roof_lines(
      chart, chart.roof.vector_flops_per_s,
      fmt::format("vector ALU {:.2f} TFLOP/s", chart.roof.vector_flops_per_s / kTera), 1);
  body += svg::text(chart.frame.left + 6, chart.frame.top + 14,
                    fmt::format("slope: HBM {:.0f} GB/s", chart.roof.hbm_bytes_per_s / 1e9),
                    fmt::format("fill=\"{}\"", svg::colour("muted")));
  body += point_marks(chart, simulated, TimeSource::kSimulated);
  body += point_marks(chart, measured, TimeSource::kMeasured);
  body += class_legend(report, {72, 412, 620, 0});
  return svg::document(
      {700, 440, "Roofline",
       fmt::format("{} distinct kernels with FLOPs by simulated time, filled; {} by measured time, "
                   "as outlines. The area is the share of the time.",
                   simulated.size(), measured.size())},
      body);
}

}  // namespace hloscope::analysis
