#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "app/cli/dataset.h"
#include "app/cli/json_text.h"
#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "db/export_data_set.h"
#include "db/open_data_set.h"

namespace hloscope::cli {

namespace {

using nlohmann::ordered_json;

struct ExportOptions {
  std::string file;
  std::string folder;
  std::string split;
  bool force = false;
  bool json = false;
};

ordered_json to_json(const ExportOptions& options, const db::ExportSummary& summary) {
  ordered_json files;
  for (size_t part = 0; part < data::kPartCount; ++part) {
    files[std::string(data::name(static_cast<data::Part>(part)))] = summary.files[part];
  }
  return {{"folder", summary.folder.string()},
          {"split", options.split.empty() ? ordered_json() : ordered_json(options.split)},
          {"files", files},
          {"configurations", summary.configurations},
          {"graphs_without_samples", summary.without_samples},
          {"graphs_with_one_configuration", summary.one_configuration}};
}

void print_summary(const ExportOptions& options, const db::ExportSummary& summary,
                   const std::vector<std::string>& splits) {
  fmt::print("{}: {} train, {} valid and {} test files, {} configurations\n",
             summary.folder.string(), summary.files[0], summary.files[1], summary.files[2],
             grouped(summary.configurations));
  if (summary.without_samples > 0) {
    fmt::print("left out: {} graph{} without samples\n", summary.without_samples,
               summary.without_samples == 1 ? "" : "s");
  }
  if (summary.one_configuration > 0) {
    fmt::print("{} with one configuration only: TpuGraphs' own loader of tiles leaves such out\n",
               summary.one_configuration);
  }
  if (!options.split.empty()) return;
  if (splits.empty()) {
    fmt::print("everything is for training; 'dataset split' makes parts, --split takes them\n");
  } else {
    fmt::print("everything is for training; --split takes the parts of {}\n",
               fmt::join(splits, ", "));
  }
}

Status export_set(const ExportOptions& options) {
  HLOSCOPE_ASSIGN(db::Database database, db::open_data_set(options.file, db::OpenMode::kReadOnly));
  HLOSCOPE_ASSIGN(const auto splits, db::DataSets(database).split_names());
  const Interrupt interrupt;
  const Progress progress = terminal_progress(interrupt.token());
  const db::ExportOrder order{options.folder, options.split, options.force};
  HLOSCOPE_ASSIGN(const db::ExportSummary summary, db::export_tpugraphs(database, order, progress));
  progress.report(1, "");
  if (options.json) {
    fmt::print("{}\n", json_text(to_json(options, summary)));
  } else {
    print_summary(options, summary, splits);
  }
  return {};
}

constexpr auto kExportFooter =
    "A file per graph, as the public TpuGraphs code loads them: FOLDER/npz/tile/xla/PART/ for "
    "tiles,\nFOLDER/npz/layout/xla/random/PART/ for layouts; PART is train, valid or test. Times "
    "are whole ns; the\nnormalizer of a tile is the time of the default tile, where it is not "
    "known "
    "the least time of the kernel.\nData sets of fusion have one time per kernel and no "
    "configurations: they cannot be exported.\n"
    "Example: hloscope-cli dataset export tiles.hloscope --to tpugraphs --split random --json\n"
    "  {\"folder\": \"tpugraphs/npz/tile/xla\", \"split\": \"random\", \"files\": {\"train\": 5, "
    "\"valid\": 1, \"test\": 1},\n   \"configurations\": 688, \"graphs_without_samples\": 0, "
    "\"graphs_with_one_configuration\": 0}";

}  // namespace

void add_dataset_export(CLI::App& dataset, int& exit_code) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App& command =
      *dataset.add_subcommand("export", "writes tiles or layouts as .npz files of TpuGraphs");
  command.add_option("FILE", options->file, "a data set file")->required();
  command.add_option("--to", options->folder, "the folder to write to")->required();
  command.add_option("--split", options->split, "name of a split [everything for training]");
  command.add_flag("--force", options->force, "replace what was exported there before");
  command.add_flag("--json", options->json, "print the summary as JSON");
  command.footer(kExportFooter);
  command.callback([options, &exit_code] { settle(export_set(*options), exit_code); });
}

}  // namespace hloscope::cli
