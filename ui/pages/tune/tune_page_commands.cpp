// What can be done with sessions: commands and buttons of TunePage.
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <algorithm>

#include "core/tune/command_line.h"
#include "ui/pages/command_action.h"
#include "ui/pages/tune/extend_dialog.h"
#include "ui/pages/tune/session_form.h"
#include "ui/pages/tune/session_processes.h"
#include "ui/pages/tune/tune_page.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {

void TunePage::addCommands() {
  const auto add = [this](const char* id, const QString& text, const QKeySequence& keys,
                          const std::function<void()>& run, QWidget* scope = nullptr) {
    QAction* action =
        addCommand(this, QStringLiteral("tune.%1").arg(QLatin1String(id)), text, keys, run);
    QString tip = text;
    if (!keys.isEmpty())
      tip += QStringLiteral(" (%1)").arg(keys.toString(QKeySequence::NativeText));
    action->setToolTip(tip);
    actions_[QString::fromLatin1(id)] = action;
    if (scope != nullptr) scope->addAction(action);
    return action;
  };
  add("new", tr("New session"), QKeySequence(tr("Ctrl+N")), [this] { form_->focusFirst(); });
  add("start", tr("Start session"), QKeySequence(tr("Ctrl+R")), [this] {
    if (form_->canStart()) startSession(form_->settings(), false);
  });
  add("toggle", tr("Pause or resume"), QKeySequence(tr("Ctrl+Space")), [this] { pauseOrResume(); });
  add("pause", tr("Pause"), {}, [this] {
    write(tr("Pausing"), [id = current_](db::TuneSessions& sessions) {
      return sessions.request(db::TuneSessionRow{id}, tune::Request::kPause);
    });
  });
  add("resume", tr("Resume"), {}, [this] { resume(current_); });
  add("extend", tr("Extend…"), {}, [this] { extendCurrent(); });
  add("stop", tr("Stop"), {}, [this] { stopCurrent(); });
  add("duplicate", tr("Duplicate"), {}, [this] { duplicateCurrent(); });
  add("compare", tr("Compare in the chart"), {}, [this] { toggleCompare(); })->setCheckable(true);
  add("trial", tr("Open the kernel of the trial"), {}, [this] { openTrial(trial_, false); });
  add("graph", tr("Open the tuned program in the graph"), QKeySequence(tr("Ctrl+Return")), [this] {
    const TuneSessionRow* session = current();
    if (session == nullptr) return;
    int trial = trial_;
    const db::SessionInfo* stored = info(current_);
    if (trial < 0 && stored->progress.best) trial = static_cast<int>(*stored->progress.best);
    openTrial(trial, true);
  });
  add("save", tr("Save the tuned program…"), {}, [this] { saveTuned(); });
  add("export", tr("Export trials…"), {}, [this] { exportTrials(); });
  add("rename", tr("Rename session…"), {}, [this] { renameCurrent(); });
  add("pin", tr("Pin the session: Δ of best times against it"), QKeySequence(tr("Ctrl+D")),
      [this] { pinSession(current_); });
  add("command", tr("Copy the command line"), {}, [this] {
    const db::SessionInfo* session = info(current_);
    if (session == nullptr) return;
    QApplication::clipboard()->setText(
        QString::fromStdString(tune::tune_command(session->settings, session->file_path)));
    emit messageRequested(tr("Command copied"));
  });
  add("remove", tr("Remove session…"), {}, [this] { removeCurrent(); });
  auto* remove = new QAction(sessions_view_);
  remove->setShortcut(QKeySequence::Delete);
  remove->setShortcutContext(Qt::WidgetShortcut);
  connect(remove, &QAction::triggered, actions_[QStringLiteral("remove")], &QAction::trigger);
  sessions_view_->addAction(remove);
  auto* open = new QAction(trials_view_);
  open->setShortcuts({QKeySequence(Qt::Key_Return), QKeySequence(Qt::Key_Enter)});
  open->setShortcutContext(Qt::WidgetShortcut);
  connect(open, &QAction::triggered, actions_[QStringLiteral("trial")], &QAction::trigger);
  trials_view_->addAction(open);
  for (const auto& [id, button] : buttons_) {
    QAction* action = actions_[id];
    button->setToolTip(action->toolTip());
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
  }
  auto* more = sessions_panel_->findChild<QToolButton*>(QStringLiteral("moreButton"));
  for (const char* id : {"save", "export", "rename", "pin", "command", "remove"}) {
    more->menu()->addAction(actions_[QString::fromLatin1(id)]);
  }
  addContextMenus();
}

void TunePage::addContextMenus() {
  // The key for context menus opens them as well.
  const auto fill = [this](QTableView* view, std::initializer_list<const char*> ids) {
    view->setContextMenuPolicy(Qt::CustomContextMenu);
    auto* menu = new QMenu(view);
    for (const char* id : ids) {
      if (*id == 0) {
        menu->addSeparator();
      } else {
        menu->addAction(actions_[QString::fromLatin1(id)]);
      }
    }
    connect(view, &QTableView::customContextMenuRequested, menu,
            [view, menu](const QPoint& at) { menu->popup(view->viewport()->mapToGlobal(at)); });
  };
  fill(sessions_view_, {"pause", "resume", "extend", "stop", "", "graph", "compare", "duplicate",
                        "rename", "pin", "", "save", "export", "command", "", "remove"});
  fill(trials_view_, {"trial", "graph", "save", "", "export"});
}

void TunePage::pinSession(int64_t session) {
  const bool again = session == sessions_->pinned();
  sessions_->setPinned(again ? 0 : session);
  sessions_view_->setColumnHidden(TuneSessionModel::kDelta, sessions_->pinned() == 0);
  const TuneSessionRow* pinned = sessions_->session(sessions_->pinned());
  emit messageRequested(pinned == nullptr
                            ? tr("No session is pinned")
                            : tr("%1 is pinned: Δ is against its best time").arg(pinned->name));
}

void TunePage::updateCommands() {
  const TuneSessionRow* session = current();
  const db::SessionInfo* stored = info(current_);
  const bool any = session != nullptr && stored != nullptr;
  const bool whole = any && !session->isDamaged();
  const bool may_remove = any && read_only_.empty() && session->canRemove();
  const bool may_write = whole && read_only_.empty();
  const bool waits = any && processes_->isWaiting(current_);
  const bool has_trial = any && (trial_ >= 0 || stored->progress.best.has_value());
  const std::pair<const char*, bool> states[] = {
      {"start", form_->canStart()},
      {"toggle", may_write && (session->canPause() || session->canResume())},
      {"pause", may_write && session->canPause()},
      {"resume", may_write && session->canResume() && !waits},
      {"extend", may_write},
      {"stop", may_write && session->canStop()},
      {"duplicate", may_write},
      {"rename", may_write},
      {"compare", whole},
      {"pin", whole},
      {"trial", any && trial_ >= 0},
      {"graph", has_trial},
      {"save", has_trial},
      {"export", any && session->trials > 0},
      {"command", whole},
      {"remove", may_remove}};
  for (const auto& [id, enabled] : states) {
    const QString name = QString::fromLatin1(id);
    actions_[name]->setEnabled(enabled);
    if (const auto button = buttons_.find(name); button != buttons_.end()) {
      button->second->setEnabled(enabled);
    }
  }
  const bool compared = std::find(compared_.begin(), compared_.end(), current_) != compared_.end();
  actions_[QStringLiteral("compare")]->setChecked(compared);
  buttons_[QStringLiteral("compare")]->setChecked(compared);
}

void TunePage::fail(const Error& error) {
  emit errorRaised(error);
}

void TunePage::write(const QString& label, std::function<Status(db::TuneSessions&)> work,
                     std::function<void()> done) {
  tasks_.run<Status>(
      {.label = label, .serial = true, .cancellable = false},
      [writer = writer_, work = std::move(work)](const Progress&) -> Status {
        HLOSCOPE_ASSIGN(db::TuneSessions sessions, writer->sessions());
        return work(sessions);
      },
      this,
      [this, done = std::move(done)](const Status& status) {
        if (!status) {
          fail(status.error());
        } else if (done) {
          done();
        }
        poll();
      });
}

void TunePage::startSession(const tune::Settings& settings, bool at_end) {
  if (!report_) return;
  const bool waits = at_end || processes_->busySlots() >= SessionProcesses::kSlots;
  tasks_.run<Result<int64_t>>(
      {.label = tr("Storing the session"), .serial = true, .cancellable = false},
      [writer = writer_, report = report_, settings](const Progress&) {
        return writer->create(report, settings);
      },
      this,
      [this, waits](const Result<int64_t>& session) {
        if (!session) return fail(session.error());
        select_next_ = *session;
        processes_->enqueue(*session);
        emit messageRequested(waits ? tr("Session %1 waits for a free slot").arg(*session)
                                    : tr("Session %1 starts").arg(*session));
        poll();
      });
}

void TunePage::inspect(const tune::Settings& settings) {
  if (!report_ || database_.empty()) return;
  if (!isVisible()) {
    uninspected_ = settings;
    return;
  }
  space_label_ = tr("Counting the search space");
  tasks_.run<Result<SpaceFacts>>(
      {.label = space_label_, .key = QStringLiteral("tune.space")},
      [report = report_, settings, inspector = inspector_](const Progress& progress) {
        return inspector->inspect(report, settings, progress);
      },
      this,
      [this, report = report_](const Result<SpaceFacts>& space) {
        space_label_.clear();
        const bool cancelled = !space && space.error().code == ErrorCode::kCancelled;
        if (report == report_ && !cancelled) form_->setSpace(space);
        updateCommands();
      });
}

void TunePage::resume(int64_t session) {
  processes_->enqueue(session);
  if (processes_->busySlots() >= SessionProcesses::kSlots) {
    emit messageRequested(tr("Session %1 waits for a free slot").arg(session));
  }
  poll();
}

void TunePage::pauseOrResume() {
  const TuneSessionRow* session = current();
  if (session == nullptr) return;
  if (session->canPause()) {
    actions_[QStringLiteral("pause")]->trigger();
  } else if (session->canResume()) {
    resume(session->id);
  }
}

void TunePage::extendCurrent() {
  const db::SessionInfo* session = info(current_);
  if (session == nullptr) return;
  ExtendDialog dialog(session->settings.budget, session->progress, this);
  if (dialog.exec() != QDialog::Accepted) return;
  const bool running = session->status == db::SessionStatus::kRunning;
  write(
      tr("Extending"),
      [id = current_, budget = dialog.budget()](db::TuneSessions& sessions) {
        return sessions.set_budget(db::TuneSessionRow{id}, budget);
      },
      [this, id = current_, running] {
        if (!running) resume(id);
      });
}

void TunePage::stopCurrent() {
  processes_->forget(current_);
  write(tr("Stopping"), [id = current_](db::TuneSessions& sessions) {
    return sessions.request(db::TuneSessionRow{id}, tune::Request::kStop);
  });
}

void TunePage::duplicateCurrent() {
  const db::SessionInfo* session = info(current_);
  if (session == nullptr) return;
  if (report_ && addressOf(*report_) == session->file_path) form_->setSettings(session->settings);
  auto made = std::make_shared<int64_t>(0);
  write(
      tr("Duplicating"),
      [id = current_, made](db::TuneSessions& sessions) -> Status {
        HLOSCOPE_ASSIGN(const db::TuneSessionRow row, sessions.duplicate(db::TuneSessionRow{id}));
        *made = row.value;
        return {};
      },
      [this, made] {
        select_next_ = *made;
        emit messageRequested(
            tr("Session %1 is the same, with nothing tried: \"Resume\" starts it").arg(*made));
      });
}

void TunePage::renameCurrent() {
  const TuneSessionRow* session = current();
  if (session == nullptr) return;
  QInputDialog dialog(this);
  dialog.setWindowTitle(tr("Rename the session"));
  dialog.setLabelText(tr("&Name"));
  dialog.setTextValue(session->name);
  if (dialog.exec() != QDialog::Accepted) return;
  const std::string name = dialog.textValue().trimmed().toStdString();
  write(tr("Renaming"), [id = current_, name](db::TuneSessions& sessions) {
    return sessions.rename(db::TuneSessionRow{id}, name);
  });
}

void TunePage::removeCurrent() {
  const TuneSessionRow* session = current();
  if (session == nullptr || !session->canRemove()) return;
  const auto answer =
      QMessageBox::question(this, tr("Remove session"),
                            tr("Remove %1 with its %2 trials? This cannot be undone.")
                                .arg(session->name)
                                .arg(session->trials),
                            QMessageBox::Yes | QMessageBox::No, QMessageBox::No);
  if (answer != QMessageBox::Yes) return;
  processes_->forget(current_);
  std::erase(compared_, current_);
  write(tr("Removing"), [id = current_](db::TuneSessions& sessions) {
    return sessions.remove(db::TuneSessionRow{id});
  });
}

void TunePage::exportTrials() {
  const TuneSessionRow* session = current();
  if (session == nullptr) return;
  const QStringList filters{tr("CSV (*.csv)"), tr("JSON (*.json)"), tr("Optuna study (*.db)")};
  const QString endings[] = {QStringLiteral(".csv"), QStringLiteral(".json"),
                             QStringLiteral(".db")};
  QString filter = filters.front();
  QString path = QFileDialog::getSaveFileName(
      this, tr("Export the trials of %1").arg(session->name), session->name + endings[0],
      filters.join(QStringLiteral(";;")), &filter);
  if (path.isEmpty()) return;
  // What the name ends in counts; a name without an ending gets that of the chosen kind.
  auto chosen = static_cast<size_t>(std::max<qsizetype>(0, filters.indexOf(filter)));
  const auto named = std::find_if(std::begin(endings), std::end(endings),
                                  [&path](const QString& one) { return path.endsWith(one); });
  if (named != std::end(endings)) {
    chosen = static_cast<size_t>(named - std::begin(endings));
  } else {
    path += endings[chosen];
  }
  const auto format = static_cast<ExportFormat>(chosen);
  tasks_.run<Status>(
      {.label = tr("Exporting trials")},
      [reader = configs_, id = current_, format, path](const Progress& progress) {
        return reader->save(id, format, path.toStdString(), progress);
      },
      this,
      [this, path](const Status& status) {
        if (!status) return fail(status.error());
        emit messageRequested(tr("%1 written").arg(path));
      });
}

void TunePage::toggleCompare() {
  const auto at = std::find(compared_.begin(), compared_.end(), current_);
  if (at != compared_.end()) {
    compared_.erase(at);
  } else if (compared_.size() == kMostCompared) {
    emit messageRequested(tr("%1 sessions are compared at most").arg(kMostCompared));
  } else {
    compared_.push_back(current_);
  }
  for (int64_t session : compared_) watched_.try_emplace(session);
  updateCommands();
  refreshBest();
  poll();
}

}  // namespace hloscope::ui
