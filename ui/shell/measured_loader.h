#pragma once

#include <QString>
#include <optional>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/measured/hlo_stats_join.h"
#include "ui/pages/page.h"

namespace hloscope::ui {

/// Measured times of a file, joined to a program.
struct MeasuredTimes {
  ReportPtr report;  ///< With the times, if they fit; else as it was.
  measured::JoinText text;
};

/// Reads op statistics. Empty for a file that is none. Runs on a worker.
[[nodiscard]] Result<std::optional<measured::HloStats>> readMeasured(const QString& path,
                                                                     const Progress& progress);
/// Joins them to the kernels of a report. Runs on a worker. Errors: kCancelled, those of
/// analysis::check_may_have_run().
[[nodiscard]] Result<MeasuredTimes> joinMeasured(const measured::HloStats& stats,
                                                 const ReportPtr& report, const Progress& progress);

}  // namespace hloscope::ui
