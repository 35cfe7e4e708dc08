#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "db/kept_database.h"
#include "db/measured_list.h"
#include "db/programs.h"
#include "db/removed_runs.h"
#include "db/runs.h"
#include "ui/models/plain_table.h"

namespace hloscope::ui {

/// What stands in a results file.
struct RunsContent {
  std::vector<db::RunInfo> runs;  ///< Newest first.
  std::vector<db::ProgramInfo> programs;
  std::vector<db::MeasuredSourceInfo> measured;
  uint64_t bytes = 0;
  std::string notice;  ///< Of db::Database::notice().
};

/// The content with its tables, which are made on the worker as well.
struct RunsTables {
  std::shared_ptr<const RunsContent> content = std::make_shared<const RunsContent>();
  PlainTable runs;
  PlainTable programs;
  PlainTable measured;
  std::set<std::string> sources;  ///< Kinds of sources that runs have.
};

/// Of an empty file.
[[nodiscard]] RunsTables noRuns();

/// Runs on a worker; opens the file for reading. A file that is not there yet has no content.
/// Errors: those of db::Database::open() and the lists; kCancelled.
[[nodiscard]] Result<RunsTables> readRuns(const std::filesystem::path& path,
                                          const Progress& progress);

/// A name for a run, or for a program; empty: none.
struct Renaming {
  db::RunId run;
  db::ProgramRow program;  ///< Where `run` is invalid.
  std::string name;
};

/// Writes into one results file, on the writer thread of the task runner; what was removed can be
/// restored as long as this lives.
class RunsWriter {
 public:
  explicit RunsWriter(std::filesystem::path path) : file_(std::move(path)) {}

  [[nodiscard]] Result<int64_t> remove(const std::vector<db::RunId>& runs);
  [[nodiscard]] Result<int64_t> restore(int64_t removal);
  /// Returns what takes it back.
  [[nodiscard]] Result<Renaming> rename(const Renaming& to);
  [[nodiscard]] const std::filesystem::path& path() const { return file_.path(); }

 private:
  /// Of the file that lies there now.
  [[nodiscard]] Result<db::RemovedRuns*> removed();

  db::KeptDatabase file_;
  std::optional<db::RemovedRuns> removed_;
  int removed_of_ = 0;  ///< KeptDatabase::generation() of removed_.
};

}  // namespace hloscope::ui
