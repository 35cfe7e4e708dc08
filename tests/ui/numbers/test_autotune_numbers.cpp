#include <QMap>

#include "tests/support/test_registry.h"
#include "tests/ui/numbers/page_numbers.h"
#include "ui/models/tune_session_model.h"
#include "ui/models/tune_trial_model.h"
#include "ui/pages/tune/session_form.h"
#include "ui/pages/tune/tune_page.h"

namespace hloscope::testing {

/// The page Autotune against `sessions`.
class TestAutotuneNumbers : public QObject {
  Q_OBJECT
 private slots:
  void init() { fail_on_warnings(); }

  void sessions_and_trials_data() {
    QTest::addColumn<QStringList>("command");
    const QString tiles = sample_path("tpu_v3_tiles.pb") + "#2";
    QTest::newRow("recorded tiles")
        << QStringList{"tune", "tiles", tiles, "--measure", "recorded", "--trials", "200"};
    QTest::newRow("fusion") << QStringList{"tune", "fusion", sample_path("mobilenet_v2.hlo"),
                                           "--trials", "50"};
    QTest::newRow("layout") << QStringList{"tune", "layout", sample_path("mobilenet_v2.hlo"),
                                           "--trials", "50"};
    QTest::newRow("a model alone")
        << QStringList{"tune", "tiles", tiles, "--evaluator", "analytical", "--trials", "40"};
  }
  void sessions_and_trials() {
    QFETCH(QStringList, command);
    WindowFixture fixture;
    const QString db = QString::fromStdString(fixture.database());
    const Outcome tuned = run(command + QStringList{"--db", db});
    QVERIFY2(tuned.code == 0, tuned.err.constData());
    fixture.remake();
    auto& page = page_of<ui::TunePage>(fixture.window());
    page.poll();
    settle(fixture.window());
    const QJsonArray sessions = printed_list({"sessions", "--db", db});
    QCOMPARE(sessions.size(), 1);
    const QJsonObject session = sessions.first().toObject();
    check_session(*page.sessions(), session);
    const QString number = QString::number(session["session"].toInt());
    page.selectSession(session["session"].toInt());
    settle(fixture.window());
    const QJsonArray trials = exported(fixture, number);
    QCOMPARE(static_cast<double>(trials.size()), session["trials"].toDouble());
    QTRY_COMPARE_WITH_TIMEOUT(page.trials()->rowCount(), static_cast<int>(trials.size()),
                              kPatience);
    check_trials(*page.trials(), trials, session["default_ns"]);
  }

  // Sessions fuse first: the instructions of a raw program are none of their kernels.
  void raw_kernels_ask_for_own_fusion() {
    WindowFixture fixture;
    fixture.window().workspace().setKernelChoice(analysis::KernelChoice::kRaw);
    settle(fixture.window());
    open_module(fixture.window(), sample_path("mobilenet_v2.hlo"));
    const auto& page = page_of<ui::TunePage>(fixture.window());
    QVERIFY2(page.form()->problemText().contains("Own fusion"),
             qPrintable(page.form()->problemText()));
    fixture.window().workspace().setKernelChoice(analysis::KernelChoice::kOwnFusion);
    settle(fixture.window());
    QVERIFY2(page.form()->canStart(), qPrintable(page.form()->problemText()));
  }

  // The runs of the file are of layouts of the whole program: no tile can be replayed.
  void measured_layouts_are_not_replayed_as_tiles() {
    WindowFixture fixture;
    open_module(fixture.window(), sample_path("unet_3d_layout_tuning.pb"));
    const auto& page = page_of<ui::TunePage>(fixture.window());
    QVERIFY(!page.form()->settings().replays());
    QVERIFY2(page.form()->canStart(), qPrintable(page.form()->problemText()));
    const Outcome replayed =
        run({"tune", "layout", sample_path("unet_3d_layout_tuning.pb"), "--measure", "recorded"});
    QVERIFY(replayed.code != 0);
    QVERIFY2(replayed.err.contains("inside of fusions"), replayed.err.constData());
  }

 private:
  /// All trials as `sessions export` writes them.
  static QJsonArray exported(const WindowFixture& fixture, const QString& session) {
    const QString path = fixture.folder().filePath("trials.json");
    run({"sessions", "export", session, "--format", "json", "-o", path, "--db",
         QString::fromStdString(fixture.database())});
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QJsonDocument::fromJson(file.readAll()).object()["trials"].toArray();
  }

  static void check_session(const ui::TuneSessionModel& model, const QJsonObject& session) {
    using Model = ui::TuneSessionModel;
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(cell(model, 0, Model::kState), session["status"].toString());
    QVERIFY_SHOWS("trials", cell(model, 0, Model::kProgress).section(" /", 0, 0), session["trials"],
                  1);
    QVERIFY_SHOWS("best", cell(model, 0, Model::kBest), session["best_ns"], 1e3);
    QVERIFY_SHOWS("speed-up", cell(model, 0, Model::kSpeedup), session["speedup"], 1);
    QVERIFY_SHOWS("measured", cell(model, 0, Model::kMeasured).section(' ', 0, 0),
                  session["measured"], 1);
    const QString elapsed = ui::formatElapsed(session["active_s"].toDouble());
    QCOMPARE(cell(model, 0, Model::kElapsed), elapsed);
  }

  static void check_trials(const ui::TuneTrialModel& model, const QJsonArray& trials,
                           const QJsonValue& default_ns) {
    using Model = ui::TuneTrialModel;
    QMap<int, QJsonObject> wanted;
    for (const QJsonValue& trial : trials) wanted[trial["trial"].toInt()] = trial.toObject();
    QCOMPARE(wanted.size(), trials.size());
    for (int row = 0; row < model.rowCount(); ++row) {
      const QJsonObject of = wanted[model.trialAt(model.index(row, 0))];
      const QJsonValue predicted = of["predicted_ns"];
      const QJsonValue hardware = of["hardware_ns"];
      QVERIFY_SHOWS("trial", cell(model, row, Model::kTrial), of["trial"], 1);
      QVERIFY_SHOWS("predicted", cell(model, row, Model::kPredicted), predicted, 1e3);
      QCOMPARE(cell(model, row, Model::kMove),
               QString(of["accepted"].toBool() ? "accepted" : "rejected"));
      if (!hardware.isDouble()) continue;
      QVERIFY_SHOWS("hardware", cell(model, row, Model::kHardware), hardware, 1e3);
      QVERIFY_SHOWS("order", cell(model, row, Model::kOrder), of["measured_as"], 1);
      QVERIFY_SHOWS("speed-up", cell(model, row, Model::kSpeedup),
                    default_ns.toDouble() / hardware.toDouble(), 1);
      if (predicted.isDouble()) {
        QVERIFY_SHOWS("error", cell(model, row, Model::kError),
                      predicted.toDouble() / hardware.toDouble() - 1, 0.01);
      }
    }
  }
};

HLOSCOPE_TEST(TestAutotuneNumbers);
}  // namespace hloscope::testing
#include "test_autotune_numbers.moc"
