#include "core/tune/tile_kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "core/fuse/own_fusion.h"
#include "core/hlo/similar.h"

namespace hloscope::tune {

namespace {

constexpr size_t kMostNames = 5;

std::string full_name(const hlo::Program& program, const graph::Kernel& kernel) {
  return fmt::format("{}/{}", program[kernel.computation].name, program[kernel.instruction].name);
}

// Names are unique in their computation only.
std::vector<std::string> kernel_names(const hlo::Program& program,
                                      const graph::KernelList& kernels) {
  std::map<std::string_view, size_t> uses;
  for (const graph::Kernel& kernel : kernels.kernels) ++uses[program[kernel.instruction].name];
  std::vector<std::string> out;
  out.reserve(kernels.kernels.size());
  for (const graph::Kernel& kernel : kernels.kernels) {
    const std::string_view name = program[kernel.instruction].name;
    out.push_back(uses[name] == 1 ? std::string(name) : full_name(program, kernel));
  }
  return out;
}

tl::unexpected<Error> no_kernel(std::string_view wanted, const std::vector<std::string>& names) {
  std::vector<std::string_view> left(names.begin(), names.end());
  std::vector<std::string_view> similar;
  while (similar.size() < kMostNames) {
    const auto best = hlo::most_similar(wanted, left);
    if (!best) break;
    similar.push_back(*best);
    left.erase(std::find(left.begin(), left.end(), *best));
  }
  return fail(ErrorCode::kNotFound, fmt::format("no kernel is called '{}'", wanted),
              similar.empty() ? "'hloscope-cli kernels FILE' lists the kernels"
                              : fmt::format("there are {}", fmt::join(similar, ", ")));
}

TileKernelPtr make_kernel(const hlo::ProgramPtr& program, const graph::Kernel& kernel,
                          std::string name, const sim::Rates& rates) {
  return std::make_shared<const TileKernel>(
      TileKernel{program,
                 {kernel.instruction},
                 std::move(name),
                 kernel.executions,
                 sim::kernel_model(*program, kernel.instruction),
                 rates});
}

}  // namespace

bool TileKernel::has_choice() const {
  return model.kind == sim::KernelKind::kTiled &&
         std::any_of(model.loops.begin(), model.loops.end(),
                     [](const sim::LoopDim& loop) { return loop.units() > 1; });
}

Result<hlo::ProgramPtr> program_with_kernels(hlo::ProgramPtr program, const Progress& progress) {
  if (graph::is_optimized(*program)) return program;
  if (graph::kernels(*program).kernels.size() == 1) return program;
  return fuse::with_own_fusion(*program, progress);
}

Result<TileKernelPtr> find_tile_kernel(hlo::ProgramPtr program, std::string_view wanted,
                                       const sim::Rates& rates) {
  if (wanted.starts_with('%')) wanted.remove_prefix(1);
  const graph::KernelList kernels = graph::kernels(*program);
  const std::vector<std::string> names = kernel_names(*program, kernels);
  std::vector<size_t> found;
  for (size_t k = 0; k < names.size(); ++k) {
    const graph::Kernel& kernel = kernels.kernels[graph::KernelId(k)];
    if ((*program)[kernel.instruction].name == wanted || full_name(*program, kernel) == wanted) {
      found.push_back(k);
    }
  }
  if (found.empty()) return no_kernel(wanted, names);
  if (found.size() > 1) {
    return fail(
        ErrorCode::kInvalidInput, fmt::format("{} kernels are called '{}'", found.size(), wanted),
        fmt::format("name it as COMPUTATION/NAME: {}, {}", names[found[0]], names[found[1]]));
  }
  return make_kernel(program, kernels.kernels[graph::KernelId(found[0])], names[found[0]], rates);
}

Result<std::vector<TileKernelPtr>> tile_kernels(hlo::ProgramPtr program, const sim::Rates& rates,
                                                const Progress& progress) {
  const graph::KernelList kernels = graph::kernels(*program);
  const std::vector<std::string> names = kernel_names(*program, kernels);
  const auto count = static_cast<double>(kernels.distinct.size());
  std::vector<TileKernel> distinct;
  distinct.reserve(kernels.distinct.size());
  for (graph::KernelId id : kernels.distinct) {
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
    progress.report(static_cast<double>(distinct.size()) / count, "finding tiles");
    distinct.push_back(*make_kernel(program, kernels.kernels[id], names[id.value], rates));
    distinct.back().instructions.clear();
    distinct.back().executions = 0;
  }
  for (size_t k = 0; k < kernels.kernels.size(); ++k) {
    const graph::Kernel& kernel = kernels.kernels[graph::KernelId(k)];
    TileKernel& one = distinct[kernels.distinct_of[graph::KernelId(k)]];
    one.instructions.push_back(kernel.instruction);
    one.executions += kernel.executions;
  }
  std::vector<TileKernelPtr> out;
  out.reserve(distinct.size());
  for (TileKernel& one : distinct) {
    out.push_back(std::make_shared<const TileKernel>(std::move(one)));
  }
  return out;
}

}  // namespace hloscope::tune
