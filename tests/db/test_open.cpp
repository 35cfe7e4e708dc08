#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "db/migrations/migrations.h"
#include "db/store.h"
#include "tests/db/fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;

/// Making a file, opening it again, and files of other versions.
class TestOpen : public QObject {
  Q_OBJECT
 private slots:
  void default_path_follows_the_xdg_specification() {
    qputenv("HOME", "/home/somebody");
    qputenv("XDG_DATA_HOME", "/data/here");
    QCOMPARE(default_path().string(), std::string("/data/here/hloscope/results.hloscope"));
    qputenv("XDG_DATA_HOME", "relative");
    QCOMPARE(default_path().string(),
             std::string("/home/somebody/.local/share/hloscope/results.hloscope"));
    qunsetenv("XDG_DATA_HOME");
    QCOMPARE(default_path().string(),
             std::string("/home/somebody/.local/share/hloscope/results.hloscope"));
  }

  void a_new_file_is_made_with_its_folders() {
    const TempFolder folder;
    const auto path = folder.path("a/b/results.hloscope");
    {
      auto database = Database::open(path);
      HLOSCOPE_OK(database);
      QVERIFY(!database->read_only());
      QCOMPARE(database->notice(), std::string());
    }
    QCOMPARE(sql(path, "PRAGMA application_id"), std::to_string(0x686c7363));
    QCOMPARE(sql(path, "PRAGMA user_version"), std::to_string(kSchemaVersion));
    QCOMPARE(sql(path, "PRAGMA journal_mode"), std::string("wal"));
    QCOMPARE(sql(path,
                 "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND "
                 "name NOT LIKE 'sqlite%' AND NOT strict"),
             std::string("0"));
  }

  void names_with_special_characters_are_taken_as_they_are() {
    const TempFolder folder;
    const auto path = folder.path("50%25 of #1 ü?mode=memory.hloscope");
    { HLOSCOPE_OK(Database::open(path)); }
    QCOMPARE(folder.file_names(), std::vector<std::string>{path.filename().string()});
  }

  void rows_are_there_after_opening_again() {
    const TempFolder folder;
    make_small_file(folder.path());
    for (int time = 0; time < 2; ++time) {
      auto database = Database::open(folder.path());
      HLOSCOPE_OK(database);
      QCOMPARE(HLOSCOPE_MUST(list_programs(*database)).size(), size_t{2});
      QCOMPARE(HLOSCOPE_MUST(list_runs(*database)).size(), size_t{1});
    }
    QCOMPARE(folder.file_names(), std::vector<std::string>{"results.hloscope"});
  }

  void an_empty_file_becomes_a_results_file() {
    const TempFolder folder;
    write_bytes(folder.path(), "");
    HLOSCOPE_OK(Database::open(folder.path()));
    QCOMPARE(sql(folder.path(), "PRAGMA user_version"), std::to_string(kSchemaVersion));
  }

  void reading_makes_no_file() {
    const TempFolder folder;
    const auto database = Database::open(folder.path(), OpenMode::kReadOnly);
    QVERIFY(!database);
    QVERIFY(database.error().code == ErrorCode::kNotFound);
    QVERIFY(!database.error().hint.empty());
    QVERIFY(folder.file_names().empty());
  }

  void read_only_refuses_every_write() {
    const TempFolder folder;
    make_small_file(folder.path());
    auto database = Database::open(folder.path(), OpenMode::kReadOnly);
    HLOSCOPE_OK(database);
    QVERIFY(database->read_only());
    const auto runs = list_runs(*database);
    HLOSCOPE_OK(runs);
    QCOMPARE(runs->size(), size_t{1});
    const auto removed = delete_run(*database, runs->front().id);
    QVERIFY(!removed);
    QVERIFY(removed.error().code == ErrorCode::kReadOnly);
  }

  void a_file_of_a_newer_version_opens_read_only_and_says_so() {
    const TempFolder folder;
    make_small_file(folder.path());
    sql(folder.path(), "ALTER TABLE runs ADD COLUMN future TEXT; PRAGMA user_version = 8");
    const std::string before = read_bytes(folder.path());
    {
      auto database = Database::open(folder.path());
      HLOSCOPE_OK(database);
      QVERIFY(database->read_only());
      QVERIFY(database->notice().find("newer version") != std::string::npos);
      QVERIFY(database->notice().find("schema 8") != std::string::npos);
      QCOMPARE(HLOSCOPE_MUST(list_runs(*database)).size(), size_t{1});
      const auto put = Programs(*database).put({});
      QVERIFY(!put);
      QVERIFY(put.error().code == ErrorCode::kReadOnly);
      QCOMPARE(put.error().message, database->notice());
    }
    QVERIFY(read_bytes(folder.path()) == before);
    QCOMPARE(folder.file_names(), std::vector<std::string>{"results.hloscope"});
  }

  void a_file_made_newer_behind_our_back_is_noticed_in_the_log() {
    const TempFolder folder;
    make_small_file(folder.path());
    // The child ends without closing, so that the new version stands in the log only.
    const int code = exit_code_of_child([&folder] {
      auto database = Database::open(folder.path());
      if (!database) return 1;
      sql(folder.path(), "PRAGMA user_version = 8");
      _exit(0);
    });
    QCOMPARE(code, 0);
    QVERIFY(std::filesystem::exists(folder.path("results.hloscope-wal")));
    auto database = Database::open(folder.path());
    HLOSCOPE_OK(database);
    QVERIFY(database->read_only());
    QVERIFY(database->notice().find("schema 8") != std::string::npos);
  }
};

HLOSCOPE_TEST(TestOpen);
#include "test_open.moc"
