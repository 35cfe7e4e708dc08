#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QThread>
#include <csignal>

#include "app/cli/tune_progress.h"
#include "tests/cli/cli_process.h"
#include "tests/cli/folder_test.h"
#include "tests/cli/tuned_program.h"
#include "tests/support/test_registry.h"

namespace {

constexpr auto kTwoKernels = R"(HloModule two, is_scheduled=true
ENTRY main {
  a = f32[512,512]{1,0} parameter(0)
  d = f32[512,512]{1,0} dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT e = f32[512,512]{1,0} dot(d, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)";

// Of more tiles than can be tried in the time of a test.
constexpr auto kLargeKernel = R"(HloModule large, is_scheduled=true
ENTRY main {
  a = bf16[256,4096,4096]{2,1,0} parameter(0)
  b = bf16[256,4096,4096]{2,1,0} parameter(1)
  ROOT d = bf16[256,4096,4096]{2,1,0} dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
}
)";

}  // namespace

/// Tuning sessions on the command line. The evaluators here need no learned model.
class TestCliTune : public hloscope::testing::FolderTest {
  Q_OBJECT
 private:
  QString database_;

  QString program() const { return write("step.hlo", hloscope::testing::kTunedProgram); }
  QString kernel() const { return write("one.hlo", hloscope::testing::kTunedKernel); }
  QStringList tune(const QString& space, const QString& file, const QStringList& more) const {
    return QStringList{"tune", space, file, "--evaluator", "analytical", "--json"} + more;
  }
  QStringList steer(const QString& what, const QString& session,
                    const QStringList& more = {}) const {
    return QStringList{"tune", what, session, "--db", database_, "--json"} + more;
  }
  QString queued(const QStringList& more = {}) const { return queuedOf(kernel(), more); }
  QString queuedOf(const QString& file, const QStringList& more) const {
    const Outcome made = run(tune("tiles", file, more + QStringList{"--db", database_, "--queue"}));
    return QString::number(object(made)["session"].toInt());
  }
  QStringList trialLines(const QString& session) const {
    QStringList out;
    const Outcome csv = run({"sessions", "--db", database_, "trials", session, "--csv"});
    for (const QByteArray& line : csv.out.split('\n')) {
      // The last column is the time of day.
      out << QString::fromUtf8(line.left(line.lastIndexOf(',')));
    }
    return out;
  }

 private slots:
  void init() {
    database_ = path("tune.hloscope");
    QFile::remove(database_);
  }

  void a_session_of_tiles_is_kept() {
    const Outcome outcome =
        run(tune("tiles", kernel(),
                 {"--trials", "120", "--top", "5", "--name", "first", "--db", database_}));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const QJsonObject row = object(outcome);
    QCOMPARE(row["session"].toInt(), 1);
    QCOMPARE(row["name"].toString(), QString("first"));
    QCOMPARE(row["program"].toString(), QString("one"));
    QCOMPARE(row["kernel"].toString(), QString("d"));
    QCOMPARE(row["space"].toString(), QString("tiles"));
    QCOMPARE(row["strategy"].toString(), QString("annealing"));
    QCOMPARE(row["status"].toString(), QString("finished"));
    QCOMPARE(row["trials"].toInt(), 120);
    QCOMPARE(row["measured"].toInt(), 5);
    QVERIFY(row["search_source"].toString().startsWith("analytical (tpu_v3@"));
    QVERIFY(row["measure_source"].toString().startsWith("simulated (tpu_v3@"));
    QCOMPARE(row["best_source"], row["measure_source"]);
    QCOMPARE(row["default_source"], row["measure_source"]);
    QVERIFY(row["best_ns"].toDouble() > 0 && row["default_ns"].toDouble() > 0);
    QCOMPARE(row["speedup"].toDouble(), row["default_ns"].toDouble() / row["best_ns"].toDouble());
    // A second for each compilation, and the runs.
    QVERIFY(row["hardware_s"].toDouble() > 5 && row["hardware_s"].toDouble() < 6);
    QCOMPARE(row["budget"].toObject()["trials"].toInt(), 120);
    QVERIFY(row["budget"].toObject()["time_s"].isNull());
    QCOMPARE(row["db"].toString(), database_);

    const QJsonArray list =
        QJsonDocument::fromJson(run({"sessions", "--db", database_, "--json"}).out).array();
    QCOMPARE(list.size(), 1);
    QCOMPARE(list[0].toObject(), row);
    QJsonObject shown = object(run({"sessions", "show", "first", "--db", database_, "--json"}));
    const QJsonArray measured = shown.take("measured_trials").toArray();
    QCOMPARE(shown, row);
    QCOMPARE(measured.size(), 5);
    QCOMPARE(measured[4].toObject()["measured_as"].toInt(), 5);
    QVERIFY(measured[0].toObject()["predicted_ns"].toDouble() <=
            measured[4].toObject()["predicted_ns"].toDouble());
  }

  void the_command_of_a_session_makes_the_same_again() {
    const Outcome made =
        run(tune("fusion", program(),
                 {"--strategy",   "genetic", "--seed",      "5",       "--start",    "random",
                  "--population", "12",      "--mutation",  "0.25",    "--measure",  "simulator",
                  "--top",        "3",       "--compile-s", "0.5",     "--repeats",  "7",
                  "--trials",     "99",      "--time",      "60",      "--hardware", "30",
                  "--machine",    "tpu_v4",  "--db",        database_, "--queue"}));
    QVERIFY2(made.code == 0, made.err.constData());
    const QJsonObject first = object(made);
    QCOMPARE(first["status"].toString(), QString("queued"));
    QStringList again = first["command"].toString().split(' ');
    QCOMPARE(again.takeFirst(), QString("hloscope-cli"));
    const QJsonObject second = object(run(again + QStringList{"--queue", "--json"}));
    QCOMPARE(second["session"].toInt(), 2);
    QCOMPARE(second["settings"], first["settings"]);
    QCOMPARE(second["command"], first["command"]);
    // All defaults: nothing is left to say.
    const QJsonObject plain =
        object(run({"tune", "fusion", program(), "--db", database_, "--queue", "--json"}));
    QCOMPARE(
        plain["command"].toString(),
        QString("hloscope-cli tune fusion %1 --trials 5000 --db %2").arg(program(), database_));
  }

  void every_space_and_strategy_runs() {
    for (const char* strategy : {"annealing", "random", "genetic", "exhaustive"}) {
      for (const char* space : {"tiles", "program-tiles", "fusion", "layout"}) {
        const QString file = QByteArray(space) == "tiles" ? kernel() : program();
        const Outcome outcome =
            run(tune(space, file, {"--strategy", strategy, "--trials", "25", "--top", "2"}));
        QVERIFY2(outcome.code == 0, (QByteArray(space) + strategy + outcome.err).constData());
        QVERIFY(outcome.err.contains("not kept"));
        const QJsonObject row = object(outcome);
        QVERIFY(row["session"].isNull() && row["db"].isNull());
        QVERIFY(row["trials"].toInt() > 0 && row["trials"].toInt() <= 25);
        QVERIFY(row["best_ns"].toDouble() > 0);
      }
    }
  }

  void the_tuned_program_can_be_read() {
    QCOMPARE(run(tune("fusion", program(), {"--trials", "20", "--db", database_})).code, 0);
    const Outcome best = run(steer("best", "1", {"-o", path("tuned.hlo")}));
    QVERIFY2(best.code == 0, best.err.constData());
    const QJsonObject row = object(best);
    QCOMPARE(row["output"].toString(), path("tuned.hlo"));
    QVERIFY(row["config"].toString().contains('1') && row["hardware_ns"].toDouble() > 0);
    QVERIFY(row["hardware_source"].toString().startsWith("simulated (tpu_v3@"));
    QVERIFY(row["predicted_source"].toString().startsWith("analytical (tpu_v3@"));
    QCOMPARE(run({"check", path("tuned.hlo")}).code, 0);
    QVERIFY(read(path("tuned.hlo")).contains("fusion("));
    QCOMPARE(object(run(steer("best", "1", {"--trial", "0"})))["trial"].toInt(), 0);
    QCOMPARE(run(steer("best", "1", {"--trial", "20"})).code, 1);
    QCOMPARE(run(steer("best", "1", {"-o", program()})).code, 1);  // Its own input.
    QCOMPARE(run(steer("best", "1", {"-o", database_})).code, 1);
  }

  void a_session_is_steered() {
    const QString session = queued({"--trials", "40", "--measure", "none"});
    QCOMPARE(object(run(steer("pause", session)))["status"].toString(), QString("paused"));
    QCOMPARE(object(run(steer("resume", session)))["status"].toString(), QString("finished"));
    QCOMPARE(run(steer("run", session)).code, 1);
    QCOMPARE(run(steer("extend", session)).code, 2);
    QCOMPARE(run(steer("extend", session, {"--trials", "x"})).code, 1);
    for (const char* wrong : {"10", "+1.5", " 500", "0x100", "++5", "nan", "1e400", "+"}) {
      QCOMPARE(run(steer("extend", session, {"--trials", wrong})).code, 1);
    }
    const QJsonObject more = object(run(steer("extend", session, {"--trials", "+25"})));
    QCOMPARE(more["budget"].toObject()["trials"].toInt(), 65);
    QCOMPARE(more["status"].toString(), QString("paused"));
    QCOMPARE(object(run(steer("run", session)))["trials"].toInt(), 65);
    const QJsonObject copy = object(run(steer("duplicate", session)));
    QCOMPARE(copy["trials"].toInt(), 0);
    QCOMPARE(copy["budget"].toObject()["trials"].toInt(), 65);
    QCOMPARE(object(run(steer("rename", session, {"a b"})))["name"].toString(), QString("a b"));
    QCOMPARE(object(run(steer("stop", "2")))["status"].toString(), QString("stopped"));
    QVERIFY(object(run(steer("remove", "a b")))["removed"].toBool());
    QCOMPARE(run(steer("pause", session)).code, 1);
  }

  void ctrl_c_pauses_and_resume_makes_the_trials_that_were_to_come() {
    const QStringList settings{"--trials", "4000", "--measure", "none", "--seed", "3"};
    const QString undisturbed = queued(settings);
    QCOMPARE(run(steer("run", undisturbed)).code, 0);
    const QString session = queued(settings);
    QProcess process;
    process.start(QStringLiteral(HLOSCOPE_BINARY_DIR "/hloscope-cli"), steer("run", session));
    QVERIFY(process.waitForStarted());
    // Wherever it is by then: at the beginning, in the middle or at the end.
    QThread::msleep(150);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished());
    const QString status =
        QJsonDocument::fromJson(process.readAllStandardOutput()).object()["status"].toString();
    QCOMPARE(process.exitCode(), status == "paused" ? 3 : 0);
    QVERIFY2(status == "paused" || status == "finished", qPrintable(status));
    if (status == "paused") QCOMPARE(run(steer("resume", session)).code, 0);
    QCOMPARE(trialLines(session), trialLines(undisturbed));
  }

  void a_killed_session_is_interrupted_and_goes_on() {
    const QStringList settings{"--trials", "1000000", "--measure", "none", "--strategy", "random"};
    const QString session = queuedOf(write("large.hlo", kLargeKernel), settings);
    QProcess process;
    process.start(QStringLiteral(HLOSCOPE_BINARY_DIR "/hloscope-cli"), steer("run", session));
    const auto status = [&] {
      return object(run({"sessions", "show", session, "--db", database_, "--json"}));
    };
    QTRY_COMPARE_WITH_TIMEOUT(status()["status"].toString(), QString("running"), 20'000);
    QVERIFY(status()["owner"].toString().startsWith("pid "));
    QCOMPARE(run(steer("resume", session)).code, 1);
    QTRY_VERIFY_WITH_TIMEOUT(status()["trials"].toInt() > 0, 20'000);
    process.kill();
    QVERIFY(process.waitForFinished());
    QCOMPARE(status()["status"].toString(), QString("interrupted"));
    const int tried = status()["trials"].toInt();
    QProcess again;
    again.start(QStringLiteral(HLOSCOPE_BINARY_DIR "/hloscope-cli"), steer("resume", session));
    QTRY_VERIFY_WITH_TIMEOUT(status()["trials"].toInt() > tried, 20'000);
    QCOMPARE(run(steer("stop", session)).code, 0);
    QVERIFY(again.waitForFinished());
    QCOMPARE(again.exitCode(), 0);
    QCOMPARE(status()["status"].toString(), QString("stopped"));
  }

  void sessions_are_exported() {
    QCOMPARE(run(tune("tiles", kernel(), {"--trials", "30", "--top", "3", "--db", database_})).code,
             0);
    const auto exported = [&](const QString& format) {
      const QString file = path("out." + format);
      const Outcome outcome =
          run({"sessions", "export", "1", "--db", database_, "--format", format, "-o", file});
      return outcome.code == 0 ? read(file) : outcome.err;
    };
    const QByteArray csv = exported("csv");
    QVERIFY2(csv.startsWith("trial,config,predicted_ns,hardware_ns,measured_as,booked_ns,error,"
                            "accepted,temperature,refined,at_s\n0,\"out="),
             csv.constData());
    QCOMPARE(csv.count('\n'), 31);
    const QJsonObject json = QJsonDocument::fromJson(exported("json")).object();
    QCOMPARE(json["trials"].toArray().size(), 30);
    QCOMPARE(json["trials"].toArray()[0].toObject()["config"], json["first_config"]);
    QVERIFY(exported("optuna").startsWith("SQLite format 3"));
    QCOMPARE(run({"sessions", "export", "1", "--db", database_, "-o", database_}).code, 1);
    QCOMPARE(run({"sessions", "export", "1", "--db", database_, "--format", "x", "-o", "y"}).code,
             2);
  }

  void text_says_where_times_come_from_and_how_to_go_on() {
    QStringList arguments = tune("tiles", kernel(), {"--trials", "30", "--db", database_});
    arguments.removeAll("--json");
    const Outcome text = run(arguments);
    QVERIFY2(text.code == 0, text.err.constData());
    for (const char* part : {"analytical (tpu_v3@", "simulated (tpu_v3@", "speed-up",
                             "tune best 1 --db", "30 trials"}) {
      QVERIFY2(text.out.contains(part), text.out.constData());
    }
    const Outcome list = run({"sessions", "--db", database_});
    QVERIFY(list.out.contains("finished") && list.out.contains("  simulated  "));
    const Outcome trials = run({"sessions", "trials", "1", "--db", database_, "--limit", "10"});
    QVERIFY2(trials.out.contains("20 more"), trials.out.constData());
    QVERIFY(run({"sessions", "show", "1", "--db", database_}).out.contains("Predicted"));
  }

  void mistakes_end_in_errors() {
    const Outcome none = run(tune("tiles", program(), {"--kernel", "nothing"}));
    QCOMPARE(none.code, 1);
    QVERIFY2(none.err.contains("nothing"), none.err.constData());
    const Outcome which = run(tune("tiles", write("two.hlo", kTwoKernels), {}));
    QCOMPARE(which.code, 1);
    QVERIFY2(which.err.contains("no kernel is named"), which.err.constData());
    QCOMPARE(run(tune("fusion", path("absent.hlo"), {})).code, 1);
    QCOMPARE(run(tune("fusion", program(), {"--temperature", "-1"})).code, 1);
    QCOMPARE(run(tune("fusion", program(), {"--machine", "abacus"})).code, 1);
    QCOMPARE(run(tune("fusion", program(), {"--strategy", "luck"})).code, 2);
    QCOMPARE(run(tune("fusion", program(), {"--queue"})).code, 2);
    // Not the whole number that is left of it in 64 bits.
    for (const char* option : {"--trials", "--seed", "--top", "--population", "--repeats"}) {
      QCOMPARE(run(tune("fusion", program(), {option, "-5"})).code, 2);
      QCOMPARE(run(tune("fusion", program(), {option, "99999999999999999999"})).code, 2);
    }
    QCOMPARE(run({"tune"}).code, 2);
    QCOMPARE(run({"sessions", "show"}).code, 2);
    const QString absent = path("absent.hloscope");
    QCOMPARE(run({"sessions", "--db", absent}).code, 1);
    QCOMPARE(run({"tune", "run", "1", "--db", absent}).code, 1);
    QVERIFY(!QFile::exists(absent));
  }

  void the_line_says_how_far_it_is() {
    using namespace hloscope;
    tune::Settings settings;
    settings.budget.trials = 2000;
    tune::SessionState state;
    state.trials = 1200;
    state.best_ns = 1.5e6;
    state.baseline_ns = 1.8e6;
    QCOMPARE(cli::tune_progress_text(settings, state, 39.2),
             std::string("trial 1,200/2,000, best 1.500 ms (1.200 x), 40 s left"));
    // Times of two sources are not compared.
    settings.measure.emplace();
    QCOMPARE(cli::tune_progress_text(settings, state, -1),
             std::string("trial 1,200/2,000, best 1.500 ms"));
    state.phase = tune::Phase::kMeasure;
    state.measured = 4;
    state.best_is_hardware = true;
    QCOMPARE(cli::tune_progress_text(settings, state, -1),
             std::string("trial 1,200/2,000, measured 4/10, best 1.500 ms (1.200 x)"));
  }
};

HLOSCOPE_TEST(TestCliTune);
#include "test_cli_tune.moc"
