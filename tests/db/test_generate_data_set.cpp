#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "db/generate_data_set.h"
#include "db/merge_data_sets.h"
#include "db/store.h"
#include "tests/db/fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;

namespace {

// A chain of elementwise operations, with a product in its middle: hundreds of ways to fuse it.
std::string chain(const std::string& name, int length, int columns) {
  const std::string shape = "f32[256," + std::to_string(columns) + "]";
  const std::string weights =
      "f32[" + std::to_string(columns) + "," + std::to_string(columns) + "]";
  std::string text = "HloModule " + name + "\nENTRY main {\n  v0 = " + shape +
                     " parameter(0)\n  w = " + weights + " parameter(1)\n";
  const char* const opcodes[] = {"negate", "tanh", "exponential"};
  for (int i = 1; i <= length; ++i) {
    const std::string operand = "v" + std::to_string(i - 1);
    text +=
        std::string("  ") + (i == length ? "ROOT " : "") + "v" + std::to_string(i) + " = " + shape;
    text += i == length / 2
                ? " dot(" + operand + ", w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
                : std::string(" ") + opcodes[i % 3] + "(" + operand + ")\n";
  }
  return text + "}\n";
}

Generation generation(const TempFolder& folder, int64_t configurations = 30) {
  for (const auto& [name, length, columns] :
       {std::tuple("alpha", 21, 256), {"beta_train", 17, 512}, {"beta_infer", 11, 512}}) {
    write_bytes(folder.path(std::string(name) + ".hlo"), chain(name, length, columns));
  }
  std::vector<std::string> paths;
  for (const char* name : {"alpha.hlo", "beta_train.hlo", "beta_infer.hlo"}) {
    paths.push_back(folder.path(name).string());
  }
  const sim::Machine machine = HLOSCOPE_MUST(sim::find_machine("tpu_v3"));
  Generation out(machine);
  out.programs = HLOSCOPE_MUST(data::list_programs(paths)).programs;
  out.configurations = configurations;
  out.sampling.noise = 0.02;
  out.sampling.repeats = 3;
  out.info.name = "test";
  out.info.target.device = machine.id;
  out.info.target.noise = 0.02;
  out.info.target.repeats = 3;
  return out;
}

DataSetCounts generate(const Generation& work, const std::filesystem::path& to,
                       size_t threads = 1) {
  ThreadPool pool(threads);
  return HLOSCOPE_MUST(generate_data_set(work, to, pool));
}

/// Generates in a child and kills it after the delay. False: it was done before.
bool generate_until_killed(const Generation& work, const std::filesystem::path& to,
                           std::chrono::milliseconds delay) {
  const pid_t child = fork();
  if (child == 0) {
    ThreadPool pool(1);
    _exit(generate_data_set(work, to, pool) ? 0 : 1);
  }
  std::this_thread::sleep_for(delay);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status);
}

}  // namespace

/// The same work gives the same bytes, however it is cut, stopped or killed.
class TestGenerateDataSet : public QObject {
  Q_OBJECT
 private slots:
  void counts_fit_together() {
    const TempFolder folder;
    const DataSetCounts counts = generate(generation(folder), folder.path("one"));
    QCOMPARE(counts.units, int64_t{60});  // Two families of 30.
    QVERIFY2(counts.graphs > 50, std::to_string(counts.graphs).c_str());
    QVERIFY(counts.kernels > counts.graphs);
    QCOMPARE(counts.samples, counts.graphs);
    Database database = HLOSCOPE_MUST(Database::open(folder.path("one"), OpenMode::kReadOnly));
    const DataSets sets(database);
    QVERIFY(HLOSCOPE_MUST(sets.state()) == DataSetState::kFinished);
    int64_t met = 0;
    HLOSCOPE_OK(sets.each_sighting([&met](const Sighting& sighting) {
      met += sighting.count;
      return true;
    }));
    QCOMPARE(met, counts.kernels);
    QCOMPARE(folder.file_names().size(), size_t{4});  // No part file is left.
  }

  void shards_and_threads_give_the_bytes_of_one_run() {
    const TempFolder folder;
    Generation work = generation(folder);
    generate(work, folder.path("one"));
    const std::string wanted = read_bytes(folder.path("one"));
    generate(work, folder.path("two_threads"), 2);
    QVERIFY(read_bytes(folder.path("two_threads")) == wanted);
    for (const uint32_t count : {2U, 3U, 7U}) {
      std::vector<std::filesystem::path> shards;
      work.info.shard_count = count;
      for (uint32_t i = 0; i < count; ++i) {
        work.info.shard_index = i;
        shards.push_back(folder.path("shard" + std::to_string(count) + "." + std::to_string(i)));
        generate(work, shards.back());
      }
      const auto merged = folder.path("merged" + std::to_string(count));
      HLOSCOPE_OK(merge_data_sets(shards, merged));
      QVERIFY(read_bytes(merged) == wanted);
    }
  }

  void a_cancelled_run_goes_on() {
    const TempFolder folder;
    const Generation work = generation(folder);
    generate(work, folder.path("one"));
    ThreadPool pool(1);
    int stops = 0;
    while (true) {
      std::stop_source stop;
      const Progress progress(stop.get_token(), [&stop, stops](double fraction, std::string_view) {
        if (fraction > 0 && stops < 3) stop.request_stop();
      });
      const auto counts = generate_data_set(work, folder.path("two"), pool, progress);
      if (counts) break;
      QVERIFY(counts.error().code == ErrorCode::kCancelled);
      QVERIFY(std::filesystem::exists(part_path(folder.path("two"))));
      ++stops;
    }
    QCOMPARE(stops, 3);
    QVERIFY(read_bytes(folder.path("one")) == read_bytes(folder.path("two")));
  }

  void a_killed_run_goes_on() {
    const TempFolder folder;
    const Generation work = generation(folder, 200);
    generate(work, folder.path("one"));
    int kills = 0;
    for (int delay = 20;
         generate_until_killed(work, folder.path("two"), std::chrono::milliseconds(delay));
         delay += 20) {
      ++kills;
    }
    QVERIFY(kills > 0);
    generate(work, folder.path("three"));
    QVERIFY(read_bytes(folder.path("one")) == read_bytes(folder.path("two")));
  }

  void it_ends_where_there_are_enough_kernels() {
    const TempFolder folder;
    Generation work = generation(folder, 1000);
    work.graph_limit = 40;
    const DataSetCounts counts = generate(work, folder.path("one"));
    QVERIFY2(counts.graphs >= 40 && counts.graphs < 60, std::to_string(counts.graphs).c_str());
    QVERIFY(counts.units < 60);
    generate(work, folder.path("two"), 2);
    QVERIFY(read_bytes(folder.path("one")) == read_bytes(folder.path("two")));
  }

  // The other run stores a unit between two rounds of this one.
  void two_runs_do_not_mix() {
    const TempFolder folder;
    const Generation work = generation(folder);
    const auto part = part_path(folder.path("one"));
    bool is_stored = false;
    const Progress progress({}, [&](double, std::string_view what) {
      if (is_stored || what != "fusing and timing kernels") return;
      Database other = HLOSCOPE_MUST(Database::open(part));
      DataSets sets(other);
      const int64_t next = HLOSCOPE_MUST(sets.last_unit()) + 1;
      is_stored = sets.add_unit({next, 0, 1, 0}).has_value();
    });
    ThreadPool pool(1);
    const auto counts = generate_data_set(work, folder.path("one"), pool, progress);
    QVERIFY(is_stored);
    QVERIFY(!counts);
    QCOMPARE(counts.error().message, std::string("another run is writing the same data set"));
    QCOMPARE(counts.error().file, part.string());
    QVERIFY(!std::filesystem::exists(folder.path("one")));
  }

  void results_under_the_name_of_the_part_are_left_alone() {
    const TempFolder folder;
    const Generation work = generation(folder);
    {
      Database results = HLOSCOPE_MUST(Database::open(part_path(folder.path("one"))));
      QVERIFY(add_program(results, "mine").valid());
    }
    ThreadPool pool(1);
    const auto counts = generate_data_set(work, folder.path("one"), pool);
    QVERIFY(!counts && counts.error().code == ErrorCode::kInvalidInput);
    Database results = HLOSCOPE_MUST(Database::open(part_path(folder.path("one"))));
    QCOMPARE(HLOSCOPE_MUST(list_programs(results)).size(), size_t{1});
  }

  void a_part_of_other_work_is_not_taken() {
    const TempFolder folder;
    Generation work = generation(folder);
    {
      Database part = HLOSCOPE_MUST(Database::open(part_path(folder.path("one"))));
      std::vector<data::SourceProgram> programs;
      for (const auto& program : work.programs) programs.push_back(program.source);
      data::DataSetInfo info = work.info;
      info.seed = 7;
      HLOSCOPE_OK(DataSets(part).create(info, programs));
    }
    const std::string before = read_bytes(part_path(folder.path("one")));
    ThreadPool pool(1);
    const auto counts = generate_data_set(work, folder.path("one"), pool);
    QVERIFY(!counts && counts.error().code == ErrorCode::kInvalidInput);
    QCOMPARE(counts.error().file, part_path(folder.path("one")).string());
    QVERIFY(read_bytes(part_path(folder.path("one"))) == before);
    work.info.seed = 7;
    work.programs.pop_back();
    const auto fewer = generate_data_set(work, folder.path("one"), pool);
    QVERIFY(!fewer && fewer.error().code == ErrorCode::kInvalidInput);
  }
};

HLOSCOPE_TEST(TestGenerateDataSet);
#include "test_generate_data_set.moc"
