#include "app/cli/learned_models.h"

#include "app/cli/dataset.h"
#include "core/sim/machine.h"
#include "db/load_examples.h"

namespace hloscope::cli {

namespace {

std::string machine_of(const ExampleSource& source, const data::Target& target) {
  if (!source.machine.empty()) return source.machine;
  return target.kind == data::Target::Kind::kSimulated ? target.device : "tpu_v3";
}

}  // namespace

void add_source_options(CLI::App& command, ExampleSource& source) {
  command.add_option("FILE", source.file, "a data set")->required();
  CLI::Option* split = command.add_option("--split", source.split, "its split: see dataset split");
  command
      .add_flag("--hold-out-configurations", source.hold_out_configurations,
                "task layout, in place of a split: holds out configurations of the same graphs")
      ->excludes(split);
}

Result<predict::ExampleSet> read_examples(const ExampleSource& source, ThreadPool& pool,
                                          const Progress& progress) {
  if (source.split.empty() && !source.hold_out_configurations) {
    return fail(ErrorCode::kInvalidInput, "no split is named",
                "give --split NAME (see dataset split), or of layouts --hold-out-configurations");
  }
  HLOSCOPE_ASSIGN(db::Database database, open_data_set(source.file, db::OpenMode::kReadOnly));
  const db::DataSets data_sets(database);
  db::LoadOptions options;
  options.split = source.split;
  options.hold_out_configurations = source.hold_out_configurations;
  HLOSCOPE_ASSIGN(const data::DataSetInfo info, data_sets.info());
  HLOSCOPE_ASSIGN(const sim::Machine machine, sim::find_machine(machine_of(source, info.target)));
  options.machine = &machine;
  return db::load_examples(data_sets, options, pool, progress);
}

}  // namespace hloscope::cli
