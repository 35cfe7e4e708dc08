// What the times of all pages are compared with: pinned, shown, unpinned.
#include <QFileInfo>
#include <QTime>

#include "db/run_baseline.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/shell/main_tool_bar.h"
#include "ui/shell/main_window.h"
#include "ui/shell/window_status.h"

namespace hloscope::ui {
namespace {

const QKeySequence kPinKey(Qt::CTRL | Qt::Key_D);

}  // namespace

void MainWindow::addBaselineCommands() {
  const QString group = tr("Baseline");
  commands_.add({"baseline.pin_times", group, tr("Pin these times"), {}, Icon::kPin},
                [this] { pinTimes(); });
  commands_.find("baseline.pin_times")
      ->setToolTip(tr("What another machine, other assumptions or a new file change then stands "
                      "in all tables"));
  commands_.add({"baseline.pin_kernel", group, tr("Pin the selected kernel"), {kPinKey}},
                [this] { pinKernel(); });
  commands_.add({"baseline.unpin", group, tr("Unpin the baseline"), {}, Icon::kClose},
                [this] { setBaseline(nullptr); });
}

void MainWindow::updateBaselineCommands() {
  commands_.find("baseline.pin_times")->setEnabled(workspace_.report() != nullptr);
  commands_.find("baseline.unpin")->setEnabled(baseline_ != nullptr);
  QAction* kernel = commands_.find("baseline.pin_kernel");
  kernel->setEnabled(workspace_.report() && workspace_.selection().kernel.valid());
  // Pages that pin something of their own have the same key: two would not work at all.
  const Page* page = currentPage();
  const bool is_free = page == nullptr || !page->pinsItself();
  kernel->setShortcut(is_free ? kPinKey : QKeySequence());
}

void MainWindow::setBaseline(const analysis::BaselinePtr& baseline, const PinnedRun& run) {
  baseline_ = baseline;
  pinned_run_ = baseline ? run : PinnedRun();
  tool_bar_->setBaseline(baseline_, pinned_run_.run.valid());
  runs_->setPinnedRun(pinned_run_.database.toStdString(),
                      pinned_run_.run.valid() ? std::optional(pinned_run_.run) : std::nullopt);
  updateViews();
  status_->setMessage(baseline_ ? tr("Baseline: %1").arg(QString::fromStdString(baseline_->label()))
                                : tr("Nothing is pinned"));
}

void MainWindow::pinTimes() {
  if (workspace_.reports().empty()) return;
  const std::string time = QTime::currentTime().toString(QStringLiteral("HH:mm")).toStdString();
  // The times that are shown are of this machine; the one that was chosen may still be worked on.
  const sim::Machine& machine = workspace_.report()->machine;
  setBaseline(
      analysis::pinned_times(workspace_.reports(), analysis::short_title(machine) + ", " + time));
}

void MainWindow::pinKernel() {
  const ReportPtr& report = workspace_.report();
  const graph::KernelId id = workspace_.selection().kernel;
  if (!report || !id.valid()) return;
  const graph::Kernel& kernel = report->kernels.kernels[id];
  const analysis::BaselineKernel* one = baseline_ ? baseline_->one_kernel() : nullptr;
  const bool is_it = one != nullptr && one->hash == kernel.hash &&
                     one->name == (*report->module.program)[kernel.instruction].name;
  setBaseline(is_it ? nullptr : analysis::pinned_kernel(*report, id));
}

void MainWindow::pinRun(const PinnedRun& run) {
  if (!run.run.valid()) {
    if (pinned_run_.run.valid()) setBaseline(nullptr);
    return;
  }
  using Found = Result<analysis::BaselinePtr>;
  tasks_.run<Found>(
      {.label = tr("Reading run %1").arg(run.run.value), .key = QStringLiteral("window.baseline")},
      [path = run.database.toStdString(), id = run.run](const Progress&) -> Found {
        HLOSCOPE_ASSIGN(db::Database database, db::Database::open(path, db::OpenMode::kReadOnly));
        return db::run_baseline(database, id);
      },
      this,
      [this, run](const Found& found) {
        if (found) return setBaseline(*found, run);
        setBaseline(baseline_, pinned_run_);  // The page Runs shows what is pinned still.
        if (found.error().code != ErrorCode::kCancelled) errors_->add(messageOf(found.error()));
      });
}

}  // namespace hloscope::ui
