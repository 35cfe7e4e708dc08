#include "core/analysis/shown_module.h"

#include <algorithm>

#include "core/fuse/own_fusion.h"
#include "core/graph/kernels.h"

namespace hloscope::analysis {

namespace {

bool is_measured_kernel(const hlo::Module& module) {
  const bool has_tile_runs =
      !module.runs.empty() &&
      std::all_of(module.runs.begin(), module.runs.end(),
                  [](const hlo::MeasuredRun& run) { return run.layout_hash == 0; });
  return has_tile_runs && graph::kernels(*module.program).kernels.size() == 1;
}

}  // namespace

std::string_view title(KernelOrigin origin) {
  switch (origin) {
    case KernelOrigin::kCompiled:
      return "as compiled";
    case KernelOrigin::kOwnFusion:
      return "own fusion";
    case KernelOrigin::kRaw:
      return "raw";
  }
  return {};
}

std::string_view name(KernelOrigin origin) {
  switch (origin) {
    case KernelOrigin::kCompiled:
      return "compiled";
    case KernelOrigin::kOwnFusion:
      return "own_fusion";
    case KernelOrigin::kRaw:
      return "raw";
  }
  return {};
}

Result<ShownModule> shown_module(const hlo::Module& module, KernelChoice choice,
                                 const Progress& progress) {
  ShownModule shown;
  shown.module = module;
  shown.original = module.program;
  shown.choice = choice;
  if (graph::is_optimized(*module.program) || is_measured_kernel(module)) return shown;
  shown.origin = KernelOrigin::kRaw;
  if (choice == KernelChoice::kRaw) return shown;
  Result<hlo::ProgramPtr> fused = fuse::with_own_fusion(*module.program, progress);
  if (fused) {
    shown.module.program = std::move(*fused);
    shown.origin = KernelOrigin::kOwnFusion;
  } else if (fused.error().code == ErrorCode::kCancelled) {
    return fail(fused.error());
  } else {
    shown.fusion_error = fused.error();
  }
  return shown;
}

Result<ShownModule> shown_module(const ShownModule& shown, KernelChoice choice,
                                 const Progress& progress) {
  if (shown.choice == choice) return shown;
  hlo::Module module = shown.module;
  module.program = shown.original;
  return shown_module(module, choice, progress);
}

}  // namespace hloscope::analysis
