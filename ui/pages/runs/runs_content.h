#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "db/kept_database.h"
#include "db/measured_list.h"
#include "db/programs.h"
#include "db/removed_runs.h"
#include "db/run_kernels.h"
#include "db/runs.h"
#include "ui/models/plain_table.h"

namespace hloscope::ui {

/// What stands in a results file.
struct RunsContent {
  std::vector<db::RunInfo> runs;  ///< Newest first.
  std::vector<db::ProgramInfo> programs;
  std::vector<db::MeasuredSourceInfo> measured;
  uint64_t bytes = 0;
  std::string notice;   ///< Of db::Database::notice().
  std::string version;  ///< The same as before: nothing has changed. Empty without a file.
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

/// Reads one results file, on workers. It stays open: what was checked once is not checked again
/// for every run that is looked at. Errors: those of db::Database::open() and of what is read;
/// kCancelled.
class RunsReader {
 public:
  explicit RunsReader(std::filesystem::path path)
      : file_(std::move(path), db::KeptDatabase::kLookTimeout, db::OpenMode::kReadOnly) {}

  /// Empty where nothing has changed since RunsContent::version. A file that is not there yet has
  /// no content.
  [[nodiscard]] Result<std::optional<RunsTables>> read(const std::string& version,
                                                       const Progress& progress);
  /// As db::run_kernels().
  [[nodiscard]] Result<std::vector<db::RunKernel>> kernels(db::RunId first, db::RunId second,
                                                           const Progress& progress);

 private:
  std::timed_mutex mutex_;
  db::KeptDatabase file_;
};

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
