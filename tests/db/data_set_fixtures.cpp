#include "tests/db/data_set_fixtures.h"

#include <set>

#include "core/base/rng.h"

namespace hloscope::db::testing {

data::DataSetInfo info_of(int64_t unit_count) {
  data::DataSetInfo info;
  info.name = "small";
  info.task = data::Task::kTile;
  info.target.device = "tpu_v3";
  info.target.source_hash = hash_of("tpu_v3.json").hex();
  info.target.noise = 0.02;
  info.target.repeats = 3;
  info.seed = 0xfedcba9876543210ULL;
  info.settings = R"({"tiles_per_kernel":4})";
  info.unit_count = unit_count;
  return info;
}

std::vector<data::SourceProgram> some_programs(size_t count) {
  std::vector<data::SourceProgram> programs;
  for (size_t i = 0; i < count; ++i) {
    const std::string name = "p" + std::to_string(i);
    programs.push_back({hash_of(name), name, "family" + std::to_string(i / 2),
                        "/data/" + name + ".hlo", static_cast<int64_t>(10 * (i + 1))});
  }
  return programs;
}

data::GraphRecord graph_of(const std::string& name, const std::string& content) {
  return {hash_of(name), name, "elementwise", 3, data::GraphForm::kHlo, content};
}

std::vector<MadeKernel> made_kernels(int64_t unit) {
  Rng rng(1000 + static_cast<uint64_t>(unit));
  std::set<uint64_t> seen;
  std::vector<MadeKernel> kernels;
  for (int i = 0; i < 12; ++i) {
    const uint64_t number = rng.below(60);
    if (!seen.insert(number).second) continue;
    MadeKernel kernel;
    kernel.name = "k" + std::to_string(number);
    kernel.content = "kernel " + kernel.name + " of unit " + std::to_string(unit);
    for (uint64_t tile = 0; tile < number % 4; ++tile) {
      kernel.samples.push_back({{{static_cast<int64_t>(tile), 8, 128}, {}},
                                100.0 * static_cast<double>(unit + 1),
                                std::nullopt,
                                tile == 0});
    }
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

Unit made_unit(int64_t unit) {
  return {unit, static_cast<uint32_t>(unit) % kMadePrograms, unit / kMadePrograms,
          static_cast<int64_t>(made_kernels(unit).size())};
}

void add_made_units(DataSets& data_set, const data::DataSetInfo& info) {
  for (int64_t number = info.shard_index; number < info.unit_count; number += info.shard_count) {
    const Unit unit = made_unit(number);
    double executions = unit.configuration == 0 ? 1 : 0;
    for (const MadeKernel& kernel : made_kernels(number)) {
      auto row = HLOSCOPE_MUST(data_set.find_graph(hash_of(kernel.name)));
      if (!row) {
        row = HLOSCOPE_MUST(
            data_set.put_graph(graph_of(kernel.name, kernel.content), number, kernel.samples));
      }
      HLOSCOPE_OK(data_set.add_sighting({*row, unit.program, 1, executions}));
      if (executions > 0) executions += 0.5;
    }
    HLOSCOPE_OK(data_set.add_unit(unit));
  }
}

void make_shard(const std::filesystem::path& path, const data::DataSetInfo& info) {
  Database database = HLOSCOPE_MUST(Database::open(path));
  DataSets data_set(database);
  Writing writing = HLOSCOPE_MUST(Writing::begin(database));
  HLOSCOPE_OK(data_set.create(info, some_programs(kMadePrograms)));
  add_made_units(data_set, info);
  HLOSCOPE_OK(data_set.finish());
  HLOSCOPE_OK(writing.commit());
}

}  // namespace hloscope::db::testing
