#include "db/shards.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "db/data_sets.h"
#include "db/sqlite/connection.h"

namespace hloscope::db {
namespace {

std::string shard_text(uint32_t index, uint32_t count) {
  return fmt::format("shard {}/{}", index, count);
}

Result<Shard> open_shard(const std::filesystem::path& path) {
  HLOSCOPE_ASSIGN(Database database, Database::open(path, OpenMode::kReadOnly));
  // Many are open at once, and each is read in order.
  HLOSCOPE_TRY(database.connection().execute("PRAGMA cache_size = -1024"));
  const DataSets data_set(database);
  HLOSCOPE_ASSIGN(data::DataSetInfo info, data_set.info());
  HLOSCOPE_ASSIGN(const DataSetState state, data_set.state());
  Shard shard{std::move(database), std::move(info)};
  if (state == DataSetState::kFinished) return shard;
  return shard_error(
      shard, shard_text(shard.info.shard_index, shard.info.shard_count) + " is not finished",
      "give the same 'dataset generate' once more: it goes on where it was");
}

/// What tells two data sets apart, in words; empty for the same one. Shards may bear other names.
std::string difference(const data::DataSetInfo& a, const data::DataSetInfo& b) {
  const auto words = [](std::string_view what, const auto& one, const auto& other) {
    return fmt::format("{} {}, not {}", what, other, one);
  };
  if (a.task != b.task) return words("task", data::name(a.task), data::name(b.task));
  if (a.target != b.target) return words("target", a.target.label(), b.target.label());
  if (a.seed != b.seed) return words("seed", a.seed, b.seed);
  if (a.settings != b.settings) return words("settings", a.settings, b.settings);
  if (a.shard_count != b.shard_count) return words("shards", a.shard_count, b.shard_count);
  if (a.unit_count != b.unit_count) return words("units", a.unit_count, b.unit_count);
  return {};
}

/// Where a program lay does not matter.
bool are_same(const std::vector<data::SourceProgram>& a,
              const std::vector<data::SourceProgram>& b) {
  return std::ranges::equal(
      a, b, [](const data::SourceProgram& one, const data::SourceProgram& other) {
        return one.hash == other.hash && one.name == other.name && one.family == other.family;
      });
}

Status check_same(std::vector<Shard>& shards) {
  Shard& first = shards.front();
  HLOSCOPE_ASSIGN(const auto programs, DataSets(first.database).programs());
  for (Shard& shard : std::span(shards).subspan(1)) {
    std::string what = difference(first.info, shard.info);
    if (what.empty()) {
      HLOSCOPE_ASSIGN(const auto others, DataSets(shard.database).programs());
      if (!are_same(others, programs)) what = "other programs";
    }
    if (what.empty()) continue;
    return shard_error(shard, fmt::format("it is of another data set than {}: it has {}",
                                          first.database.path().string(), what));
  }
  return {};
}

/// Of shards in order: each must be there once.
Status check_complete(const std::vector<Shard>& shards) {
  for (size_t i = 1; i < shards.size(); ++i) {
    const data::DataSetInfo& info = shards[i].info;
    if (info.shard_index != shards[i - 1].info.shard_index) continue;
    return shard_error(shards[i], fmt::format("{} is given twice, first as {}",
                                              shard_text(info.shard_index, info.shard_count),
                                              shards[i - 1].database.path().string()));
  }
  const uint32_t count = shards.front().info.shard_count;
  if (shards.size() == count) return {};
  constexpr size_t kNamed = 8;
  std::vector<std::string> missing;
  auto next = shards.begin();
  for (uint32_t index = 0; index < count && missing.size() < kNamed; ++index) {
    if (next != shards.end() && next->info.shard_index == index) {
      ++next;
    } else {
      missing.push_back(shard_text(index, count));
    }
  }
  const size_t others = count - shards.size() - missing.size();
  return fail(ErrorCode::kInvalidInput,
              fmt::format("missing {}{}", fmt::join(missing, ", "),
                          others > 0 ? fmt::format(" and {} more", others) : std::string()),
              "a data set is merged of all its shards");
}

}  // namespace

tl::unexpected<Error> shard_error(const Shard& shard, std::string what, std::string hint) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = std::move(what);
  error.file = shard.database.path().string();
  error.hint = std::move(hint);
  return fail(std::move(error));
}

Result<std::vector<Shard>> open_shards(std::span<const std::filesystem::path> paths) {
  if (paths.empty()) return fail(ErrorCode::kInvalidInput, "there are no shards to merge");
  std::vector<Shard> shards;
  for (const std::filesystem::path& path : paths) {
    HLOSCOPE_ASSIGN(Shard shard, open_shard(path));
    shards.push_back(std::move(shard));
  }
  HLOSCOPE_TRY(check_same(shards));
  std::ranges::stable_sort(shards, {}, [](const Shard& shard) { return shard.info.shard_index; });
  HLOSCOPE_TRY(check_complete(shards));
  return shards;
}

}  // namespace hloscope::db
