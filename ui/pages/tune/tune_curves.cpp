#include "ui/pages/tune/tune_curves.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>

namespace hloscope::ui {
namespace {

constexpr float kNoPoint = std::numeric_limits<float>::quiet_NaN();

QString tr(const char* text) {
  return QCoreApplication::translate("TunePage", text);
}

template <typename Value>
ParallelCoordinates::Axis axis(const QString& title, size_t count, const Value& value) {
  ParallelCoordinates::Axis result;
  result.title = title;
  result.values.reserve(count);
  for (size_t i = 0; i < count; ++i) result.values.push_back(static_cast<float>(value(i)));
  return result;
}

/// The time at which the best share ends.
double timeLimit(const TrialColumns& trials, double top) {
  std::vector<double> times;
  for (size_t i = 0; i < trials.size(); ++i) {
    if (!std::isnan(trials.result_ns(i))) times.push_back(trials.result_ns(i));
  }
  if (top >= 1 || times.empty()) return HUGE_VAL;
  const auto kept =
      std::min(times.size() - 1,
               static_cast<size_t>(std::ceil(top * static_cast<double>(times.size()))) - 1);
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(kept), times.end());
  return times[kept];
}

}  // namespace

BestSoFarChart::Curve bestCurve(const TrialColumns& trials, CurveX x) {
  BestSoFarChart::Curve curve;
  std::vector<uint32_t> order = measured_order(trials);
  curve.is_estimate = order.empty();
  const size_t count = order.empty() ? trials.size() : order.size();
  double best = HUGE_VAL;
  double booked_s = 0;
  double wall_s = 0;
  for (size_t i = 0; i < count; ++i) {
    const size_t trial = order.empty() ? i : order[i];
    booked_s += trials.booked_ns[trial] / 1e9;
    wall_s = std::max(wall_s, trials.at_s[trial]);
    const double at = x == CurveX::kCount      ? static_cast<double>(i + 1)
                      : x == CurveX::kHardware ? booked_s
                                               : wall_s;
    curve.end_x = at;
    const double time_us =
        (curve.is_estimate ? trials.predicted_ns[trial] : trials.hardware_ns[trial]) / 1e3;
    if (std::isnan(time_us)) continue;
    if (!curve.is_estimate) curve.tried.emplace_back(at, time_us);
    if (time_us >= best) continue;
    best = time_us;
    curve.better.emplace_back(at, time_us);
  }
  return curve;
}

std::vector<ParallelCoordinates::Axis> parallelAxes(const TrialColumns& trials, double top,
                                                    bool log_time) {
  const size_t count = trials.size();
  std::vector<ParallelCoordinates::Axis> axes;
  for (size_t d = 0; d < trials.tile_names.size(); ++d) {
    const std::vector<float>& sizes = trials.tile_sizes[d];
    // A dimension that nothing changes says nothing.
    const bool varies = std::any_of(sizes.begin(), sizes.end(),
                                    [&sizes](float size) { return size != sizes.front(); });
    if (!varies) continue;
    ParallelCoordinates::Axis one;
    one.title = QString::fromStdString(trials.tile_names[d]);
    one.values = sizes;
    // Those whose configuration is not read yet have no line there.
    one.values.resize(count, kNoPoint);
    one.few_values = true;
    axes.push_back(std::move(one));
  }
  axes.push_back(axis(tr("trial"), count, [](size_t i) { return static_cast<double>(i); }));
  if (trials.tile_names.empty()) {
    axes.push_back(axis(tr("changed"), count, [&](size_t i) {
      return trials.has_config(i) ? static_cast<float>(trials.changed[i]) : kNoPoint;
    }));
  }
  const bool anneals = std::any_of(trials.temperature.begin(), trials.temperature.end(),
                                   [](double temperature) { return temperature > 0; });
  if (anneals) {
    axes.push_back(axis(tr("temperature"), count, [&](size_t i) { return trials.temperature[i]; }));
  }
  const double limit_ns = timeLimit(trials, top);
  const auto time = [&](size_t i) {
    const double time_ns = trials.result_ns(i);
    return time_ns <= limit_ns ? time_ns / 1e3 : double{kNoPoint};
  };
  axes.push_back(axis(tr("time, µs"), count, time));
  axes.back().is_log = log_time;
  if (top < 1) {
    for (size_t i = 0; i < count; ++i) {
      if (!std::isnan(axes.back().values[i])) continue;
      for (ParallelCoordinates::Axis& one : axes) one.values[i] = kNoPoint;
    }
  }
  return axes;
}

}  // namespace hloscope::ui
