#include "ui/pages/data/training_panel.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <filesystem>
#include <mutex>

#include "ui/charts/line_chart.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/format.h"
#include "ui/theme/icons.h"

namespace hloscope::ui {
namespace {

constexpr int kPollMs = 150;

QString nameOf(const std::string& output) {
  return QString::fromStdString(std::filesystem::path(output).stem().string());
}

bool isBetterHigh(const std::string& metric) {
  return metric == "kendall_tau";
}

QString metricTitle(const std::string& metric) {
  if (metric == "kendall_tau") return TrainingPanel::tr("validation, Kendall τ");
  if (metric == "mape") return TrainingPanel::tr("validation, MAPE %");
  if (metric == "tile_ape") return TrainingPanel::tr("validation, tile APE %");
  return TrainingPanel::tr("validation");
}

/// Errors are shown in per cent.
double shownValue(const db::TrainingPoint& point) {
  return isBetterHigh(point.metric) ? *point.validation : *point.validation * 100;
}

std::vector<QPointF> losses(const std::vector<db::TrainingPoint>& points) {
  std::vector<QPointF> out;
  for (const db::TrainingPoint& point : points) {
    out.emplace_back(static_cast<double>(point.step), point.loss);
  }
  return out;
}

std::vector<QPointF> validations(const std::vector<db::TrainingPoint>& points) {
  std::vector<QPointF> out;
  for (const db::TrainingPoint& point : points) {
    if (point.validation) out.emplace_back(static_cast<double>(point.step), shownValue(point));
  }
  return out;
}

}  // namespace

/// What the worker tells; read by a timer.
struct TrainingPanel::Feed {
  std::mutex mutex;
  std::optional<db::TrainingStart> start;
  std::vector<db::TrainingPoint> points;
  std::optional<Result<db::TrainingResult>> result;
};

TrainingPanel::TrainingPanel(TaskRunner& tasks, QWidget* parent)
    : Panel(tr("Training"), parent), tasks_(tasks) {
  loss_ = new LineChart(tr("Loss by step"));
  loss_->setAxes(tr("step"), tr("loss"), true, 5);
  validation_ = new LineChart(tr("Validation by step"));
  auto* charts = new QSplitter(Qt::Horizontal);
  charts->setChildrenCollapsible(false);
  charts->addWidget(loss_);
  charts->addWidget(validation_);
  charts->setStretchFactor(0, 1);
  charts->setStretchFactor(1, 1);
  body()->addWidget(charts, 1);
  makeButtons();
  poll_timer_.setInterval(kPollMs);
  connect(&poll_timer_, &QTimer::timeout, this, &TrainingPanel::poll);
  setState(State::kIdle);
  updateCharts();
}

void TrainingPanel::makeButtons() {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(8, 6, 8, 6);
  layout->setSpacing(8);
  pause_ = new QPushButton(icon(Icon::kPause), tr("Pause"));
  pause_->setToolTip(tr("A checkpoint beside the model keeps the training"));
  stop_ = new QPushButton(icon(Icon::kStop), tr("Stop and keep best"));
  bar_ = new QProgressBar;
  bar_->setAccessibleName(tr("Steps done"));
  bar_->setMinimumWidth(140);
  bar_->setMaximumWidth(180);
  note_ = new ElidedLabel(nullptr, Role::kTextMuted);
  layout->addWidget(pause_);
  layout->addWidget(stop_);
  layout->addWidget(bar_);
  layout->addWidget(note_, 1);
  body()->addWidget(row);
  connect(pause_, &QPushButton::clicked, this,
          [this] { state_ == State::kPaused ? resume() : pause(); });
  connect(stop_, &QPushButton::clicked, this, &TrainingPanel::stopAndKeep);
}

void TrainingPanel::setState(State state) {
  state_ = state;
  const bool paused = state == State::kPaused;
  pause_->setText(paused ? tr("Resume") : tr("Pause"));
  pause_->setIcon(icon(paused ? Icon::kPlay : Icon::kPause));
  pause_->setEnabled(paused || state == State::kRunning);
  stop_->setEnabled(paused || state == State::kRunning);
  updateNote();
  emit stateChanged();
}

void TrainingPanel::start(const db::TrainingOrder& order) {
  if (isBusy()) return;
  if (!points_.empty()) {
    before_ = std::move(points_);
    before_name_ = order_.output;
  }
  points_.clear();
  order_ = order;
  begun_ = {};
  run();
}

void TrainingPanel::resume() {
  if (state_ == State::kPaused) run();
}

void TrainingPanel::run() {
  feed_ = std::make_shared<Feed>();
  job_ = tasks_.run<int>(
      {.label = tr("Training %1").arg(nameOf(order_.output))},
      [feed = feed_, order = order_](const Progress& progress) {
        db::TrainingHooks hooks;
        hooks.progress = progress;
        hooks.started = [&feed](const db::TrainingStart& start) {
          const std::lock_guard lock(feed->mutex);
          feed->start = start;
        };
        hooks.evaluated = [&feed](const db::TrainingPoint& point) {
          const std::lock_guard lock(feed->mutex);
          feed->points.push_back(point);
        };
        auto result = db::run_training(order, hooks);
        const std::lock_guard lock(feed->mutex);
        feed->result = std::move(result);
        return 0;
      },
      this, [](int) {});
  first_step_ = points_.empty() ? 0 : points_.back().step;
  clock_.start();
  poll_timer_.start();
  setState(State::kRunning);
  updateCharts();
}

void TrainingPanel::pause() {
  if (state_ != State::kRunning) return;
  setState(State::kPausing);
  tasks_.cancel(job_);
}

void TrainingPanel::stopAndKeep() {
  if (state_ == State::kPaused) return keep();
  if (state_ != State::kRunning) return;
  setState(State::kStopping);
  tasks_.cancel(job_);
}

void TrainingPanel::poll() {
  std::optional<Result<db::TrainingResult>> result;
  bool moved = false;
  {
    const std::lock_guard lock(feed_->mutex);
    if (feed_->start) begun_ = *std::exchange(feed_->start, std::nullopt);
    for (db::TrainingPoint& point : feed_->points) {
      // A checkpoint may lie a little before the last point that was seen.
      std::erase_if(points_, [&point](const auto& old) { return old.step >= point.step; });
      points_.push_back(std::move(point));
      moved = true;
    }
    feed_->points.clear();
    if (feed_->result) result = std::exchange(feed_->result, std::nullopt);
  }
  if (moved) updateCharts();
  updateNote();
  if (result) ended(*result);
}

void TrainingPanel::ended(const Result<db::TrainingResult>& result) {
  poll_timer_.stop();
  if (result) {
    setState(State::kDone);
    emit messageRequested(tr("%1: the parameters after step %2")
                              .arg(QString::fromStdString(result->file))
                              .arg(result->best_step));
    emit trained(QString::fromStdString(result->file));
    return;
  }
  if (result.error().code != ErrorCode::kCancelled) {
    setState(State::kIdle);
    emit failed(result.error());
    return;
  }
  if (state_ == State::kStopping) return keep();
  const bool has_checkpoint = std::filesystem::exists(db::checkpoint_path(order_.output));
  setState(has_checkpoint ? State::kPaused : State::kIdle);
  emit messageRequested(has_checkpoint
                            ? tr("The training is paused: %1 keeps it")
                                  .arg(QString::fromStdString(db::checkpoint_path(order_.output)))
                            : tr("The training was stopped before it began"));
}

void TrainingPanel::keep() {
  setState(State::kStopping);
  tasks_.run<Result<db::TrainingResult>>(
      {.label = tr("Keeping the best parameters"), .cancellable = false},
      [output = order_.output](const Progress&) { return db::keep_best(output); }, this,
      [this](const Result<db::TrainingResult>& kept) { ended(kept); });
}

const db::TrainingPoint* TrainingPanel::best() const {
  const db::TrainingPoint* found = nullptr;
  for (const db::TrainingPoint& point : points_) {
    if (point.is_best && point.validation) found = &point;
  }
  return found;
}

QString TrainingPanel::noLossText() const {
  if (!isBusy()) {
    return tr(
        "Loss by step: nothing is trained yet.\nChoose a data set with a split, then press "
        "Train.");
  }
  return tr("Loss by step: the first point comes after %1 steps.")
      .arg(formatCount(static_cast<int64_t>(order_.evaluate_every)));
}

QString TrainingPanel::noValidationText() const {
  return tr("Validation by step: %1.\nThe parameters that do best on it are kept.")
      .arg(isBusy() ? tr("after the first evaluation") : tr("drawn while a training runs"));
}

void TrainingPanel::updateCharts() {
  const auto end = static_cast<double>(order_.steps);
  const std::string metric = points_.empty() ? "" : points_.back().metric;
  validation_->setAxes(tr("step"), metricTitle(metric), false, isBetterHigh(metric) ? 3 : 1);
  const bool unvalidated = !points_.empty() && validations(points_).empty();
  loss_->setEmptyText(points_.empty() ? noLossText() : QString());
  validation_->setEmptyText(points_.empty() ? noValidationText()
                            : unvalidated
                                ? tr("The split has no validation part: nothing to judge by.")
                                : QString());
  if (points_.empty()) return;
  std::vector<LineChart::Line> loss = {{nameOf(order_.output), 0, losses(points_)}};
  std::vector<LineChart::Line> validation = {{nameOf(order_.output), 0, validations(points_)}};
  if (!before_.empty() && before_.back().metric == metric) {
    const QString name = tr("%1, before").arg(nameOf(before_name_));
    loss.push_back({name, 1, losses(before_)});
    validation.push_back({name, 1, validations(before_)});
  }
  std::optional<LineChart::Mark> mark;
  if (const db::TrainingPoint* point = best()) {
    mark = LineChart::Mark{QPointF(static_cast<double>(point->step), shownValue(*point)),
                           tr("best %1, step %2")
                               .arg(formatNumber(shownValue(*point), isBetterHigh(metric) ? 3 : 1))
                               .arg(point->step)};
  }
  loss_->setLines(std::move(loss), {}, end);
  validation_->setLines(std::move(validation), mark, end);
}

QString TrainingPanel::noteText() const {
  return note_->wholeText();
}

void TrainingPanel::updateNote() {
  const uint64_t step = points_.empty() ? 0 : points_.back().step;
  bar_->setRange(0, static_cast<int>(std::max<uint64_t>(order_.steps, 1)));
  bar_->setValue(static_cast<int>(std::min(step, order_.steps)));
  bar_->setFormat(tr("step %1 of %2").arg(step).arg(order_.steps));
  bar_->setVisible(state_ != State::kIdle);
  QStringList parts;
  switch (state_) {
    case State::kIdle:
      parts << tr("Nothing is trained now");
      break;
    case State::kRunning:
      if (begun_.training == 0) parts << tr("reading the data set");
      break;
    case State::kPausing:
      parts << tr("writing the checkpoint");
      break;
    case State::kPaused:
      parts << tr("paused");
      break;
    case State::kStopping:
      parts << tr("keeping the best parameters");
      break;
    case State::kDone:
      parts << tr("done: %1").arg(QString::fromStdString(order_.output));
      break;
  }
  if (begun_.training > 0) {
    parts << tr("%1 to learn from, %2 for validation")
                 .arg(formatCount(static_cast<int64_t>(begun_.training)),
                      formatCount(static_cast<int64_t>(begun_.validation)));
  }
  const double seconds = static_cast<double>(clock_.isValid() ? clock_.elapsed() : 0) / 1e3;
  if (state_ == State::kRunning && step > first_step_ && seconds > 0) {
    parts
        << tr("%1 steps/s").arg(formatNumber(static_cast<double>(step - first_step_) / seconds, 1));
  }
  note_->setWholeText(parts.join(QStringLiteral(" · ")));
  setContext(begun_.training > 0
                 ? tr("%1, from %2, split %3")
                       .arg(nameOf(order_.output), QString::fromStdString(begun_.target),
                            QString::fromStdString(begun_.split))
                 : QString());
}

}  // namespace hloscope::ui
