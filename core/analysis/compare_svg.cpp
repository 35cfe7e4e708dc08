#include "core/analysis/compare_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/svg.h"

namespace hloscope::analysis {
namespace {

using svg::escaped;
using svg::line;
using svg::text;

constexpr double kCompareLeft = 64;
constexpr double kTop = 36;
constexpr double kRight = 16;
constexpr double kBottom = 48;
constexpr double kMargin = 1.35;  ///< Factor beyond the outermost points.

/// Both axes show the same range of µs.
struct Frame {
  double low = 0.1;
  double high = 1000;
  double width = 0;
  double height = 0;

  [[nodiscard]] double part(double us) const { return std::log(us / low) / std::log(high / low); }
  [[nodiscard]] double x(double us) const { return kCompareLeft + width * part(us); }
  [[nodiscard]] double y(double us) const { return kTop + height * (1 - part(us)); }
};

Frame frame_of(std::span<const ComparePoint> points, const PairAxes& axes,
               const ScatterStyle& style) {
  Frame frame;
  frame.width = style.width - kCompareLeft - kRight;
  frame.height = style.height - kTop - kBottom;
  double low = HUGE_VAL;
  double high = 0;
  for (const ComparePoint& point : points) {
    if (!axes.has_place(point)) continue;
    low = std::min({low, axes.y_ns(point) / 1e3, axes.x_ns(point) / 1e3});
    high = std::max({high, axes.y_ns(point) / 1e3, axes.x_ns(point) / 1e3});
  }
  if (high > 0) {
    frame.low = low / kMargin;
    frame.high = high * kMargin;
  }
  return frame;
}

std::string axes_lines(const Frame& frame, const PairAxes& axes, const ScatterStyle& style) {
  std::string out;
  const double bottom = kTop + frame.height;
  const double right = kCompareLeft + frame.width;
  const std::string grid = fmt::format("stroke=\"{}\"", style.grid);
  const std::string middle = fmt::format("text-anchor=\"middle\" fill=\"{}\"", style.muted);
  const std::string end = fmt::format("text-anchor=\"end\" fill=\"{}\"", style.muted);
  for (double us = std::pow(10, std::ceil(std::log10(frame.low))); us <= frame.high; us *= 10) {
    out += line(frame.x(us), kTop, frame.x(us), bottom, grid);
    out += line(kCompareLeft, frame.y(us), right, frame.y(us), grid);
    out += text(frame.x(us), bottom + 16, fmt::format("{:g}", us), middle);
    out += text(kCompareLeft - 6, frame.y(us) + 4, fmt::format("{:g}", us), end);
  }
  out += text((kCompareLeft + right) / 2, bottom + 36, fmt::format("{}, µs", info(axes.x).name),
              middle);
  const double centre = kTop + frame.height / 2;
  out += text(16, centre, fmt::format("{}, µs", info(axes.y).name),
              middle + fmt::format(" transform=\"rotate(-90 16 {:.2f})\"", centre));
  out += text(kCompareLeft, 20, style.title,
              fmt::format("font-weight=\"600\" fill=\"{}\"", style.ink));
  return out;
}

std::string references(const Frame& frame, const ScatterStyle& style) {
  const auto diagonal = [&frame](double factor, std::string_view attributes) {
    const double low = std::max(frame.low, frame.low / factor);
    const double high = std::min(frame.high, frame.high / factor);
    return line(frame.x(low), frame.y(low * factor), frame.x(high), frame.y(high * factor),
                attributes);
  };
  const std::string dashes = fmt::format("stroke=\"{}\" stroke-dasharray=\"5 4\"", style.accent);
  std::string out = diagonal(1 + kErrorBand, dashes) + diagonal(1 - kErrorBand, dashes) +
                    diagonal(1, fmt::format("stroke=\"{}\"", style.ink));
  const double limit = kShortKernelNs / 1e3;
  if (limit <= frame.low || limit >= frame.high) return out;
  out += line(frame.x(limit), kTop, frame.x(limit), kTop + frame.height,
              fmt::format("stroke=\"{}\" stroke-dasharray=\"1 3\"", style.muted));
  return out + text(frame.x(limit) + 4, kTop + 14, fmt::format("{:g} µs", limit),
                    fmt::format("fill=\"{}\"", style.muted));
}

std::string marker(const Frame& frame, const ComparePoint& point, const PairAxes& axes) {
  const double x = axes.x_ns(point) / 1e3;
  const double y = axes.y_ns(point) / 1e3;
  return fmt::format(
      "<path transform=\"translate({:.2f} {:.2f})\" d=\"M0-4.6 4 2.3H-4Z\"><title>{} {}\n{} "
      "{:.4g} µs\n{} {:.4g} µs ({:+.1f} %)</title></path>\n",
      frame.x(x), frame.y(y), escaped(point.kernel_name), escaped(point.program_name),
      info(axes.x).name, x, info(axes.y).name, y, axes.error(point) * 100);
}

}  // namespace

std::string scatter_svg(std::span<const ComparePoint> points, TimeSource source,
                        const ScatterStyle& style) {
  return scatter_svg(points, PairAxes{PairSource::kMeasured, pair_source(source)}, style);
}

std::string scatter_svg(std::span<const ComparePoint> points, const PairAxes& axes,
                        const ScatterStyle& style) {
  const Frame frame = frame_of(points, axes, style);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" "
      "fill=\"{2}\"/>\n",
      style.width, style.height, style.paper);
  out += axes_lines(frame, axes, style);
  out += references(frame, style);
  out += fmt::format("<g fill=\"{}\" fill-opacity=\"0.7\">\n", style.point);
  for (const ComparePoint& point : points) {
    if (axes.has_place(point)) out += marker(frame, point, axes);
  }
  out += fmt::format(
      "</g>\n<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" "
      "stroke=\"{}\"/>\n</svg>\n",
      kCompareLeft, kTop, frame.width, frame.height, style.muted);
  return out;
}

}  // namespace hloscope::analysis
