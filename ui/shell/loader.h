#pragma once

#include <QString>
#include <optional>
#include <string>
#include <vector>

#include "core/base/file_stamp.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/predict/program_times.h"
#include "ui/pages/page.h"

namespace hloscope::ui {

/// What is to be read: a file, or text that was pasted (then `path` is only its name).
struct Source {
  QString path;
  std::string text;
  bool is_text = false;
  /// The module to show first, from 1.
  std::optional<size_t> module = std::nullopt;
  /// Sources opened together have one group; they are listed by `place`, and the first is shown,
  /// whichever is read first.
  int group = 0;
  int place = 0;
};

/// A file, read and analysed.
struct LoadedFile {
  Source source;
  uint64_t bytes = 0;
  std::optional<FileStamp> stamp;  ///< Of the file before it was read; none of pasted text.
  double read_ms = 0;              ///< Reading and parsing, without the analysis.
  std::vector<ReportPtr> reports;
  std::vector<Error> warnings;
};

/// What the numbers depend on besides the program.
struct AnalysisChoice {
  sim::Machine machine;
  analysis::KernelChoice kernels = analysis::KernelChoice::kOwnFusion;
  predict::TimePredictor predictor = {};  ///< Of no model: no predicted times.

  /// Whether a report is the one that this choice gives.
  [[nodiscard]] bool gives(const analysis::ModuleReport& report) const;
};

/// Reads a source and analyses every module in it. Runs on a worker.
[[nodiscard]] Result<LoadedFile> load(const Source& source, const AnalysisChoice& choice,
                                      const Progress& progress);

/// The same modules with another choice, in the same order; reports that it gives are those that
/// there were. Error: kCancelled.
[[nodiscard]] Result<std::vector<ReportPtr>> analyseAgain(const std::vector<ReportPtr>& reports,
                                                          const AnalysisChoice& choice,
                                                          const Progress& progress);

}  // namespace hloscope::ui
