// Every button of the page Autotune, on sessions that run in real processes of hloscope-cli.
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QSignalSpy>
#include <QTableView>
#include <QTimer>
#include <csignal>

#include "core/hlo/read.h"
#include "tests/support/test_registry.h"
#include "tests/ui/tune/tune_fixture.h"
#include "ui/pages/tune/extend_dialog.h"
#include "ui/pages/tune/session_form.h"

using namespace hloscope;
using namespace hloscope::ui;
using namespace hloscope::testing::tune_page;

namespace {

/// Ends what it started.
struct Processes {
  Processes() {
    qputenv("HLOSCOPE_CLI", (QApplication::applicationDirPath() + "/../hloscope-cli").toUtf8());
  }
};

struct Steered : Processes, Fixture {
  ReportPtr report = testing::reportOf(kDot);

  Steered() : Fixture(kRealProcesses) {
    page.setReport(report);
    settle();
  }
  ~Steered() {
    page.processes()->forgetAll();
    for (const TuneSessionRow& session : page.sessions()->sessions()) {
      if (session.isActive()) kill(pid(session.id), SIGKILL);
    }
  }
  [[nodiscard]] db::SessionInfo stored(int64_t session) const {
    auto database = db::Database::open(path);
    if (!database) qFatal("%s", database.error().format().c_str());
    const auto info = db::TuneSessions(*database).get(db::TuneSessionRow{session});
    if (!info) qFatal("%s", info.error().format().c_str());
    return *info;
  }
  /// Of the process that runs a session: its owner is "pid 123 on host".
  [[nodiscard]] pid_t pid(int64_t session) const {
    const QStringList words = QString::fromStdString(stored(session).owner).split(' ');
    return words.size() > 1 ? words[1].toInt() : 0;
  }
  [[nodiscard]] bool reaches(int64_t session, TuneState state) {
    return QTest::qWaitFor(
        [&] {
          const TuneSessionRow* row = page.sessions()->session(session);
          return row != nullptr && row->state == state;
        },
        kLong);
  }
  /// By the button of the form. Returns its number.
  int64_t start(const tune::Settings& settings, const QString& text = "Start session") {
    const int before = page.sessions()->rowCount();
    page.form()->setSettings(settings);
    settle();
    button(page, text)->click();
    if (!QTest::qWaitFor([&] { return page.sessions()->rowCount() > before; }, kLong)) return 0;
    return page.sessions()->sessions().front().id;
  }
  void select(int64_t session) {
    page.selectSession(session);
    if (!QTest::qWaitFor([this] { return page.isReady(); }, kLong)) qFatal("not ready");
  }
  void trigger(const QString& id) { page.findChild<QAction*>("tune." + id)->trigger(); }
};

/// A search that does not end by itself while a test runs.
tune::Settings endless() {
  tune::Settings settings = tiles(1);
  settings.strategy.kind = tune::StrategyKind::kAnnealing;
  settings.budget = {};
  settings.budget.time_s = 1000;
  settings.measure.reset();
  return settings;
}

/// Calls `answer` with the next modal dialog of the kind.
template <typename Dialog>
void answerNext(QObject* context, const std::function<void(Dialog*)>& answer) {
  auto* timer = new QTimer(context);
  QObject::connect(timer, &QTimer::timeout, timer, [timer, answer] {
    auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr) return;
    timer->deleteLater();
    answer(dialog);
  });
  timer->start(20);
}

/// Answers the next dialog for a file; typed again until it closes, as it reads its folder first.
void saveAs(QObject* context, const QString& path, const QString& filter = {}) {
  auto* timer = new QTimer(context);
  QObject::connect(timer, &QTimer::timeout, timer, [timer, path, filter] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr) return;
    if (!filter.isEmpty()) dialog->selectNameFilter(filter);
    dialog->findChild<QLineEdit*>("fileNameEdit")->setText(path);
    QMetaObject::invokeMethod(dialog, "accept");
    if (!dialog->isVisible()) timer->deleteLater();
  });
  timer->start(50);
}

QByteArray content(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class TestTuneSteering : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::failOnWarnings(); }

  void a_started_session_runs_to_its_end() {
    Steered steered;
    const int64_t session = steered.start(tiles(60));
    QVERIFY(session > 0);
    QVERIFY(steered.reaches(session, TuneState::kFinished));
    steered.settle();
    QCOMPARE(steered.page.currentSession(), session);
    QVERIFY(steered.page.trials()->rowCount() > 0);
    QVERIFY(steered.page.trials()->trials()->config[0].starts_with("out="));
  }

  void pause_resume_stop_and_extend() {
    Steered steered;
    const int64_t session = steered.start(endless());
    QVERIFY(steered.reaches(session, TuneState::kRunning));
    QVERIFY(!button(steered.page, "Resume")->isEnabled());
    button(steered.page, "Pause")->click();
    QVERIFY(steered.reaches(session, TuneState::kPaused));
    const uint64_t tried = steered.stored(session).progress.trials;
    QVERIFY(QTest::qWaitFor([&] { return button(steered.page, "Resume")->isEnabled(); }, kLong));
    QVERIFY(!button(steered.page, "Pause")->isEnabled());
    button(steered.page, "Resume")->click();
    QVERIFY(steered.reaches(session, TuneState::kRunning));
    button(steered.page, "Stop")->click();
    QVERIFY(steered.reaches(session, TuneState::kStopped));
    QVERIFY(steered.stored(session).progress.trials >= tried);
    // It goes on with a larger budget, and is then at its end.
    answerNext<ExtendDialog>(&steered.page, [](ExtendDialog* dialog) {
      dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
    });
    button(steered.page, "Extend…")->click();
    QVERIFY(steered.reaches(session, TuneState::kRunning));
    button(steered.page, "Pause")->click();
    QVERIFY(steered.reaches(session, TuneState::kPaused));
  }

  void a_third_session_waits_and_then_starts() {
    Steered steered;
    const int64_t first = steered.start(endless());
    QVERIFY(steered.reaches(first, TuneState::kRunning));
    const int64_t second = steered.start(endless(), "Add to queue");
    QVERIFY(steered.reaches(second, TuneState::kRunning));
    const int64_t third = steered.start(tiles(40), "Add to queue");
    QVERIFY(third > second);
    steered.settle();
    QCOMPARE(steered.page.processes()->waitingCount(), 1);
    QVERIFY(steered.page.processes()->isWaiting(third));
    // A window that is opened again still knows who waits.
    const QVariantMap state = steered.page.saveState();
    QCOMPARE(state["waiting"].toList(), QVariantList{qlonglong{third}});
    QVERIFY(steered.page.findChild<QLabel*>("trialsNote")->text().contains("waits for a free"));
    TaskRunner tasks;
    TunePage again(tasks, steered.path);
    again.restoreState(state);
    again.show();
    QVERIFY(QTest::qWaitFor([&] { return again.processes()->isWaiting(third); }, kLong));
    again.processes()->forgetAll();
    steered.select(first);
    button(steered.page, "Stop")->click();
    QVERIFY(steered.reaches(third, TuneState::kFinished));
    QCOMPARE(steered.page.processes()->waitingCount(), 0);
    steered.select(second);
    button(steered.page, "Stop")->click();
    QVERIFY(steered.reaches(second, TuneState::kStopped));
  }

  void a_killed_process_is_found_interrupted_and_goes_on() {
    Steered steered;
    const int64_t session = steered.start(endless());
    QVERIFY(steered.reaches(session, TuneState::kRunning));
    const pid_t pid = steered.pid(session);
    QVERIFY(pid > 1);
    QCOMPARE(kill(pid, SIGKILL), 0);
    QVERIFY(steered.reaches(session, TuneState::kInterrupted));
    const uint64_t tried = steered.stored(session).progress.trials;
    button(steered.page, "Resume")->click();
    QVERIFY(steered.reaches(session, TuneState::kRunning));
    QVERIFY(QTest::qWaitFor(
        [&] { return steered.page.sessions()->session(session)->trials > tried; }, kLong));
    button(steered.page, "Stop")->click();
    QVERIFY(steered.reaches(session, TuneState::kStopped));
  }

  void a_window_that_is_opened_again_finds_what_runs() {
    Steered steered;
    const int64_t session = steered.start(endless());
    QVERIFY(steered.reaches(session, TuneState::kRunning));
    {
      TaskRunner tasks;
      TunePage again(tasks, steered.path);
      again.show();
      QVERIFY(QTest::qWaitFor([&] { return again.currentSession() == session; }, kLong));
      QCOMPARE(again.sessions()->session(session)->state, TuneState::kRunning);
      int asked = 0;
      again.setCloseAsker([&asked](int running) {
        asked += running;
        return TunePage::OnClose::kCancel;
      });
      QVERIFY(!again.mayClose());
      QCOMPARE(asked, 1);
      again.setCloseAsker([](int) { return TunePage::OnClose::kGoOn; });
      QVERIFY(again.mayClose());
    }
    QCOMPARE(steered.stored(session).status, db::SessionStatus::kRunning);
    button(steered.page, "Stop")->click();
    QVERIFY(steered.reaches(session, TuneState::kStopped));
  }

  void duplicate_rename_and_remove() {
    Steered steered;
    const int64_t session = steered.run(steered.report, tiles(30));
    steered.settle();
    steered.select(session);
    button(steered.page, "Duplicate")->click();
    QVERIFY(QTest::qWaitFor([&] { return steered.page.sessions()->rowCount() == 2; }, kLong));
    const int64_t copy = steered.page.sessions()->sessions().front().id;
    QVERIFY(QTest::qWaitFor([&] { return steered.page.currentSession() == copy; }, kLong));
    QCOMPARE(steered.page.sessions()->session(copy)->state, TuneState::kQueued);
    QCOMPARE(steered.stored(copy).settings, steered.stored(session).settings);
    answerNext<QInputDialog>(&steered.page, [](QInputDialog* dialog) {
      dialog->setTextValue("the second one");
      dialog->accept();
    });
    steered.trigger("rename");
    QVERIFY(QTest::qWaitFor(
        [&] { return steered.page.sessions()->session(copy)->name == "the second one"; }, kLong));
    // A name that is taken is refused, and said so.
    QSignalSpy errors(&steered.page, &TunePage::errorRaised);
    const QString taken = steered.page.sessions()->session(session)->name;
    answerNext<QInputDialog>(&steered.page, [taken](QInputDialog* dialog) {
      dialog->setTextValue(taken);
      dialog->accept();
    });
    steered.trigger("rename");
    QVERIFY(QTest::qWaitFor([&] { return errors.count() == 1; }, kLong));
    answerNext<QMessageBox>(&steered.page,
                            [](QMessageBox* box) { box->button(QMessageBox::Yes)->click(); });
    steered.trigger("remove");
    QVERIFY(QTest::qWaitFor([&] { return steered.page.sessions()->rowCount() == 1; }, kLong));
    QVERIFY(QTest::qWaitFor([&] { return steered.page.currentSession() == session; }, kLong));
  }

  void trials_are_exported_as_what_was_chosen() {
    Steered steered;
    const int64_t session = steered.run(steered.report, tiles(30));
    steered.settle();
    steered.select(session);
    const std::pair<QString, QString> kinds[] = {{"CSV (*.csv)", "a.csv"},
                                                 {"JSON (*.json)", "b.json"},
                                                 {"Optuna study (*.db)", "c.db"},
                                                 // Without an ending the chosen kind counts.
                                                 {"JSON (*.json)", "d"}};
    QSignalSpy messages(&steered.page, &TunePage::messageRequested);
    for (const auto& [filter, name] : kinds) {
      const QString path = steered.folder.filePath(name);
      saveAs(&steered.page, path, filter);
      messages.clear();
      steered.trigger("export");
      QVERIFY2(QTest::qWaitFor([&] { return messages.count() == 1; }, kLong), qPrintable(name));
    }
    const int trials = steered.page.trials()->rowCount();
    QCOMPARE(content(steered.folder.filePath("a.csv")).count('\n'), trials + 1);
    QVERIFY(content(steered.folder.filePath("b.json")).startsWith('{'));
    QVERIFY(content(steered.folder.filePath("c.db")).startsWith("SQLite format 3"));
    QCOMPARE(content(steered.folder.filePath("d.json")),
             content(steered.folder.filePath("b.json")));
  }

  void the_tuned_program_is_saved() {
    Steered steered;
    const int64_t session = steered.run(steered.report, tiles(30));
    steered.settle();
    steered.select(session);
    const QString path = steered.folder.filePath("tuned.hlo");
    saveAs(&steered.page, path);
    QSignalSpy messages(&steered.page, &TunePage::messageRequested);
    steered.trigger("save");
    QVERIFY(QTest::qWaitFor([&] { return messages.count() == 1; }, kLong));
    QCOMPARE(messages.front().front().toString(), path + " saved");
    const auto program = hlo::parse_program(content(path).toStdString());
    QVERIFY2(program, program ? "" : program.error().format().c_str());
    QVERIFY((*program)->find_instruction("dot.1").valid());
  }

  void command_lines_are_copied() {
    Steered steered;
    const int64_t session = steered.run(steered.report, tiles(30));
    steered.settle();
    steered.select(session);
    steered.trigger("command");
    QVERIFY(QApplication::clipboard()->text().startsWith("hloscope-cli tune tiles "));
    QVERIFY(QApplication::clipboard()->text().contains("--kernel dot.1"));
  }

  void a_program_that_runs_no_session_is_named() {
    Steered steered;
    qputenv("HLOSCOPE_CLI", "/nowhere/hloscope-cli");
    QSignalSpy errors(&steered.page, &TunePage::errorRaised);
    const int64_t session = steered.start(tiles(30));
    QVERIFY(QTest::qWaitFor([&] { return errors.count() == 1; }, kLong));
    const auto error = errors.front().front().value<Error>();
    QVERIFY(error.message.find("/nowhere/hloscope-cli is not there") != std::string::npos);
    steered.settle();
    QCOMPARE(steered.page.sessions()->session(session)->state, TuneState::kQueued);
    const auto* note = steered.page.findChild<QLabel*>("trialsNote");
    QVERIFY2(note->text().contains("has not been started"), qPrintable(note->text()));
  }
};

HLOSCOPE_TEST(TestTuneSteering);
#include "test_tune_steering.moc"
