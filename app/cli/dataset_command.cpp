#include "app/cli/commands.h"
#include "app/cli/dataset.h"
#include "app/cli/load.h"
#include "app/cli/terminal.h"
#include "db/open_data_set.h"

namespace hloscope::cli {

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
  add_dataset_rename(dataset, exit_code);
  add_dataset_show(dataset, exit_code);
  add_dataset_stats(dataset, exit_code);
  add_dataset_import(dataset, exit_code);
  add_dataset_export(dataset, exit_code);
}

}  // namespace hloscope::cli
