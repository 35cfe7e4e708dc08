#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>

#include "db/new_session.h"
#include "db/run_session.h"
#include "db/session_lease.h"
#include "tests/support/test_registry.h"
#include "tests/ui/models/report_fixture.h"
#include "ui/charts/best_so_far_chart.h"
#include "ui/charts/parallel_coordinates.h"
#include "ui/pages/tune/search_views.h"
#include "ui/pages/tune/session_form.h"
#include "ui/pages/tune/session_processes.h"
#include "ui/pages/tune/tune_page.h"

using namespace hloscope;
using namespace hloscope::ui;

namespace {

constexpr const char* kDot = R"(HloModule big_dot, is_scheduled=true

ENTRY main {
  a = f32[1024,512]{1,0} parameter(0)
  b = f32[512,2048]{1,0} parameter(1)
  ROOT dot.1 = f32[1024,2048]{1,0} dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)";

/// A window's page with a results file of its own.
struct Fixture {
  QTemporaryDir folder;
  std::filesystem::path path = folder.filePath("results.hloscope").toStdString();
  TaskRunner tasks;
  TunePage page{tasks, path};
  std::vector<int64_t> launched;

  Fixture() {
    page.processes()->setLaunch([this](int64_t session) {
      launched.push_back(session);
      return QString();
    });
    page.resize(1500, 900);
  }
  void settle() {
    page.show();
    page.poll();
    QVERIFY(QTest::qWaitFor([this] { return page.isReady() && tasks.isIdle(); }, 20'000));
  }
  /// Made and run to its end in this process.
  int64_t run(const ReportPtr& report, tune::Settings settings) const {
    auto database = db::Database::open(path);
    if (!database) qFatal("%s", database.error().format().c_str());
    const auto session =
        db::new_session(report->module, addressOf(*report), std::move(settings), *database);
    if (!session) qFatal("%s", session.error().format().c_str());
    const auto row = db::TuneSessions(*database).create(*session);
    if (!row) qFatal("%s", row.error().format().c_str());
    const auto ending = db::run_tune_session(*database, *row);
    if (!ending) qFatal("%s", ending.error().format().c_str());
    return row->value;
  }
};

/// The analytical model searches, the simulator stands for hardware.
tune::Settings tiles(uint64_t trials) {
  tune::Settings settings;
  settings.kernel = "dot.1";
  settings.search.kind = tune::EvaluatorKind::kAnalytical;
  settings.measure = tune::EvaluatorSettings();
  settings.measure->kind = tune::EvaluatorKind::kSimulator;
  settings.top_k = 5;
  settings.budget.trials = trials;
  return settings;
}

QPushButton* button(const TunePage& page, const QString& text) {
  for (QPushButton* one : page.findChildren<QPushButton*>()) {
    if (one->text() == text) return one;
  }
  return nullptr;
}

template <typename Widget>
Widget* named(const TunePage& page, const QString& name) {
  for (Widget* one : page.findChildren<Widget*>()) {
    if (one->accessibleName() == name) return one;
  }
  return nullptr;
}

}  // namespace

class TestTunePage : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::failOnWarnings(); }

  void without_a_program_the_page_says_what_to_do() {
    Fixture fixture;
    fixture.settle();
    QVERIFY(!fixture.page.form()->canStart());
    const auto* note = fixture.page.findChild<QLabel*>("sessionsNote");
    QVERIFY(note->isVisible());
    QVERIFY(note->text().contains("Open a program first"));
    // Nothing is made beside a program that only looks.
    QVERIFY(!std::filesystem::exists(fixture.path));
  }

  void what_makes_no_sense_is_said_in_place() {
    Fixture fixture;
    fixture.page.setReport(testing::reportOf(kDot));
    fixture.settle();
    QVERIFY2(fixture.page.form()->canStart(), qPrintable(fixture.page.form()->problemText()));
    // No limit at all.
    tune::Settings endless = tiles(10);
    endless.budget = {};
    fixture.page.form()->setSettings(endless);
    QVERIFY(!fixture.page.form()->canStart());
    QVERIFY(fixture.page.form()->problemText().contains("ends the search"));
    QVERIFY(!button(fixture.page, "Start session")->isEnabled());
    // A compiled program has no fusions to choose: told by the space.
    tune::Settings fusion = tiles(10);
    fusion.space = tune::SpaceKind::kFusion;
    fusion.kernel.clear();
    fixture.page.form()->setSettings(fusion);
    fixture.settle();
    QVERIFY(!fixture.page.form()->canStart());
    QVERIFY(!fixture.page.form()->problemText().isEmpty());
  }

  void settings_come_back_from_the_form() {
    Fixture fixture;
    fixture.page.setReport(testing::reportOf(kDot));
    fixture.settle();
    tune::Settings settings = tiles(123);
    settings.strategy.kind = tune::StrategyKind::kGenetic;
    settings.strategy.seed = 17;
    settings.strategy.population = 12;
    settings.budget.time_s = 60;
    fixture.page.form()->setSettings(settings);
    QCOMPARE(tune::settings_json(fixture.page.form()->settings()), tune::settings_json(settings));
    QVERIFY(fixture.page.form()->commandText().contains("--strategy genetic --seed 17"));
  }

  void a_started_session_is_stored_and_launched() {
    Fixture fixture;
    fixture.page.setReport(testing::reportOf(kDot));
    fixture.settle();
    fixture.page.form()->setSettings(tiles(50));
    for (int i = 0; i < 3; ++i) {
      fixture.settle();
      emit fixture.page.form()->startRequested(fixture.page.form()->settings());
    }
    QVERIFY(QTest::qWaitFor([&] { return fixture.page.sessions()->rowCount() == 3; }, 20'000));
    fixture.settle();
    // Two slots: the third one waits.
    QVERIFY(QTest::qWaitFor([&] { return fixture.launched.size() == 2; }, 5000));
    QCOMPARE(fixture.page.processes()->waitingCount(), 1);
    QCOMPARE(fixture.page.sessions()->summary(), QStringLiteral("3 queued"));
  }

  void a_finished_session_is_shown_with_its_trials() {
    Fixture fixture;
    const ReportPtr report = testing::reportOf(kDot);
    const int64_t session = fixture.run(report, tiles(60));
    fixture.page.setReport(report);
    fixture.settle();
    QCOMPARE(fixture.page.currentSession(), session);
    const TuneSessionRow* row = fixture.page.sessions()->session(session);
    QCOMPARE(row->state, TuneState::kFinished);
    QCOMPARE(row->measured, quint64{5});
    QVERIFY(row->best_is_estimate);  // The simulator measures nothing.
    QCOMPARE(fixture.page.trials()->rowCount(), static_cast<int>(row->trials));
    // Those that were run come first, the fastest on top.
    const auto shown = fixture.page.trials()->shownTrials();
    const TrialColumns& trials = *fixture.page.trials()->trials();
    for (size_t i = 0; i < 5; ++i) QVERIFY(trials.measured_as[shown[i]] > 0);
    QVERIFY(trials.measured_as[shown[5]] == 0);
    QCOMPARE(trials.hardware_ns[shown[0]], row->best_ns);
    QVERIFY(!trials.tile_names.empty());
    QCOMPARE(fixture.page.bestChart()->curves().size(), size_t{1});
    QCOMPARE(fixture.page.bestChart()->curves().front().tried.size(), size_t{5});
    QCOMPARE(fixture.page.bestChart()->curves().front().better.back().y(), row->best_ns / 1e3);
  }

  void brushes_and_filter_restrict_the_table() {
    Fixture fixture;
    const ReportPtr report = testing::reportOf(kDot);
    fixture.run(report, tiles(60));
    fixture.settle();
    const int all = fixture.page.trials()->rowCount();
    fixture.page.views()->showView(SearchViews::View::kParallel);
    ParallelCoordinates* chart = fixture.page.views()->parallel();
    const size_t time = chart->axisCount() - 1;
    const float least =
        *std::min_element(chart->axis(time).values.begin(), chart->axis(time).values.end());
    chart->setBrush(time, ParallelCoordinates::Range(least, least));
    QVERIFY(fixture.page.trials()->rowCount() >= 1);
    QVERIFY(fixture.page.trials()->rowCount() < all);
    chart->clearBrushes();
    QCOMPARE(fixture.page.trials()->rowCount(), all);
    named<QLineEdit>(fixture.page, "Filter of trials")->setText("measured>0");
    QCOMPARE(fixture.page.trials()->rowCount(), 5);
  }

  void a_trial_opens_as_a_program() {
    Fixture fixture;
    const ReportPtr report = testing::reportOf(kDot);
    fixture.run(report, tiles(60));
    fixture.settle();
    QSignalSpy spy(&fixture.page, &TunePage::programRequested);
    named<QTableView>(fixture.page, "Trials")->selectRow(0);
    button(fixture.page, "Open in graph")->click();
    QVERIFY(QTest::qWaitFor([&] { return spy.count() == 1; }, 20'000));
    const auto text = spy.front().at(1).value<std::string>();
    QVERIFY2(hlo::parse_program(text).has_value(), text.c_str());
    QVERIFY(spy.front().at(2).toStringList().size() <= 1);
  }

  void closing_asks_only_while_a_session_runs() {
    Fixture fixture;
    const ReportPtr report = testing::reportOf(kDot);
    int asked = 0;
    fixture.page.setCloseAsker([&asked](int running) {
      asked += running;
      return TunePage::OnClose::kPause;
    });
    const int64_t session = fixture.run(report, tiles(20));
    fixture.settle();
    QVERIFY(fixture.page.mayClose());
    QCOMPARE(asked, 0);
    // Another process goes on with it: here this one, with the lease in its hands.
    auto database = db::Database::open(fixture.path);
    QVERIFY(database);
    tune::Budget more;
    more.trials = 40;
    QVERIFY(db::TuneSessions(*database).set_budget(db::TuneSessionRow{session}, more));
    auto lease = db::SessionLease::take(*database, db::TuneSessionRow{session});
    QVERIFY2(lease, lease ? "" : lease.error().format().c_str());
    fixture.settle();
    QCOMPARE(fixture.page.sessions()->session(session)->state, TuneState::kRunning);
    QVERIFY(fixture.page.mayClose());
    QCOMPARE(asked, 1);
    QVERIFY(QTest::qWaitFor([&] { return fixture.tasks.isIdle(); }, 10'000));
    db::StoredTrials stored(*lease);
    const auto request = stored.request();
    QVERIFY(request);
    QCOMPARE(*request, tune::Request::kPause);
  }
};

HLOSCOPE_TEST(TestTunePage);
#include "test_tune_page.moc"
