#include <fmt/format.h>

#include "app/cli/commands.h"
#include "app/cli/dataset.h"
#include "app/cli/load.h"
#include "db/data_sets.h"

namespace hloscope::cli {

Result<db::Database> open_data_set(const std::string& path, db::OpenMode mode,
                                   bool unfinished_too) {
  HLOSCOPE_ASSIGN(db::Database database, db::Database::open(path, mode));
  const db::DataSets data_sets(database);
  HLOSCOPE_ASSIGN(const auto info, data_sets.find());
  if (!info) {
    return fail(ErrorCode::kNotFound, fmt::format("{} holds no data set", path),
                "dataset generate and dataset import make one");
  }
  HLOSCOPE_ASSIGN(const db::DataSetState state, data_sets.state());
  if (state == db::DataSetState::kUnfinished && !unfinished_too) {
    return fail(ErrorCode::kUnsupported, fmt::format("{} is not finished", path),
                "give the same dataset generate once more: it goes on where it was");
  }
  return database;
}

void settle(const Status& status, int& exit_code) {
  if (status) return;
  print_error(status.error());
  exit_code = kBadInput;
}

void add_dataset_command(CLI::App& app, int& exit_code) {
  CLI::App& dataset =
      *app.add_subcommand("dataset", "make data sets of kernels and their times, and look at them");
  dataset.require_subcommand(1);
  add_dataset_generate(dataset, exit_code);
  add_dataset_merge(dataset, exit_code);
  add_dataset_split(dataset, exit_code);
  add_dataset_stats(dataset, exit_code);
  add_dataset_import(dataset, exit_code);
  add_dataset_export(dataset, exit_code);
}

}  // namespace hloscope::cli
