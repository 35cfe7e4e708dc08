#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "core/tune/settings.h"
#include "db/kept_database.h"
#include "db/tuning.h"
#include "ui/pages/page.h"

namespace hloscope::ui {

/// FILE#N of a report.
[[nodiscard]] std::string addressOf(const analysis::ModuleReport& report);

/// What a session would search.
struct SpaceFacts {
  size_t dimensions = 0;
  double count = 0;     ///< 0: cannot be counted.
  size_t recorded = 0;  ///< Recorded runs.
  size_t failed = 0;    ///< Those of them that failed on the device.
};
/// Looks how large search spaces are, on workers, one call at a time.
class SpaceInspector {
 public:
  explicit SpaceInspector(std::filesystem::path database)
      : file_(std::move(database), db::KeptDatabase::kLookTimeout) {}

  /// Makes the space of a session without storing anything. Errors: those of db::new_session() and
  /// tune::make_problem(): why it cannot be started.
  [[nodiscard]] Result<SpaceFacts> inspect(const ReportPtr& report, const tune::Settings& settings,
                                           const Progress& progress);

 private:
  std::timed_mutex mutex_;
  db::KeptDatabase file_;
};

/// Writes to the sessions of a results file; used on the writer thread only.
class SessionWriter {
 public:
  explicit SessionWriter(std::filesystem::path database)
      : file_(std::move(database), db::KeptDatabase::kLookTimeout) {}

  [[nodiscard]] Result<int64_t> create(const ReportPtr& report, const tune::Settings& settings);
  [[nodiscard]] Result<db::TuneSessions> sessions();

 private:
  db::KeptDatabase file_;
};

}  // namespace hloscope::ui
