#include "core/data/program_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/data/disjoint_sets.h"

namespace hloscope::data {

namespace {

size_t count_of(double fraction, size_t programs) {
  if (fraction == 0) return 0;
  const double count = std::round(fraction * static_cast<double>(programs));
  return std::max<size_t>(1, static_cast<size_t>(count));
}

}  // namespace

std::vector<ProgramGroup> program_groups(std::span<const SourceProgram> programs,
                                         bool keep_families) {
  std::vector<uint32_t> order(programs.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](uint32_t i) { return programs[i].hash; });
  DisjointSets sets(order.size());
  std::map<std::string_view, size_t> family_first;
  for (size_t i = 0; i < order.size(); ++i) {
    const SourceProgram& program = programs[order[i]];
    if (i > 0 && programs[order[i - 1]].hash == program.hash) sets.join(i - 1, i);
    if (!keep_families || program.family.empty()) continue;
    sets.join(family_first.emplace(program.family, i).first->second, i);
  }
  std::vector<ProgramGroup> groups;
  std::vector<size_t> group_of(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    const size_t root = sets.root(i);
    if (root == i) {
      group_of[i] = groups.size();
      groups.emplace_back();
    }
    groups[group_of[root]].push_back(order[i]);
  }
  return groups;
}

Result<HeldOutCounts> held_out_counts(size_t program_count, size_t group_count,
                                      const HeldOut& fractions) {
  const double sum = fractions.valid + fractions.test;
  if (!(fractions.valid >= 0) || !(fractions.test >= 0) || !(sum < 1)) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("fractions of {} for valid and {} for test cannot be held out",
                            fractions.valid, fractions.test),
                "give fractions from 0 that together are less than 1, such as 0.1");
  }
  if (sum > 0 && group_count < 2) {
    return fail(
        ErrorCode::kInvalidInput,
        program_count < 2
            ? fmt::format("a data set of {} cannot be split by program",
                          program_count == 1 ? "one program" : "no programs")
            : fmt::format("all {} programs are of one family: none can be held out", program_count),
        "make a data set of more programs; of layouts configurations of the same program can be "
        "held out: --hold-out-configurations of train and evaluate, or the split \"held-out "
        "configurations\" of the page Data");
  }
  HeldOutCounts out{count_of(fractions.valid, program_count),
                    count_of(fractions.test, program_count)};
  if (group_count < 3 && out.test > 0) out.valid = 0;
  return out;
}

}  // namespace hloscope::data
