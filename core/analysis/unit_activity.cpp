#include "core/analysis/unit_activity.h"

#include <algorithm>

namespace hloscope::analysis {

UnitActivity::UnitActivity(std::vector<Stretch> stretches, double known_ns, double time_ns,
                           double total_busy_ns)
    : stretches_(std::move(stretches)), known_ns_(known_ns), time_ns_(time_ns) {
  busy_before_.reserve(stretches_.size());
  double busy_ns = 0;
  for (const Stretch& stretch : stretches_) {
    busy_before_.push_back(busy_ns);
    busy_ns += stretch.end_ns - stretch.start_ns;
  }
  const double rest_ns = time_ns - known_ns;
  if (rest_ns > 0) rest_rate_ = std::clamp((total_busy_ns - busy_ns) / rest_ns, 0.0, 1.0);
}

size_t UnitActivity::first_after(double time_ns) const {
  const auto found =
      std::partition_point(stretches_.begin(), stretches_.end(),
                           [time_ns](const Stretch& stretch) { return stretch.end_ns <= time_ns; });
  return static_cast<size_t>(found - stretches_.begin());
}

double UnitActivity::busy_until(double time_ns) const {
  double busy_ns = 0;
  const size_t next = first_after(time_ns);
  if (next < stretches_.size()) {
    busy_ns = busy_before_[next] + std::max(0.0, time_ns - stretches_[next].start_ns);
  } else if (!stretches_.empty()) {
    busy_ns = busy_before_.back() + stretches_.back().end_ns - stretches_.back().start_ns;
  }
  if (rest_rate_ > 0)
    busy_ns += rest_rate_ * std::max(0.0, std::min(time_ns, time_ns_) - known_ns_);
  return busy_ns;
}

}  // namespace hloscope::analysis
