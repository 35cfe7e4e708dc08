#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "core/base/rng.h"
#include "db/sqlite/connection.h"
#include "db/store.h"
#include "tests/db/fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;

namespace {

constexpr size_t kKernels = 200;

/// Stores runs for ever; writes the id of each finished one to the pipe.
int write_runs(const std::filesystem::path& path, int pipe_end) {
  Database database = HLOSCOPE_MUST(Database::open(path));
  for (int round = 0;; ++round) {
    Transaction transaction = HLOSCOPE_MUST(Transaction::begin(database.connection()));
    const RunKey key = key_of(add_program(database, "p" + std::to_string(round % 7)));
    std::vector<KernelRow> kernels;
    for (size_t i = 0; i < kKernels; ++i) {
      kernels.push_back(add_kernel(database, std::to_string(i) + "." + std::to_string(round % 3)));
    }
    const RunId run = add_run(database, key, kernels);
    if (!transaction.commit()) return 1;
    if (write(pipe_end, &run.value, sizeof run.value) != sizeof run.value) return 2;
  }
}

/// Starts write_runs() in a child, kills it after the delay and returns the ids it reported.
std::vector<int64_t> ids_until_killed(const std::filesystem::path& path,
                                      std::chrono::microseconds delay) {
  int ends[2];
  if (pipe(ends) != 0) qFatal("no pipe");
  const pid_t child = fork();
  if (child == 0) _exit(write_runs(path, ends[1]));
  close(ends[1]);
  std::this_thread::sleep_for(delay);
  kill(child, SIGKILL);
  std::vector<int64_t> ids;
  int64_t id = 0;
  while (read(ends[0], &id, sizeof id) == sizeof id) ids.push_back(id);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSIGNALED(status)) qFatal("the writer ended by itself");
  return ids;
}

}  // namespace

/// Death of the process and refusals of the system while something is written.
class TestCrash : public QObject {
  Q_OBJECT
 private slots:
  void every_finished_run_survives_kill_9() {
    const TempFolder folder;
    Rng rng(20261129);
    std::vector<int64_t> reported;
    for (int round = 0; round < 20; ++round) {
      const auto delay = std::chrono::microseconds(1000 + rng.below(60'000));
      for (const int64_t id : ids_until_killed(folder.path(), delay)) reported.push_back(id);
      auto database = Database::open(folder.path());
      HLOSCOPE_OK(database);
      QCOMPARE(HLOSCOPE_MUST(database->connection().text("PRAGMA integrity_check")),
               std::string("ok"));
      for (const int64_t id : reported) {
        const auto run = Runs(*database).get(RunId{id});
        HLOSCOPE_OK(run);
        QVERIFY(run->state == RunState::kFinished);
        QCOMPARE(run->kernel_count, static_cast<int64_t>(kKernels));
      }
      // Nothing half done is left either.
      QCOMPARE(HLOSCOPE_MUST(database->connection().integer(
                   "SELECT count(*) FROM runs WHERE state <> 'finished'")),
               int64_t{0});
      QCOMPARE(HLOSCOPE_MUST(database->connection().integer("SELECT count(*) FROM kernel_times")),
               HLOSCOPE_MUST(database->connection().integer(
                   "SELECT coalesce(sum(kernel_count), 0) FROM runs")));
    }
    QVERIFY(reported.size() > 5);
  }

  void a_full_disk_is_an_error_and_loses_nothing() {
    const TempFolder folder;
    make_small_file(folder.path());
    const int code = exit_code_of_child([&folder] {
      Database database = HLOSCOPE_MUST(Database::open(folder.path()));
      // The system refuses to let any file grow over 200 kB.
      signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{200'000, 200'000};
      if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
      const RunKey key = key_of(add_program(database, "first"));
      const RunId run = HLOSCOPE_MUST(Runs(database).start(key));
      Transaction transaction = HLOSCOPE_MUST(Transaction::begin(database.connection()));
      for (int i = 0; i < 100'000; ++i) {
        KernelInfo info;
        info.hash = hash_of(std::to_string(i));
        info.hlo_text = std::string(1000, 'x');
        if (const auto put = Kernels(database).put(info); !put) {
          return put.error().code == ErrorCode::kIo && !put.error().hint.empty() ? 42 : 3;
        }
      }
      const auto committed = transaction.commit();
      if (committed) return 4;
      static_cast<void>(run);
      return committed.error().code == ErrorCode::kIo ? 42 : 5;
    });
    QCOMPARE(code, 42);
    auto database = Database::open(folder.path());
    HLOSCOPE_OK(database);
    QCOMPARE(HLOSCOPE_MUST(database->connection().text("PRAGMA integrity_check")),
             std::string("ok"));
    QCOMPARE(HLOSCOPE_MUST(list_runs(*database)).size(), size_t{2});
    QCOMPARE(HLOSCOPE_MUST(database->connection().integer("SELECT count(*) FROM kernels")),
             int64_t{3});
  }

  void a_folder_that_can_not_be_made_is_an_error() {
    const TempFolder folder;
    write_bytes(folder.path("file"), "x");
    const auto database = Database::open(folder.path("file") / "sub" / "results.hloscope");
    QVERIFY(!database);
    QVERIFY2(database.error().code == ErrorCode::kIo, database.error().format().c_str());
    QVERIFY(!database.error().hint.empty());
  }

  void a_new_file_in_a_read_only_folder_is_an_error() {
    const TempFolder folder;
    const int code = exit_code_without_rights(folder, [](const std::filesystem::path& path) {
      const auto database = Database::open(path);
      if (database) return 1;
      return database.error().code == ErrorCode::kIo && !database.error().hint.empty() ? 42 : 2;
    });
    if (code == kUnreachable) QSKIP(kWhyUnreachable);
    QCOMPARE(code, 42);
    QVERIFY(folder.file_names().empty());
  }

  void a_file_in_a_read_only_folder_can_be_read() {
    const TempFolder folder;
    make_small_file(folder.path());
    const std::string before = read_bytes(folder.path());
    const int code = exit_code_without_rights(folder, [](const std::filesystem::path& path) {
      auto database = Database::open(path);
      if (!database) return 1;
      if (!database->read_only() || database->notice().empty()) return 2;
      const auto runs = list_runs(*database);
      if (!runs || runs->size() != 1) return 3;
      return Programs(*database).put({}).error().code == ErrorCode::kReadOnly ? 42 : 4;
    });
    if (code == kUnreachable) QSKIP(kWhyUnreachable);
    QCOMPARE(code, 42);
    QVERIFY(read_bytes(folder.path()) == before);
    QCOMPARE(folder.file_names(), std::vector<std::string>{"results.hloscope"});
  }

 private:
  // A root folder of mode 0700, as some containers have, keeps ordinary users out of everything.
  static constexpr int kUnreachable = 101;
  static constexpr const char* kWhyUnreachable =
      "an ordinary user can not reach the temporary folder on this system";

  /// Runs `body` in a child that may read but not write the folder, whoever runs the tests.
  static int exit_code_without_rights(
      const TempFolder& folder, const std::function<int(const std::filesystem::path&)>& body) {
    constexpr mode_t kReadOnly = 0555;
    chmod(folder.path("").c_str(), kReadOnly);
    const int code = exit_code_of_child([&folder, &body] {
      constexpr uid_t kNobody = 65534;
      if (geteuid() == 0 && setuid(kNobody) != 0) return 100;
      if (access(folder.path("").c_str(), R_OK | X_OK) != 0) return kUnreachable;
      return body(folder.path());
    });
    chmod(folder.path("").c_str(), S_IRWXU);
    return code;
  }
};

HLOSCOPE_TEST(TestCrash);
#include "test_crash.moc"
