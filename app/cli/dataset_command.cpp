#include <fmt/format.h>

#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/dataset.h"
#include "app/cli/load.h"
#include "app/cli/terminal.h"
#include "db/data_sets.h"

namespace hloscope::cli {

namespace {

constexpr auto kHint = "dataset generate and dataset import make data sets";

// Opening for writing would make a file of a mistyped name.
Status check_there(const std::string& path) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (status.type() == std::filesystem::file_type::not_found) {
    return fail(ErrorCode::kNotFound, fmt::format("{}: there is no such file", path), kHint);
  }
  if (status.type() == std::filesystem::file_type::regular &&
      std::filesystem::file_size(path, code) == 0) {
    return fail(ErrorCode::kNotFound, fmt::format("{}: the file is empty", path), kHint);
  }
  return {};
}

}  // namespace

Result<db::Database> open_data_set(const std::string& path, db::OpenMode mode,
                                   bool unfinished_too) {
  HLOSCOPE_TRY(check_there(path));
  HLOSCOPE_ASSIGN(db::Database database, db::Database::open(path, mode));
  const db::DataSets data_sets(database);
  HLOSCOPE_ASSIGN(const auto info, data_sets.find());
  if (!info) {
    return fail(ErrorCode::kNotFound, fmt::format("{} holds no data set", path), kHint);
  }
  HLOSCOPE_ASSIGN(const db::DataSetState state, data_sets.state());
  if (state == db::DataSetState::kUnfinished && !unfinished_too) {
    return fail(ErrorCode::kUnsupported, fmt::format("{} is not finished", path),
                "give the same dataset generate once more: it goes on where it was");
  }
  return database;
}

std::string graph_noun(data::Task task) {
  return task == data::Task::kLayout ? "graph" : "kernel";
}

std::string class_text(const std::string& op_class) {
  return op_class.empty() ? "(not known)" : op_class;
}

void settle(const Status& status, int& exit_code) {
  if (status) return;
  clear_terminal_progress();
  print_error(status.error());
  exit_code = kBadInput;
}

void add_dataset_command(CLI::App& app, int& exit_code) {
  CLI::App& dataset =
      *app.add_subcommand("dataset", "make data sets of kernels and their times, and look at them");
  dataset.require_subcommand(1);
  dataset.footer(
      "Examples:\n"
      "  hloscope-cli dataset generate samples -o tiles.hloscope --task tile --tiles 50\n"
      "  hloscope-cli dataset show tiles.hloscope --sort time --limit 10\n"
      "  hloscope-cli dataset split tiles.hloscope --by random\n"
      "  hloscope-cli dataset export tiles.hloscope --to tpugraphs --split random\n"
      "Help of one of them: hloscope-cli dataset generate --help");
  add_dataset_generate(dataset, exit_code);
  add_dataset_merge(dataset, exit_code);
  add_dataset_split(dataset, exit_code);
  add_dataset_show(dataset, exit_code);
  add_dataset_stats(dataset, exit_code);
  add_dataset_import(dataset, exit_code);
  add_dataset_export(dataset, exit_code);
}

}  // namespace hloscope::cli
