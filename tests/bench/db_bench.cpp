// Rates of the results database: db_bench [--keep RESULTS] [FILE.hlo...]
// Prints one line per kind of work, with wall and CPU time: a million kernel times of a hundred
// runs, a million measured times, opening the file (which checks it), reading and deleting a run;
// with files, storing their reports the first time and again. Works in a temporary folder; --keep
// copies the file with the million times, for window_bench.

#include <fmt/format.h>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string_view>

#include "core/analysis/report.h"
#include "db/kernels.h"
#include "db/measured.h"
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
  info.op_class = "elementwise";
  for (int i = 0; i < kKernels; ++i) {
    info.hash = hash128(fmt::format("{}", i));
    times.push_back({must(kernels.put(info)), 1000.0 + i, 500, 900, "memory"});
  }
  must(transaction.commit());
  return times;
}

db::ProgramRow add_program(db::Database& database, const std::vector<db::KernelTime>& times) {
  db::ProgramInfo info;
  info.name = "synthetic";
  info.file_path = "synthetic.hlo";
  info.kernel_count = kKernels;
  const db::ProgramRow program = must(db::Programs(database).put(info));
  std::vector<db::ProgramKernel> kernels;
  for (size_t i = 0; i < times.size(); ++i) {
    kernels.push_back({times[i].kernel, fmt::format("fusion.{}", i), 1});
  }
  must(db::Programs(database).set_kernels(program, kernels));
  return program;
}

void add_runs(db::Database& database, db::ProgramRow program,
              const std::vector<db::KernelTime>& times) {
  db::Runs runs(database);
  db::RunKey key;
  key.program = program;
  key.source_kind = db::kSimulator;
  key.machine_id = "tpu_v3";
  auto transaction = must(db::Transaction::begin(database.connection()));
  for (int i = 0; i < kRuns; ++i) {
    const db::RunId run = must(runs.start(key));
    must(runs.add_times(run, times));
    must(runs.finish(run, 1, hash128("times")));
  }
  must(transaction.commit());
}

/// As many sources as runs; the times differ from the computed ones by up to a factor of two.
void add_measured(db::Database& database, db::ProgramRow program,
                  const std::vector<db::KernelTime>& times) {
  db::Measured measured(database);
  auto transaction = must(db::Transaction::begin(database.connection()));
  std::vector<db::MeasuredTime> rows(times.size());
  for (uint32_t source = 0; source < kRuns; ++source) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      const double factor = 1 + (i * 37 + source * 11) % 100 / 100.0;
      rows[i] = {times[i].kernel, i, true, true, times[i].time_ns * factor, "", 0};
    }
    db::MeasuredSource info;
    info.hash = hash128(fmt::format("source {}", source));
    info.file_path = fmt::format("measured_{}.csv", source);
    info.program = program;
    must(measured.put(info, rows));
  }
  must(transaction.commit());
}

void bench_rows(const std::filesystem::path& path) {
  {
    auto database = must(db::Database::open(path));
    std::vector<db::KernelTime> times;
    timed("insert 10,000 kernels", kKernels, [&] { times = add_kernels(database); });
    const db::ProgramRow program = add_program(database, times);
    timed("insert 1,000,000 kernel times", 1e6, [&] { add_runs(database, program, times); });
    timed("insert 1,000,000 measured times", 1e6, [&] { add_measured(database, program, times); });
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
  const bool keeps = argc > 2 && std::string_view(argv[1]) == "--keep";
  std::string folder = (std::filesystem::temp_directory_path() / "db_bench_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 1;
  const std::filesystem::path rows = std::filesystem::path(folder) / "rows.hloscope";
  bench_rows(rows);
  if (keeps) std::filesystem::copy_file(rows, argv[2]);
  {
    auto database = must(db::Database::open(std::filesystem::path(folder) / "files.hloscope"));
    for (int i = keeps ? 3 : 1; i < argc; ++i) bench_file(database, argv[i]);
  }
  std::filesystem::remove_all(folder);
  return 0;
}
