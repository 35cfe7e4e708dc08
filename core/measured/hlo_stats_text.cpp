// What a join tells about itself.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/measured/hlo_stats_join.h"

namespace hloscope::measured {

namespace {

std::string count(size_t number, std::string_view one) {
  return fmt::format("{} {}{}", number, one, number == 1 ? "" : "s");
}

std::string examples(const std::vector<std::string>& names, size_t all) {
  return fmt::format("{}{}", fmt::join(names, ", "), names.size() < all ? ", ..." : "");
}

// "3 rows without a kernel, 1.5 % of the time: while.1, ..."
void add_group(const StatsJoin& join, RowFit fit, std::string_view what, double all_ns,
               std::vector<std::string>& lines) {
  const RowGroup& group = join[fit];
  if (group.rows == 0) return;
  lines.push_back(fmt::format("{} {}, {:.1f} % of the time: {}", count(group.rows, "row"), what,
                              all_ns > 0 ? 100 * group.total_ns / all_ns : 0,
                              examples(group.examples, group.rows)));
}

}  // namespace

JoinText describe(const StatsJoin& join) {
  size_t rows = 0;
  double all_ns = 0;
  for (const RowGroup& group : join.groups) {
    rows += group.rows;
    all_ns += group.total_ns;
  }
  JoinText text;
  text.summary = fmt::format("{} of {} measured; {} of {} and {:.0f} % of the measured time match",
                             join.timed_kernels, count(join.time_ns.size(), "kernel"),
                             rows - join[RowFit::kUnknown].rows - join[RowFit::kOtherShape].rows,
                             count(rows, "row"), 100 * join.matched_share());
  if (join.program_count > 1) {
    text.summary += fmt::format("; of {} in the file {} fits best",
                                count(join.program_count, "program"), join.program);
  }
  add_group(join, RowFit::kWaiting,
            "of asynchronous starts and dones (issue and waiting, kept apart)", all_ns,
            text.details);
  add_group(join, RowFit::kNoKernel, "of instructions that are no kernel", all_ns, text.details);
  add_group(join, RowFit::kOtherShape, "of the same name but another shape", all_ns, text.details);
  add_group(join, RowFit::kUnknown, "without an instruction in the program", all_ns, text.details);
  if (join.kernels_without_row > 0) {
    text.details.push_back(fmt::format("{} without a row: {}",
                                       count(join.kernels_without_row, "kernel"),
                                       examples(join.without_examples, join.kernels_without_row)));
  }
  if (!join.fits()) {
    text.warning = fmt::format(
        "{:.0f} % of the measured time matches this program: the file is most likely of "
        "another program, or of another compilation of it",
        100 * join.matched_share());
  }
  return text;
}

}  // namespace hloscope::measured
