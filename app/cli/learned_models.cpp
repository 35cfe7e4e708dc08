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

Result<predict::ExampleSet> read_examples(const ExampleSource& source, ThreadPool& pool,
                                          const Progress& progress) {
  HLOSCOPE_ASSIGN(db::Database database, open_data_set(source.file, db::OpenMode::kReadOnly));
  const db::DataSets data_sets(database);
  db::LoadOptions options;
  options.split = source.split;
  if (source.with_analytical) {
    HLOSCOPE_ASSIGN(const data::DataSetInfo info, data_sets.info());
    HLOSCOPE_ASSIGN(const sim::Machine machine, sim::find_machine(machine_of(source, info.target)));
    options.rates.emplace(machine);
  }
  return db::load_examples(data_sets, options, pool, progress);
}

}  // namespace hloscope::cli
