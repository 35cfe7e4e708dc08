#include "db/example_choice.h"

#include "core/sim/machine.h"
#include "db/load_examples.h"
#include "db/open_data_set.h"

namespace hloscope::db {
namespace {

std::string machine_of(const ExampleChoice& choice, const data::Target& target) {
  if (!choice.machine.empty()) return choice.machine;
  return target.kind == data::Target::Kind::kSimulated ? target.device : "tpu_v3";
}

}  // namespace

Result<predict::ExampleSet> read_examples(const ExampleChoice& choice, ThreadPool& pool,
                                          const Progress& progress) {
  if (choice.split.empty() && !choice.hold_out_configurations) {
    return fail(ErrorCode::kInvalidInput, "no split is named",
                "give --split NAME (see dataset split), or of layouts --hold-out-configurations");
  }
  HLOSCOPE_ASSIGN(Database database, open_data_set(choice.file, OpenMode::kReadOnly));
  const DataSets data_sets(database);
  LoadOptions options;
  options.split = choice.split;
  options.hold_out_configurations = choice.hold_out_configurations;
  HLOSCOPE_ASSIGN(const data::DataSetInfo info, data_sets.info());
  HLOSCOPE_ASSIGN(const sim::Machine machine, sim::find_machine(machine_of(choice, info.target)));
  options.machine = &machine;
  return load_examples(data_sets, options, pool, progress);
}

}  // namespace hloscope::db
