#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/predict.h"
#include "app/cli/printable.h"

namespace hloscope::cli {

namespace {

void add_options(CLI::App& command, PredictOptions& options) {
  add_file_options(command, options);
  add_machine_option(command, options);
  add_raw_option(command, options);
  command
      .add_option("--model", options.model,
                  "a built-in model (see models), or .safetensors files of train with commas "
                  "between [the built-in one for the machine]")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--kernel", options.kernel, "only this one: NAME or COMPUTATION/NAME");
  command.add_option("--top", options.top, "only the first N rows")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 31));
  auto* tiles = command.add_flag("--tiles", options.tiles,
                                 "rank the tiles of kernels, by a model that was trained for it");
  command.add_option("--filter", options.filter, "e.g. 'class:matmul predicted>100 far=0'")
      ->excludes(tiles);
  command.add_option("--db", options.db, "also store program and times in this database")
      ->excludes(tiles);
}

}  // namespace

Result<std::shared_ptr<const predict::Ensemble>> chosen_ensemble(const PredictOptions& options,
                                                                 const sim::Machine& machine,
                                                                 data::Task task) {
  std::shared_ptr<const predict::Ensemble> out;
  if (options.model.empty()) {
    HLOSCOPE_ASSIGN(out, predict::builtin_for(machine.id, task));
    if (out) return out;
    return fail(
        ErrorCode::kNotFound,
        fmt::format("no model for {} on {} is built in",
                    task == data::Task::kTile ? "tiles" : "times of kernels", machine.title),
        "'hloscope-cli models' lists those there are; --model takes files of train");
  }
  HLOSCOPE_ASSIGN(predict::Ensemble found, predict::Ensemble::find(options.model));
  if (found.task() != task) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{} was trained for {}", found.name(),
                            task == data::Task::kTile ? "times of kernels" : "tiles"),
                task == data::Task::kTile ? "leave --tiles out, or give a model for tiles"
                                          : "--tiles ranks tiles with it");
  }
  if (const std::string id = found.machine_id(); !id.empty() && id != machine.id) {
    return fail(
        ErrorCode::kInvalidInput,
        fmt::format("{} was trained for {} and knows nothing of {}", found.name(), id, machine.id),
        fmt::format("--machine {}", id));
  }
  return std::make_shared<const predict::Ensemble>(std::move(found));
}

std::string ensemble_text(const predict::Ensemble& ensemble) {
  const size_t members = ensemble.members().size();
  return printable(fmt::format("{} ({} model{}), learned from {} times", ensemble.label(), members,
                               members == 1 ? "" : "s",
                               ensemble.trained_on().empty() ? "unnamed" : ensemble.trained_on()));
}

nlohmann::ordered_json ensemble_json(const predict::Ensemble& ensemble) {
  return {{"model", ensemble.name()},
          {"model_hash", ensemble.hash().hex()},
          {"members", ensemble.members().size()},
          {"trained_on", ensemble.trained_on()}};
}

void add_predict_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<PredictOptions>();
  CLI::App* command =
      app.add_subcommand("predict", "times of kernels, and ranks of tiles, by learned models");
  add_options(*command, *options);
  command->footer(
      "Predicted times are those of a model that learned from times of many kernels; low and high "
      "are where two\nthirds of the true times should lie. is_far: the kernel is unlike those that "
      "the model learned from.\n"
      "Example: hloscope-cli predict samples/mobilenet_v2.hlo --top 10 --json\n"
      "  [{\"file\": \"...\", \"module_number\": 1, \"name\": \"...\", \"source\": \"predicted\", "
      "\"machine\": \"tpu_v3\",\n    \"machine_hash\": \"...\", \"kernels_from\": \"own_fusion\", "
      "\"model\": \"tpu_v3_fusion\", \"model_hash\": \"...\",\n    \"members\": 3, \"trained_on\": "
      "\"simulated (...)\", \"is_calibrated\": true, \"predicted_total_ns\": 1.2e6,\n    "
      "\"simulated_total_ns\": 1.1e6, \"analytical_total_ns\": 1.1e6, \"far_share\": 0.02, "
      "\"kernel_count\": 80,\n    \"distinct_kernels\": 40, \"kernels\": [{\"kernel\": "
      "\"fusion.1\", \"computation\": \"main\", \"class\": \"matmul\",\n    \"executions\": 1.0, "
      "\"predicted_ns\": 1.2e4, \"low_ns\": 1.1e4, \"high_ns\": 1.3e4, \"is_far\": false,\n    "
      "\"simulated_ns\": 1.1e4, \"analytical_ns\": 1.1e4, \"measured_ns\": null, \"share\": 0.1, "
      "\"label\": \"dot + add\"}]}]\n"
      "With --tiles: [{..., \"kernel\": \"...\", \"tile_count\": 90, \"accuracy\": {\"predicted\": "
      "{\"kendall_tau\": 0.8,\n    \"top1_slowdown\": 0.02, \"top5_slowdown\": 0.0, "
      "\"top10_slowdown\": 0.0}, \"analytical\": {...}},\n    \"tiles\": [{\"rank\": 1, \"tile\": "
      "\"out=4x1\", \"score\": -1.7, \"deviation\": 0.1, \"measured_ns\": 1e4,\n    "
      "\"simulated_ns\": 1e4, \"analytical_ns\": 1e4}]}]; accuracy only where tiles were "
      "measured.");
  command->callback([options, &exit_code] {
    (options->tiles ? predict_tiles : predict_programs)(*options, exit_code);
  });
}

}  // namespace hloscope::cli
