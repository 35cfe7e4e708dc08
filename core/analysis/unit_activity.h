#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/sim/simulate.h"

namespace hloscope::analysis {

/// One stretch of work of a unit.
struct Stretch {
  double start_ns = 0;
  double end_ns = 0;
  int64_t tile = -1;      ///< Iteration; -1 for launch.
  std::string_view what;  ///< "read", "write", "compute" ...
};

/// What one unit does in one execution of a kernel: its stretches in order, none over another.
/// Where the kernel has more tiles than were worked out, the rest is even.
class UnitActivity {
 public:
  UnitActivity() = default;
  /// `known_ns`: until when the stretches tell all; `time_ns`: the end of the kernel, by when the
  /// unit was busy for `total_busy_ns` (of a rest that is even).
  UnitActivity(std::vector<Stretch> stretches, double known_ns, double time_ns,
               double total_busy_ns);

  [[nodiscard]] const std::vector<Stretch>& stretches() const { return stretches_; }
  /// Work done until `time_ns` after the start of the kernel.
  [[nodiscard]] double busy_until(double time_ns) const;
  [[nodiscard]] double busy_ns() const { return busy_until(time_ns_); }
  /// Position of the first stretch that ends after `time_ns`.
  [[nodiscard]] size_t first_after(double time_ns) const;
  [[nodiscard]] bool is_used() const { return !stretches_.empty() || rest_rate_ > 0; }
  [[nodiscard]] double known_ns() const { return known_ns_; }

 private:
  std::vector<Stretch> stretches_;
  std::vector<double> busy_before_;  ///< Of all stretches before, by position.
  double known_ns_ = 0;
  double time_ns_ = 0;
  double rest_rate_ = 0;  ///< Busy share of the even rest.
};

}  // namespace hloscope::analysis
