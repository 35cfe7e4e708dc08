#include "ui/shell/loader.h"

#include <QFile>
#include <chrono>

#include "core/hlo/address.h"

namespace hloscope::ui {

namespace {

// Reading takes about as long as the analysis.
constexpr double kReadShare = 0.5;

Result<hlo::File> read(const Source& source, const Progress& progress) {
  if (source.is_text) {
    return hlo::read_bytes(source.text, source.path.toStdString(), {}, progress);
  }
  return hlo::read_file(QFile::encodeName(source.path).toStdString(), {}, progress);
}

}  // namespace

Result<LoadedFile> load(const Source& source, const sim::Machine& machine,
                        const Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  HLOSCOPE_ASSIGN(hlo::File file, read(source, progress.part(0, kReadShare)));
  HLOSCOPE_TRY(hlo::check_address({source.path.toStdString(), source.module}, file.modules.size()));
  LoadedFile loaded;
  loaded.source = source;
  loaded.bytes = file.bytes;
  loaded.warnings = std::move(file.warnings);
  loaded.read_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  const Progress rest = progress.part(kReadShare, 1);
  const auto count = static_cast<double>(file.modules.size());
  for (size_t i = 0; i < file.modules.size(); ++i) {
    const auto done = static_cast<double>(i);
    HLOSCOPE_ASSIGN(
        ReportPtr report,
        analysis::analyse(file.modules[i], source.path.toStdString(), static_cast<int>(i) + 1,
                          machine, rest.part(done / count, (done + 1) / count)));
    loaded.reports.push_back(std::move(report));
  }
  return loaded;
}

Result<std::vector<ReportPtr>> analyseAgain(const std::vector<ReportPtr>& reports,
                                            const sim::Machine& machine, const Progress& progress) {
  std::vector<ReportPtr> result;
  const auto count = static_cast<double>(reports.size());
  for (const ReportPtr& old : reports) {
    const auto done = static_cast<double>(result.size());
    HLOSCOPE_ASSIGN(ReportPtr report,
                    analysis::analyse(old->module, old->file_path, old->module_number, machine,
                                      progress.part(done / count, (done + 1) / count)));
    result.push_back(std::move(report));
  }
  return result;
}

}  // namespace hloscope::ui
