#include "ui/pages/tune/tune_page.h"

#include <QComboBox>
#include <QMessageBox>
#include <QPushButton>
#include <QTableView>

#include "ui/charts/best_so_far_chart.h"
#include "ui/pages/tune/search_views.h"
#include "ui/pages/tune/session_form.h"
#include "ui/pages/tune/session_processes.h"
#include "ui/pages/tune/session_rows.h"

namespace hloscope::ui {
namespace {

TunePage::OnClose askOnClose(QWidget* parent, int running, int waiting) {
  QMessageBox box(QMessageBox::Question, TunePage::tr("Tuning goes on?"),
                  running == 1 ? TunePage::tr("A tuning session is running.")
                               : TunePage::tr("%1 tuning sessions are running.").arg(running),
                  QMessageBox::NoButton, parent);
  const bool is_one = running == 1;
  QString text = is_one ? TunePage::tr(
                              "It can go on without the window, and is found again with the next "
                              "start. When it is paused, it goes on exactly where it was.")
                        : TunePage::tr(
                              "They can go on without the window, and are found again with the "
                              "next start. What is paused goes on exactly where it was.");
  if (waiting > 0) {
    text += '\n' + TunePage::tr(
                       "Waiting for a free slot: %1. The window starts what waits when it "
                       "is open again.")
                       .arg(waiting);
  }
  box.setInformativeText(text);
  QPushButton* on =
      box.addButton(is_one ? TunePage::tr("&Let it go on") : TunePage::tr("&Let them go on"),
                    QMessageBox::AcceptRole);
  QPushButton* pause =
      box.addButton(is_one ? TunePage::tr("&Pause it") : TunePage::tr("&Pause them"),
                    QMessageBox::DestructiveRole);
  box.addButton(QMessageBox::Cancel)->setText(TunePage::tr("&Keep the window open"));
  box.setDefaultButton(on);
  box.exec();
  if (box.clickedButton() == on) return TunePage::OnClose::kGoOn;
  return box.clickedButton() == pause ? TunePage::OnClose::kPause : TunePage::OnClose::kCancel;
}

}  // namespace

TunePage::~TunePage() = default;

void TunePage::setReport(const ReportPtr& report) {
  report_ = report;
  form_->setReport(report);
  refreshEmpty();
}

void TunePage::setSelection(const Selection& selection) {
  form_->setKernel(selection.kernel);
}

void TunePage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  if (const auto settings = std::exchange(uninspected_, std::nullopt)) inspect(*settings);
  poll();
}

bool TunePage::isReady() const {
  if (!first_read_ || !views_->isDrawn()) return false;
  const auto watched = watched_.find(current_);
  return current_ == 0 || (watched != watched_.end() && watched->second.has_times && hasConfigs());
}

bool TunePage::mayClose() {
  std::vector<int64_t> running;
  for (const TuneSessionRow& session : sessions_->sessions()) {
    if (session.isActive()) running.push_back(session.id);
  }
  if (running.empty()) return true;
  const int count = static_cast<int>(running.size());
  const OnClose answer =
      ask_on_close_ ? ask_on_close_(count) : askOnClose(this, count, processes_->waitingCount());
  if (answer == OnClose::kPause) {
    for (int64_t session : running) {
      write(tr("Pausing"), [session](db::TuneSessions& sessions) {
        return sessions.request(db::TuneSessionRow{session}, tune::Request::kPause);
      });
    }
  }
  return answer != OnClose::kCancel;
}

void TunePage::selectSession(int64_t session) {
  if (session == current_) return;
  current_ = session;
  trial_ = -1;
  // Of the session before: the next reading takes its place.
  configs_label_.clear();
  no_configs_of_ = 0;
  selecting_ = true;
  const QModelIndex index = sessions_->indexOf(session);
  if (index.isValid()) {
    sessions_view_->setCurrentIndex(index);
  } else {
    sessions_view_->clearSelection();
  }
  selecting_ = false;
  showSession();
  poll();
}

QVariantMap TunePage::saveState() const {
  QVariantMap state;
  state[QStringLiteral("session")] = static_cast<qlonglong>(current_);
  QVariantList compared;
  for (int64_t session : compared_) compared << static_cast<qlonglong>(session);
  state[QStringLiteral("compared")] = compared;
  QVariantList waiting;
  for (int64_t session : processes_->waiting()) waiting << static_cast<qlonglong>(session);
  state[QStringLiteral("waiting")] = waiting;
  state[QStringLiteral("x")] = best_x_->currentIndex();
  state[QStringLiteral("view")] = static_cast<int>(views_->view());
  return state;
}

void TunePage::restoreState(const QVariantMap& state) {
  for (const QVariant& session : state[QStringLiteral("compared")].toList()) {
    compared_.push_back(session.toLongLong());
  }
  for (const QVariant& session : state[QStringLiteral("waiting")].toList()) {
    waited_.push_back(session.toLongLong());
  }
  if (state.contains(QStringLiteral("x"))) {
    best_x_->setCurrentIndex(state[QStringLiteral("x")].toInt());
  }
  views_->showView(
      static_cast<SearchViews::View>(std::clamp(state[QStringLiteral("view")].toInt(), 0, 2)));
  if (const int64_t session = state[QStringLiteral("session")].toLongLong(); session > 0) {
    select_next_ = session;
    poll();
  }
}

Page* createTunePage(TaskRunner& tasks, const std::filesystem::path& database) {
  return new TunePage(tasks, database);
}

}  // namespace hloscope::ui
