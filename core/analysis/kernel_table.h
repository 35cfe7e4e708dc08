#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/baseline.h"
#include "core/analysis/kernel_columns.h"
#include "core/analysis/kernel_query.h"
#include "core/analysis/report.h"

namespace hloscope::analysis {

/// False: a column of an optional source that no kernel of the report has a time of, or a change
/// against a baseline: of those KernelTable::has_column() knows. Views and files leave it out.
[[nodiscard]] bool has_column(const ModuleReport& report, size_t column);

/// The kernels of a module as plain columns. Row n is KernelId n. Sorting and filtering work on
/// lists of rows, so a view costs four bytes per row. Immutable: free to share between threads.
class KernelTable {
 public:
  /// `baseline`: what the times are compared with; null: nothing is pinned.
  explicit KernelTable(std::shared_ptr<const ModuleReport> report, BaselinePtr baseline = nullptr);

  [[nodiscard]] const ModuleReport& report() const { return *report_; }
  [[nodiscard]] const BaselinePtr& baseline() const { return baseline_; }
  /// The time that a kernel is compared with, in ns; empty where there is none.
  [[nodiscard]] std::optional<double> baseline_ns(TimeSource source, graph::KernelId kernel) const;
  [[nodiscard]] size_t row_count() const { return report_->kernels.kernels.size(); }
  [[nodiscard]] const graph::Kernel& kernel(uint32_t row) const {
    return report_->kernels.kernels[graph::KernelId(row)];
  }
  [[nodiscard]] std::string_view name(uint32_t row) const;
  /// What the kernel does, in a few words.
  [[nodiscard]] std::string_view label(uint32_t row) const { return distinct(row).label; }
  /// Result shape without layout.
  [[nodiscard]] std::string_view shape(uint32_t row) const { return distinct(row).shape; }
  /// Text of kName, kClass, kBound and kTile columns.
  [[nodiscard]] std::string_view text(uint32_t row, size_t column) const;
  /// Value of a numeric column in SI units (ns, fraction, FLOPs, bytes); NaN = none.
  [[nodiscard]] double number(uint32_t row, size_t column) const {
    return numbers_[column].empty() ? kNone : numbers_[column][row];
  }
  /// See above. A change has a place where a kernel has one; of measured times, where one differs.
  [[nodiscard]] bool has_column(size_t column) const { return has_column_[column]; }
  /// A predicted time (the column) of a kernel unlike those that the model learned from.
  [[nodiscard]] bool is_far(uint32_t row, size_t column) const;
  /// The source that "share" is counted in: measured when every kernel has a measured time.
  [[nodiscard]] TimeSource share_source() const { return share_source_; }

  [[nodiscard]] bool matches(const KernelQuery& query, uint32_t row) const;
  /// All rows that match, ascending.
  [[nodiscard]] std::vector<uint32_t> filtered(const KernelQuery& query) const;
  /// Stable by row number; rows without a value come last in both directions. Names sort as people
  /// count: fusion.2 before fusion.10.
  void sort(std::vector<uint32_t>& rows, size_t column, bool descending) const;

  struct Totals {
    size_t kernels = 0;
    /// Sum of time x executions in ns, and how many rows have a time.
    std::array<double, kTimeSourceCount> time_ns{};
    std::array<size_t, kTimeSourceCount> timed{};
    /// Mean absolute error against measured, as a fraction; NaN without pairs.
    std::array<double, kTimeSourceCount> mape{};
    /// relative_change() of the time: of the whole program where all rows are asked for and all
    /// kernels have both times (also those that one of the two does not have), else of the rows
    /// that have both. NaN without a baseline, and against that of one kernel.
    std::array<double, kTimeSourceCount> delta{};
    double rule_share = 1;  ///< Of the simulated time: see analysis::rule_share().
  };
  [[nodiscard]] Totals totals(std::span<const uint32_t> rows) const;

 private:
  static const double kNone;
  /// What all kernels of one canonical hash share.
  struct Distinct {
    std::string label;
    std::string shape;
    std::string tile;
  };
  [[nodiscard]] const Distinct& distinct(uint32_t row) const {
    return distinct_[report_->kernels.distinct_of[graph::KernelId(row)]];
  }
  void fill_column(size_t column);
  void fill_shares(size_t column);
  [[nodiscard]] double delta_of(std::span<const uint32_t> rows, TimeSource source) const;
  [[nodiscard]] double computed(size_t column, graph::KernelId kernel) const;
  [[nodiscard]] double predicted(const KernelColumn& column, graph::KernelId kernel) const;
  [[nodiscard]] std::vector<uint64_t> sort_keys(size_t column) const;
  [[nodiscard]] std::vector<uint64_t> name_keys() const;
  [[nodiscard]] std::vector<uint64_t> tile_keys() const;
  /// The tile of the kernel; null where the report has none.
  [[nodiscard]] const TileChoice* choice(graph::KernelId kernel) const;

  std::shared_ptr<const ModuleReport> report_;
  BaselinePtr baseline_;
  /// What each kernel is compared with; empty without a baseline.
  IndexedVector<graph::KernelId, const SourceTimes*> pinned_;
  std::vector<Distinct> distinct_;
  std::vector<std::vector<double>> numbers_;  ///< By column; empty for text columns.
  std::vector<bool> has_column_;
  TimeSource share_source_ = TimeSource::kSimulated;
};

/// What rule_share() means, in words: 0.974 -> "97 % of the time without fall-back". 100 % is said
/// only where no kernel has one.
[[nodiscard]] std::string rule_share_text(double share);

}  // namespace hloscope::analysis
