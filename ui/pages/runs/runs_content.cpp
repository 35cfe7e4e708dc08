#include "ui/pages/runs/runs_content.h"

#include <limits>

#include "core/base/cancellable_lock.h"
#include "db/stored_version.h"
#include "ui/pages/runs/run_tables.h"

namespace hloscope::ui {
namespace {

constexpr int64_t kAll = std::numeric_limits<int64_t>::max();

Result<RunsContent> readContent(db::Database& database, const Progress& progress) {
  RunsContent content;
  content.notice = database.notice();
  HLOSCOPE_ASSIGN(content.runs, db::Runs(database).list({.count = kAll}));
  progress.report(0.4, "programs");
  if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
  HLOSCOPE_ASSIGN(content.programs, db::Programs(database).list({.count = kAll}));
  HLOSCOPE_ASSIGN(content.measured, db::list_measured_sources(database));
  progress.report(0.6, "tables");
  std::error_code ignored;
  content.bytes = std::filesystem::file_size(database.path(), ignored);
  return content;
}

RunsTables tablesOf(RunsContent content) {
  RunsTables tables;
  tables.content = std::make_shared<const RunsContent>(std::move(content));
  for (const db::RunInfo& run : tables.content->runs) {
    tables.sources.insert(run.key.source_kind);
  }
  tables.runs = runTable(tables.content);
  tables.programs = programTable(tables.content);
  tables.measured = measuredTable(tables.content);
  return tables;
}

}  // namespace

RunsTables noRuns() {
  return tablesOf({});
}

Result<std::optional<RunsTables>> RunsReader::read(const std::string& version,
                                                   const Progress& progress) {
  HLOSCOPE_ASSIGN(const auto lock, lock_or_cancel(mutex_, progress));
  HLOSCOPE_ASSIGN(db::Database* const database, file_.open());
  if (database == nullptr) return noRuns();
  // Before the content: what is written meanwhile is seen the next time.
  HLOSCOPE_ASSIGN(const std::string stored, db::stored_version(*database));
  const std::string now = std::to_string(file_.generation()) + ';' + stored;
  file_.empty_log();
  if (now == version) return std::nullopt;
  HLOSCOPE_ASSIGN(RunsContent content, readContent(*database, progress));
  content.version = now;
  return tablesOf(std::move(content));
}

Result<std::vector<db::RunKernel>> RunsReader::kernels(db::RunId first, db::RunId second,
                                                       const Progress& progress) {
  HLOSCOPE_ASSIGN(const auto lock, lock_or_cancel(mutex_, progress));
  HLOSCOPE_ASSIGN(db::Database* const database, file_.make());
  return db::run_kernels(*database, first, second);
}

Result<db::RemovedRuns*> RunsWriter::removed() {
  HLOSCOPE_ASSIGN(db::Database* const database, file_.make());
  if (!removed_ || removed_of_ != file_.generation()) removed_.emplace(*database);
  removed_of_ = file_.generation();
  return &*removed_;
}

Result<int64_t> RunsWriter::remove(const std::vector<db::RunId>& runs) {
  HLOSCOPE_ASSIGN(db::RemovedRuns* const removed_runs, removed());
  Result<int64_t> removal = removed_runs->remove(runs);
  file_.empty_log();
  return removal;
}

Result<Renaming> RunsWriter::rename(const Renaming& to) {
  HLOSCOPE_ASSIGN(db::Database* const database, file_.make());
  Renaming before = to;
  if (to.run.valid()) {
    HLOSCOPE_ASSIGN(before.name, db::Runs(*database).rename(to.run, to.name));
  } else {
    HLOSCOPE_ASSIGN(before.name, db::Programs(*database).rename(to.program, to.name));
  }
  file_.empty_log();
  return before;
}

Result<int64_t> RunsWriter::restore(int64_t removal) {
  HLOSCOPE_ASSIGN(db::RemovedRuns* const removed_runs, removed());
  Result<int64_t> restored = removed_runs->restore(removal);
  file_.empty_log();
  return restored;
}

}  // namespace hloscope::ui
