#include "db/new_session.h"

#include <fmt/format.h>

#include "core/graph/kernels.h"
#include "core/hlo/address.h"
#include "core/hlo/print.h"
#include "core/sim/machine.h"
#include "core/tune/tile_kernel.h"
#include "db/measured.h"

namespace hloscope::db {
namespace {

Result<Hash128> kernel_hash(const hlo::ProgramPtr& program, const tune::Settings& settings) {
  HLOSCOPE_ASSIGN(const sim::Machine machine, sim::find_machine(settings.machine));
  HLOSCOPE_ASSIGN(const hlo::ProgramPtr with_kernels, tune::program_with_kernels(program, {}));
  HLOSCOPE_ASSIGN(const tune::TileKernelPtr kernel,
                  tune::find_tile_kernel(with_kernels, settings.kernel, sim::Rates(machine)));
  return graph::canonical_hash(*kernel->program, kernel->first());
}

}  // namespace

Result<std::string> only_kernel(const hlo::ProgramPtr& program) {
  HLOSCOPE_ASSIGN(const hlo::ProgramPtr with_kernels, tune::program_with_kernels(program, {}));
  const graph::KernelList kernels = graph::kernels(*with_kernels);
  if (kernels.kernels.size() != 1) return std::string();
  return std::string((*with_kernels)[kernels.kernels[graph::KernelId(size_t{0})].instruction].name);
}

tune::Recorded recorded_runs(const hlo::Module& module, const std::string& address) {
  tune::Recorded out{fmt::format("device {}", kDeviceNotStated), address, {}};
  for (const hlo::MeasuredRun& run : module.runs) {
    // Runs without bounds cannot be told apart.
    if (run.layout_hash != 0 || run.output_bounds.empty()) continue;
    tune::Recorded::Run& one = out.runs.emplace_back();
    one.config = bounds_text(run);
    if (!run.failed && run.time_ns > 0) one.time_ns = static_cast<double>(run.time_ns);
    one.is_default = run.is_default;
  }
  return out;
}

Result<NewSession> new_session(const hlo::Module& module, std::string address,
                               tune::Settings settings, Database& database) {
  if (settings.space == tune::SpaceKind::kTiles && settings.kernel.empty()) {
    HLOSCOPE_ASSIGN(settings.kernel, only_kernel(module.program));
  }
  HLOSCOPE_TRY(tune::check_settings(settings));
  NewSession out;
  if (settings.replays()) out.recorded = recorded_runs(module, address);
  if (settings.replays() && out.recorded.runs.empty()) {
    HLOSCOPE_ASSIGN(const Hash128 hash, kernel_hash(module.program, settings));
    HLOSCOPE_ASSIGN(out.recorded, recorded_tiles(database, hash));
  }
  out.program = module.program->name();
  out.file_path = std::move(address);
  out.program_hash = module.content_hash;
  out.hlo_text = hlo::print(*module.program);
  out.settings = std::move(settings);
  return out;
}

Result<hlo::Module> read_module(const std::string& address_text) {
  const hlo::FileAddress address = hlo::parse_address(address_text);
  HLOSCOPE_ASSIGN(hlo::File file, hlo::read_file(address.path));
  HLOSCOPE_TRY(hlo::check_address(address, file.modules.size()));
  if (!address.module && file.modules.size() != 1) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{} has {} modules, and a session is of one", address.path,
                            file.modules.size()),
                fmt::format("name it: {}#1 is the first", address.path));
  }
  return std::move(file.modules[address.module.value_or(1) - 1]);
}

}  // namespace hloscope::db
