#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/analysis/report.h"
#include "core/analysis/time_source.h"

namespace hloscope::analysis {

/// One execution of a kernel in ns, by source.
using SourceTimes = std::array<std::optional<double>, kTimeSourceCount>;

/// A kernel that is pinned, with its times.
struct BaselineKernel {
  std::string name;  ///< Of its instruction; empty: not known.
  Hash128 hash;
  std::optional<double> executions;  ///< Empty: not known.
  SourceTimes times_ns;
};

/// The pinned kernels of one program.
struct BaselineProgram {
  std::string file_path;
  int module_number = 1;
  std::string name;
  std::vector<BaselineKernel> kernels;
};

/// Times that were pinned, to compare others with: of what was open then, of a stored run, or of
/// one kernel. Immutable, and independent of the reports that it was made of: shared between
/// threads, and kept while files are closed, read again or timed on another machine.
class Baseline {
 public:
  /// `label` says what it is, in a few words: "TPU v3, 11:40".
  Baseline(std::string label, std::vector<BaselineProgram> programs);
  /// All kernels of all programs are compared with this one.
  Baseline(std::string label, BaselineKernel kernel);
  // It points into itself.
  Baseline(const Baseline&) = delete;
  Baseline& operator=(const Baseline&) = delete;

  [[nodiscard]] const std::string& label() const { return label_; }
  /// The one kernel; null where each kernel is compared with itself.
  [[nodiscard]] const BaselineKernel* one_kernel() const { return one_ ? &*one_ : nullptr; }

  /// Of the sources that it has times of, the one to show where there is room for one: simulated
  /// before analytical, predicted, compiler and measured times. Empty: it has no times.
  [[nodiscard]] std::optional<TimeSource> main_source() const;

  /// What each kernel of a report is compared with; null where there is nothing. A kernel is found
  /// by its name in the same program (the same module of the same file, else the only one of that
  /// name), else by its canonical hash in that program, else by its hash anywhere. The times live
  /// as long as the baseline.
  [[nodiscard]] IndexedVector<graph::KernelId, const SourceTimes*> match(
      const ModuleReport& report) const;
  /// The same of one kernel and source.
  [[nodiscard]] std::optional<double> time_ns(const ModuleReport& report, TimeSource source,
                                              graph::KernelId kernel) const;
  /// Kernels times executions of the same program, in ns; empty where a kernel has no such time,
  /// where executions are not known, and of one kernel.
  [[nodiscard]] std::optional<double> total_ns(const ModuleReport& report, TimeSource source) const;

 private:
  struct Program {
    BaselineProgram pinned;
    std::unordered_map<std::string_view, const BaselineKernel*> by_name;
    std::unordered_map<Hash128, const BaselineKernel*> by_hash;
  };
  [[nodiscard]] const Program* program_of(const ModuleReport& report) const;
  [[nodiscard]] const SourceTimes* find(const Program* program, const ModuleReport& report,
                                        graph::KernelId kernel) const;

  std::string label_;
  std::vector<Program> programs_;
  std::optional<BaselineKernel> one_;
};
using BaselinePtr = std::shared_ptr<const Baseline>;

/// The times that these reports have now.
[[nodiscard]] BaselinePtr pinned_times(std::span<const std::shared_ptr<const ModuleReport>> reports,
                                       std::string label);
/// The times that one kernel has now; labelled with its name: "kernel fusion.191".
[[nodiscard]] BaselinePtr pinned_kernel(const ModuleReport& report, graph::KernelId kernel);

/// "TPU v3" of "TPU v3, 1 core": what all machines have alike says nothing in a label.
[[nodiscard]] std::string short_title(const sim::Machine& machine);

/// (now - baseline) / baseline: positive where it takes longer now. NaN when either is missing or
/// the baseline is not positive.
[[nodiscard]] inline double relative_change(std::optional<double> now_ns,
                                            std::optional<double> baseline_ns) {
  return relative_error(now_ns, baseline_ns);
}

}  // namespace hloscope::analysis
