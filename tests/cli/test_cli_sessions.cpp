// What can be seen of sessions of the command line, and what extending does.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

#include "db/database.h"
#include "db/sqlite/connection.h"
#include "tests/cli/cli_process.h"
#include "tests/cli/folder_test.h"
#include "tests/cli/tuned_program.h"
#include "tests/support/test_registry.h"

namespace {

constexpr auto kSessionKernels = R"(HloModule three, is_scheduled=true
ENTRY main {
  a = f32[512,512]{1,0} parameter(0)
  b = f32[512,1024]{1,0} parameter(1)
  d = f32[512,512]{1,0} dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  e = f32[512,1024]{1,0} dot(d, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT n = f32[512,1024]{1,0} negate(e)
}
)";

}  // namespace

class TestCliSessions : public hloscope::testing::FolderTest {
  Q_OBJECT
 private:
  QString database_;

  QString program() const { return write("step.hlo", hloscope::testing::kTunedProgram); }
  QStringList tune(const QString& space, const QString& file, const QStringList& more) const {
    return QStringList{"tune", space, file, "--evaluator", "analytical", "--json"} + more;
  }
  QStringList steer(const QString& what, const QString& session,
                    const QStringList& more = {}) const {
    return QStringList{"tune", what, session, "--db", database_, "--json"} + more;
  }
  QString queued(const QStringList& more = {}) const {
    const QString kernel = write("one.hlo", hloscope::testing::kTunedKernel);
    const Outcome made =
        run(tune("tiles", kernel, more + QStringList{"--db", database_, "--queue"}));
    return QString::number(object(made)["session"].toInt());
  }

 private slots:
  void init() {
    database_ = path("sessions.hloscope");
    for (const char* part : {"", "-wal", "-shm"}) QFile::remove(database_ + part);
  }

  // Refining is no part of the budget of trials, and an extended session measures the new best.
  void a_refined_session_is_extended() {
    const QString session = queued({"--trials", "30", "--strategy", "random", "--measure",
                                    "simulator", "--top", "3", "--refine", "12"});
    const QJsonObject first = object(run(steer("run", session)));
    const int refined = first["refined"].toInt();
    QVERIFY(refined > 3);
    QCOMPARE(first["trials"].toInt(), 30 + refined);
    QVERIFY(run({"sessions", "show", session, "--db", database_}).out.contains(" of refining"));
    QCOMPARE(run(steer("extend", session, {"--trials", "29"})).code, 1);
    object(run(steer("extend", session, {"--trials", "+300"})));
    const QJsonObject more = object(run(steer("run", session)));
    QCOMPARE(more["trials"].toInt(), 330 + more["refined"].toInt());
    QVERIFY(more["measured"].toInt() > first["measured"].toInt());
    QVERIFY(more["best_ns"].toDouble() <= first["best_ns"].toDouble());
  }

  void a_damaged_session_is_named_in_the_list() {
    QCOMPARE(queued(), QString("1"));
    QCOMPARE(queued({"--name", "broken"}), QString("2"));
    {
      using namespace hloscope::db;
      auto database = Database::open(database_.toStdString());
      QVERIFY(database);
      QVERIFY(database->connection().execute(
          "UPDATE tune_sessions SET settings = '{\"space\": 5}' WHERE id = 2"));
    }
    const Outcome list = run({"sessions", "--db", database_});
    QCOMPARE(list.code, 0);
    QVERIFY2(list.out.contains("queued") && list.out.contains("damaged"), list.out);
    for (const QByteArray& line : list.out.split('\n')) QVERIFY2(line.size() <= 100, line);
    QVERIFY2(list.err.contains("session 2 is damaged: ") &&
                 list.err.contains("tune remove 2 --db " + database_.toUtf8()),
             list.err);
    const QJsonArray rows =
        QJsonDocument::fromJson(run({"sessions", "--db", database_, "--json"}).out).array();
    QCOMPARE(rows.size(), 2);
    QCOMPARE(rows[0].toObject()["name"].toString(), QString("broken"));
    QCOMPARE(rows[0].toObject()["status"].toString(), QString("damaged"));
    QCOMPARE(rows[1].toObject()["status"].toString(), QString("queued"));
    QCOMPARE(run({"sessions", "show", "2", "--db", database_}).code, 1);
  }

  // A program has hundreds of kernels: their tiles are rows, and JSON has them all.
  void the_best_tiles_of_a_program_are_a_table() {
    const QString file = write("three.hlo", kSessionKernels);
    QCOMPARE(run(tune("program-tiles", file, {"--trials", "60", "--db", database_})).code, 0);
    const QJsonObject row = object(run(steer("best", "1")));
    const QJsonArray choices = row["choices"].toArray();
    const QStringList parts = row["config"].toString().split(';');
    QCOMPARE(choices.size(), 3);
    QCOMPARE(choices.size(), parts.size());
    const QStringList best{"tune", "best", "1", "--db", database_};
    const Outcome all = run(best + QStringList{"--all"});
    const Outcome one = run(best + QStringList{"--limit", "1"});
    const auto is_a_row = [](const QByteArray& line, const QJsonValue& choice) {
      return line.startsWith(choice["of"].toString().toUtf8() + " ") &&
             line.contains(choice["choice"].toString().toUtf8());
    };
    for (const QJsonValue& choice : choices) {
      QVERIFY(parts.contains(choice["of"].toString() + ":" + choice["choice"].toString()));
      QVERIFY(std::ranges::any_of(all.out.split('\n'),
                                  [&](const QByteArray& line) { return is_a_row(line, choice); }));
    }
    for (const QByteArray& line : all.out.split('\n')) QVERIFY2(line.size() <= 100, line);
    QVERIFY(all.out.contains("\nKernel ") && all.out.contains("  Tile "));
    QVERIFY(!all.out.contains(" more: see"));
    QVERIFY(one.out.contains(QByteArray::number(choices.size() - 1) + " more: see --all"));
    // The first ones are those that differ from the default.
    QVERIFY(one.out.contains("differ from the default") || one.out.contains("the same"));
    QCOMPARE(run(best + QStringList{"--limit", "0"}).code, 2);
  }

  void the_best_fusion_is_a_table_of_edges() {
    QCOMPARE(run(tune("fusion", program(), {"--trials", "20", "--db", database_})).code, 0);
    const QJsonObject row = object(run(steer("best", "1")));
    const QString bits = row["config"].toString();
    const QJsonArray choices = row["choices"].toArray();
    QCOMPARE(choices.size(), bits.size());
    int fused = 0;
    for (const QJsonValue& choice : choices) fused += choice["choice"] == "fused" ? 1 : 0;
    QCOMPARE(fused, int(bits.count('1')));
    const Outcome text = run({"tune", "best", "1", "--db", database_, "--all"});
    QVERIFY2(text.out.contains("\nEdge ") && !text.out.contains(bits.toUtf8() + "\n"), text.out);
  }
};

HLOSCOPE_TEST(TestCliSessions);
#include "test_cli_sessions.moc"
