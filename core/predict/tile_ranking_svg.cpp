#include "core/predict/tile_ranking_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/svg.h"

namespace hloscope::predict {

namespace {

namespace svg = analysis::svg;
using analysis::TimeSource;

constexpr double kMargin = 1.05;

struct Curve {
  TimeSource source;
  std::vector<double> slowdown;  ///< By number of tries, from 1; fractions.
};

/// Measured tiles in the order of the source; of estimates the best so far.
Curve curve_of(const TileRanking& ranking, TimeSource source) {
  Curve curve{source, {}};
  double best = HUGE_VAL;
  for (const uint32_t at : ranking.order(source)) {
    if (ranking.column(source).ranks[at] == 0 || std::isnan(ranking.slowdown[at])) continue;
    best = source == TimeSource::kMeasured ? ranking.slowdown[at]
                                           : std::min(best, ranking.slowdown[at]);
    curve.slowdown.push_back(best);
  }
  return curve;
}

std::vector<Curve> curves_of(const TileRanking& ranking) {
  std::vector<Curve> curves;
  for (const analysis::TimeSourceInfo& source : analysis::kTimeSources) {
    if (ranking.column(source.source).is_empty()) continue;
    Curve curve = curve_of(ranking, source.source);
    if (!curve.slowdown.empty()) curves.push_back(std::move(curve));
  }
  return curves;
}

std::string stroke_of(TimeSource source) {
  const auto index = static_cast<size_t>(source);
  return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" stroke-dasharray=\"{}\"",
                     svg::colour("source", index), svg::dashes(index));
}

/// Steps: the value holds until the next try.
std::string steps(const Curve& curve, const svg::Frame& frame, const svg::Scale& x,
                  const svg::Scale& y) {
  std::string path;
  for (size_t k = 0; k < curve.slowdown.size(); ++k) {
    const double at_x = frame.left + frame.width * x.part(static_cast<double>(k + 1));
    const double at_y = frame.bottom() - frame.height * y.part(curve.slowdown[k] * 100);
    path += k == 0 ? fmt::format("M{:.2f} {:.2f}", at_x, at_y)
                   : fmt::format("H{:.2f}V{:.2f}", at_x, at_y);
  }
  return fmt::format("<path d=\"{}\" {}><title>{}</title></path>\n", path, stroke_of(curve.source),
                     analysis::info(curve.source).title);
}

std::string curve_legend(const std::vector<Curve>& curves) {
  std::vector<svg::LegendEntry> entries;
  for (const Curve& curve : curves) {
    const bool measured = curve.source == TimeSource::kMeasured;
    entries.push_back({svg::line(-8, 0, 8, 0, stroke_of(curve.source)),
                       fmt::format("{}{}", analysis::info(curve.source).title,
                                   measured ? ": time of the k-th fastest" : ": best of k")});
  }
  return svg::legend({72, 14, 560, 0}, entries);
}

}  // namespace

std::string tile_curve_svg(const TileRanking& ranking) {
  const std::vector<Curve> curves = curves_of(ranking);
  size_t tiles = 0;
  double most = 0;
  for (const Curve& curve : curves) {
    tiles = std::max(tiles, curve.slowdown.size());
    for (const double value : curve.slowdown) {
      if (curve.source != TimeSource::kMeasured) most = std::max(most, value * 100);
    }
  }
  if (tiles < 2) return {};
  const svg::Frame frame{72, 56, 560, 230};
  const svg::Scale x = svg::log_scale(1, static_cast<double>(tiles), 1.0);
  // The measured curve rises to the slowest tile: as far as the estimates go is enough of it.
  const svg::Scale y{0, std::max(most, 10.0) * kMargin, false};
  std::string body = svg::x_axis(frame, x, "tiles tried in the order of the source (k)");
  body += svg::y_axis(frame, y, "slowdown against the fastest tile, %");
  body += fmt::format(
      "<svg x=\"0\" y=\"{0:g}\" width=\"660\" height=\"{1:g}\" viewBox=\"0 {0:g} 660 "
      "{1:g}\">\n",
      frame.top - 2, frame.height + 4);
  for (const Curve& curve : curves) body += steps(curve, frame, x, y);
  body += "</svg>\n" + curve_legend(curves);
  return svg::document({660, 330, "Slowdown of the first tiles by each source",
                        fmt::format("{} measured tiles; lower and further left is better.", tiles)},
                       body);
}

}  // namespace hloscope::predict
