#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/predict/ablation.h"

namespace hloscope::cli {

/// A training of an ablation, as a row of a CSV file.
struct AblationRow {
  std::vector<std::string> key;  ///< By position in AblationFile::key_columns().
  predict::AblationRun run;
};

/// The finished trainings of ablations of one task, kept in a CSV file: those of other data sets,
/// bases and numbers of steps may stand in it as well.
class AblationFile {
 public:
  /// Reads what is there, or makes the file; with an empty path nothing is kept. Errors: those of
  /// measured::read_csv(); kInvalidInput for a file with other columns or what is no number; kIo.
  [[nodiscard]] static Result<AblationFile> open(const std::string& path, data::Task task);

  /// What a result follows from.
  [[nodiscard]] static const std::vector<std::string>& key_columns();
  /// Null: not done yet.
  [[nodiscard]] const predict::AblationRun* find(const std::vector<std::string>& key) const;
  /// Writes the file, as a whole. Error: kIo.
  [[nodiscard]] Status add(AblationRow row);

 private:
  AblationFile(std::string path, data::Task task) : path_(std::move(path)), task_(task) {}
  [[nodiscard]] std::vector<std::string> columns() const;
  [[nodiscard]] std::string csv() const;
  Status read();

  std::string path_;
  data::Task task_;
  std::vector<AblationRow> rows_;
};

}  // namespace hloscope::cli
