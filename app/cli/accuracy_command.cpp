#include <memory>
#include <string>

#include "app/cli/accuracy.h"
#include "app/cli/accuracy_files.h"
#include "app/cli/commands.h"
#include "app/cli/load.h"
#include "core/base/write_file.h"

namespace hloscope::cli {

namespace {

Status run_accuracy(const AccuracyOptions& options, const sim::Machine& machine) {
  if (!options.data.empty()) return run_tile_accuracy(options, machine);
  if (!options.workloads.empty()) return run_workload_accuracy(options, machine);
  return run_op_accuracy(options, machine);
}

void run_accuracy(const AccuracyOptions& options, FileAccuracyOptions of_files, int& exit_code) {
  if (!of_files.files.empty()) {
    of_files.json = options.json;
    if (!options.machine.empty()) of_files.machine = options.machine;
    return run_file_accuracy(of_files, exit_code);
  }
  if (options.data.empty() && options.workloads.empty() && options.ops.empty()) {
    print_error(
        {ErrorCode::kInvalidInput, "no measured times are given", "", 0, 0, "",
         "name files with measured times, or give --data FILE --modules FILE, or --workloads "
         "FILE, or --ops FILE"});
    exit_code = kUsage;
    return;
  }
  const std::vector<std::string> inputs = {options.data, options.modules, options.workloads,
                                           options.ops};
  const std::string by_table = options.ops.empty() ? "tpu_v3" : "tpu_v4";
  const auto machine =
      load_machine(options.machine.empty() ? by_table : options.machine, exit_code);
  if (!machine) return;
  Status status = check_output(options.rows, inputs);
  if (status) status = run_accuracy(options, *machine);
  if (!status) {
    print_error(status.error());
    exit_code = kBadInput;
  }
}

void add_options(CLI::App& command, AccuracyOptions& options) {
  auto* data = command.add_option("--data", options.data, "CSV of measured tiles");
  auto* modules =
      command.add_option("--modules", options.modules, "the programs of --data (HLO, tuning file)");
  data->needs(modules);
  modules->needs(data);
  auto* workloads =
      command.add_option("--workloads", options.workloads, "CSV of measured workloads");
  auto* ops = command.add_option("--ops", options.ops, "CSV of measured operators");
  workloads->excludes(data)->excludes(ops);
  ops->excludes(data);
  command
      .add_option_function<std::string>(
          "--model",
          [&options](const std::string& name) {
            options.model = name == "analytical" ? accuracy::TimeModel::kAnalytical
                                                 : accuracy::TimeModel::kSimulator;
          },
          "what is held against the measured times (simulator)")
      ->check(CLI::IsMember({"simulator", "analytical"}));
  command.add_option("--machine", options.machine,
                     "machine id (tpu_v2 .. tpu_v6e) or machine file; else tpu_v4 for --ops, "
                     "tpu_v3 for the others");
  command.add_option("--rows", options.rows, "write every row to this CSV file");
  command.add_flag("--json", options.json, "write JSON");
  for (const char* file : {"--data", "--workloads", "--ops", "--rows", "--model"}) {
    command.get_option(file)->excludes("FILE");
  }
}

}  // namespace

void add_accuracy_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<AccuracyOptions>();
  auto of_files = std::make_shared<FileAccuracyOptions>();
  of_files->predictor.emplace();
  CLI::App* command = app.add_subcommand("accuracy", "errors of the models against measured times");
  add_file_accuracy_options(*command, *of_files);
  add_options(*command, *options);
  command->footer(
      "Errors are fractions in JSON. top1_slowdown: the measured time of the tile that the model "
      "ranks first\n/ that of the fastest - 1; top5: the fastest of its first five. Kernels with "
      "fewer than 10 tiles have no\ntau and no slowdown.\n"
      "Columns of --data: module_name, run_index, output_bounds, kernel_bounds, time_ns, "
      "is_default; of --workloads:\nworkload, kind, params, tpuv3_us; of --ops, where all cores of "
      "a chip count as one: op, shape, "
      "m, n,\nk, dtype, event, min_us.\n"
      "Of files, as on the page Compare: n are the points with both times, short are times under 5 "
      "µs.\n"
      "Example: hloscope-cli accuracy samples/tpu_v3_tiles.pb --runs --json\n"
      "  {\"points_are\": \"runs\", \"x\": \"measured\", \"y\": \"simulated\", \"points\": 691, "
      "\"pairs\": 689, \"metrics\":\n    [{\"source\": \"simulated\", \"range\": \"all\", \"n\": "
      "689, \"mape\": 0.04, \"median_ape\": 0.03, \"kendall_tau\": 0.9,\n    "
      "\"within_10_percent\": 0.9, \"kernels_with_tau\": 4, \"kernel_mean_tau\": 0.9}], "
      "\"errors_by\": {\"class\": [{\"group\": \"matmul/conv\",\n    \"errors\": [{\"source\": "
      "\"simulated\", \"n\": 579, \"mape\": 0.04}]}], ...}, \"largest\": [{\"kernel\": ...}]}\n"
      "Example: hloscope-cli accuracy --data tiles.csv --modules samples/tpu_v3_tiles.pb --json\n"
      "  {\"kernels\": [{\"module\": \"fusion.191\", \"n\": 579, \"mape\": 0.04, \"kendall_tau\": "
      "0.95,\n    \"top1_slowdown\": 0.08, \"top5_slowdown\": 0.0, \"tiles\": 579}],\n   "
      "\"total\": "
      "{\"mape\": 0.04, \"kernel_mean_mape\": 0.05, \"kendall_tau\": 0.9, ...},\n   "
      "\"rows_without_bounds\": 2, \"rows_invalid\": 0, \"model\": \"simulator\", ...}");
  command->callback(
      [options, of_files, &exit_code] { run_accuracy(*options, *of_files, exit_code); });
}

}  // namespace hloscope::cli
