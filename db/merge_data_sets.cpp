#include "db/merge_data_sets.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/write_file.h"
#include "db/merge_rows.h"
#include "db/new_file.h"
#include "db/sqlite/connection.h"

namespace hloscope::db {
namespace {

// Nobody else sees the file, and it is thrown away unless all of it is written: what guards against
// a crash on the way costs time for nothing. One file is left, without a log.
constexpr const char* kUnguarded = "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF";

Status check_target(std::span<const std::filesystem::path> shards,
                    const std::filesystem::path& to) {
  std::vector<std::string> inputs;
  for (const std::filesystem::path& shard : shards) inputs.push_back(shard.string());
  return check_output(to.string(), inputs);
}

std::string merged_name(const std::vector<Shard>& shards, const std::filesystem::path& to) {
  const std::string& name = shards.front().info.name;
  const bool is_of_all =
      std::ranges::all_of(shards, [&name](const Shard& shard) { return shard.info.name == name; });
  return is_of_all ? name : to.stem().string();
}

Status write_merged(std::vector<Shard>& shards, const std::filesystem::path& path,
                    const std::string& name, const Progress& progress) {
  HLOSCOPE_ASSIGN(Database target, Database::open(path));
  HLOSCOPE_TRY(target.connection().execute(kUnguarded));
  // All in one transaction: the header of the file counts them.
  HLOSCOPE_ASSIGN(Writing writing, Writing::begin(target));
  HLOSCOPE_TRY(merge_rows(shards, target, name, progress));
  return writing.commit();
}

}  // namespace

Status merge_data_sets(std::span<const std::filesystem::path> shards,
                       const std::filesystem::path& to, const Progress& progress) {
  HLOSCOPE_TRY(check_target(shards, to));
  HLOSCOPE_ASSIGN(std::vector<Shard> opened, open_shards(shards));
  HLOSCOPE_ASSIGN(NewFile file, NewFile::begin(to));
  const Status written = write_merged(opened, file.path(), merged_name(opened, to), progress);
  if (!written) return fail(file.named(written.error()));
  return file.commit();
}

}  // namespace hloscope::db
