#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/graph/kernels.h"
#include "core/measured/hlo_stats.h"

namespace hloscope::measured {

/// What a row of op statistics is to a program.
enum class RowFit : uint8_t {
  kKernel,    ///< Names a kernel: its time is the kernel's.
  kWaiting,   ///< Names one half of an asynchronous pair: issue and waiting, not the kernel's time.
  kNoKernel,  ///< Names an instruction that is no kernel of its own (a loop, part of a fusion).
  kOtherShape,  ///< Names an instruction whose result has another shape than the row says.
  kUnknown,     ///< The program has no instruction of this name.
};
inline constexpr size_t kRowFitCount = 5;

/// Rows of one fit.
struct RowGroup {
  size_t rows = 0;
  double total_ns = 0;                ///< Of all occurrences.
  std::vector<std::string> examples;  ///< Names of those with most time, most first.
};

/// Measured times of a file beside the kernels of a program.
struct StatsJoin {
  std::string program;       ///< Which program of the file was taken; empty where rows name none.
  size_t program_count = 0;  ///< That the file has.
  /// Measured mean of one execution, by kernel.
  IndexedVector<graph::KernelId, std::optional<double>> time_ns;
  std::array<RowGroup, kRowFitCount> groups;
  size_t timed_kernels = 0;
  size_t waiting_kernels = 0;                 ///< Asynchronous pairs with rows of waiting only.
  size_t kernels_without_row = 0;             ///< All others.
  std::vector<std::string> without_examples;  ///< Their first names in program order.

  [[nodiscard]] const RowGroup& operator[](RowFit fit) const {
    return groups[static_cast<size_t>(fit)];
  }
  /// The time in rows that name an instruction of the program, of the time in all rows: 0 to 1.
  [[nodiscard]] double matched_share() const;
  /// False: the file is most likely of another program.
  [[nodiscard]] bool fits() const { return timed_kernels > 0 && matched_share() >= 0.5; }
};

/// Joins the rows to the kernels by the name of the instruction; where a row holds its HLO, the
/// shape of the result must agree as well, since names like fusion.12 stand in every program. Rows
/// of one instruction are averaged by their occurrences. Of several programs in the file the one
/// that times most kernels is taken, then the one with the largest matched share, then the first.
/// Error: kCancelled.
[[nodiscard]] Result<StatsJoin> join(const hlo::Program& program, const graph::KernelList& kernels,
                                     const HloStats& stats, const Progress& progress = {});

/// How well a file fits, in words.
struct JoinText {
  std::string summary;               ///< One sentence with the counts.
  std::vector<std::string> details;  ///< What did not match, a line each.
  std::string warning;               ///< Not empty when the file is of another program.
};
[[nodiscard]] JoinText describe(const StatsJoin& join);

}  // namespace hloscope::measured
