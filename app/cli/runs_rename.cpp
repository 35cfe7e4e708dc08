#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>

#include "app/cli/commands.h"
#include "app/cli/dataset.h"
#include "app/cli/load.h"
#include "app/cli/printable.h"
#include "db/store.h"

namespace hloscope::cli {

namespace {

struct RenameOptions {
  int64_t run = 0;
  std::string name;
  std::string db;
  bool is_program = false;
};

Status rename_stored(const RenameOptions& options) {
  const std::filesystem::path path =
      options.db.empty() ? db::default_path() : std::filesystem::path(options.db);
  // Nothing is made where there is nothing to rename.
  HLOSCOPE_TRY(db::Database::open(path, db::OpenMode::kReadOnly));
  HLOSCOPE_ASSIGN(db::Database database, db::Database::open(path));
  db::Runs runs(database);
  const db::RunId run{options.run};
  HLOSCOPE_ASSIGN(const db::RunInfo info, runs.get(run));
  if (options.is_program) {
    HLOSCOPE_TRY(db::Programs(database).rename(info.key.program, options.name));
  } else {
    HLOSCOPE_TRY(runs.rename(run, options.name));
  }
  HLOSCOPE_ASSIGN(const db::RunInfo after, runs.get(run));
  fmt::print("run {}: {}, program {}\n", after.id.value,
             after.name.empty() ? "no name" : "name " + printable(after.name),
             printable(after.program_name));
  return {};
}

}  // namespace

void add_runs_rename_command(CLI::App& runs, int& exit_code) {
  auto options = std::make_shared<RenameOptions>();
  CLI::App* command = runs.add_subcommand("rename", "gives a run, or its program, a name");
  command->add_option("RUN", options->run, "number of the run, as in the list")->required();
  command->add_option("NAME", options->name, "the name; '' takes it away")->required();
  command->add_flag("--program", options->is_program,
                    "name the program of that run; '' gives it its own name again");
  command->add_option("--db", options->db, "database (default: the one the window uses)");
  command->footer(
      "Example: hloscope-cli runs rename 12 'before the change'\n"
      "         hloscope-cli runs rename 12 'resnet, batch 64' --program");
  command->callback([options, &exit_code] { settle(rename_stored(*options), exit_code); });
}

}  // namespace hloscope::cli
