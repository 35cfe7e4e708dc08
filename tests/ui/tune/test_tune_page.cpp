#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>

#include "core/hlo/read.h"
#include "db/session_lease.h"
#include "tests/support/test_registry.h"
#include "tests/ui/models/keyboard_checks.h"
#include "tests/ui/tune/tune_fixture.h"
#include "ui/charts/best_so_far_chart.h"
#include "ui/charts/parallel_coordinates.h"
#include "ui/pages/tune/extend_dialog.h"
#include "ui/pages/tune/search_views.h"
#include "ui/pages/tune/session_form.h"
#include "ui/pages/tune/session_processes.h"
#include "ui/pages/tune/tune_page.h"

using namespace hloscope;
using namespace hloscope::ui;
using namespace hloscope::testing::tune_page;

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
    settings.measure = tune::EvaluatorSettings{tune::EvaluatorKind::kSimulator, {}, 1, 3};
    settings.refine = 20;
    settings.default_tiles = tune::DefaultTiles::kAnalytical;
    fixture.page.form()->setSettings(settings);
    QCOMPARE(tune::settings_json(fixture.page.form()->settings()), tune::settings_json(settings));
    QVERIFY(fixture.page.form()->commandText().contains("--strategy genetic --seed 17"));
    QVERIFY(fixture.page.form()->commandText().contains("--refine 20"));
    QVERIFY(fixture.page.form()->commandText().contains("--default-tiles analytical"));
  }

  void trials_of_a_refined_session_have_their_tiles() {
    Fixture fixture;
    const ReportPtr report = testing::reportOf(kDot);
    fixture.page.setReport(report);
    tune::Settings settings = tiles(40);
    settings.measure = tune::EvaluatorSettings{tune::EvaluatorKind::kSimulator, {}, 1, 3};
    settings.top_k = 3;
    settings.refine = 5;
    fixture.run(report, settings);
    fixture.settle();
    const TrialColumns& trials = *fixture.page.trials()->trials();
    QVERIFY(trials.size() > 40);
    QCOMPARE(trials.config.size(), trials.size());
    QVERIFY2(trials.config.front().starts_with("out="), trials.config.front().c_str());
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

  void reading_what_trials_tried_can_be_cancelled() {
    Fixture fixture;
    const ReportPtr report = testing::reportOf(kDot);
    const int64_t session = fixture.run(report, tiles(60));
    QMetaObject::Connection cancelling =
        connect(&fixture.tasks, &TaskRunner::changed, &fixture.page, [&fixture] {
          for (const Job& job : fixture.tasks.jobs()) {
            if (job.label.startsWith("Reading what")) return fixture.tasks.cancel(job.id);
          }
        });
    fixture.settle();
    // Times and charts are there; what was tried is said not to be.
    const TrialColumns& trials = *fixture.page.trials()->trials();
    QVERIFY(trials.size() > 0);
    QCOMPARE(trials.config.size(), size_t{0});
    QCOMPARE(fixture.page.bestChart()->curves().size(), size_t{1});
    disconnect(cancelling);
    fixture.page.selectSession(0);
    fixture.page.selectSession(session);
    fixture.settle();
    const TrialColumns& again = *fixture.page.trials()->trials();
    QCOMPARE(again.config.size(), again.size());
  }

  void counting_the_space_can_be_cancelled() {
    Fixture fixture;
    fixture.page.setReport(testing::reportOf(kDot));
    fixture.settle();
    tune::Settings all = tiles(10);
    all.space = tune::SpaceKind::kProgramTiles;
    all.kernel.clear();
    const auto* space = fixture.page.form()->findChild<QLabel*>("spaceText");
    fixture.page.form()->setSettings(all);
    QCOMPARE(space->text(), QStringLiteral("counting…"));
    QVERIFY(fixture.tasks.cancelNewest());
    QCOMPARE(space->text(), QStringLiteral("not counted: cancelled"));
    QVERIFY(fixture.page.form()->canStart());
    // Other settings are counted again.
    fixture.page.form()->setSettings(tiles(10));
    fixture.settle();
    QVERIFY2(space->text().contains("tiles"), qPrintable(space->text()));
  }

  // Ten programs of 0.6 s: a second to compile and three runs of each.
  void the_hardware_time_counts_runs_of_the_program() {
    auto report = std::make_shared<analysis::ModuleReport>(*testing::reportOf(kDot));
    report->simulated_total_ns = 0.6e9;
    Fixture fixture;
    fixture.page.setReport(report);
    tune::Settings settings = tiles(50);
    settings.top_k = 10;
    const auto says = [&fixture](const QString& text) {
      const QList<QLabel*> labels = fixture.page.form()->findChildren<QLabel*>();
      return std::any_of(labels.begin(), labels.end(),
                         [&text](const QLabel* one) { return one->text().contains(text); });
    };
    fixture.page.form()->setSettings(settings);
    QVERIFY(says(QStringLiteral("about 10 s of hardware booked")));
    settings.space = tune::SpaceKind::kProgramTiles;
    settings.kernel.clear();
    fixture.page.form()->setSettings(settings);
    QVERIFY(says(QStringLiteral("about 28 s of hardware booked")));
    fixture.settle();
  }

  // Of the 581 recorded tiles of the sample's convolution 579 have a time, as the page Tiles says.
  void recorded_runs_that_failed_are_counted_apart() {
    const std::string path = HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb";
    const auto file = hlo::read_file(path);
    QVERIFY(file.has_value());
    const ReportPtr report =
        *analysis::analyse(file->modules[1], path, 2, *sim::find_machine("tpu_v3"));
    tune::Settings settings = tiles(20);
    settings.kernel = "fusion.191";
    settings.measure->kind = tune::EvaluatorKind::kRecorded;
    Fixture fixture;
    fixture.page.setReport(report);
    fixture.run(report, settings);
    fixture.page.form()->setSettings(settings);
    fixture.settle();
    QCOMPARE(fixture.page.form()->findChild<QLabel*>("spaceText")->text(),
             QStringLiteral("581 tiles with recorded runs, 2 failed"));
    const auto& lines = fixture.page.findChild<BestSoFarChart*>()->lines();
    const bool is_said = std::any_of(lines.begin(), lines.end(), [](const auto& line) {
      return line.text.startsWith(QStringLiteral("best of all 579 recorded"));
    });
    QVERIFY(is_said);
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

  void tab_follows_what_is_seen_in_the_form() {
    Fixture fixture;
    fixture.page.resize(1280, 1100);
    fixture.page.form()->setReport(testing::reportOf(kDot));
    fixture.settle();
    QVERIFY(testing::tab_order(*fixture.page.form()).size() > 10);
    QCOMPARE(testing::against_reading_order(*fixture.page.form()), QString());
    for (const QWidget* one : testing::tab_order(*fixture.page.form())) {
      const auto* button = qobject_cast<const QAbstractButton*>(one);
      const bool is_named = button != nullptr && !button->text().isEmpty();
      QVERIFY2(is_named || !one->accessibleName().isEmpty(), one->metaObject()->className());
    }
  }

  void a_session_is_extended_by_keys_alone() {
    tune::Budget budget;
    budget.trials = 100;
    ExtendDialog dialog(budget, {});
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    QCOMPARE(testing::missing_keys(dialog).join(QStringLiteral("; ")), QString());
    QTest::keyClick(&dialog, Qt::Key_Escape);
    QVERIFY(!dialog.isVisible());
    QCOMPARE(dialog.result(), static_cast<int>(QDialog::Rejected));
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
    // The window's own question speaks of one session; Esc keeps the window open.
    fixture.page.setCloseAsker({});
    QString question;
    QTimer::singleShot(0, &fixture.page, [&question] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (box == nullptr) return;
      question = box->text() + '\n' + box->informativeText();
      for (const QAbstractButton* one : box->buttons()) question += '\n' + one->text();
      QTest::keyClick(box, Qt::Key_Escape);
    });
    QVERIFY(!fixture.page.mayClose());
    QVERIFY2(question.startsWith(QStringLiteral("A tuning session is running.\nIt can go on")),
             qPrintable(question));
    QVERIFY2(question.contains(QStringLiteral("&Pause it")), qPrintable(question));
    QVERIFY2(!question.contains(QStringLiteral("hem")), qPrintable(question));
    QVERIFY(QTest::qWaitFor([&] { return fixture.tasks.isIdle(); }, 10'000));
    db::StoredTrials stored(*lease);
    const auto request = stored.request();
    QVERIFY(request);
    QCOMPARE(*request, tune::Request::kPause);
  }
};

HLOSCOPE_TEST(TestTunePage);
#include "test_tune_page.moc"
