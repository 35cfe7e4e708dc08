#include "ui/pages/tune/tune_work.h"

#include <algorithm>

#include "core/base/cancellable_lock.h"
#include "core/tune/problem.h"
#include "db/new_session.h"

namespace hloscope::ui {
namespace {

/// As it stands in the file: without own fusion.
hlo::Module moduleOf(const analysis::ModuleReport& report) {
  hlo::Module module = report.module;
  if (report.original) module.program = report.original;
  return module;
}

}  // namespace

std::string addressOf(const analysis::ModuleReport& report) {
  return report.file_path + "#" + std::to_string(report.module_number);
}

Result<SpaceFacts> SpaceInspector::inspect(const ReportPtr& report, const tune::Settings& settings,
                                           const Progress& progress) {
  HLOSCOPE_ASSIGN(const auto lock, lock_or_cancel(mutex_, progress));
  HLOSCOPE_ASSIGN(db::Database* const opened, file_.make());
  hlo::Module module = moduleOf(*report);
  // Tiles are those of the fused program, which is at hand where the window shows it.
  if (tune::is_of_tiles(settings.space) && report->origin == analysis::KernelOrigin::kOwnFusion) {
    module.program = report->module.program;
  }
  HLOSCOPE_ASSIGN(const db::NewSession session,
                  db::new_session(module, addressOf(*report), settings, *opened));
  if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
  HLOSCOPE_ASSIGN(
      const tune::Problem problem,
      tune::make_problem(module.program, session.settings.for_space(), session.recorded, progress));
  SpaceFacts facts;
  facts.dimensions = problem.space->dimensions();
  facts.count = problem.space->count().value_or(0);
  facts.recorded = session.recorded.runs.size();
  facts.failed = static_cast<size_t>(
      std::count_if(session.recorded.runs.begin(), session.recorded.runs.end(),
                    [](const tune::Recorded::Run& run) { return !run.time_ns; }));
  return facts;
}

Result<db::TuneSessions> SessionWriter::sessions() {
  HLOSCOPE_ASSIGN(db::Database* const opened, file_.make());
  HLOSCOPE_TRY(opened->writable());
  return db::TuneSessions(*opened);
}

Result<int64_t> SessionWriter::create(const ReportPtr& report, const tune::Settings& settings) {
  HLOSCOPE_ASSIGN(db::Database* const opened, file_.make());
  HLOSCOPE_TRY(opened->writable());
  HLOSCOPE_ASSIGN(const db::NewSession session,
                  db::new_session(moduleOf(*report), addressOf(*report), settings, *opened));
  HLOSCOPE_ASSIGN(const db::TuneSessionRow row, db::TuneSessions(*opened).create(session));
  return row.value;
}

}  // namespace hloscope::ui
