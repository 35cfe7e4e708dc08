#include "ui/shell/job_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <cmath>

#include "ui/theme/fonts.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {

namespace {

constexpr double kShowAfterSeconds = 0.25;
constexpr int kRefreshMs = 100;
constexpr int kSteps = 1000;

}  // namespace

QString timeLeftText(const std::optional<double>& seconds) {
  if (!seconds) return {};
  if (*seconds < 90) return JobBar::tr("about %1 s left").arg(std::max(1L, std::lround(*seconds)));
  return JobBar::tr("about %1 min left").arg(std::lround(*seconds / 60));
}

JobBar::JobBar(TaskRunner& tasks, QWidget* parent) : QWidget(parent), tasks_(tasks) {
  label_ = new QToolButton;
  label_->setAutoRaise(true);
  label_->setFont(smallFont());
  bar_ = new QProgressBar;
  bar_->setFixedSize(160, 14);
  bar_->setFont(smallFont());
  bar_->setRange(0, kSteps);
  left_ = mutedLabel({});
  cancel_ = new QPushButton(tr("Cancel"));
  cancel_->setFont(smallFont());
  cancel_->setFixedHeight(20);
  cancel_->setToolTip(tr("Cancel this job (Esc)"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  for (QWidget* widget : {static_cast<QWidget*>(label_), static_cast<QWidget*>(bar_),
                          static_cast<QWidget*>(left_), static_cast<QWidget*>(cancel_)}) {
    layout->addWidget(widget);
  }
  connect(cancel_, &QPushButton::clicked, this, [this] { tasks_.cancel(shown_); });
  connect(label_, &QToolButton::clicked, this, &JobBar::openList);
  // By time, not by every report: a report every microsecond must not cost a repaint each.
  timer_.setInterval(kRefreshMs);
  connect(&timer_, &QTimer::timeout, this, &JobBar::refresh);
  connect(&tasks_, &TaskRunner::changed, this, [this] {
    if (!timer_.isActive()) timer_.start();
    if (tasks_.isIdle()) refresh();
  });
  hide();
}

void JobBar::refresh() {
  const std::vector<Job> jobs = tasks_.jobs();
  if (jobs.empty()) {
    timer_.stop();
    hide();
    return;
  }
  for (auto job = jobs.rbegin(); job != jobs.rend(); ++job) {
    if (job->seconds_running < kShowAfterSeconds) continue;
    showJob(*job, jobs.size());
    return;
  }
  hide();
}

void JobBar::showJob(const Job& job, size_t count) {
  shown_ = job.id;
  QString text = job.label;
  if (count > 1) text += tr(" (%1 jobs)").arg(count);
  label_->setText(text);
  label_->setToolTip(job.what);
  bar_->setValue(static_cast<int>(job.fraction * kSteps));
  left_->setText(timeLeftText(job.seconds_left));
  cancel_->setVisible(job.cancellable);
  show();
}

void JobBar::openList() {
  QMenu menu;
  for (const Job& job : tasks_.jobs()) {
    QAction* action = menu.addAction(
        tr("%1: %2 %").arg(job.label).arg(static_cast<int>(std::lround(job.fraction * 100))));
    QAction* cancel = menu.addAction(tr("    Cancel"));
    action->setEnabled(false);
    cancel->setEnabled(job.cancellable);
    connect(cancel, &QAction::triggered, this, [this, id = job.id] { tasks_.cancel(id); });
  }
  menu.exec(label_->mapToGlobal(QPoint(0, -menu.sizeHint().height())));
}

}  // namespace hloscope::ui
