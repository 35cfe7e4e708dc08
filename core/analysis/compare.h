#pragma once

#include <array>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/kernel_export.h"
#include "core/analysis/report.h"
#include "core/analysis/time_source.h"

namespace hloscope::analysis {

class Baseline;

/// A kernel's times by source, side by side: one point of the comparison chart.
struct ComparePoint {
  std::string kernel_name;
  std::string program_name;
  std::string file_path;  ///< Where it can be opened: FILE#N.
  int module_number = 1;
  graph::KernelId kernel;  ///< In that module.
  hlo::OpClass op_class = hlo::OpClass::kElementwise;
  hlo::Opcode opcode = hlo::Opcode::kFusion;
  std::string configuration;  ///< Tile bounds of a measured run; empty for the default.
  /// By TimeSource, one execution in ns; NaN = none.
  std::array<double, kTimeSourceCount> time_ns{};
  double pinned_ns = std::numeric_limits<double>::quiet_NaN();  ///< See add_pinned(); NaN = none.

  [[nodiscard]] double measured_ns() const {
    return time_ns[static_cast<size_t>(TimeSource::kMeasured)];
  }
  [[nodiscard]] double estimate_ns(TimeSource source) const {
    return time_ns[static_cast<size_t>(source)];
  }
  /// Signed fraction of the measured time.
  [[nodiscard]] double error(TimeSource source) const {
    return (estimate_ns(source) - measured_ns()) / measured_ns();
  }
};

/// has_place() for points: an optional source without any estimate has none.
[[nodiscard]] bool has_place(std::span<const ComparePoint> points, TimeSource source);

enum class MeasuredChoice : uint8_t {
  kReference,    ///< One per kernel: reference_run().
  kEveryRun,     ///< One per measured run that did not fail, of kernels measured by tiles.
  kEveryKernel,  ///< One per kernel, measured or not.
};

/// Points of a module, in kernel order, then in the order of the file. A kernel without a positive
/// measured time gives none, except with kEveryKernel. Estimates of kReference
/// and kEveryKernel are at the tile that the analytical model
/// chooses (KernelTimes::tiles); those of kEveryRun at the tile that was measured
/// (ModuleReport::run_times), NaN where it is not known or does not fit the kernel. The compiler's
/// estimate is at the tile that it chose, the predicted time at the default one: of the runs, the
/// default one has both.
[[nodiscard]] std::vector<ComparePoint> compare_points(const ModuleReport& report,
                                                       MeasuredChoice choice);

/// Fills pinned_ns of points of a report: the time that the baseline has of the kernel, by its
/// main_source(). It is of the default tile, so measured runs of other tiles get none.
void add_pinned(std::span<ComparePoint> points, const ModuleReport& report,
                const Baseline& baseline);

/// Measured times below are dominated by fixed costs, so errors are told apart.
inline constexpr double kShortKernelNs = 5000;
inline constexpr double kErrorBand = 0.1;  ///< The ±10 % of charts and tables.

enum class TimeRange : uint8_t { kShort, kLong, kAll };
inline constexpr std::array kTimeRanges{TimeRange::kShort, TimeRange::kLong, TimeRange::kAll};
[[nodiscard]] bool in_range(TimeRange range, double measured_ns);

struct CompareMetrics {
  size_t n = 0;  ///< Points with an estimate.
  double mape = 0;
  double median_ape = 0;
  double kendall_tau = 0;
  double within_band = 0;  ///< Share within kErrorBand.
};
[[nodiscard]] CompareMetrics compare_metrics(std::span<const ComparePoint> points,
                                             TimeSource source, TimeRange range);

/// How well a model ranks the tiles of a kernel.
struct TileTau {
  double mean = 0;     ///< Of the kernels' tau; NaN without kernels.
  size_t kernels = 0;  ///< That have kFewestTiles points with an estimate, not all of one time.
};
inline constexpr size_t kFewestTiles = 10;
/// Kendall's tau among the points of each kernel, as a mean over kernels.
[[nodiscard]] TileTau tile_tau(std::span<const ComparePoint> points, TimeSource source,
                               TimeRange range);

struct ClassError {
  size_t n = 0;
  double mape = 0;  ///< NaN without points.
};
[[nodiscard]] std::array<ClassError, hlo::kOpClassCount> class_errors(
    std::span<const ComparePoint> points, TimeSource source);

/// Positions of the points with an estimate, largest |estimate - measured| first.
[[nodiscard]] std::vector<uint32_t> largest_errors(std::span<const ComparePoint> points,
                                                   TimeSource source);

/// The filter of kernel tables on points: numbers are times and errors, the tile is the measured
/// configuration; words also look in the name of the program. Shapes, counts and work are not known
/// of a point and never match.
[[nodiscard]] bool matches(const KernelQuery& query, const ComparePoint& point);

/// All points as text, times in ns, errors as fractions; sources that have no place are left out.
[[nodiscard]] std::string export_points(std::span<const ComparePoint> points, TableFormat format);

}  // namespace hloscope::analysis
