#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <memory>
#include <vector>

#include "db/training_session.h"
#include "ui/tasks/task_runner.h"
#include "ui/theme/panel.h"

class QProgressBar;
class QPushButton;

namespace hloscope::ui {

class ElidedLabel;
class LineChart;

/// One training with its curves: runs in a worker, is paused, carried on and stopped here.
class TrainingPanel : public Panel {
  Q_OBJECT
 public:
  enum class State { kIdle, kRunning, kPausing, kPaused, kStopping, kDone };

  explicit TrainingPanel(TaskRunner& tasks, QWidget* parent = nullptr);

  /// Goes on from the order's checkpoint where there is one. Nothing while another one runs.
  void start(const db::TrainingOrder& order);
  /// A checkpoint keeps it; resume() carries it on, in this session or in a later one.
  void pause();
  void resume();
  /// Ends the training and makes the model of its best parameters so far.
  void stopAndKeep();

  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] bool isBusy() const { return state_ != State::kIdle && state_ != State::kDone; }
  [[nodiscard]] const std::vector<db::TrainingPoint>& points() const { return points_; }
  [[nodiscard]] LineChart* lossChart() const { return loss_; }
  [[nodiscard]] LineChart* validationChart() const { return validation_; }
  [[nodiscard]] QString noteText() const;
  [[nodiscard]] const db::TrainingOrder& order() const { return order_; }

 signals:
  void stateChanged();
  /// The model stands in this file.
  void trained(const QString& file);
  void failed(const hloscope::Error& error);
  void messageRequested(const QString& text);

 private:
  struct Feed;

  void makeButtons();
  void setState(State state);
  void run();
  void poll();
  void ended(const Result<db::TrainingResult>& result);
  void keep();
  /// In place of the curves.
  [[nodiscard]] QString noLossText() const;
  [[nodiscard]] QString noValidationText() const;
  void updateCharts();
  void updateNote();
  [[nodiscard]] const db::TrainingPoint* best() const;

  TaskRunner& tasks_;
  State state_ = State::kIdle;
  db::TrainingOrder order_;
  db::TrainingStart begun_;
  std::vector<db::TrainingPoint> points_;
  std::vector<db::TrainingPoint> before_;  ///< Of the training before, to compare with.
  std::string before_name_;
  std::shared_ptr<Feed> feed_;
  quint64 job_ = 0;
  QTimer poll_timer_;
  QElapsedTimer clock_;
  uint64_t first_step_ = 0;  ///< Where this run of the training began.

  LineChart* loss_;
  LineChart* validation_;
  QPushButton* pause_;
  QPushButton* stop_;
  QProgressBar* bar_;
  ElidedLabel* note_;
};

}  // namespace hloscope::ui
