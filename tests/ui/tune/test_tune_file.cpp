// The page Autotune and what may happen to its results file.
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <filesystem>

#include "db/sqlite/connection.h"
#include "tests/support/test_registry.h"
#include "tests/ui/tune/tune_fixture.h"
#include "ui/charts/best_so_far_chart.h"
#include "ui/pages/tune/session_form.h"

using namespace hloscope;
using namespace hloscope::ui;
using namespace hloscope::testing::tune_page;

namespace {

struct Looked : Fixture {
  ReportPtr report = testing::reportOf(kDot);
  int64_t session = 0;

  Looked() {
    page.setReport(report);
    session = run(report, tiles(60));
    settle();
  }
  [[nodiscard]] QString note() const { return page.findChild<QLabel*>("sessionsNote")->text(); }
};

}  // namespace

class TestTuneFile : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::failOnWarnings(); }

  void another_file_in_its_place_is_read_anew() {
    Looked looked;
    QCOMPARE(looked.page.currentSession(), looked.session);
    const std::vector<double> before = looked.page.trials()->trials()->predicted_ns;
    // A session of the same number with other trials.
    Fixture other;
    tune::Settings settings = tiles(25);
    settings.strategy.kind = tune::StrategyKind::kRandom;
    settings.strategy.seed = 99;
    const int64_t session = other.run(looked.report, settings);
    QCOMPARE(session, looked.session);
    std::filesystem::rename(other.path, looked.path);
    looked.settle();
    QCOMPARE(looked.page.trials()->rowCount(), 25);
    QVERIFY(looked.page.trials()->trials()->predicted_ns != before);
    QCOMPARE(looked.page.trials()->trials()->config.size(), size_t{25});
    // What is written goes into the new file.
    button(looked.page, "Duplicate")->click();
    QVERIFY(QTest::qWaitFor([&] { return looked.page.sessions()->rowCount() == 2; }, kLong));
  }

  void two_files_are_not_mixed_when_one_takes_the_place_of_the_other() {
    Looked looked;
    // Written while the page reads: it stands in the log beside the file.
    button(looked.page, "Duplicate")->click();
    QVERIFY(QTest::qWaitFor([&] { return looked.page.sessions()->rowCount() == 2; }, kLong));
    looked.settle();
    Fixture other;
    other.run(looked.report, tiles(25));
    const std::filesystem::path away = looked.path.string() + ".away";
    std::filesystem::rename(looked.path, away);
    std::filesystem::rename(other.path, looked.path);
    looked.settle();
    QCOMPARE(looked.page.sessions()->rowCount(), 1);
    QCOMPARE(looked.page.trials()->rowCount(), 25);
    // The file that was moved away is whole as well.
    auto moved = db::Database::open(away);
    QVERIFY2(moved, moved ? "" : moved.error().format().c_str());
    const auto sessions = db::TuneSessions(*moved).list();
    QVERIFY(sessions);
    QCOMPARE(sessions->size(), size_t{2});
  }

  void a_deleted_file_is_said_to_be_gone_and_found_again() {
    Looked looked;
    const std::filesystem::path away = looked.path.string() + ".away";
    std::filesystem::rename(looked.path, away);
    looked.settle();
    QCOMPARE(looked.page.sessions()->rowCount(), 0);
    QCOMPARE(looked.page.trials()->rowCount(), 0);
    QCOMPARE(looked.page.bestChart()->curves().size(), size_t{0});
    QVERIFY2(looked.note().contains("The results file is gone"), qPrintable(looked.note()));
    std::filesystem::rename(away, looked.path);
    looked.settle();
    QCOMPARE(looked.page.sessions()->rowCount(), 1);
    QVERIFY(looked.page.trials()->rowCount() > 0);
  }

  void a_damaged_file_is_named_and_read_when_it_is_whole() {
    Looked looked;
    const std::filesystem::path away = looked.path.string() + ".away";
    std::filesystem::rename(looked.path, away);
    QSignalSpy errors(&looked.page, &TunePage::errorRaised);
    QSignalSpy settled(&looked.page, &TunePage::errorSettled);
    {
      QFile file(QString::fromStdString(looked.path.string()));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(QByteArray(8192, 'x'));
    }
    looked.page.poll();
    QVERIFY(QTest::qWaitFor([&] { return errors.count() == 1; }, kLong));
    QCOMPARE(looked.page.sessions()->rowCount(), 0);
    QVERIFY2(looked.note().contains("could not be read"), qPrintable(looked.note()));
    // Told once, however often it is read.
    looked.page.poll();
    QVERIFY(QTest::qWaitFor([&] { return looked.tasks.isIdle(); }, kLong));
    QCOMPARE(errors.count(), 1);
    std::filesystem::rename(away, looked.path);
    looked.settle();
    QCOMPARE(settled.count(), 1);
    QCOMPARE(looked.page.sessions()->rowCount(), 1);
  }

  void a_damaged_session_hides_no_other() {
    Looked looked;
    const int64_t other = looked.run(looked.report, tiles(30));
    {
      auto database = db::Database::open(looked.path);
      QVERIFY(database);
      // One whose settings are wrong, and one whose trials are.
      QVERIFY(database->connection().execute(
          "UPDATE tune_sessions SET settings = '{\"space\": 5}' WHERE id = 1;"
          "UPDATE tune_trials SET predicted_ns = -1 WHERE session_id = 2 AND number = 7"));
    }
    const int64_t third = looked.run(looked.report, tiles(20));
    QSignalSpy errors(&looked.page, &TunePage::errorRaised);
    TaskRunner tasks;
    TunePage page(tasks, looked.path);
    page.show();
    QVERIFY(QTest::qWaitFor([&] { return page.isReady() && tasks.isIdle(); }, kLong));
    QCOMPARE(page.sessions()->rowCount(), 3);
    QCOMPARE(page.sessions()->session(third)->state, TuneState::kFinished);
    QCOMPARE(page.sessions()->session(looked.session)->state, TuneState::kDamaged);
    QVERIFY(page.sessions()->session(looked.session)->message.contains("space"));
    page.selectSession(looked.session);
    QVERIFY(QTest::qWaitFor([&] { return page.isReady() && tasks.isIdle(); }, kLong));
    QVERIFY2(page.findChild<QLabel*>("trialsNote")->text().contains("Remove session"),
             qPrintable(page.findChild<QLabel*>("trialsNote")->text()));
    QVERIFY(!button(page, "Duplicate")->isEnabled() && !button(page, "Resume")->isEnabled());
    QVERIFY(page.findChild<QAction*>("tune.remove")->isEnabled());
    // The other one is seen to be damaged when its trials are read.
    page.selectSession(other);
    QVERIFY(QTest::qWaitFor(
        [&] { return page.sessions()->session(other)->state == TuneState::kDamaged; }, kLong));
    QVERIFY(page.sessions()->session(other)->message.contains("-1"));
    QCOMPARE(page.sessions()->session(third)->state, TuneState::kFinished);
    QCOMPARE(page.sessions()->rowCount(), 3);
    QCOMPARE(errors.count(), 0);
  }

  void a_file_that_may_not_be_written_starts_nothing() {
    Looked looked;
    auto database = db::Database::open(looked.path);
    QVERIFY(database);
    // As a newer version of the program would leave it: that holds for every user.
    QVERIFY(database->connection().execute("PRAGMA user_version = 1000"));
    TaskRunner tasks;
    TunePage page(tasks, looked.path);
    page.setReport(looked.report);
    page.show();
    QVERIFY(QTest::qWaitFor([&] { return page.isReady() && tasks.isIdle(); }, kLong));
    QCOMPARE(page.sessions()->rowCount(), 1);
    QVERIFY(!page.form()->canStart());
    QVERIFY2(page.form()->problemText().contains("read-only"),
             qPrintable(page.form()->problemText()));
    QVERIFY(!button(page, "Duplicate")->isEnabled());
    QVERIFY(button(page, "Open in graph")->isEnabled());
  }

  void a_locked_file_is_named_and_read_when_it_is_free() {
    Fixture fixture;
    fixture.run(testing::reportOf(kDot), tiles(30));
    // Who wants the file alone takes it out of the mode in which readers never wait.
    auto locked =
        db::Connection::open(fixture.path, db::Access::kWrite, std::chrono::milliseconds(100));
    QVERIFY(locked);
    QVERIFY(
        (*locked)->execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; "
                           "BEGIN EXCLUSIVE"));
    QSignalSpy errors(&fixture.page, &TunePage::errorRaised);
    fixture.page.show();
    QVERIFY(QTest::qWaitFor([&] { return errors.count() == 1; }, kLong));
    const auto* note = fixture.page.findChild<QLabel*>("sessionsNote");
    QVERIFY2(note->text().contains("could not be read"), qPrintable(note->text()));
    QVERIFY((*locked)->execute("COMMIT"));
    locked->reset();
    fixture.settle();
    QCOMPARE(fixture.page.sessions()->rowCount(), 1);
    QCOMPARE(errors.count(), 1);
  }
};

HLOSCOPE_TEST(TestTuneFile);
#include "test_tune_file.moc"
