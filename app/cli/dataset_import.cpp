#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/dataset.h"
#include "app/cli/json_text.h"
#include "app/cli/load.h"
#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "core/base/write_file.h"
#include "db/import_data_set.h"

namespace hloscope::cli {

namespace {

using nlohmann::ordered_json;

struct ImportOptions {
  std::vector<std::string> paths;
  std::string output;
  std::string name;
  std::string device;
  std::string program;
  std::string target = "measured";
  std::string machine = "tpu_v3";
  bool skip_bad = false;
  bool force = false;
  bool json = false;
};

constexpr size_t kMostWarnings = 10;

std::string settings_text(const ImportOptions& options) {
  ordered_json settings = {{"made_by", "dataset import"}, {"files", options.paths}};
  if (!options.program.empty()) settings["program"] = options.program;
  return settings.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

Status check_target(const ImportOptions& options) {
  HLOSCOPE_TRY(check_output(options.output, options.paths));
  const std::string inputs[] = {options.program};
  HLOSCOPE_TRY(check_output(options.output, inputs));
  return check_new_file(options.output, options.force);
}

Result<db::ImportOrder> order_of(const ImportOptions& options) {
  db::ImportOrder out;
  out.name =
      options.name.empty() ? std::filesystem::path(options.output).stem().string() : options.name;
  out.settings = settings_text(options);
  out.paths = options.paths;
  out.device = options.device;
  out.skip_bad = options.skip_bad;
  if (!options.program.empty()) out.profiled_program = options.program;
  if (options.target == "compiler") {
    HLOSCOPE_ASSIGN(out.compiler_machine, sim::find_machine(options.machine));
  }
  return out;
}

void print_warnings(const db::ImportSummary& summary) {
  const std::vector<Error>& warnings = summary.report.warnings;
  for (size_t i = 0; i < warnings.size() && i < kMostWarnings; ++i) {
    std::fprintf(stderr, "warning: %s\n", warnings[i].format().c_str());
  }
  if (warnings.size() > kMostWarnings) {
    std::fprintf(stderr, "%zu warnings more\n", warnings.size() - kMostWarnings);
  }
  for (const Error& error : summary.bad) {
    std::fprintf(stderr, "left out: %s\n", error.format().c_str());
  }
}

ordered_json to_json(const ImportOptions& options, const db::ImportSummary& summary) {
  const data::ImportReport& report = summary.report;
  return {{"file", options.output},
          {"name", summary.info.name},
          {"task", data::name(summary.info.task)},
          {"target", summary.info.target.label()},
          {"files", summary.files},
          {"files_left_out", summary.bad.size()},
          {"programs", summary.programs},
          {"graphs", summary.counts.graphs},
          {"samples", summary.counts.samples},
          {"duplicates", report.duplicates},
          {"dropped",
           {{"failed_runs", report.failed},
            {"times_of_1_ns_or_less", report.too_short},
            {"runs_without_configuration", report.without_choice},
            {"graphs_without_time", report.graphs_left_out}}},
          {"warnings", report.warnings.size()},
          {"splits", summary.has_published_split ? ordered_json::array({db::kPublishedSplit})
                                                 : ordered_json::array()}};
}

std::string dropped_text(const data::ImportReport& report) {
  std::string out;
  const auto add = [&out](int64_t count, std::string_view one, std::string_view many) {
    if (count == 0) return;
    out += (out.empty() ? "" : ", ") + counted(count, one, many);
  };
  add(report.failed, "failed run", "failed runs");
  add(report.too_short, "time of 1 ns or less", "times of 1 ns or less");
  add(report.without_choice, "run without a configuration", "runs without a configuration");
  add(report.graphs_left_out, "graph without a time", "graphs without a time");
  return out;
}

void print_summary(const ImportOptions& options, const db::ImportSummary& summary) {
  fmt::print("{}: task {}, times {}\n", options.output, data::name(summary.info.task),
             summary.info.target.label());
  fmt::print("{}, {}, {}, {}\n", counted(summary.files, "file", "files"),
             counted(summary.programs, "program", "programs"),
             counted(summary.counts.graphs, "graph", "graphs"),
             counted(summary.counts.samples, "sample", "samples"));
  if (summary.report.duplicates > 0) {
    fmt::print(
        "{}: the least time is kept\n",
        counted(summary.report.duplicates, "repeated configuration", "repeated configurations"));
  }
  const std::string dropped = dropped_text(summary.report);
  if (!dropped.empty()) fmt::print("dropped: {}\n", dropped);
  if (!summary.bad.empty()) {
    fmt::print("left out: {}\n", counted(static_cast<int64_t>(summary.bad.size()),
                                         "file that cannot be read", "files that cannot be read"));
  }
  for (const std::string& note : summary.report.notes) fmt::print("{}\n", note);
  if (summary.has_published_split) {
    fmt::print("split '{}' as the files say it\n", db::kPublishedSplit);
  }
}

Status import_set(const ImportOptions& options) {
  HLOSCOPE_TRY(check_target(options));
  HLOSCOPE_ASSIGN(const db::ImportOrder order, order_of(options));
  const Interrupt interrupt;
  const Progress progress = terminal_progress(interrupt.token());
  const auto imported = db::import_data_set(order, options.output, progress);
  if (!imported && imported.error().code == ErrorCode::kCancelled) {
    return fail(ErrorCode::kCancelled, "stopped: nothing is written");
  }
  HLOSCOPE_TRY(imported);
  const db::ImportSummary& summary = *imported;
  progress.report(1, "");
  print_warnings(summary);
  if (options.json) {
    fmt::print("{}\n", json_text(to_json(options, summary)));
  } else {
    print_summary(options, summary);
  }
  return {};
}

constexpr auto kImportFooter =
    "Files, told apart by their content; folders are searched for .npz, .pb and .csv:\n"
    "  .npz of TpuGraphs, tile or layout (program and part from npz/tile/xla/train/NAME_HASH.npz)\n"
    "  TuningData and ModuleTuningData of TpuGraphs (.pb), tile or layout runs\n"
    "  CSV, a row per time, with the columns program (HLO file, from the CSV's folder; FILE#N) "
    "and\n"
    "    time_ns, and optional kernel (NAME or COMPUTATION/NAME), tile (out=12x4,kernel=3x1),\n"
    "    device, is_default (0, 1), repeats. With any tile it is a set of tiles, else of fusion\n"
    "  XProf's hlo_stats as JSON or CSV, with --program FILE\n"
    "  programs compiled for a TPU, with --target compiler: the times that the compiler expected\n"
    "Times of one configuration are reduced to the least. All files must be of one task and "
    "target.\n"
    "Example: hloscope-cli dataset import samples/tpu_v3_tiles.pb -o tiles.hloscope --json\n"
    "  {\"file\": \"tiles.hloscope\", \"name\": \"tiles\", \"task\": \"tile\", \"target\": "
    "\"measured (TPU v3, imported)\",\n   \"files\": 1, \"files_left_out\": 0, \"programs\": 1, "
    "\"graphs\": 7, \"samples\": 688, \"duplicates\": 1,\n   \"dropped\": {\"failed_runs\": 2, "
    "\"times_of_1_ns_or_less\": 0, \"runs_without_configuration\": 2,\n   "
    "\"graphs_without_time\": 1}, \"warnings\": 1, \"splits\": []}";

}  // namespace

void add_dataset_import(CLI::App& dataset, int& exit_code) {
  const auto options = std::make_shared<ImportOptions>();
  CLI::App& command = *dataset.add_subcommand(
      "import", "measured times from TpuGraphs files, tuning files, CSV or a profile");
  command.add_option("FILE", options->paths, "files, or folders of them")->required();
  command.add_option("-o,--output", options->output, "the data set file to make")->required();
  command.add_option("--name", options->name, "of the data set [that of the file]");
  command.add_option("--device", options->device,
                     "what the times were measured on [as the file says; TpuGraphs: TPU v3]");
  auto* program = command.add_option("--program", options->program,
                                     "the program that ran, of a table of HLO ops; FILE or FILE#N");
  command
      .add_option("--target", options->target,
                  "measured, or compiler: the files are programs with estimated_cycles")
      ->check(CLI::IsMember({"measured", "compiler"}))
      ->capture_default_str();
  command
      .add_option("--machine", options->machine,
                  "with --target compiler: whose clock counts the cycles")
      ->capture_default_str();
  command.add_flag("--skip-bad", options->skip_bad,
                   "leave files out that cannot be read, instead of importing nothing");
  command.add_flag("--force", options->force, "replace the file");
  command.add_flag("--json", options->json, "print the summary as JSON");
  command.footer(kImportFooter);
  command.callback([options, program, &exit_code] {
    if (options->target == "compiler" && program->count() > 0) {
      std::fputs("error: --program does not go with --target compiler\n", stderr);
      exit_code = kUsage;
      return;
    }
    settle(import_set(*options), exit_code);
  });
}

}  // namespace hloscope::cli
