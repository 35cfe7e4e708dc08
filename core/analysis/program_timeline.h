#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/report.h"
#include "core/analysis/unit_activity.h"
#include "core/sim/simulate.h"
#include "core/sim/time_parts.h"

namespace hloscope::analysis {

/// A distinct kernel in the simulator, at the tile it is timed with.
struct KernelActivity {
  sim::Simulation simulation;
  sim::TimeParts parts{};
  std::array<UnitActivity, sim::kUnitCount> units;
  bool is_complete = true;  ///< False: the last iterations are an even rest.
};

/// All executions of one kernel on the time axis of the program.
struct KernelSpan {
  graph::KernelId kernel;
  double start_ns = 0;
  double time_ns = 0;     ///< One execution.
  double executions = 1;  ///< May be a fraction, below branches.
  [[nodiscard]] double end_ns() const { return start_ns + time_ns * executions; }
};

/// A simulated run of a program, one kernel after the other in program order, all executions of a
/// kernel together. It ends at ModuleReport::simulated_total_ns. Executions of a kernel, and equal
/// kernels, share their stretches, so that a run of a million events takes the room of its distinct
/// kernels. Immutable: free to share between threads.
class ProgramTimeline {
 public:
  /// How many stretches all distinct kernels together may keep; more are an even rest.
  static constexpr size_t kMostStretches = 2'000'000;

  /// Error: kCancelled.
  [[nodiscard]] static Result<std::shared_ptr<const ProgramTimeline>> make(
      std::shared_ptr<const ModuleReport> report, const Progress& progress = {},
      size_t most_stretches = kMostStretches);

  [[nodiscard]] const ModuleReport& report() const { return *report_; }
  [[nodiscard]] const std::vector<KernelSpan>& spans() const { return spans_; }
  [[nodiscard]] double total_ns() const { return spans_.empty() ? 0 : spans_.back().end_ns(); }
  /// Position in spans() of the one at a time; the last one for times behind the end. Needs a span.
  [[nodiscard]] size_t span_at(double time_ns) const;
  /// Empty for a kernel that takes no time.
  [[nodiscard]] std::optional<size_t> span_of(graph::KernelId kernel) const;

  [[nodiscard]] const KernelActivity& activity(graph::KernelId kernel) const {
    return activities_[report_->kernels.distinct_of[kernel]];
  }
  /// Time that each part takes of one execution; of the whole program.
  [[nodiscard]] const sim::TimeParts& parts(graph::KernelId kernel) const {
    return activity(kernel).parts;
  }
  [[nodiscard]] const sim::TimeParts& total_parts() const { return total_parts_; }

  [[nodiscard]] bool uses(sim::Unit unit) const;
  /// How long a unit works between two times.
  [[nodiscard]] double busy_ns(sim::Unit unit, double from_ns, double to_ns) const;
  /// The stretches of a unit that touch a range, on the axis of the program; empty when there are
  /// more than `most`, or when some of the range is an even rest.
  [[nodiscard]] std::optional<std::vector<Stretch>> stretches(sim::Unit unit, double from_ns,
                                                              double to_ns, size_t most) const;
  /// The one at a time; empty where the unit rests or only its rate is known.
  [[nodiscard]] std::optional<Stretch> stretch_at(sim::Unit unit, double time_ns) const;
  /// Stretches of the whole run, each execution counted.
  [[nodiscard]] double stretch_count() const;

 private:
  explicit ProgramTimeline(std::shared_ptr<const ModuleReport> report);
  Status work_out(const Progress& progress, size_t most_stretches);
  void line_up();
  [[nodiscard]] double busy_until(size_t unit, double time_ns) const;
  [[nodiscard]] const UnitActivity& activity(const KernelSpan& span, size_t unit) const {
    return activity(span.kernel).units[unit];
  }

  std::shared_ptr<const ModuleReport> report_;
  std::vector<KernelActivity> activities_;  ///< By position in KernelList::distinct.
  std::vector<KernelSpan> spans_;
  std::vector<std::array<double, sim::kUnitCount>> busy_before_;  ///< By position in spans_.
  IndexedVector<graph::KernelId, uint32_t> span_of_;
  sim::TimeParts total_parts_{};
};

}  // namespace hloscope::analysis
