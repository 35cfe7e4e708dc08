#include "ui/shell/measured_loader.h"

#include <QFile>

#include "core/base/file_bytes.h"
#include "core/hlo/gunzip.h"

namespace hloscope::ui {

Result<std::optional<measured::HloStats>> readMeasured(const QString& path,
                                                       const Progress& progress) {
  HLOSCOPE_ASSIGN(std::string bytes, read_file_bytes(QFile::encodeName(path).toStdString()));
  if (hlo::is_gzip(bytes)) {
    HLOSCOPE_ASSIGN(bytes, hlo::gunzip(bytes, progress.part(0, 0.3)));
  }
  if (!measured::looks_like_hlo_stats(bytes)) return std::nullopt;
  HLOSCOPE_ASSIGN(measured::HloStats stats,
                  measured::parse_hlo_stats(bytes, path.toStdString(), progress.part(0.3, 1)));
  return std::optional(std::move(stats));
}

Result<MeasuredTimes> joinMeasured(const measured::HloStats& stats, const ReportPtr& report,
                                   const Progress& progress) {
  HLOSCOPE_TRY(analysis::check_may_have_run(*report));
  HLOSCOPE_ASSIGN(measured::StatsJoin join,
                  measured::join(*report->module.program, report->kernels, stats, progress));
  MeasuredTimes times{report, measured::describe(join)};
  if (join.fits()) {
    times.report =
        analysis::with_measured(*report, {stats.file, stats.hash, {}}, std::move(join.time_ns));
  }
  return times;
}

}  // namespace hloscope::ui
