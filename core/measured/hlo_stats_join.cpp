#include "core/measured/hlo_stats_join.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "core/graph/async_pairs.h"

namespace hloscope::measured {

using graph::KernelId;
using hlo::InstructionId;

namespace {

constexpr size_t kExamples = 5;

// `text` without layouts, comments and spaces, up to `length` characters of the result.
std::string bare(std::string_view text, size_t length) {
  std::string out;
  for (size_t i = 0; i < text.size() && out.size() < length; ++i) {
    const bool is_comment = text.substr(i).starts_with("/*");
    if (text[i] == '{' || is_comment) {
      const std::string_view end = is_comment ? "*/" : "}";
      i = std::min(text.find(end, i), text.size() - end.size()) + end.size() - 1;
    } else if (text[i] != ' ') {
      out += text[i];
    }
  }
  return out;
}

// Whether the HLO of a row may be that of an instruction with this result.
bool has_shape(std::string_view expression, const std::string& shape) {
  const size_t equals = expression.find(" = ");
  if (equals == std::string_view::npos) return true;
  const std::string wanted = bare(shape, shape.size());
  return bare(expression.substr(equals + 3), wanted.size()) == wanted;
}

// The halves of an asynchronous collective that TPU compilers make of two fusions.
bool is_collective_half(std::string_view name) {
  return name.starts_with("async-collective-start") || name.starts_with("async-collective-done");
}

struct FitOfRow {
  RowFit fit = RowFit::kUnknown;
  KernelId kernel;  // Of kKernel and kWaiting.
};

class Joiner {
 public:
  Joiner(const hlo::Program& program, const graph::KernelList& kernels)
      : program_(program), kernels_(kernels) {
    // Names are unique in a computation only: kernels come before what stands inside of them.
    for (const graph::Kernel& kernel : kernels.kernels) {
      by_name_.emplace(program[kernel.instruction].name, kernel.instruction);
    }
    for (InstructionId id : program.instructions()) by_name_.emplace(program[id].name, id);
  }

  [[nodiscard]] StatsJoin join(const HloStats& stats, const std::vector<uint32_t>& rows) const {
    StatsJoin join;
    join.time_ns.resize(kernels_.kernels.size());
    IndexedVector<KernelId, double> occurrences(kernels_.kernels.size());
    IndexedVector<KernelId, double> sum_ns(kernels_.kernels.size());
    std::vector<char> waits(kernels_.kernels.size());
    for (uint32_t row : rows) {
      const HloStat& stat = stats.rows[row];
      const FitOfRow found = fit(stat);
      RowGroup& group = join.groups[static_cast<size_t>(found.fit)];
      ++group.rows;
      group.total_ns += stat.total_ns;
      if (group.examples.size() < kExamples) group.examples.push_back(stat.name);
      if (found.fit == RowFit::kWaiting) waits[found.kernel.value] = 1;
      if (found.fit != RowFit::kKernel) continue;
      occurrences[found.kernel] += static_cast<double>(stat.occurrences);
      sum_ns[found.kernel] += stat.total_ns;
    }
    for (uint32_t k = 0; k < kernels_.kernels.size(); ++k) {
      const KernelId id(k);
      if (occurrences[id] > 0) {
        join.time_ns[id] = sum_ns[id] / occurrences[id];
        ++join.timed_kernels;
      } else if (waits[k] != 0) {
        ++join.waiting_kernels;
      } else {
        add_without_row(join, id);
      }
    }
    return join;
  }

 private:
  [[nodiscard]] FitOfRow fit(const HloStat& stat) const {
    const auto found = by_name_.find(stat.name);
    if (found == by_name_.end()) return {};
    const InstructionId id = found->second;
    const hlo::Instruction& instruction = program_[id];
    if (!has_shape(stat.expression, program_.shapes().text(instruction.shape, false))) {
      return {RowFit::kOtherShape, {}};
    }
    const KernelId kernel = kernels_.kernel_of[id];
    if (!kernel.valid()) return {RowFit::kNoKernel, {}};
    const bool is_half = graph::is_async_start(instruction.opcode) ||
                         graph::is_async_end(instruction.opcode) || is_collective_half(stat.name);
    if (is_half) return {RowFit::kWaiting, kernel};
    // Instructions inside a fusion belong to its kernel.
    if (kernels_.kernels[kernel].instruction != id) return {RowFit::kNoKernel, {}};
    return {RowFit::kKernel, kernel};
  }

  void add_without_row(StatsJoin& join, KernelId id) const {
    if (join.kernels_without_row++ >= kExamples) return;
    join.without_examples.emplace_back(program_[kernels_.kernels[id].instruction].name);
  }

  const hlo::Program& program_;
  const graph::KernelList& kernels_;
  std::unordered_map<std::string_view, InstructionId> by_name_;
};

struct ProgramRows {
  std::string_view program;
  std::vector<uint32_t> rows;  // Most time first.
};

// In order of first appearance.
std::vector<ProgramRows> rows_by_program(const HloStats& stats) {
  std::vector<ProgramRows> groups;
  std::unordered_map<std::string_view, size_t> position;
  for (uint32_t row = 0; row < stats.rows.size(); ++row) {
    const std::string_view program = stats.rows[row].program;
    const auto [found, is_new] = position.emplace(program, groups.size());
    if (is_new) groups.push_back({program, {}});
    groups[found->second].rows.push_back(row);
  }
  for (ProgramRows& group : groups) {
    std::ranges::stable_sort(group.rows, std::greater<>(),
                             [&stats](uint32_t row) { return stats.rows[row].total_ns; });
  }
  return groups;
}

}  // namespace

double StatsJoin::matched_share() const {
  double all = 0;
  for (const RowGroup& group : groups) all += group.total_ns;
  const double unmatched =
      (*this)[RowFit::kUnknown].total_ns + (*this)[RowFit::kOtherShape].total_ns;
  return all > 0 ? (all - unmatched) / all : 0;
}

Result<StatsJoin> join(const hlo::Program& program, const graph::KernelList& kernels,
                       const HloStats& stats, const Progress& progress) {
  const Joiner joiner(program, kernels);
  const std::vector<ProgramRows> groups = rows_by_program(stats);
  StatsJoin best;
  const auto rank = [](const StatsJoin& one) {
    return std::tuple(one.timed_kernels, one.matched_share());
  };
  for (size_t i = 0; i < groups.size(); ++i) {
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
    progress.report(static_cast<double>(i) / static_cast<double>(groups.size()),
                    "joining measured times");
    StatsJoin one = joiner.join(stats, groups[i].rows);
    one.program = groups[i].program;
    one.program_count = groups.size();
    if (i == 0 || rank(best) < rank(one)) best = std::move(one);
  }
  if (groups.empty()) best.time_ns.resize(kernels.kernels.size());
  return best;
}

}  // namespace hloscope::measured
