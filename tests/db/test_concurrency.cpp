#include <algorithm>
#include <atomic>
#include <thread>

#include "db/sqlite/connection.h"
#include "db/store.h"
#include "tests/db/fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;

/// Several connections on one file.
class TestConcurrency : public QObject {
  Q_OBJECT
 private slots:
  void a_reader_sees_whole_runs_only_while_another_writes() {
    const TempFolder folder;
    make_small_file(folder.path());
    std::atomic<bool> done = false;
    std::string trouble;
    std::thread writer([&] {
      Database database = HLOSCOPE_MUST(Database::open(folder.path()));
      const RunKey key = key_of(add_program(database, "first"));
      const std::vector<KernelRow> kernels = {add_kernel(database, "a"), add_kernel(database, "b")};
      for (int i = 0; i < 200; ++i) {
        Transaction transaction = HLOSCOPE_MUST(Transaction::begin(database.connection()));
        static_cast<void>(add_run(database, key, kernels));
        if (!transaction.commit()) trouble = "commit failed";
      }
      done = true;
    });
    Database reader = HLOSCOPE_MUST(Database::open(folder.path(), OpenMode::kReadOnly));
    size_t seen = 0;
    while (true) {
      const bool was_done = done;
      const auto runs = list_runs(reader);
      if (!runs) trouble = runs.error().format();
      if (!runs || runs->size() < seen) break;
      seen = runs->size();
      const bool all_whole = std::ranges::all_of(*runs, [](const RunInfo& run) {
        return run.state == RunState::kFinished && run.kernel_count >= 2;
      });
      if (!all_whole) trouble = "a run in the making was seen";
      if (was_done || !trouble.empty()) break;
    }
    writer.join();
    QCOMPARE(trouble, std::string());
    QCOMPARE(seen, size_t{201});
  }

  void two_writers_take_turns() {
    const TempFolder folder;
    make_small_file(folder.path());
    const auto write = [&folder](const std::string& name) {
      Database database = HLOSCOPE_MUST(Database::open(folder.path()));
      const RunKey key = key_of(add_program(database, name));
      for (int i = 0; i < 50; ++i) static_cast<void>(add_run(database, key, {}));
    };
    std::thread other(write, "x");
    write("y");
    other.join();
    Database database = HLOSCOPE_MUST(Database::open(folder.path()));
    QCOMPARE(HLOSCOPE_MUST(list_runs(database)).size(), size_t{101});
  }

  void many_at_once_make_one_file() {
    const TempFolder folder;
    std::vector<std::thread> threads;
    std::atomic<int> opened = 0;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&folder, &opened, i] {
        auto database = Database::open(folder.path());
        if (!database) qWarning("%s", database.error().format().c_str());
        if (!database) return;
        static_cast<void>(add_program(*database, std::to_string(i)));
        ++opened;
      });
    }
    for (std::thread& thread : threads) thread.join();
    QCOMPARE(opened.load(), 8);
    Database database = HLOSCOPE_MUST(Database::open(folder.path()));
    QCOMPARE(HLOSCOPE_MUST(list_programs(database)).size(), size_t{8});
  }

  void a_held_lock_is_an_error_after_the_timeout() {
    const TempFolder folder;
    make_small_file(folder.path());
    Database holder = HLOSCOPE_MUST(Database::open(folder.path()));
    Transaction transaction = HLOSCOPE_MUST(Transaction::begin(holder.connection()));
    Database other = HLOSCOPE_MUST(
        Database::open(folder.path(), OpenMode::kReadWrite, std::chrono::milliseconds(20)));
    const auto put = Programs(other).put({});
    QVERIFY(!put);
    QVERIFY(put.error().code == ErrorCode::kIo);
    QVERIFY(put.error().message.find("locked") != std::string::npos);
    QVERIFY(!put.error().hint.empty());
  }

  void an_exclusive_lock_is_an_error_on_opening() {
    const TempFolder folder;
    make_small_file(folder.path());
    sql(folder.path(), "PRAGMA journal_mode = delete");
    auto connection =
        HLOSCOPE_MUST(Connection::open(folder.path(), Access::kWrite, std::chrono::seconds(1)));
    HLOSCOPE_OK(connection->execute("BEGIN EXCLUSIVE"));
    const auto database =
        Database::open(folder.path(), OpenMode::kReadWrite, std::chrono::milliseconds(20));
    QVERIFY(!database);
    QVERIFY(database.error().code == ErrorCode::kIo);
    QVERIFY(database.error().message.find("locked") != std::string::npos);
  }

  void opening_does_not_drop_the_locks_of_this_process() {
    const TempFolder folder;
    make_small_file(folder.path());
    sql(folder.path(), "PRAGMA journal_mode = delete");
    auto holder =
        HLOSCOPE_MUST(Connection::open(folder.path(), Access::kWrite, std::chrono::seconds(1)));
    HLOSCOPE_OK(holder->execute("BEGIN EXCLUSIVE"));
    // Looks at the file's header and gives up at the lock.
    QVERIFY(!Database::open(folder.path(), OpenMode::kReadOnly, std::chrono::milliseconds(1)));
    // POSIX locks only show in another process.
    const int code = exit_code_of_child([&folder] {
      const auto database =
          Database::open(folder.path(), OpenMode::kReadOnly, std::chrono::milliseconds(1));
      return database ? 0 : 17;
    });
    QCOMPARE(code, 17);
  }
};

HLOSCOPE_TEST(TestConcurrency);
#include "test_concurrency.moc"
