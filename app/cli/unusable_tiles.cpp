#include "app/cli/unusable_tiles.h"

#include <fmt/format.h>

#include <vector>

#include "app/cli/printable.h"
#include "app/cli/text_table.h"
#include "core/sim/written_tile.h"

namespace hloscope::cli {

namespace {

struct UnusableTile {
  std::string kernel;
  std::string tile;
  std::string why;
};

std::vector<UnusableTile> unusable_tiles(const analysis::ModuleReport& report) {
  const hlo::Program& program = *report.module.program;
  const sim::Rates rates(report.machine);
  std::vector<UnusableTile> out;
  for (const graph::Kernel& kernel : report.kernels.kernels) {
    const std::string_view tile = sim::written_tile(program, kernel.instruction);
    if (tile.empty()) continue;
    const sim::KernelModel model = sim::kernel_model(program, kernel.instruction);
    const auto error = sim::written_tile_error(program, kernel.instruction, model, rates);
    if (!error) continue;
    out.push_back(
        {std::string(program[kernel.instruction].name), std::string(tile), error->message});
  }
  return out;
}

}  // namespace

std::optional<std::string> unusable_tile(const ChosenKernel& chosen, const sim::Rates& rates) {
  const hlo::Program& program = *chosen.module.program;
  const hlo::InstructionId kernel = chosen.kernel.instruction;
  const auto error = sim::written_tile_error(program, kernel, chosen.model, rates);
  if (!error) return std::nullopt;
  return printable(fmt::format("hloscope_tile of the program, {}: {}",
                               sim::written_tile(program, kernel), error->message));
}

std::string unusable_tiles_text(const analysis::ModuleReport& report) {
  const std::vector<UnusableTile> list = unusable_tiles(report);
  if (list.empty()) return {};
  const UnusableTile& first = list.front();
  return printable_lines(fmt::format(
      "{} cannot run with the hloscope_tile that the program says, timed at the default; {}: {}: "
      "{}\n",
      counted(static_cast<int64_t>(list.size()), "kernel", "kernels"), first.kernel, first.tile,
      first.why));
}

nlohmann::ordered_json unusable_tiles_json(const analysis::ModuleReport& report) {
  auto out = nlohmann::ordered_json::array();
  for (const UnusableTile& one : unusable_tiles(report)) {
    out.push_back({{"kernel", one.kernel}, {"tile", one.tile}, {"why", one.why}});
  }
  return out;
}

}  // namespace hloscope::cli
