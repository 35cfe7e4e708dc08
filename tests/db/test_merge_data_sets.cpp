#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>

#include "db/merge_data_sets.h"
#include "db/sqlite/connection.h"
#include "tests/db/data_set_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;
using Paths = std::vector<std::filesystem::path>;

namespace {

constexpr int64_t kUnits = 50;

/// Files "INDEX-of-COUNT" of the made-up units.
Paths make_shards(const TempFolder& folder, uint32_t count, int64_t units = kUnits) {
  Paths paths;
  for (uint32_t index = 0; index < count; ++index) {
    data::DataSetInfo info = info_of(units);
    info.shard_index = index;
    info.shard_count = count;
    paths.push_back(folder.path(std::to_string(index) + "-of-" + std::to_string(count)));
    make_shard(paths.back(), info);
  }
  return paths;
}

/// Why the shards cannot be merged; that no file came of it is checked too.
Error merge_error(const TempFolder& folder, const Paths& shards) {
  const auto merged = merge_data_sets(shards, folder.path("merged"));
  if (merged) qFatal("the shards were merged");
  for (const std::string& name : folder.file_names()) {
    if (name.starts_with("merged")) qFatal("%s is left", name.c_str());
  }
  return merged.error();
}

/// What a data set of all made-up units holds.
struct WholeSet {
  std::vector<MadeKernel> kernels;  ///< Each once, as it is met first.
  std::vector<int64_t> first_units;
  std::map<std::pair<int64_t, uint32_t>, Sighting> sightings;  ///< By graph and program.
  int64_t met = 0;
};

WholeSet made_one_after_the_other() {
  WholeSet out;
  std::map<std::string, int64_t> rows;
  for (int64_t number = 0; number < kUnits; ++number) {
    double executions = number < kMadePrograms ? 1 : 0;
    for (const MadeKernel& kernel : made_kernels(number)) {
      const auto [row, is_new] =
          rows.try_emplace(kernel.name, static_cast<int64_t>(rows.size()) + 1);
      if (is_new) out.kernels.push_back(kernel);
      if (is_new) out.first_units.push_back(number);
      const auto program = static_cast<uint32_t>(number % kMadePrograms);
      Sighting& sighting = out.sightings[{row->second, program}];
      sighting.graph.value = row->second;
      sighting.program = program;
      sighting.count += 1;
      sighting.default_executions += executions;
      if (executions > 0) executions += 0.5;
      ++out.met;
    }
  }
  return out;
}

bool is_made_of(const StoredGraph& graph, const std::vector<data::Sample>& samples,
                const MadeKernel& kernel) {
  return graph.record.hash == hash_of(kernel.name) && graph.record.content == kernel.content &&
         std::ranges::equal(samples, kernel.samples, [](const auto& a, const auto& b) {
           return a.configuration == b.configuration && a.time_ns == b.time_ns &&
                  a.is_default == b.is_default;
         });
}

#define HLOSCOPE_SAYS(error, text)                                                  \
  do {                                                                              \
    const Error& said = (error);                                                    \
    QVERIFY2(said.format().find(text) != std::string::npos, said.format().c_str()); \
  } while (false)

}  // namespace

/// Shards become one data set.
class TestMergeDataSets : public QObject {
  Q_OBJECT
 private slots:
  void the_bytes_do_not_depend_on_the_shards() {
    const TempFolder folder;
    HLOSCOPE_OK(merge_data_sets(make_shards(folder, 1), folder.path("merged1")));
    const std::string bytes = read_bytes(folder.path("merged1"));
    for (const uint32_t count : {2U, 3U, 7U, 64U}) {
      Paths shards = make_shards(folder, count);
      std::ranges::reverse(shards);
      const auto to = folder.path("merged" + std::to_string(count));
      HLOSCOPE_OK(merge_data_sets(shards, to));
      QVERIFY(read_bytes(to) == bytes);
    }
    // Merged once more nothing changes.
    HLOSCOPE_OK(merge_data_sets(Paths{folder.path("merged3")}, folder.path("again")));
    QVERIFY(read_bytes(folder.path("again")) == bytes);
    for (const std::string& name : folder.file_names()) {
      QVERIFY2(name.starts_with("merged") || name == "again" || name.find("-of-") == 1 ||
                   name.find("-of-") == 2,
               name.c_str());
      QVERIFY2(!name.ends_with("-wal") && !name.ends_with("-journal"), name.c_str());
    }
  }

  // Against the units themselves, one after the other.
  void everything_of_every_unit_is_there() {
    const TempFolder folder;
    HLOSCOPE_OK(merge_data_sets(make_shards(folder, 3), folder.path("merged")));
    Database database = HLOSCOPE_MUST(Database::open(folder.path("merged"), OpenMode::kReadOnly));
    const DataSets data_set(database);
    QVERIFY(HLOSCOPE_MUST(data_set.info()) == info_of(kUnits));
    QVERIFY(HLOSCOPE_MUST(data_set.programs()) == some_programs(kMadePrograms));
    QVERIFY(HLOSCOPE_MUST(data_set.state()) == DataSetState::kFinished);

    const WholeSet expected = made_one_after_the_other();
    size_t next = 0;
    int64_t samples = 0;
    HLOSCOPE_OK(data_set.each_graph([&](const StoredGraph& graph) {
      const auto read = HLOSCOPE_MUST(data_set.samples(graph.id));
      const bool is_same = graph.first_unit == expected.first_units[next] &&
                           is_made_of(graph, read, expected.kernels[next]);
      samples += static_cast<int64_t>(read.size());
      ++next;
      return is_same && next < expected.kernels.size();
    }));
    QCOMPARE(next, expected.kernels.size());
    const DataSetCounts counts = HLOSCOPE_MUST(data_set.counts());
    QCOMPARE(counts.graphs, static_cast<int64_t>(expected.kernels.size()));
    QCOMPARE(counts.kernels, expected.met);
    QCOMPARE(counts.samples, samples);
    QCOMPARE(counts.units, kUnits);
    auto sighting_at = expected.sightings.begin();
    HLOSCOPE_OK(data_set.each_sighting([&](const Sighting& sighting) {
      return sighting_at != expected.sightings.end() && sighting == sighting_at++->second;
    }));
    QVERIFY(sighting_at == expected.sightings.end());
  }

  void shards_must_be_there_once() {
    const TempFolder folder;
    const Paths shards = make_shards(folder, 4);
    HLOSCOPE_SAYS(merge_error(folder, {}), "no shards");
    HLOSCOPE_SAYS(merge_error(folder, {shards[0], shards[1], shards[2]}), "missing shard 3/4");
    HLOSCOPE_SAYS(merge_error(folder, {shards[2]}), "missing shard 0/4, shard 1/4, shard 3/4");
    const Error twice = merge_error(folder, {shards[0], shards[1], shards[1], shards[3]});
    HLOSCOPE_SAYS(twice, "shard 1/4 is given twice");
    QCOMPARE(twice.file, shards[1].string());
    const Error absent = merge_error(folder, {shards[0], folder.path("absent")});
    QVERIFY(absent.code == ErrorCode::kNotFound);
    QCOMPARE(absent.file, folder.path("absent").string());
    HLOSCOPE_SAYS(merge_error(folder, {make_shards(folder, 20)[0]}), "shard 8/20 and 11 more");
  }

  void shards_must_be_of_one_data_set() {
    const TempFolder folder;
    const Paths shards = make_shards(folder, 2);
    HLOSCOPE_SAYS(merge_error(folder, {shards[0], make_shards(folder, 3)[1]}), "shards 3, not 2");
    data::DataSetInfo info = info_of(kUnits);
    info.shard_index = 1;
    info.shard_count = 2;
    const auto with = [&](const auto& change) {
      data::DataSetInfo other = info;
      change(other);
      std::filesystem::remove(folder.path("other"));
      make_shard(folder.path("other"), other);
      const Error error = merge_error(folder, {shards[0], folder.path("other")});
      return error.file == folder.path("other") ? error.message : error.format();
    };
    QCOMPARE(with([](auto& other) { other.seed = 7; }),
             "it is of another data set than " + shards[0].string() +
                 ": it has seed 7, not 18364758544493064720");
    QVERIFY(with([](auto& other) {
              other.task = data::Task::kFusion;
            }).ends_with("task fusion, not tile"));
    QVERIFY(with([](auto& other) { other.target.repeats = 5; }).find("min of 5") !=
            std::string::npos);
    QVERIFY(with([](auto& other) { other.settings = "{}"; }).find("settings {}, not {\"tiles") !=
            std::string::npos);
    QVERIFY(with([](auto& other) { other.unit_count = 52; }).ends_with("units 52, not 50"));
    make_shard(folder.path("programs"), info);
    static_cast<void>(
        sql(folder.path("programs"), "UPDATE data_set_programs SET family = 'x' WHERE id = 3"));
    const Error programs = merge_error(folder, {shards[0], folder.path("programs")});
    HLOSCOPE_SAYS(programs, "other programs");
  }

  void names_and_places_may_differ() {
    const TempFolder folder;
    const Paths shards = make_shards(folder, 2);
    static_cast<void>(sql(shards[1],
                          "UPDATE data_set SET name = 'second';"
                          "UPDATE data_set_programs SET file_path = '/other/' || file_path"));
    HLOSCOPE_OK(merge_data_sets(shards, folder.path("merged.hloscope")));
    Database database = HLOSCOPE_MUST(Database::open(folder.path("merged.hloscope")));
    const DataSets data_set(database);
    QCOMPARE(HLOSCOPE_MUST(data_set.info()).name, std::string("merged"));
    QCOMPARE(HLOSCOPE_MUST(data_set.programs())[0].file_path, std::string("/data/p0.hlo"));
  }

  void incomplete_and_damaged_shards_are_refused_data() {
    QTest::addColumn<QByteArray>("change");
    QTest::addColumn<QByteArray>("message");
    const auto add = [](const char* change, const char* message) {
      QTest::newRow(change) << QByteArray(change) << QByteArray(message);
    };
    add("UPDATE data_set SET state = 'unfinished'", "shard 1/2 is not finished");
    add("DELETE FROM data_set", "holds no data set");
    add("DELETE FROM data_set_units WHERE unit = 7", "unit 7 is missing");
    add("DELETE FROM data_set_units WHERE unit = 49", "unit 49 is missing");
    add("UPDATE data_set_units SET unit = 8 WHERE unit = 7", "unit 7 is missing");
    add("UPDATE data_set_units SET unit = 0 WHERE unit = 7", "unit 0, which is not of shard 1/2");
    add("UPDATE data_set_units SET unit = unit + 200", "unit 1 is missing");
    add("INSERT INTO data_set_units VALUES (51, 1, 0, 1)", "a unit 51, and the data set has 50");
    add("UPDATE data_set_units SET program_id = 5 WHERE unit = 7", "its program 5, and has 4");
    add("UPDATE data_set_sightings SET program_id = program_id + 10 WHERE graph_id = 3",
        "and has 4");
    add("UPDATE data_set_graphs SET first_unit = 4 WHERE id = 30", "which is of another shard");
    add("UPDATE data_set_graphs SET first_unit = 1 WHERE id = 30", "before that of the one before");
    add("UPDATE data_set_graphs SET content = x'12' WHERE id = 30", "content of graph 30");
    add("UPDATE data_set_samples SET configuration = x'ff'", "a configuration of graph");
  }
  void incomplete_and_damaged_shards_are_refused() {
    QFETCH(QByteArray, change);
    QFETCH(QByteArray, message);
    const TempFolder folder;
    const Paths shards = make_shards(folder, 2);
    static_cast<void>(sql(shards[1], change.toStdString()));
    const Error error = merge_error(folder, shards);
    HLOSCOPE_SAYS(error, message.toStdString());
    QCOMPARE(error.file, shards[1].string());
  }

  void a_target_that_would_lose_something_is_refused() {
    const TempFolder folder;
    const Paths shards = make_shards(folder, 2);
    const std::string before = read_bytes(shards[1]);
    const auto over_itself = merge_data_sets(shards, shards[1]);
    QVERIFY(!over_itself && over_itself.error().code == ErrorCode::kInvalidInput);
    std::filesystem::create_symlink(shards[1], folder.path("link"));
    QVERIFY(!merge_data_sets(shards, folder.path("link")));
    QVERIFY(read_bytes(shards[1]) == before);
    std::filesystem::create_directory(folder.path("folder"));
    const auto folder_too = merge_data_sets(shards, folder.path("folder"));
    QVERIFY(!folder_too && folder_too.error().code == ErrorCode::kInvalidInput);
    const auto nowhere = merge_data_sets(shards, folder.path("no") / "such" / "folder");
    QVERIFY(!nowhere && nowhere.error().code == ErrorCode::kIo);
    {
      Database open = HLOSCOPE_MUST(Database::open(folder.path("open")));
      HLOSCOPE_OK(DataSets(open).create(info_of(), {}));
      const auto in_use = merge_data_sets(shards, folder.path("open"));
      QVERIFY(!in_use && in_use.error().code == ErrorCode::kInvalidInput);
      HLOSCOPE_SAYS(in_use.error(), "is open in another program");
    }
    // Closed it may be replaced; so may what a link leads to.
    HLOSCOPE_OK(merge_data_sets(shards, folder.path("open")));
    std::filesystem::create_symlink(folder.path("open"), folder.path("link2"));
    HLOSCOPE_OK(merge_data_sets(shards, folder.path("link2")));
    QVERIFY(std::filesystem::is_symlink(folder.path("link2")));
    QCOMPARE(folder.file_names(),
             (std::vector<std::string>{"0-of-2", "1-of-2", "folder", "link", "link2", "open"}));
  }

  void a_cancelled_merge_leaves_the_old_file() {
    const TempFolder folder;
    const Paths shards = make_shards(folder, 2);
    write_bytes(folder.path("merged"), "old");
    std::stop_source stop;
    int reports = 0;
    const Progress progress(stop.get_token(), [&](double, std::string_view) {
      if (++reports == 1) stop.request_stop();
    });
    const auto merged = merge_data_sets(shards, folder.path("merged"), progress);
    QVERIFY(!merged && merged.error().code == ErrorCode::kCancelled);
    QCOMPARE(read_bytes(folder.path("merged")), std::string("old"));
    QCOMPARE(folder.file_names(), (std::vector<std::string>{"0-of-2", "1-of-2", "merged"}));
  }

  void a_killed_merge_leaves_the_old_file() {
    const TempFolder folder;
    const Paths shards = make_shards(folder, 2);
    write_bytes(folder.path("merged"), "old");
    const int code = exit_code_of_child([&] {
      const Progress progress({}, [reports = 0](double, std::string_view) mutable {
        if (++reports == 2) raise(SIGKILL);
      });
      return merge_data_sets(shards, folder.path("merged"), progress) ? 1 : 2;
    });
    QCOMPARE(code, -1);
    QCOMPARE(read_bytes(folder.path("merged")), std::string("old"));
    HLOSCOPE_OK(merge_data_sets(shards, folder.path("merged")));
    QVERIFY(HLOSCOPE_MUST(
        DataSets(*std::make_unique<Database>(HLOSCOPE_MUST(Database::open(folder.path("merged")))))
            .find()));
  }
};

HLOSCOPE_TEST(TestMergeDataSets);
#include "test_merge_data_sets.moc"
