#include "db/generation_order.h"

#include <nlohmann/json.hpp>

#include "core/sim/machine.h"
#include "db/given_name.h"

namespace hloscope::db {
namespace {

constexpr int64_t kFusionConfigurations = 100;
constexpr int64_t kTileConfigurations = 1;

// All that determines the bytes of the data set, besides programs, seed and target.
std::string settings_text(const GenerationOrder& order, int64_t configurations) {
  nlohmann::ordered_json settings = {{"made_by", "dataset generate"},
                                     {"configurations_per_family", configurations}};
  if (order.task == data::Task::kTile) settings["tiles_per_kernel"] = order.tiles;
  if (order.kernels) settings["kernel_limit"] = *order.kernels;
  return settings.dump();
}

}  // namespace

Result<PlannedGeneration> plan_generation(const GenerationOrder& order, const Progress& progress) {
  HLOSCOPE_TRY(check_given_name("data set", order.name));
  HLOSCOPE_ASSIGN(const sim::Machine machine, sim::find_machine(order.machine));
  HLOSCOPE_ASSIGN(data::ProgramList list, data::list_programs(order.paths, progress));
  PlannedGeneration planned{Generation(machine), std::move(list.unreadable),
                            std::move(list.repeated)};
  Generation& out = planned.generation;
  out.programs = std::move(list.programs);
  const bool is_tile = order.task == data::Task::kTile;
  out.configurations =
      order.configurations.value_or(is_tile ? kTileConfigurations : kFusionConfigurations);
  out.graph_limit = order.kernels;
  out.sampling.task = order.task;
  out.sampling.seed = order.seed;
  out.sampling.tiles = order.tiles;
  out.sampling.noise = order.noise;
  out.sampling.repeats = order.noise > 0 ? order.repeats : 1;
  out.info.name =
      order.name.empty() ? std::filesystem::path(order.output).stem().string() : order.name;
  out.info.task = order.task;
  data::Target& target = out.info.target;
  target.device = machine.id;
  target.source_hash = machine.hash.hex();
  target.noise = order.noise;
  target.repeats = out.sampling.repeats;
  out.info.seed = order.seed;
  out.info.settings = settings_text(order, out.configurations);
  return planned;
}

}  // namespace hloscope::db
