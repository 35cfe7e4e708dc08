#include <unistd.h>

#include <filesystem>

#include "db/migrations/migrations.h"
#include "db/sqlite/connection.h"
#include "db/store.h"
#include "db/tuning.h"
#include "tests/db/fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;

namespace {

// A program, one kernel and its analytical run, as version 1 wrote them.
constexpr const char* kRowsOfVersion1 = R"sql(
INSERT INTO programs VALUES (1, '00000000000000000000000000000001', 'net', '/data/net.hlo', 1, 3, 1,
                             1, '2026-11-29T10:00:00Z', '2026-11-29T10:00:00Z');
INSERT INTO kernels VALUES (1, '00000000000000000000000000000002', 'add', 'fusion', 'elementwise',
                            2, 'f32[8,128]{1,0}', NULL);
INSERT INTO program_kernels VALUES (1, 0, 1, 'fusion.1', 1.0);
INSERT INTO runs VALUES (1, 1, 'analytical', 'tpu_v3', '00000000000000000000000000000003', '{}',
                         '0.1.0', 'finished', '2026-11-29T10:00:00Z', '2026-11-29T10:00:01Z', 1,
                         2500.0, '00000000000000000000000000000004');
INSERT INTO kernel_times VALUES (1, 1, 2500.0, 100.0, 2000.0, 'memory');
)sql";

// A finished session of two trials, of which the second was measured.
constexpr const char* kSessionOfVersion6 = R"sql(
INSERT INTO tune_sessions (id, name, program, file_path, program_hash, settings, created, updated,
                           status, phase, trials, measured, best, best_ns)
VALUES (1, 'net', 'net', '/data/net.hlo', '00000000000000000000000000000001', '{}',
        '2026-11-30T10:00:00Z', '2026-11-30T10:00:00Z', 'finished', 'done', 2, 1, 1, 90);
INSERT INTO tune_inputs VALUES (1, x'00', x'00', 2, x'');
INSERT INTO tune_trials VALUES (1, 0, x'', 100, NULL, 0, 0, '', 1, 0.3, 0.1);
INSERT INTO tune_trials VALUES (1, 1, x'', 80, 90, 1, 1e9, '', 0, 0, 0.2);
)sql";

void make_file_of_version_1(const std::filesystem::path& path) {
  auto connection =
      HLOSCOPE_MUST(Connection::open(path, Access::kCreate, std::chrono::milliseconds(100)));
  HLOSCOPE_OK(migrate_to_1(*connection));
  HLOSCOPE_OK(connection->execute(kRowsOfVersion1));
  HLOSCOPE_OK(connection->execute("PRAGMA user_version = 1"));
}

}  // namespace

/// Files of older versions are brought up to date.
class TestMigrations : public QObject {
  Q_OBJECT
 private slots:
  void a_file_of_version_1_keeps_its_rows() {
    const TempFolder folder;
    make_file_of_version_1(folder.path());
    QCOMPARE(sql(folder.path(), "PRAGMA user_version"), std::string("1"));
    Database database = HLOSCOPE_MUST(Database::open(folder.path()));
    QCOMPARE(HLOSCOPE_MUST(database.connection().integer("PRAGMA user_version")), kSchemaVersion);
    const auto runs = HLOSCOPE_MUST(list_runs(database));
    QCOMPARE(runs.size(), size_t{1});
    QCOMPARE(runs[0].key.source_kind, std::string(kAnalytical));
    QCOMPARE(runs[0].total_ns, 2500.0);
    int rows = 0;
    HLOSCOPE_OK(Runs(database).each_time(runs[0].id, [&rows](const KernelTime& time) {
      const bool as_written = time.time_ns == 2500 && time.compute_ns == 100 &&
                              time.memory_ns == 2000 && time.bound == "memory";
      if (as_written && time.tile.empty() && !time.vmem_bytes) ++rows;
      return true;
    }));
    QCOMPARE(rows, 1);
  }

  void a_file_of_version_1_takes_tiles_once_it_was_opened() {
    const TempFolder folder;
    make_file_of_version_1(folder.path());
    Database database = HLOSCOPE_MUST(Database::open(folder.path()));
    RunKey key = key_of({1});
    key.source_kind = kSimulator;
    Runs runs(database);
    const RunId run = HLOSCOPE_MUST(runs.start(key));
    KernelTime time{{1}, 2600, 200, 2100, "memory", "out=1x1"};
    time.vmem_bytes = 8192;
    HLOSCOPE_OK(runs.add_times(run, std::vector{time}));
    HLOSCOPE_OK(runs.each_time(run, [](const KernelTime& read) {
      return read.tile == "out=1x1" && read.vmem_bytes == 8192.0;
    }));
    QCOMPARE(sql(folder.path(), "SELECT count(*) FROM kernel_times WHERE tile = 'out=1x1'"),
             std::string("1"));
  }

  // What refining tried counted as a trial of the search then, and does so still.
  void sessions_of_version_6_keep_their_meaning() {
    const TempFolder folder;
    {
      auto connection = HLOSCOPE_MUST(
          Connection::open(folder.path(), Access::kCreate, std::chrono::milliseconds(100)));
      for (const auto step : {&migrate_to_1, &migrate_to_2, &migrate_to_3, &migrate_to_4,
                              &migrate_to_5, &migrate_to_6}) {
        HLOSCOPE_OK(step(*connection));
      }
      HLOSCOPE_OK(connection->execute(kSessionOfVersion6));
      const std::string settings = tune::settings_json(tune::Settings());
      HLOSCOPE_OK(connection->execute("UPDATE tune_sessions SET settings = '" + settings + "'"));
      HLOSCOPE_OK(connection->execute("PRAGMA user_version = 6"));
    }
    Database database = HLOSCOPE_MUST(Database::open(folder.path()));
    QCOMPARE(HLOSCOPE_MUST(database.connection().integer("PRAGMA user_version")), kSchemaVersion);
    const auto sessions = HLOSCOPE_MUST(TuneSessions(database).list());
    QCOMPARE(sessions.size(), size_t{1});
    QVERIFY(sessions[0].status == SessionStatus::kFinished);
    QCOMPARE(sessions[0].progress.trials, uint64_t{2});
    QCOMPARE(sessions[0].progress.refined, uint64_t{0});
    QCOMPARE(sessions[0].progress.searched(), uint64_t{2});
    const auto measured = HLOSCOPE_MUST(TuneSessions(database).measured_trials({1}));
    QCOMPARE(measured.size(), size_t{1});
    QCOMPARE(measured[0].number, uint64_t{1});
    QCOMPARE(measured[0].hardware_ns, std::optional<double>(90));
    QVERIFY(!measured[0].refined);
    QVERIFY((measured[0].config == tune::Config{0, 0}));
  }

  void the_same_schema_comes_out_as_from_scratch() {
    const TempFolder folder;
    make_file_of_version_1(folder.path("old.hloscope"));
    HLOSCOPE_OK(Database::open(folder.path("old.hloscope")));
    HLOSCOPE_OK(Database::open(folder.path("new.hloscope")));
    const char* text = "SELECT group_concat(sql, ';') FROM sqlite_schema ORDER BY name";
    const std::string schema = sql(folder.path("new.hloscope"), text);
    QVERIFY(schema.find("vmem_bytes") != std::string::npos);
    QVERIFY(schema.find("tune_trials") != std::string::npos);
    QCOMPARE(sql(folder.path("old.hloscope"), text), schema);
  }

  void a_reader_brings_a_file_up_to_date_too() {
    const TempFolder folder;
    make_file_of_version_1(folder.path());
    Database database = HLOSCOPE_MUST(Database::open(folder.path(), OpenMode::kReadOnly));
    QVERIFY(database.read_only());
    QCOMPARE(HLOSCOPE_MUST(database.connection().integer("PRAGMA user_version")), kSchemaVersion);
    QCOMPARE(HLOSCOPE_MUST(Runs(database).list()).size(), size_t{1});
  }

  void a_file_of_version_1_that_may_only_be_read_says_what_to_do() {
    if (geteuid() == 0) QSKIP("root may write every file");
    const TempFolder folder;
    make_file_of_version_1(folder.path());
    std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_read);
    const auto opened = Database::open(folder.path(), OpenMode::kReadOnly);
    QVERIFY(!opened);
    QVERIFY(opened.error().code == ErrorCode::kUnsupported);
    QVERIFY(opened.error().message.find("older version") != std::string::npos);
    QVERIFY(!opened.error().hint.empty());
  }
};

HLOSCOPE_TEST(TestMigrations);
#include "test_migrations.moc"
