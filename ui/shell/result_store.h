#pragma once

#include <QObject>
#include <filesystem>
#include <memory>

#include "core/base/result.h"
#include "ui/pages/page.h"

namespace hloscope::db {
class KeptDatabase;
}

namespace hloscope::ui {

/// Stores reports into the results file: one after the other, on the writer thread of the task
/// runner. The file is opened with the first report.
class ResultStore : public QObject {
  Q_OBJECT
 public:
  enum class State { kEmpty, kSaving, kSaved, kReadOnly, kFailed };

  ResultStore(TaskRunner& tasks, std::filesystem::path path, QObject* parent = nullptr);
  ~ResultStore() override;

  void save(const std::vector<ReportPtr>& reports);
  [[nodiscard]] State state() const { return state_; }
  /// "results.hloscope, all saved".
  [[nodiscard]] QString stateText() const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 signals:
  void changed();
  /// Once until something could be saved again.
  void failed(const hloscope::Error& error);

 private:
  void finished(const Status& status);

  TaskRunner& tasks_;
  std::filesystem::path path_;
  std::shared_ptr<db::KeptDatabase> file_;  ///< Used on the writer thread only.
  State state_ = State::kEmpty;
  int pending_ = 0;
};

}  // namespace hloscope::ui
