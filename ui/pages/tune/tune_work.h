#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/tune/settings.h"
#include "db/tuning.h"
#include "ui/pages/page.h"

namespace hloscope::ui {

/// FILE#N of a report.
[[nodiscard]] std::string addressOf(const analysis::ModuleReport& report);

/// What a session would search.
struct SpaceFacts {
  size_t dimensions = 0;
  double count = 0;  ///< 0: cannot be counted.
  size_t recorded = 0;
};
/// Makes the space of a session without storing anything. Errors: those of db::new_session() and
/// tune::make_problem(): why it cannot be started. Runs on a worker.
[[nodiscard]] Result<SpaceFacts> inspectSpace(const ReportPtr& report,
                                              const tune::Settings& settings,
                                              const std::filesystem::path& database,
                                              const Progress& progress);

/// Writes to the sessions of a results file; used on the writer thread only.
class SessionWriter {
 public:
  explicit SessionWriter(std::filesystem::path database) : path_(std::move(database)) {}

  [[nodiscard]] Result<int64_t> create(const ReportPtr& report, const tune::Settings& settings);
  [[nodiscard]] Result<db::TuneSessions> sessions();

 private:
  std::filesystem::path path_;
  std::optional<db::Database> database_;
};

}  // namespace hloscope::ui
