#include "db/open_data_set.h"

#include <fmt/format.h>

#include <filesystem>

#include "db/data_set_statistics.h"

namespace hloscope::db {
namespace {

constexpr auto kHint = "dataset generate and dataset import make data sets";

// Opening for writing would make a file of a mistyped name.
Status check_there(const std::string& path) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (status.type() == std::filesystem::file_type::not_found) {
    return fail(ErrorCode::kNotFound, fmt::format("{}: there is no such file", path), kHint);
  }
  if (status.type() == std::filesystem::file_type::regular &&
      std::filesystem::file_size(path, code) == 0) {
    return fail(ErrorCode::kNotFound, fmt::format("{}: the file is empty", path), kHint);
  }
  return {};
}

}  // namespace

Result<Database> open_data_set(const std::string& path, OpenMode mode, bool unfinished_too) {
  HLOSCOPE_TRY(check_there(path));
  HLOSCOPE_ASSIGN(Database database, Database::open(path, mode));
  const DataSets data_sets(database);
  HLOSCOPE_ASSIGN(const auto info, data_sets.find());
  if (!info) {
    return fail(ErrorCode::kNotFound, fmt::format("{} holds no data set", path), kHint);
  }
  HLOSCOPE_ASSIGN(const DataSetState state, data_sets.state());
  if (state == DataSetState::kUnfinished && !unfinished_too) {
    return fail(ErrorCode::kUnsupported, fmt::format("{} is not finished", path),
                "give the same dataset generate once more: it goes on where it was");
  }
  return database;
}

Result<DataSetSummary> summarise_data_set(const std::string& path) {
  HLOSCOPE_ASSIGN(Database database, open_data_set(path, OpenMode::kReadOnly, true));
  const DataSets data_sets(database);
  DataSetSummary out;
  out.path = path;
  HLOSCOPE_ASSIGN(out.info, data_sets.info());
  HLOSCOPE_ASSIGN(out.state, data_sets.state());
  HLOSCOPE_ASSIGN(out.counts, data_sets.counts());
  HLOSCOPE_ASSIGN(const auto programs, data_sets.programs());
  out.programs = programs.size();
  HLOSCOPE_ASSIGN(out.splits, data_sets.split_names());
  std::error_code ignored;
  out.bytes = std::filesystem::file_size(path, ignored);
  return out;
}

Result<DataSetDetails> data_set_details(const std::string& path, const std::string& split,
                                        const Progress& progress) {
  HLOSCOPE_ASSIGN(Database database, open_data_set(path, OpenMode::kReadOnly));
  const DataSets data_sets(database);
  DataSetDetails out;
  if (!split.empty()) {
    HLOSCOPE_ASSIGN(out.split, data_sets.split(split));
  }
  HLOSCOPE_ASSIGN(auto programs, data_sets.programs());
  for (data::SourceProgram& program : programs) {
    DataSetProgram row{std::move(program), 0, std::nullopt};
    if (out.split) row.part = out.split->programs[out.programs.size()];
    out.programs.push_back(std::move(row));
  }
  HLOSCOPE_TRY(data_sets.each_sighting([&out, &progress](const Sighting& sighting) {
    ++out.programs[sighting.program].graphs;
    return !progress.stop_requested();
  }));
  HLOSCOPE_ASSIGN(out.statistics,
                  data_set_statistics(data_sets, out.split ? &*out.split : nullptr, progress));
  return out;
}

}  // namespace hloscope::db
