#pragma once

#include <QTimer>
#include <QWidget>

#include "ui/tasks/task_runner.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace hloscope::ui {

/// The running job in the status bar: label, bar, time left, Cancel. With several jobs the label
/// opens a list of them. Jobs appear after a moment only, so that short ones do not flicker.
class JobBar : public QWidget {
  Q_OBJECT
 public:
  explicit JobBar(TaskRunner& tasks, QWidget* parent = nullptr);

 private:
  void refresh();
  void showJob(const Job& job, size_t count);
  void openList();

  TaskRunner& tasks_;
  QTimer timer_;
  quint64 shown_ = 0;
  QToolButton* label_;
  QProgressBar* bar_;
  QLabel* left_;
  QPushButton* cancel_;
};

/// "about 6 s left", "about 3 min left"; empty when it cannot be told.
[[nodiscard]] QString timeLeftText(const std::optional<double>& seconds);

}  // namespace hloscope::ui
