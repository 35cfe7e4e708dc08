#include "db/run_baseline.h"
#include "db/run_kernels.h"
#include "db/sqlite/connection.h"
#include "db/tune_rows.h"
#include "tests/db/fixtures.h"
#include "tests/db/tune_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;

/// Rows that hloscope never writes: they are told, not shown as if they were results.
class TestDamagedRows : public DatabaseTest {
  Q_OBJECT
 private:
  RunId run_ = {};
  RunId whole_ = {};

  void store_two_runs() {
    const ProgramRow program = add_program(*database_, "p");
    const KernelRow kernel = add_kernel(*database_, "a");
    HLOSCOPE_OK(Programs(*database_).set_kernels(program, {{kernel, "x", 2}}));
    run_ = add_run(*database_, key_of(program), {kernel});
    const ProgramRow other = add_program(*database_, "q");
    const KernelRow its_kernel = add_kernel(*database_, "b");
    HLOSCOPE_OK(Programs(*database_).set_kernels(other, {{its_kernel, "y", 1}}));
    whole_ = add_run(*database_, key_of(other), {its_kernel});
  }
  template <typename T>
  static bool tells(const Result<T>& result, const char* what) {
    return !result && result.error().code == ErrorCode::kInvalidInput &&
           result.error().message.find(what) != std::string::npos;
  }

 private slots:
  void times_that_cannot_be_are_told_data() {
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("what");
    QTest::newRow("infinite") << "kernel_times SET time_ns = 1e999 WHERE run_id = 1"
                              << "run 1 is damaged: a stored time or count is inf";
    QTest::newRow("negative") << "kernel_times SET time_ns = -5 WHERE run_id = 1"
                              << "run 1 is damaged: a stored time or count is -5";
    QTest::newRow("executions") << "program_kernels SET executions = -1e999 WHERE program_id = 1"
                                << "run 1 is damaged: a stored time or count is -inf";
    QTest::newRow("total") << "runs SET total_ns = -1 WHERE id = 1"
                           << "run 1 is damaged: a stored time or count is -1";
  }
  void times_that_cannot_be_are_told() {
    QFETCH(const QString, change);
    QFETCH(const QString, what);
    store_two_runs();
    QCOMPARE(run_.value, 1);
    QCOMPARE(HLOSCOPE_MUST(run_kernels(*database_, run_)).size(), size_t{1});
    HLOSCOPE_OK(database_->connection().execute("UPDATE " + change.toStdString()));
    QVERIFY(tells(run_baseline(*database_, run_), what.toUtf8()));
    // Totals are those of the run itself.
    if (change.startsWith("runs")) {
      QVERIFY(tells(Runs(*database_).get(run_), what.toUtf8()));
    } else {
      QVERIFY(tells(run_kernels(*database_, run_), what.toUtf8()));
      QVERIFY(tells(run_kernels(*database_, whole_, run_), what.toUtf8()));
    }
    // Others can be read still.
    HLOSCOPE_MUST(run_baseline(*database_, whole_));
    QCOMPARE(HLOSCOPE_MUST(run_kernels(*database_, whole_))[0].first->time_ns, 1000.0);
  }

  void a_bad_value_hides_nothing_else_also_of_a_file_in_use() {
    store_two_runs();
    HLOSCOPE_OK(database_->connection().execute(
        "PRAGMA ignore_check_constraints = ON; UPDATE runs SET state = 'weird' WHERE id = 1"));
    const std::filesystem::path path = database_->path();
    const auto tells_both = [&path] {
      Database other = HLOSCOPE_MUST(Database::open(path));
      const auto runs = HLOSCOPE_MUST(Runs(other).list());
      QCOMPARE(runs.size(), size_t{2});
      QVERIFY(runs[0].state == RunState::kFinished && runs[1].state == RunState::kFailed);
      // The rules hold for what is written.
      QVERIFY(!other.connection().execute("UPDATE runs SET state = 'odd' WHERE id = 2"));
    };
    QVERIFY(std::filesystem::exists(path.string() + "-wal"));
    tells_both();
    database_.reset();
    QVERIFY(!std::filesystem::exists(path.string() + "-wal"));
    tells_both();
  }

  void a_session_without_its_program_is_there_and_damaged() {
    const TuneSessions sessions(*database_);
    const TuneSessionRow id = HLOSCOPE_MUST(TuneSessions(*database_).create(grid_session("first")));
    HLOSCOPE_OK(database_->connection().execute("DELETE FROM tune_inputs"));
    QVERIFY(tells(sessions.hlo_text(id), "tuning session 1 is damaged: its program is not"));
    QVERIFY(tells(sessions.recorded(id), "tuning session 1 is damaged: its program is not"));
    QVERIFY(tells(read_base(database_->connection(), id),
                  "tuning session 1 is damaged: its program is not"));
    QCOMPARE(sessions.hlo_text({99}).error().code, ErrorCode::kNotFound);
  }

  void no_room_is_made_for_a_damaged_number_of_dimensions() {
    const TuneSessionRow id = HLOSCOPE_MUST(TuneSessions(*database_).create(grid_session("first")));
    for (const std::string number : {"-1", "1000000000000000"}) {
      HLOSCOPE_OK(database_->connection().execute(
          "UPDATE tune_inputs SET base = x'', dimensions = " + number));
      const std::string what = "tuning session 1 is damaged: its space has " + number;
      QVERIFY(tells(read_base(database_->connection(), id), what.c_str()));
    }
  }
};

HLOSCOPE_TEST(TestDamagedRows);
#include "test_damaged_rows.moc"
