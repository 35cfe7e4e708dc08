#include "ui/shell/loader.h"

#include <QFile>
#include <chrono>

#include "core/hlo/address.h"

namespace hloscope::ui {

namespace {

// Fusing takes far longer than all else; without it reading takes about as long as the analysis.
constexpr double kReadShare = 0.2;
constexpr double kFuseShare = 0.7;
constexpr double kAnalyseShare = 0.9;

Result<hlo::File> read(const Source& source, const Progress& progress) {
  if (source.is_text) {
    return hlo::read_bytes(source.text, source.path.toStdString(), {}, progress);
  }
  return hlo::read_file(QFile::encodeName(source.path).toStdString(), {}, progress);
}

/// `shown` is a module of a file or a report.
template <typename Shown>
Result<ReportPtr> analyse(const Shown& shown, const std::string& path, int number,
                          const AnalysisChoice& choice, const Progress& progress) {
  HLOSCOPE_ASSIGN(const analysis::ShownModule now,
                  analysis::shown_module(shown, choice.kernels, progress.part(0, kFuseShare)));
  HLOSCOPE_ASSIGN(const ReportPtr report,
                  analysis::analyse(now, path, number, choice.machine,
                                    progress.part(kFuseShare, kAnalyseShare)));
  ThreadPool pool;
  return choice.predictor.add(report, pool, progress.part(kAnalyseShare, 1));
}

}  // namespace

bool AnalysisChoice::gives(const analysis::ModuleReport& report) const {
  return report.machine.hash == machine.hash &&
         (report.origin == analysis::KernelOrigin::kCompiled || report.choice == kernels);
}

Result<LoadedFile> load(const Source& source, const AnalysisChoice& choice,
                        const Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  std::optional<FileStamp> stamp;
  if (!source.is_text) stamp = file_stamp(QFile::encodeName(source.path).toStdString());
  HLOSCOPE_ASSIGN(hlo::File file, read(source, progress.part(0, kReadShare)));
  HLOSCOPE_TRY(hlo::check_address({source.path.toStdString(), source.module}, file.modules.size()));
  LoadedFile loaded;
  loaded.source = source;
  loaded.bytes = file.bytes;
  loaded.stamp = stamp;
  loaded.warnings = std::move(file.warnings);
  loaded.read_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  const Progress rest = progress.part(kReadShare, 1);
  const auto count = static_cast<double>(file.modules.size());
  for (size_t i = 0; i < file.modules.size(); ++i) {
    const auto done = static_cast<double>(i);
    HLOSCOPE_ASSIGN(ReportPtr report,
                    analyse(file.modules[i], source.path.toStdString(), static_cast<int>(i) + 1,
                            choice, rest.part(done / count, (done + 1) / count)));
    loaded.reports.push_back(std::move(report));
  }
  return loaded;
}

Result<std::vector<ReportPtr>> analyseAgain(const std::vector<ReportPtr>& reports,
                                            const AnalysisChoice& choice,
                                            const Progress& progress) {
  std::vector<ReportPtr> result;
  const auto count = static_cast<double>(reports.size());
  for (const ReportPtr& old : reports) {
    const auto done = static_cast<double>(result.size());
    if (choice.gives(*old)) {
      result.push_back(old);
      continue;
    }
    HLOSCOPE_ASSIGN(ReportPtr report, analyse<analysis::ShownModule>(
                                          *old, old->file_path, old->module_number, choice,
                                          progress.part(done / count, (done + 1) / count)));
    result.push_back(analysis::keep_measured(*old, std::move(report)));
  }
  return result;
}

}  // namespace hloscope::ui
