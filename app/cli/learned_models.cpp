#include "app/cli/learned_models.h"

namespace hloscope::cli {

void add_source_options(CLI::App& command, db::ExampleChoice& source) {
  command.add_option("FILE", source.file, "a data set")->required();
  CLI::Option* split = command.add_option("--split", source.split, "its split: see dataset split");
  command
      .add_flag("--hold-out-configurations", source.hold_out_configurations,
                "task layout, in place of a split: holds out configurations of the same graphs")
      ->excludes(split);
}

}  // namespace hloscope::cli
