#include "core/tune/problem.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/fuse/clean_up.h"
#include "core/predict/ensemble.h"
#include "core/tune/fusion_configs.h"
#include "core/tune/fusion_evaluator.h"
#include "core/tune/layout_evaluator.h"
#include "core/tune/tile_evaluator.h"

namespace hloscope::tune {

namespace {

constexpr double kNsPerSecond = 1e9;

HardwareCost cost_of(const EvaluatorSettings& settings, bool is_hardware) {
  return {is_hardware, settings.compile_s * kNsPerSecond, static_cast<double>(settings.repeats)};
}

// Calls make(settings of one evaluator, whether it is or stands for hardware) for both.
template <typename Make>
Status add_evaluators(const Settings& settings, Problem& problem, const Make& make) {
  HLOSCOPE_ASSIGN(problem.search, make(settings.search, settings.searches_hardware()));
  if (settings.measure) {
    HLOSCOPE_ASSIGN(problem.measure, make(*settings.measure, true));
  }
  return {};
}

using MadeEvaluator = Result<std::unique_ptr<Evaluator>>;

MadeEvaluator tile_evaluator(const TileConfigs& space, const EvaluatorSettings& settings,
                             const sim::Machine& machine, bool is_hardware) {
  HLOSCOPE_ASSIGN(std::unique_ptr<KernelTimer> timer, make_timer(settings, machine, true));
  return make_tile_evaluator(space, std::move(timer), cost_of(settings, is_hardware));
}

Result<Problem> recorded_problem(TileKernelPtr kernel, const Settings& settings,
                                 const sim::Machine& machine, const Recorded& recorded) {
  std::vector<RecordedTiles::Entry> entries =
      RecordedTiles::entries_of(TileConfigs(kernel), recorded);
  if (entries.empty()) {
    return fail(ErrorCode::kNotFound,
                fmt::format("no measured tile of the kernel {} is recorded", kernel->name),
                "open a file with measured runs of its tiles, or measure with the simulator");
  }
  auto space = std::make_unique<RecordedTiles>(std::move(kernel), std::move(entries));
  Problem problem;
  HLOSCOPE_TRY(add_evaluators(settings, problem,
                              [&](const EvaluatorSettings& one, bool is_hardware) -> MadeEvaluator {
                                if (one.kind == EvaluatorKind::kRecorded) {
                                  return make_recorded_evaluator(*space, recorded.device);
                                }
                                return tile_evaluator(*space, one, machine, is_hardware);
                              }));
  problem.space = std::move(space);
  return problem;
}

Result<Problem> tile_problem(const hlo::ProgramPtr& program, const Settings& settings,
                             const sim::Machine& machine, const Recorded& recorded,
                             const Progress& progress) {
  HLOSCOPE_ASSIGN(hlo::ProgramPtr fused, program_with_kernels(program, progress));
  HLOSCOPE_ASSIGN(TileKernelPtr kernel,
                  find_tile_kernel(std::move(fused), settings.kernel, sim::Rates(machine)));
  if (!kernel->has_choice()) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("the kernel {} has a single tile", kernel->name),
                "choose another; 'hloscope-cli tiles FILE' lists kernels with their tiles");
  }
  if (settings.replays()) return recorded_problem(std::move(kernel), settings, machine, recorded);
  auto space = std::make_unique<TileConfigs>(std::move(kernel), settings.default_tiles);
  if (!space->after(nullptr)) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("no tile of the kernel {} fits in VMEM", space->kernel().name),
                "choose another kernel or a machine with more of it");
  }
  Problem problem;
  HLOSCOPE_TRY(
      add_evaluators(settings, problem, [&](const EvaluatorSettings& one, bool is_hardware) {
        return tile_evaluator(*space, one, machine, is_hardware);
      }));
  problem.space = std::move(space);
  return problem;
}

/// The kernels of a program, by whether their tiles can be chosen.
struct ProgramKernels {
  ProgramTiles::Parts chosen;
  std::vector<TileKernelPtr> others;
};

// The default tile of each is searched here: of large programs this takes the most time.
Result<ProgramKernels> sorted_kernels(const std::vector<TileKernelPtr>& all,
                                      DefaultTiles default_tiles, const Progress& progress) {
  ProgramKernels out;
  for (size_t k = 0; k < all.size(); ++k) {
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
    progress.report(static_cast<double>(k) / static_cast<double>(all.size()), "choosing tiles");
    std::unique_ptr<const TileConfigs> part;
    if (all[k]->has_choice()) part = std::make_unique<const TileConfigs>(all[k], default_tiles);
    if (part && part->after(nullptr)) {
      out.chosen.push_back(std::move(part));
    } else {
      out.others.push_back(all[k]);
    }
  }
  return out;
}

Result<Problem> program_tile_problem(const hlo::ProgramPtr& program, const Settings& settings,
                                     const sim::Machine& machine, const Progress& progress) {
  HLOSCOPE_ASSIGN(hlo::ProgramPtr fused, program_with_kernels(program, progress.part(0, 0.3)));
  HLOSCOPE_ASSIGN(const std::vector<TileKernelPtr> all,
                  tile_kernels(std::move(fused), sim::Rates(machine), progress.part(0.3, 0.5)));
  HLOSCOPE_ASSIGN(ProgramKernels kernels,
                  sorted_kernels(all, settings.default_tiles, progress.part(0.5, 1)));
  if (kernels.chosen.empty()) {
    return fail(ErrorCode::kUnsupported, "no kernel of the program has a choice of tiles",
                "tune a program with larger kernels");
  }
  auto space = std::make_unique<ProgramTiles>(std::move(kernels.chosen));
  Problem problem;
  HLOSCOPE_TRY(add_evaluators(
      settings, problem, [&](const EvaluatorSettings& one, bool is_hardware) -> MadeEvaluator {
        HLOSCOPE_ASSIGN(std::unique_ptr<KernelTimer> timer, make_timer(one, machine, true));
        return make_program_tile_evaluator(*space, kernels.others, std::move(timer),
                                           cost_of(one, is_hardware));
      }));
  problem.space = std::move(space);
  return problem;
}

// A search over fusions meets thousands of kernels: without a wish it takes the fast model, where
// there is one.
EvaluatorSettings with_fast_model(EvaluatorSettings settings, const sim::Machine& machine) {
  if (settings.kind != EvaluatorKind::kModel || !settings.models.empty()) return settings;
  const std::string fast = machine.id + "_fusion_fast";
  if (std::ranges::count(predict::builtin_ensembles(), fast) > 0) settings.models = {fast};
  return settings;
}

Result<Problem> fusion_problem(const hlo::ProgramPtr& program, const Settings& settings,
                               const sim::Machine& machine, const Progress& progress) {
  if (graph::is_optimized(*program)) {
    return fail(ErrorCode::kUnsupported, "the program is compiled: its kernels are fused already",
                "tune the fusion of the program before optimisation");
  }
  HLOSCOPE_ASSIGN(hlo::ProgramPtr clean, fuse::clean_up(*program));
  auto space = std::make_shared<const fuse::FusionSpace>(std::move(clean));
  if (space->edge_count() == 0) {
    return fail(ErrorCode::kUnsupported, "nothing can be fused in the program",
                "tune the tiles of its kernels");
  }
  auto cursor = std::make_shared<FusionCursor>(space);
  HLOSCOPE_TRY(cursor->fuse_by_default(progress));
  Problem problem;
  HLOSCOPE_TRY(add_evaluators(
      settings, problem, [&](const EvaluatorSettings& one, bool is_hardware) -> MadeEvaluator {
        HLOSCOPE_ASSIGN(std::unique_ptr<KernelTimer> timer,
                        make_timer(with_fast_model(one, machine), machine, false));
        return make_fusion_evaluator(cursor, make_group_timer(*space, std::move(timer)),
                                     cost_of(one, is_hardware));
      }));
  problem.space = std::make_unique<FusionConfigs>(std::move(cursor));
  return problem;
}

Result<Problem> layout_problem(const hlo::ProgramPtr& program, const Settings& settings,
                               const sim::Machine& machine, const Progress& progress) {
  HLOSCOPE_ASSIGN(std::unique_ptr<LayoutSpace> space, make_layout_space(program, progress));
  Problem problem;
  HLOSCOPE_TRY(add_evaluators(
      settings, problem, [&](const EvaluatorSettings& one, bool is_hardware) -> MadeEvaluator {
        HLOSCOPE_ASSIGN(std::unique_ptr<KernelTimer> timer, make_timer(one, machine, false));
        return make_layout_evaluator(*space, std::move(timer), cost_of(one, is_hardware));
      }));
  problem.space = std::move(space);
  return problem;
}

}  // namespace

Result<Problem> make_problem(hlo::ProgramPtr program, const Settings& settings,
                             const Recorded& recorded, const Progress& progress) {
  HLOSCOPE_TRY(check_settings(settings));
  HLOSCOPE_ASSIGN(const sim::Machine machine, sim::find_machine(settings.machine));
  switch (settings.space) {
    case SpaceKind::kTiles:
      return tile_problem(program, settings, machine, recorded, progress);
    case SpaceKind::kProgramTiles:
      return program_tile_problem(program, settings, machine, progress);
    case SpaceKind::kFusion:
      return fusion_problem(program, settings, machine, progress);
    case SpaceKind::kLayout:
      return layout_problem(program, settings, machine, progress);
  }
  return fail(ErrorCode::kInternal, "no such space");
}

}  // namespace hloscope::tune
