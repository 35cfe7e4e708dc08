#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "core/analysis/compare.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "db/kept_database.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/pages/page.h"

namespace hloscope::ui {

/// Which kernels the Compare page shows.
enum class KernelSet { kOpenFile, kAllOpen, kStore };

/// More of a results file are not compared.
inline constexpr size_t kMostStoredPoints = 1'000'000;

/// Points of the modules of the current file, or of all open files; with the times of the baseline
/// where there is one.
[[nodiscard]] std::vector<analysis::ComparePoint> openPoints(
    const std::vector<ReportPtr>& reports, const ReportPtr& current, KernelSet set,
    analysis::MeasuredChoice choice, const analysis::BaselinePtr& baseline = nullptr);

/// The reference time of every kernel that the results file knows one of, with the newest stored
/// estimates for the machine. Estimates are stored at the tile that the model chooses, so other
/// measured tiles have none. Runs on a worker. Errors: those of db::compare_points; kCancelled.
[[nodiscard]] Result<std::vector<analysis::ComparePoint>> storedPoints(
    const db::Database& database, const std::string& machine_id, const Progress& progress);

/// The stored points of one results file, read on workers. It stays open, and is read again only
/// when something was stored in it.
class StoredPoints {
 public:
  explicit StoredPoints(std::filesystem::path path)
      : file_(std::move(path), db::KeptDatabase::kLookTimeout, db::OpenMode::kReadOnly) {}

  /// Null where they are those of PointSet::version still. Errors: those of db::Database::open()
  /// and storedPoints().
  [[nodiscard]] Result<PointSetPtr> read(const std::string& machine_id, const std::string& version,
                                         const Progress& progress);

 private:
  std::timed_mutex mutex_;
  db::KeptDatabase file_;
};

/// The open module that holds the point; null when its file is not open.
[[nodiscard]] ReportPtr reportOf(const analysis::ComparePoint& point,
                                 const std::vector<ReportPtr>& reports);
/// In that module.
[[nodiscard]] Selection selectionOf(const analysis::ComparePoint& point,
                                    const analysis::ModuleReport& report);

}  // namespace hloscope::ui
