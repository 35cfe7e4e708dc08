#include "db/deflate.h"
#include "db/migrations/migrations.h"
#include "db/sqlite/connection.h"
#include "tests/db/data_set_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;

namespace {

std::vector<StoredGraph> graphs_of(const DataSets& data_set) {
  std::vector<StoredGraph> graphs;
  const auto status = data_set.each_graph([&graphs](StoredGraph graph) {
    graphs.push_back(std::move(graph));
    return true;
  });
  if (!status) qFatal("%s", status.error().format().c_str());
  return graphs;
}

std::vector<Sighting> sightings_of(const DataSets& data_set) {
  std::vector<Sighting> sightings;
  const auto status = data_set.each_sighting([&sightings](const Sighting& sighting) {
    sightings.push_back(sighting);
    return true;
  });
  if (!status) qFatal("%s", status.error().format().c_str());
  return sightings;
}

data::Sample sample_of(int64_t tile, double time_ns, std::optional<double> normalizer_ns = {}) {
  return {{{tile}, {}}, time_ns, normalizer_ns, false};
}

/// The first thing that cannot be read.
Status read_all(const DataSets& data_set) {
  HLOSCOPE_TRY(data_set.info());
  HLOSCOPE_TRY(data_set.state());
  HLOSCOPE_TRY(data_set.programs());
  HLOSCOPE_TRY(data_set.each_unit([](const Unit&) { return true; }));
  HLOSCOPE_TRY(data_set.each_hash([](GraphRow, const Hash128&) { return true; }));
  HLOSCOPE_TRY(data_set.each_graph([](const StoredGraph&) { return true; }));
  HLOSCOPE_TRY(data_set.each_sample([](GraphRow, const data::Sample&) { return true; }));
  HLOSCOPE_TRY(data_set.each_sighting([](const Sighting&) { return true; }));
  HLOSCOPE_TRY(data_set.split("random"));
  return {};
}

}  // namespace

/// The data set of a file is read back as it was written.
class TestDataSets : public DatabaseTest {
  Q_OBJECT
 private slots:
  void what_it_is_made_of_is_read_back() {
    DataSets data_set(*database_);
    QVERIFY(!HLOSCOPE_MUST(data_set.find()));
    const auto absent = data_set.info();
    QVERIFY(!absent && absent.error().code == ErrorCode::kNotFound);
    QVERIFY(data_set.programs().error().code == ErrorCode::kNotFound);
    QVERIFY(data_set.put_graph(graph_of("a", "x"), 0, {}).error().code == ErrorCode::kNotFound);

    data::DataSetInfo info = info_of(9);
    info.shard_index = 2;
    info.shard_count = 3;
    const auto programs = some_programs(3);
    HLOSCOPE_OK(data_set.create(info, programs));
    QVERIFY(HLOSCOPE_MUST(data_set.info()) == info);
    QVERIFY(HLOSCOPE_MUST(data_set.find()) == info);
    QVERIFY(HLOSCOPE_MUST(data_set.programs()) == programs);
    QVERIFY(HLOSCOPE_MUST(data_set.state()) == DataSetState::kUnfinished);
    HLOSCOPE_OK(data_set.set_unit_count(6));
    HLOSCOPE_OK(data_set.finish());
    QVERIFY(HLOSCOPE_MUST(data_set.state()) == DataSetState::kFinished);
    QCOMPARE(HLOSCOPE_MUST(data_set.info()).unit_count, int64_t{6});

    const auto second = data_set.create(info, programs);
    QVERIFY(!second && second.error().code == ErrorCode::kInvalidInput);
    QVERIFY(second.error().message.find("holds a data set already") != std::string::npos);
  }

  void every_program_has_another_content() {
    auto programs = some_programs(3);
    programs[2].hash = programs[0].hash;
    DataSets data_set(*database_);
    const auto created = data_set.create(info_of(), programs);
    QVERIFY(!created && created.error().code == ErrorCode::kInvalidInput);
    QVERIFY(created.error().message.find("/data/p2.hlo") != std::string::npos);
    QVERIFY(!HLOSCOPE_MUST(data_set.find()));
    programs = some_programs(3);
    HLOSCOPE_OK(data_set.create(info_of(), std::span(programs).first(2)));
    QCOMPARE(HLOSCOPE_MUST(data_set.put_program(programs[1])), 1U);
    QCOMPARE(HLOSCOPE_MUST(data_set.put_program(programs[2])), 2U);
    QVERIFY(HLOSCOPE_MUST(data_set.programs()) == programs);
  }

  void graphs_and_samples_are_read_back() {
    DataSets data_set(*database_);
    HLOSCOPE_OK(data_set.create(info_of(), some_programs(2)));
    data::GraphRecord graph = graph_of("a", std::string(100'000, 'x') + '\0' + "end");
    data::GraphRecord features = graph_of("b", "");
    features.form = data::GraphForm::kTpuGraph;
    features.op_class.clear();
    const std::vector<data::Sample> samples = {
        {{{12, 4, 4, 3}, {}, {-7, int64_t{1} << 62}}, 1500.5, 1600.25, true},
        {{}, 0, std::nullopt, false}};
    const GraphRow a = HLOSCOPE_MUST(data_set.put_graph(graph, 5, samples));
    const GraphRow b = HLOSCOPE_MUST(data_set.put_graph(features, 0, {}));
    QCOMPARE(a.value, int64_t{1});
    QCOMPARE(b.value, int64_t{2});
    QVERIFY(HLOSCOPE_MUST(data_set.find_graph(graph.hash)) == a);
    QVERIFY(!HLOSCOPE_MUST(data_set.find_graph(hash_of("c"))));

    const auto graphs = graphs_of(data_set);
    QCOMPARE(graphs.size(), size_t{2});
    QVERIFY(graphs[0].id == a && graphs[0].first_unit == 5);
    QVERIFY(graphs[0].record.hash == graph.hash && graphs[0].record.content == graph.content);
    QCOMPARE(graphs[0].record.label, std::string("a"));
    QCOMPARE(graphs[0].record.op_class, std::string("elementwise"));
    QCOMPARE(graphs[0].record.node_count, int64_t{3});
    QVERIFY(graphs[0].record.form == data::GraphForm::kHlo);
    QVERIFY(graphs[1].record.form == data::GraphForm::kTpuGraph);
    QVERIFY(graphs[1].record.content.empty() && graphs[1].record.op_class.empty());
    const StoredGraph one = HLOSCOPE_MUST(data_set.graph(a));
    QVERIFY(one.id == a && one.first_unit == 5 && one.record.content == graph.content);
    const auto absent = data_set.graph({3});
    QVERIFY(!absent && absent.error().code == ErrorCode::kNotFound);

    const auto read = HLOSCOPE_MUST(data_set.samples(a));
    QCOMPARE(read.size(), size_t{2});
    for (size_t i = 0; i < read.size(); ++i) {
      QVERIFY(read[i].configuration == samples[i].configuration);
      QCOMPARE(read[i].time_ns, samples[i].time_ns);
      QVERIFY(read[i].normalizer_ns == samples[i].normalizer_ns);
      QCOMPARE(read[i].is_default, samples[i].is_default);
    }
    QVERIFY(HLOSCOPE_MUST(data_set.samples(b)).empty());
  }

  void a_walk_ends_when_it_is_told_to() {
    DataSets data_set(*database_);
    HLOSCOPE_OK(data_set.create(info_of(8), some_programs(kMadePrograms)));
    add_made_units(data_set, info_of(8));
    int steps = 0;
    const auto stop = [&steps](const auto&...) { return ++steps % 2 != 0; };  // At the second.
    HLOSCOPE_OK(data_set.each_graph(stop));
    HLOSCOPE_OK(data_set.each_hash(stop));
    HLOSCOPE_OK(data_set.each_sample(stop));
    HLOSCOPE_OK(data_set.each_sighting(stop));
    HLOSCOPE_OK(data_set.each_unit(stop));
    QCOMPARE(steps, 10);
  }

  void a_known_graph_gets_new_configurations_and_the_least_times() {
    DataSets data_set(*database_);
    HLOSCOPE_OK(data_set.create(info_of(), some_programs(1)));
    const GraphRow row = HLOSCOPE_MUST(data_set.put_graph(
        graph_of("a", "first"), 1, std::vector{sample_of(1, 100, 7.0), sample_of(2, 200, 8.0)}));
    std::vector<data::Sample> more = {sample_of(3, 300), sample_of(1, 150, 9.0),
                                      sample_of(2, 180, 10.0), sample_of(3, 250)};
    more[1].is_default = true;
    QVERIFY(HLOSCOPE_MUST(data_set.put_graph(graph_of("a", "second"), 2, more)) == row);
    const auto graphs = graphs_of(data_set);
    QCOMPARE(graphs.size(), size_t{1});
    QCOMPARE(graphs[0].record.content, std::string("first"));
    QCOMPARE(graphs[0].first_unit, int64_t{1});

    const auto samples = HLOSCOPE_MUST(data_set.samples(row));
    QCOMPARE(samples.size(), size_t{3});
    QCOMPARE(samples[0].time_ns, 100.0);
    QVERIFY(samples[0].normalizer_ns == 7.0 && samples[0].is_default);
    QCOMPARE(samples[1].time_ns, 180.0);
    QVERIFY(samples[1].normalizer_ns == 10.0 && !samples[1].is_default);
    QCOMPARE(samples[2].time_ns, 250.0);
    QVERIFY(samples[2].configuration == data::Configuration({{3}, {}}));
  }

  void times_that_are_none_are_refused() {
    DataSets data_set(*database_);
    HLOSCOPE_OK(data_set.create(info_of(), some_programs(1)));
    for (const double time_ns : {-1.0, std::nan(""), HUGE_VAL}) {
      for (const data::Sample& sample : {sample_of(1, time_ns), sample_of(1, 1, time_ns)}) {
        const auto put = data_set.put_graph(graph_of("a", "x"), 0, std::span(&sample, 1));
        QVERIFY(!put && put.error().code == ErrorCode::kInvalidInput);
      }
    }
    QVERIFY(graphs_of(data_set).empty());
  }

  void sightings_add_up_and_are_counted() {
    DataSets data_set(*database_);
    HLOSCOPE_OK(data_set.create(info_of(), some_programs(2)));
    const GraphRow a =
        HLOSCOPE_MUST(data_set.put_graph(graph_of("a", "x"), 0, std::vector{sample_of(1, 2)}));
    const GraphRow b = HLOSCOPE_MUST(data_set.put_graph(graph_of("b", "y"), 0, {}));
    for (const Sighting& sighting : std::vector<Sighting>{
             {b, 1, 1, 2.5}, {a, 1, 1, 0}, {b, 0, 1, 0}, {b, 1, 2, 1}, {b, 1, 1, 0}}) {
      HLOSCOPE_OK(data_set.add_sighting(sighting));
    }
    QVERIFY(HLOSCOPE_MUST(data_set.sightings(b)) ==
            (std::vector<Sighting>{{b, 0, 1, 0}, {b, 1, 4, 3.5}}));
    QVERIFY(sightings_of(data_set) ==
            (std::vector<Sighting>{{a, 1, 1, 0}, {b, 0, 1, 0}, {b, 1, 4, 3.5}}));

    const std::vector<Unit> units = {{0, 1, 0, 2}, {3, 0, 7, 1}};
    HLOSCOPE_OK(data_set.add_unit(units[1]));
    HLOSCOPE_OK(data_set.add_unit(units[0]));
    std::vector<Unit> read;
    HLOSCOPE_OK(data_set.each_unit([&read](const Unit& unit) {
      read.push_back(unit);
      return true;
    }));
    QVERIFY(read == units);
    const DataSetCounts counts = HLOSCOPE_MUST(data_set.counts());
    QCOMPARE(counts.units, int64_t{2});
    QCOMPARE(counts.kernels, int64_t{3});
    QCOMPARE(counts.graphs, int64_t{2});
    QCOMPARE(counts.samples, int64_t{1});
    QCOMPARE(HLOSCOPE_MUST(data_set.graph_count()), counts.graphs);
  }

  void what_is_not_committed_is_not_there() {
    DataSets data_set(*database_);
    HLOSCOPE_OK(data_set.create(info_of(), some_programs(1)));
    {
      Writing writing = HLOSCOPE_MUST(Writing::begin(*database_));
      HLOSCOPE_OK(data_set.put_graph(graph_of("a", "x"), 0, std::vector{sample_of(1, 2)}));
      HLOSCOPE_OK(data_set.add_unit({0, 0, 0, 1}));
    }
    DataSetCounts counts = HLOSCOPE_MUST(data_set.counts());
    QCOMPARE(counts.graphs + counts.samples + counts.units, int64_t{0});
    Writing writing = HLOSCOPE_MUST(Writing::begin(*database_));
    HLOSCOPE_OK(data_set.put_graph(graph_of("a", "x"), 0, {}));
    HLOSCOPE_OK(writing.commit());
    database_.reset();
    Database read = HLOSCOPE_MUST(Database::open(folder_->path(), OpenMode::kReadOnly));
    QCOMPARE(graphs_of(DataSets(read)).size(), size_t{1});
    QVERIFY(DataSets(read).finish().error().code == ErrorCode::kReadOnly);
    QVERIFY(Writing::begin(read).error().code == ErrorCode::kReadOnly);
  }

  void splits_are_stored_by_name() {
    using enum data::Part;
    DataSets data_set(*database_);
    HLOSCOPE_OK(data_set.create(info_of(), some_programs(2)));
    for (const char* name : {"a", "b", "c"}) {
      HLOSCOPE_OK(data_set.put_graph(graph_of(name, name), 0, {}));
    }
    data::Split split{"random", R"({"seed":7})", {kTest, kTrain}, {kTest, kTrain, kValid}};
    HLOSCOPE_OK(data_set.put_split(split));
    split.name = "manual";
    HLOSCOPE_OK(data_set.put_split(split));
    split.graphs[0] = kValid;
    split.settings = R"({"seed":8})";
    HLOSCOPE_OK(data_set.put_split(split));
    QVERIFY(HLOSCOPE_MUST(data_set.split_names()) ==
            (std::vector<std::string>{"manual", "random"}));
    const data::Split manual = HLOSCOPE_MUST(data_set.split("manual"));
    QCOMPARE(manual.settings, split.settings);
    QVERIFY(manual.programs == split.programs && manual.graphs == split.graphs);
    QVERIFY(HLOSCOPE_MUST(data_set.split("random")).graphs[0] == kTest);

    const auto absent = data_set.split("other");
    QVERIFY(!absent && absent.error().code == ErrorCode::kNotFound);
    QCOMPARE(absent.error().hint, std::string("it has: manual, random"));
    split.graphs.pop_back();
    QVERIFY(data_set.put_split(split).error().code == ErrorCode::kInvalidInput);
    QCOMPARE(HLOSCOPE_MUST(data_set.split("manual")).graphs.size(), size_t{3});
  }

  void a_split_without_its_last_parts_is_damaged_data() {
    QTest::addColumn<QByteArray>("table");
    QTest::addColumn<QByteArray>("column");
    QTest::newRow("graph") << QByteArray("data_set_graph_parts") << QByteArray("graph_id");
    QTest::newRow("program") << QByteArray("data_set_program_parts") << QByteArray("program_id");
  }
  void a_split_without_its_last_parts_is_damaged() {
    QFETCH(QByteArray, table);
    QFETCH(QByteArray, column);
    DataSets data_set(*database_);
    HLOSCOPE_OK(data_set.create(info_of(), some_programs(2)));
    for (const char* name : {"a", "b", "c"}) {
      HLOSCOPE_OK(data_set.put_graph(graph_of(name, name), 0, {}));
    }
    HLOSCOPE_OK(data_set.put_split(
        {"random", "{}", std::vector<data::Part>(2), std::vector<data::Part>(3)}));
    QVERIFY(data_set.split("random"));
    HLOSCOPE_OK(database_->connection().execute(
        "DELETE FROM " + table.toStdString() + " WHERE " + column.toStdString() +
        " = (SELECT max(" + column.toStdString() + ") FROM " + table.toStdString() + ")"));
    const auto split = data_set.split("random");
    QVERIFY(!split && split.error().code == ErrorCode::kInvalidInput);
    QCOMPARE(split.error().file, folder_->path().string());
    QVERIFY2(split.error().message.find("the data set of 2 and 3") != std::string::npos,
             split.error().message.c_str());
  }

  void damaged_rows_are_named_data() {
    QTest::addColumn<QByteArray>("change");
    QTest::addColumn<QByteArray>("message");
    const auto add = [](const char* change, const char* message) {
      QTest::newRow(change) << QByteArray(change) << QByteArray(message);
    };
    add("data_set SET task = 'sorting'", "the task 'sorting'");
    add("data_set SET target_kind = 'guessed'", "the target 'guessed'");
    add("data_set SET shard_count = 0", "shard 0 of 0");
    add("data_set SET shard_count = 1 << 40", "shard 0 of 1099511627776");
    add("data_set SET unit_count = -1", "-1 units");
    add("data_set SET state = 'half'", "the state 'half'");
    add("data_set_programs SET id = 9 WHERE id = 1", "program 1 of the data set is not there");
    add("data_set_programs SET content_hash = 'no' WHERE id = 2", "program 2");
    add("data_set_units SET program_id = 77 WHERE unit = 2", "its program 77, and has 4");
    add("data_set_graphs SET id = 9999 WHERE id = 2", "graph 2 of the data set is not there");
    add("data_set_graphs SET hash = upper(hash) WHERE id = 3", "graph 3 of the data set has the");
    add("data_set_graphs SET form = 'picture' WHERE id = 3", "graph 3 has the form 'picture'");
    add("data_set_graphs SET content = x'' WHERE id = 2", "content of graph 2");
    add("data_set_graphs SET content = x'00' WHERE id = 2", "content of graph 2");
    add("data_set_graphs SET content = substr(content, 1, length(content) - 1) WHERE id = 1",
        "content of graph 1: it cannot be unpacked");
    add("data_set_samples SET configuration = x'ff'", "a configuration of graph");
    add("data_set_samples SET configuration = x''", "a configuration of graph");
    add("data_set_samples SET time_ns = -2.5", "has a time of -2.5 ns");
    add("data_set_samples SET time_ns = 9e999", "has a time of inf ns");
    add("data_set_samples SET normalizer_ns = -1", "has a time of -1 ns");
    add("data_set_samples SET graph_id = -graph_id", "its graph -");
    add("data_set_sightings SET program_id = 0 WHERE graph_id = 1 AND program_id = 1",
        "its program 0, and has 4");
    add("data_set_sightings SET graph_id = graph_id + 1000000", "its graph 10000");
    add("data_set_program_parts SET part = 'x' WHERE program_id = 2", "no part for program 2");
    add("data_set_graph_parts SET graph_id = 99999 WHERE graph_id = 4", "no part for graph 4");
  }
  void damaged_rows_are_named() {
    QFETCH(QByteArray, change);
    QFETCH(QByteArray, message);
    DataSets data_set(*database_);
    HLOSCOPE_OK(data_set.create(info_of(8), some_programs(kMadePrograms)));
    add_made_units(data_set, info_of(8));
    const auto graphs = static_cast<size_t>(HLOSCOPE_MUST(data_set.counts()).graphs);
    HLOSCOPE_OK(data_set.put_split(
        {"random", "{}", std::vector<data::Part>(kMadePrograms), std::vector<data::Part>(graphs)}));
    HLOSCOPE_OK(read_all(data_set));
    HLOSCOPE_OK(database_->connection().execute(
        "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF; UPDATE " +
        change.toStdString()));
    const Status read = read_all(data_set);
    QVERIFY(!read);
    QVERIFY2(read.error().code == ErrorCode::kInvalidInput, read.error().format().c_str());
    QVERIFY2(read.error().message.find(message.toStdString()) != std::string::npos,
             read.error().format().c_str());
    QCOMPARE(read.error().file, folder_->path().string());
  }

  void content_is_packed_and_unpacked() {
    const std::string zeros(5'000'000, '\0');  // Packs to less than a thousandth.
    for (const std::string& bytes : {std::string(), std::string("text"), zeros}) {
      const std::string packed = HLOSCOPE_MUST(deflated(bytes));
      QVERIFY(HLOSCOPE_MUST(inflated(packed)) == bytes);
      QVERIFY(!inflated(packed + "x"));
      for (size_t size = 0; size < packed.size(); size += 1 + packed.size() / 50) {
        QVERIFY(!inflated(std::string_view(packed).substr(0, size)));
      }
    }
    // As Python's zlib.compress(b"hloscope") writes it.
    const std::string_view of_python(
        "\x78\x9c\xcb\xc8\xc9\x2f\x4e\xce\x2f\x48\x05\x00\x0f\x33\x03\x5e", 16);
    QCOMPARE(HLOSCOPE_MUST(inflated(of_python)), std::string("hloscope"));
  }

  void a_file_of_version_2_takes_a_data_set() {
    const TempFolder folder;
    {
      auto connection = HLOSCOPE_MUST(
          Connection::open(folder.path(), Access::kCreate, std::chrono::milliseconds(100)));
      HLOSCOPE_OK(migrate_to_1(*connection));
      HLOSCOPE_OK(migrate_to_2(*connection));
      HLOSCOPE_OK(connection->execute(R"sql(
        INSERT INTO kernels VALUES (1, '00000000000000000000000000000002', 'add', 'fusion',
                                    'elementwise', 2, 'f32[8,128]{1,0}', NULL);
        PRAGMA user_version = 2)sql"));
    }
    Database database = HLOSCOPE_MUST(Database::open(folder.path()));
    QCOMPARE(HLOSCOPE_MUST(database.connection().integer("PRAGMA user_version")), kSchemaVersion);
    QCOMPARE(HLOSCOPE_MUST(database.connection().text("SELECT label FROM kernels")),
             std::string("add"));
    DataSets data_set(database);
    QVERIFY(!HLOSCOPE_MUST(data_set.find()));
    HLOSCOPE_OK(data_set.create(info_of(), some_programs(1)));
    const char* schema = "SELECT group_concat(sql, ';') FROM sqlite_schema ORDER BY name";
    QCOMPARE(sql(folder.path(), schema), sql(folder_->path(), schema));
  }
};

HLOSCOPE_TEST(TestDataSets);
#include "test_data_sets.moc"
