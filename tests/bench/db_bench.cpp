// Rates of the results database: db_bench [FILE.hlo...]
// Prints one line per kind of work, with wall and CPU time: a million kernel times of one run,
// opening the file (which checks it), reading and deleting the run; with files, storing their
// reports the first time and again. Works in a temporary folder.

#include <fmt/format.h>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>

#include "core/analysis/report.h"
#include "db/kernels.h"
#include "db/sqlite/connection.h"
#include "db/store.h"
#include "tests/bench/must.h"

using namespace hloscope;
using testing::must;

namespace {

constexpr int kKernels = 10'000;
constexpr int kRuns = 100;

void timed(std::string_view what, double rows, const std::function<void()>& work) {
  const auto wall = std::chrono::steady_clock::now();
  const std::clock_t cpu = std::clock();
  work();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - wall;
  const double cpu_seconds = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
  fmt::print("{:<34} {:9.1f} ms  cpu {:9.1f} ms", what, seconds.count() * 1e3, cpu_seconds * 1e3);
  if (rows > 0) fmt::print("  {:12.0f} rows/s of cpu", rows / cpu_seconds);
  fmt::print("\n");
}

std::vector<db::KernelTime> add_kernels(db::Database& database) {
  db::Kernels kernels(database);
  auto transaction = must(db::Transaction::begin(database.connection()));
  std::vector<db::KernelTime> times;
  db::KernelInfo info;
  info.opcode = info.label = "fusion";
  for (int i = 0; i < kKernels; ++i) {
    info.hash = hash128(fmt::format("{}", i));
    times.push_back({must(kernels.put(info)), 1000.0 + i, 500, 900, "memory"});
  }
  must(transaction.commit());
  return times;
}

void add_runs(db::Database& database, const std::vector<db::KernelTime>& times) {
  db::Runs runs(database);
  db::RunKey key;
  key.program = must(db::Programs(database).put({}));
  key.source_kind = db::kAnalytical;
  auto transaction = must(db::Transaction::begin(database.connection()));
  for (int i = 0; i < kRuns; ++i) {
    const db::RunId run = must(runs.start(key));
    must(runs.add_times(run, times));
    must(runs.finish(run, 1, hash128("times")));
  }
  must(transaction.commit());
}

void bench_rows(const std::filesystem::path& path) {
  {
    auto database = must(db::Database::open(path));
    std::vector<db::KernelTime> times;
    timed("insert 10,000 kernels", kKernels, [&] { times = add_kernels(database); });
    timed("insert 1,000,000 kernel times", 1e6, [&] { add_runs(database, times); });
  }
  fmt::print("file: {:.1f} MB\n", static_cast<double>(std::filesystem::file_size(path)) / 1e6);
  timed("open and check", 0, [&] { must(db::Database::open(path)); });
  auto database = must(db::Database::open(path));
  std::vector<db::RunInfo> runs;
  timed("list runs", kRuns, [&] { runs = must(db::list_runs(database)); });
  double sum = 0;
  timed("read the times of a run", kKernels, [&] {
    must(db::Runs(database).each_time(runs.front().id, [&sum](const db::KernelTime& time) {
      sum += time.time_ns;
      return true;
    }));
  });
  timed("delete a run", kKernels, [&] { must(db::delete_run(database, runs.front().id)); });
}

void bench_file(db::Database& database, const char* file_path) {
  const hlo::File file = must(hlo::read_file(file_path));
  const sim::Machine machine = must(sim::find_machine("tpu_v3"));
  fmt::print("{}\n", file_path);
  const auto report = must(analysis::analyse(file.modules.front(), file_path, 1, machine));
  const auto kernels = static_cast<double>(report->kernels.kernels.size());
  timed("  store", kernels, [&] { must(db::store_report(database, *report)); });
  timed("  store again", kernels, [&] { must(db::store_report(database, *report)); });
}

}  // namespace

int main(int argc, char** argv) {
  std::string folder = (std::filesystem::temp_directory_path() / "db_bench_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 1;
  bench_rows(std::filesystem::path(folder) / "rows.hloscope");
  {
    auto database = must(db::Database::open(std::filesystem::path(folder) / "files.hloscope"));
    for (int i = 1; i < argc; ++i) bench_file(database, argv[i]);
  }
  std::filesystem::remove_all(folder);
  return 0;
}
