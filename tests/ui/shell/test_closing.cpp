// The window is closed while a tuning session runs in a real process of hloscope-cli.
#include <QAbstractButton>
#include <QApplication>
#include <QMessageBox>
#include <QProcess>
#include <QTimer>
#include <functional>

#include "db/new_session.h"
#include "db/tuning.h"
#include "tests/support/test_registry.h"
#include "tests/ui/shell/window_fixture.h"
#include "ui/pages/tune/tune_page.h"

using namespace hloscope;
using namespace hloscope::ui;

namespace {

constexpr int kLongMs = 40'000;
constexpr auto kTunedDot = R"(HloModule big_dot, is_scheduled=true
ENTRY main {
  a = bf16[256,1024,1024]{2,1,0} parameter(0)
  b = bf16[256,1024,1024]{2,1,0} parameter(1)
  ROOT dot.1 = bf16[256,1024,1024]{2,1,0} dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
}
)";

/// A window and a session that runs until somebody ends it.
struct Tuning : testing::WindowFixture {
  db::TuneSessionRow session;
  QProcess process;

  Tuning() {
    db::Database database = *db::Database::open(this->database());
    const std::string file = write("dot.hlo", kTunedDot).toStdString();
    tune::Settings settings;
    settings.search.kind = tune::EvaluatorKind::kAnalytical;
    settings.budget.time_s = 1000;
    const auto made =
        db::new_session(*db::read_module(file), file + "#1", std::move(settings), database);
    if (!made) qFatal("%s", made.error().format().c_str());
    session = *db::TuneSessions(database).create(*made);
    process.start(QApplication::applicationDirPath() + "/../hloscope-cli",
                  {"tune", "run", QString::number(session.value), "--db",
                   QString::fromStdString(this->database())});
    if (!process.waitForStarted()) qFatal("hloscope-cli does not start");
    window().showPage("autotune");
  }
  ~Tuning() {
    process.kill();
    process.waitForFinished();
  }
  [[nodiscard]] TunePage& page() {
    for (Page* page : window().pages()) {
      if (auto* found = qobject_cast<TunePage*>(page)) return *found;
    }
    qFatal("there is no such page");
  }
  [[nodiscard]] bool isSeenToRun() {
    const bool runs = QTest::qWaitFor(
        [this] {
          const TuneSessionRow* row = page().sessions()->session(session.value);
          return row != nullptr && row->isActive();
        },
        kLongMs);
    if (!runs)
      qInfo("%s", (process.readAllStandardError() + process.readAllStandardOutput()).constData());
    return runs;
  }
  [[nodiscard]] db::SessionInfo stored() const {
    db::Database database = *db::Database::open(this->database(), db::OpenMode::kReadOnly);
    return *db::TuneSessions(database).get(session);
  }
  [[nodiscard]] bool makesTrials() const {
    const uint64_t before = stored().progress.trials;
    return QTest::qWaitFor([&] { return stored().progress.trials > before; }, kLongMs);
  }
  /// Closes the window and answers what it asks then.
  bool close(const std::function<void(QMessageBox&)>& answer) {
    QTimer timer;
    int asked = 0;
    QObject::connect(&timer, &QTimer::timeout, [&] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (box == nullptr || asked > 0) return;
      ++asked;
      answer(*box);
    });
    timer.start(20);
    const bool closed = window().close();
    if (asked != 1) qFatal("the window asked %d times", asked);
    return closed;
  }
};

std::function<void(QMessageBox&)> press(const QString& text) {
  return [text](QMessageBox& box) {
    for (QAbstractButton* button : box.buttons()) {
      if (QString(button->text()).remove('&') == text) return button->click();
    }
    qFatal("there is no button %s", qPrintable(text));
  };
}

}  // namespace

class TestClosing : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::fail_on_warnings(); }

  void kept_open_nothing_changes() {
    Tuning tuning;
    QVERIFY(tuning.isSeenToRun());
    QVERIFY(!tuning.close(press("Keep the window open")));
    QVERIFY(tuning.window().isVisible());
    QVERIFY(tuning.makesTrials());
    QVERIFY(tuning.stored().status == db::SessionStatus::kRunning);
    // The key that cancels is the same answer.
    QVERIFY(!tuning.close([](QMessageBox& box) { QTest::keyClick(&box, Qt::Key_Escape); }));
    QVERIFY(tuning.window().isVisible());
    QVERIFY(tuning.makesTrials());
  }

  void a_session_that_goes_on_is_found_again() {
    Tuning tuning;
    QVERIFY(tuning.isSeenToRun());
    QVERIFY(tuning.close(press("Let it go on")));
    tuning.destroyWindow();
    QVERIFY(tuning.makesTrials());
    QVERIFY(tuning.process.state() == QProcess::Running);
    tuning.remake();
    tuning.window().showPage("autotune");
    QVERIFY(tuning.isSeenToRun());
    QVERIFY(tuning.close(press("Let it go on")));
  }

  void a_session_that_is_paused_ends_its_process() {
    Tuning tuning;
    QVERIFY(tuning.isSeenToRun());
    QVERIFY(tuning.close(press("Pause it")));
    // At once: what was asked for is written before the window is gone.
    tuning.destroyWindow();
    QVERIFY(
        QTest::qWaitFor([&] { return tuning.process.state() == QProcess::NotRunning; }, kLongMs));
    QCOMPARE(tuning.process.exitCode(), 3);
    QVERIFY(tuning.stored().status == db::SessionStatus::kPaused);
  }
};

HLOSCOPE_TEST(TestClosing);
#include "test_closing.moc"
