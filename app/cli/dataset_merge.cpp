#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/dataset.h"
#include "app/cli/json_text.h"
#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "core/base/write_file.h"
#include "db/data_sets.h"
#include "db/merge_data_sets.h"
#include "db/open_data_set.h"

namespace hloscope::cli {

namespace {

struct MergeOptions {
  std::vector<std::string> shards;
  std::string output;
  bool force = false;
  bool json = false;
};

struct Merged {
  std::string target;
  size_t programs = 0;
  db::DataSetCounts counts;
  uintmax_t bytes = 0;
};

Status check_target(const MergeOptions& options) {
  // That it is no shard is checked with the shards.
  return check_new_file(options.output, options.force);
}

Result<Merged> read_merged(const std::string& path) {
  HLOSCOPE_ASSIGN(db::Database database, db::open_data_set(path, db::OpenMode::kReadOnly));
  const db::DataSets data_set(database);
  Merged merged;
  HLOSCOPE_ASSIGN(const data::DataSetInfo info, data_set.info());
  HLOSCOPE_ASSIGN(const auto programs, data_set.programs());
  HLOSCOPE_ASSIGN(merged.counts, data_set.counts());
  merged.target = info.target.label();
  merged.programs = programs.size();
  std::error_code ignored;
  merged.bytes = std::filesystem::file_size(path, ignored);
  return merged;
}

void print_json(const MergeOptions& options, const Merged& merged) {
  const nlohmann::ordered_json out = {
      {"file", options.output},           {"target", merged.target},
      {"shards", options.shards.size()},  {"programs", merged.programs},
      {"units", merged.counts.units},     {"kernels_met", merged.counts.kernels},
      {"graphs", merged.counts.graphs},   {"repeated", merged.counts.repeated_share()},
      {"samples", merged.counts.samples}, {"bytes", merged.bytes}};
  fmt::print("{}\n", json_text(out));
}

void print_text(const MergeOptions& options, const Merged& merged) {
  fmt::print("{}: {}\n", options.output, merged.target);
  fmt::print("{} shards, {} programs, {} units, {} kernels met (distinct in each)\n",
             options.shards.size(), grouped(merged.programs), grouped(merged.counts.units),
             grouped(merged.counts.kernels));
  fmt::print("{} distinct graphs ({} were met before), {} samples, {}B\n",
             grouped(merged.counts.graphs), percent(merged.counts.repeated_share()),
             grouped(merged.counts.samples), with_prefix(static_cast<double>(merged.bytes)));
}

Status merge(const MergeOptions& options) {
  HLOSCOPE_TRY(check_target(options));
  const Interrupt interrupt;
  const Progress progress = terminal_progress(interrupt.token());
  const std::vector<std::filesystem::path> shards(options.shards.begin(), options.shards.end());
  HLOSCOPE_TRY(db::merge_data_sets(shards, options.output, progress));
  progress.report(1, "");
  HLOSCOPE_ASSIGN(const Merged merged, read_merged(options.output));
  options.json ? print_json(options, merged) : print_text(options, merged);
  return {};
}

}  // namespace

void add_dataset_merge(CLI::App& dataset, int& exit_code) {
  const auto options = std::make_shared<MergeOptions>();
  CLI::App& command =
      *dataset.add_subcommand("merge", "one data set of the shards that were generated apart");
  command.add_option("SHARD", options->shards, "all shards of one data set, in any order")
      ->required();
  command.add_option("-o,--output", options->output, "the data set file to make")->required();
  command.add_flag("--force", options->force, "replace the file");
  command.add_flag("--json", options->json, "print the summary as JSON");
  command.footer(
      "The file is the same, byte for byte, however the work was cut in shards. Shards of "
      "different names get the name of the file.\n"
      "Example: hloscope-cli dataset merge shard*.hloscope -o kernels.hloscope --json\n"
      "  {\"file\": \"kernels.hloscope\", \"target\": \"simulated (tpu_v3@4f1c09ab)\", \"shards\": "
      "3, \"programs\": 12,\n    \"units\": 240, \"kernels_met\": 9120, \"graphs\": 2210, "
      "\"repeated\": 0.7577, \"samples\": 2210, \"bytes\": 4100096}");
  command.callback([options, &exit_code] { settle(merge(*options), exit_code); });
}

}  // namespace hloscope::cli
