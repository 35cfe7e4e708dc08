#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "db/data_sets.h"
#include "tests/db/fixtures.h"

namespace hloscope::db::testing {

/// Simulated times for tpu_v3, `unit_count` units.
[[nodiscard]] data::DataSetInfo info_of(int64_t unit_count = 0);
/// "p0", "p1", ...; two of a family.
[[nodiscard]] std::vector<data::SourceProgram> some_programs(size_t count);
/// A kernel with the hash of its name.
[[nodiscard]] data::GraphRecord graph_of(const std::string& name, const std::string& content);

/// A kernel met in a made-up unit.
struct MadeKernel {
  std::string name;
  std::string content;  ///< Tells the unit.
  std::vector<data::Sample> samples;
};
inline constexpr uint32_t kMadePrograms = 4;
/// The distinct kernels of a unit, determined by its number: few names, so that units share them.
[[nodiscard]] std::vector<MadeKernel> made_kernels(int64_t unit);
[[nodiscard]] Unit made_unit(int64_t unit);

/// What is done with the units of a shard, as generating does it: only those graphs are stored that
/// this shard has not met yet.
void add_made_units(DataSets& data_set, const data::DataSetInfo& info);
/// A finished shard of made-up units.
void make_shard(const std::filesystem::path& path, const data::DataSetInfo& info);

}  // namespace hloscope::db::testing
