#pragma once

#include <QObject>
#include <filesystem>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "ui/pages/page.h"

namespace hloscope::ui {

/// Stores reports into the results file: one after the other, on the writer thread of the task
/// runner. The file is opened with the first report.
class ResultStore : public QObject {
  Q_OBJECT
 public:
  enum class State {
    kEmpty,
    kSaving,
    kSaved,
    kReadOnly,
    kFailed,
    kGone,   ///< The file was deleted or moved since.
    kOther,  ///< Another one lies there now, or other content was copied over it.
  };

  ResultStore(TaskRunner& tasks, std::filesystem::path path, QObject* parent = nullptr);
  ~ResultStore() override;

  void save(const std::vector<ReportPtr>& reports);
  /// The file was deleted, replaced or written to: is what was saved still in it?
  void look();
  [[nodiscard]] State state() const { return state_; }
  /// "results.hloscope, all saved".
  [[nodiscard]] QString stateText() const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 signals:
  void changed();
  /// Once until something could be saved again.
  void failed(const hloscope::Error& error);

 private:
  struct Writer;
  void finished(const Status& status);
  void looked(const Result<State>& found);

  TaskRunner& tasks_;
  std::filesystem::path path_;
  std::shared_ptr<Writer> writer_;  ///< Used on the writer thread only.
  State state_ = State::kEmpty;
  std::string told_;  ///< What look() said last of a file that is gone or another one.
  int pending_ = 0;
};

}  // namespace hloscope::ui
