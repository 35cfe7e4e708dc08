#include <unistd.h>

#include <algorithm>

#include "core/base/rng.h"
#include "tests/db/fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;

namespace {

constexpr size_t kPageSize = 4096;

/// Opening must fail as bad input with a hint, and leave the folder as it was.
void verify_refused(const TempFolder& folder, const std::string& words) {
  const std::string before = read_bytes(folder.path());
  const auto names = folder.file_names();
  for (const OpenMode mode : {OpenMode::kReadWrite, OpenMode::kReadOnly}) {
    {
      const auto database = Database::open(folder.path(), mode);
      QVERIFY2(!database, "a bad file was opened");
      const Error& error = database.error();
      QVERIFY2(error.code == ErrorCode::kInvalidInput, error.format().c_str());
      QVERIFY2(error.message.find(words) != std::string::npos, error.format().c_str());
      QVERIFY(!error.hint.empty());
      QCOMPARE(error.file, folder.path().string());
    }
    QVERIFY(read_bytes(folder.path()) == before);
    QCOMPARE(folder.file_names(), names);
  }
}

}  // namespace

/// Files that are no results files, or broken ones: a clear error, and nothing is touched.
class TestRefusedFiles : public QObject {
  Q_OBJECT
 private slots:
  void text_is_not_a_database_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("one byte") << QByteArray("x");
    QTest::newRow("text") << QByteArray("HloModule m\n").repeated(100);
    QTest::newRow("short header") << QByteArray("SQLite format 3\0", 16);
    QTest::newRow("zeros") << QByteArray(8192, '\0');
    QTest::newRow("old SQLite")
        << QByteArray("** This file contains an SQLite 2.1 database **").leftJustified(4096, ' ');
  }
  void text_is_not_a_database() {
    QFETCH(QByteArray, bytes);
    const TempFolder folder;
    write_bytes(folder.path(), bytes.toStdString());
    verify_refused(folder, "not a hloscope results file");
  }

  void a_folder_is_not_a_database() {
    const TempFolder folder;
    const auto database = Database::open(folder.path(""));
    QVERIFY(!database);
    QVERIFY(database.error().code == ErrorCode::kInvalidInput);
    QVERIFY(folder.file_names().empty());
  }

  void a_device_is_not_a_database() {
    const auto database = Database::open("/dev/null");
    QVERIFY(!database);
    QVERIFY(database.error().code == ErrorCode::kInvalidInput);
  }

  void a_database_of_another_program_is_left_alone_data() {
    QTest::addColumn<QString>("mode");
    QTest::newRow("rollback journal") << "delete";
    QTest::newRow("write-ahead log") << "wal";
  }
  void a_database_of_another_program_is_left_alone() {
    QFETCH(QString, mode);
    const TempFolder folder;
    sql(folder.path(), "PRAGMA journal_mode = " + mode.toStdString() +
                           "; PRAGMA application_id = 1234; PRAGMA user_version = 1; "
                           "CREATE TABLE mail (id INTEGER PRIMARY KEY)");
    verify_refused(folder, "another program");
  }

  void a_database_without_application_id_is_left_alone() {
    const TempFolder folder;
    sql(folder.path(), "CREATE TABLE programs (id INTEGER PRIMARY KEY)");
    verify_refused(folder, "another program");
  }

  void our_id_without_a_version_is_damage() {
    const TempFolder folder;
    sql(folder.path(), "PRAGMA application_id = 0x686c7363; CREATE TABLE x (y)");
    verify_refused(folder, "damaged");
  }

  void a_truncated_file_is_damaged_data() {
    QTest::addColumn<int>("bytes_kept");
    QTest::newRow("header only") << 100;
    QTest::newRow("half a page") << 2048;
    QTest::newRow("one page") << static_cast<int>(kPageSize);
    QTest::newRow("three and a half pages") << static_cast<int>(kPageSize * 7 / 2);
    QTest::newRow("last page cut") << -100;
    QTest::newRow("last page missing") << -static_cast<int>(kPageSize);
  }
  void a_truncated_file_is_damaged() {
    QFETCH(int, bytes_kept);
    const TempFolder folder;
    make_small_file(folder.path());
    const std::string whole = read_bytes(folder.path());
    const auto size = static_cast<int>(whole.size());
    const int kept = bytes_kept > 0 ? bytes_kept : size + bytes_kept;
    QVERIFY(kept > 0 && kept < size);
    write_bytes(folder.path(), whole.substr(0, static_cast<size_t>(kept)));
    verify_refused(folder, "damaged");
  }

  void overwritten_pages_are_damage() {
    const TempFolder folder;
    make_small_file(folder.path());
    const std::string whole = read_bytes(folder.path());
    const size_t pages = whole.size() / kPageSize;
    QVERIFY(pages > 5);
    for (size_t page = 1; page < pages; ++page) {
      std::string broken = whole;
      std::fill_n(broken.begin() + static_cast<std::ptrdiff_t>(page * kPageSize), kPageSize,
                  '\xa5');
      write_bytes(folder.path(), broken);
      verify_refused(folder, "damaged");
      if (QTest::currentTestFailed()) return;
    }
  }

  void a_log_beside_a_damaged_file_is_kept() {
    const TempFolder folder;
    make_small_file(folder.path());
    const int code = exit_code_of_child([&folder] {
      auto database = Database::open(folder.path());
      if (!database) return 1;
      static_cast<void>(add_program(*database, "third"));
      _exit(0);  // Without closing: the row stays in the log.
    });
    QCOMPARE(code, 0);
    std::string broken = read_bytes(folder.path());
    std::fill_n(broken.begin() + 5 * kPageSize, kPageSize, '\xa5');
    write_bytes(folder.path(), broken);
    const std::string log = read_bytes(folder.path("results.hloscope-wal"));
    QVERIFY(!log.empty());
    verify_refused(folder, "damaged");
    QVERIFY(read_bytes(folder.path("results.hloscope-wal")) == log);
  }

  void random_damage_never_crashes() {
    const TempFolder folder;
    make_small_file(folder.path());
    const std::string whole = read_bytes(folder.path());
    Rng rng(20240131);
    int refused = 0;
    for (int round = 0; round < 200; ++round) {
      std::string broken = whole;
      for (int i = 0; i < 20; ++i) {
        broken[rng.below(broken.size())] = static_cast<char>(rng.below(256));
      }
      write_bytes(folder.path(), broken);
      auto database = Database::open(folder.path());
      if (!database) {
        ++refused;
        QVERIFY(database.error().code == ErrorCode::kInvalidInput);
        continue;
      }
      // Damage inside a value can't be seen; reading must still be safe.
      static_cast<void>(Programs(*database).list());
      static_cast<void>(Runs(*database).list());
    }
    QVERIFY(refused > 0);
  }
};

HLOSCOPE_TEST(TestRefusedFiles);
#include "test_refused_files.moc"
