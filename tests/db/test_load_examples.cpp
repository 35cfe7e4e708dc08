#include "db/load_examples.h"
#include "db/sqlite/connection.h"
#include "tests/db/data_set_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;

namespace {

std::string kernel_text(int size) {
  const std::string shape = "f32[" + std::to_string(size) + ",256]{1,0:T(8,128)}";
  return "HloModule k\nENTRY e {\n  x = " + shape + " parameter(0)\n  ROOT r = " + shape +
         " negate(x)\n}\n";
}

/// Four programs of two families and five kernels; the last one has no samples.
void fill(DataSets& data_set, bool finish = true) {
  data::DataSetInfo info = info_of();
  info.task = data::Task::kFusion;
  HLOSCOPE_MUST(data_set.create(info, some_programs(4)).map([] { return 0; }));
  for (int i = 0; i < 5; ++i) {
    const std::vector<data::Sample> samples = {{{{}, {1, 1}, {}}, 100.0 * (i + 1), {}, true}};
    const std::string name = "k" + std::to_string(i);
    const auto row = HLOSCOPE_MUST(
        data_set.put_graph(graph_of(name, kernel_text(8 << i)), 0,
                           i == 4 ? std::span<const data::Sample>() : std::span(samples)));
    const auto program = static_cast<uint32_t>(i % 4);
    HLOSCOPE_MUST(data_set.add_sighting({row, program, 1, 2.0 + i}).map([] { return 0; }));
  }
  // The first kernel was met in a test program too, so that it is for testing.
  HLOSCOPE_MUST(data_set.add_sighting({{1}, 3, 1, 0}).map([] { return 0; }));
  using enum data::Part;
  const data::Split split{
      "random", "{}", {kTrain, kTrain, kValid, kTest}, {kTest, kTrain, kValid, kTest, kTrain}};
  HLOSCOPE_MUST(data_set.put_split(split).map([] { return 0; }));
  if (finish) HLOSCOPE_MUST(data_set.finish().map([] { return 0; }));
}

LoadOptions options_of(std::string_view split) {
  LoadOptions out;
  out.split = split;
  static const sim::Machine machine = HLOSCOPE_MUST(sim::find_machine("tpu_v3"));
  out.machine = &machine;
  return out;
}

}  // namespace

/// A data set of a file becomes examples.
class TestLoadExamples : public DatabaseTest {
  Q_OBJECT
 private slots:
  void graphs_with_samples_become_examples_in_order() {
    DataSets data_set(*database_);
    fill(data_set);
    ThreadPool pool(2);
    const auto set = HLOSCOPE_MUST(load_examples(data_set, options_of("random"), pool));
    QCOMPARE(set.examples.size(), size_t{4});
    QCOMPARE(set.without_samples, size_t{1});
    QCOMPARE(set.split, std::string("random"));
    QCOMPARE(set.label(), set.info.target.label());
    for (size_t i = 0; i < 4; ++i) {
      const predict::Example& example = set.examples[i];
      QCOMPARE(example.label, "k" + std::to_string(i));
      QCOMPARE(example.nodes(), size_t{2});
      QCOMPARE(example.times_ns, (std::vector<double>{100.0 * (double(i) + 1)}));
      QVERIFY(example.analytical_ns.size() == 1 && example.analytical_ns[0] > 0);
    }
  }
  void parts_programs_and_families() {
    DataSets data_set(*database_);
    fill(data_set);
    ThreadPool pool(1);
    const auto set = HLOSCOPE_MUST(load_examples(data_set, options_of("random"), pool));
    QCOMPARE(set.of(data::Part::kTrain), (std::vector<uint32_t>{1}));
    QCOMPARE(set.of(data::Part::kValid), (std::vector<uint32_t>{2}));
    QCOMPARE(set.of(data::Part::kTest), (std::vector<uint32_t>{0, 3}));
    QCOMPARE(set.families, (std::vector<std::string>{"family0", "family1"}));
    QCOMPARE(set.examples[0].seen_in, (std::vector<predict::SeenIn>{{0, 2}, {3, 0}}));
    // Of the test program, not of the one that it was met in first.
    QCOMPARE(set.examples[0].family, 1U);
    QCOMPARE(set.examples[1].family, 0U);
  }
  void without_a_split_everything_is_for_training() {
    DataSets data_set(*database_);
    fill(data_set);
    ThreadPool pool(1);
    const auto set = HLOSCOPE_MUST(load_examples(data_set, options_of(""), pool));
    QCOMPARE(set.of(data::Part::kTrain).size(), size_t{4});
    QVERIFY(set.hash() !=
            HLOSCOPE_MUST(load_examples(data_set, options_of("random"), pool)).hash());
  }
  void a_graph_with_a_wild_number_is_refused() {
    DataSets data_set(*database_);
    fill(data_set);
    HLOSCOPE_OK(database_->connection().execute(
        "PRAGMA foreign_keys = OFF; UPDATE data_set_graphs SET id = 1 << 60 WHERE id = 5"));
    ThreadPool pool(1);
    const auto set = load_examples(data_set, options_of(""), pool);
    QVERIFY(!set && set.error().code == ErrorCode::kInvalidInput);
    QCOMPARE(set.error().file, folder_->path().string());
  }
  void what_cannot_be_loaded() {
    DataSets data_set(*database_);
    ThreadPool pool(1);
    QCOMPARE(load_examples(data_set, options_of(""), pool).error().code, ErrorCode::kNotFound);
    fill(data_set, false);
    QCOMPARE(load_examples(data_set, options_of(""), pool).error().code, ErrorCode::kInvalidInput);
    HLOSCOPE_OK(data_set.finish());
    const auto missing = load_examples(data_set, options_of("other"), pool);
    QVERIFY(!missing && missing.error().code == ErrorCode::kNotFound);
    QVERIFY(missing.error().hint.find("random") != std::string::npos);
    std::stop_source source;
    source.request_stop();
    const auto stopped =
        load_examples(data_set, options_of(""), pool, Progress(source.get_token()));
    QVERIFY(!stopped && stopped.error().code == ErrorCode::kCancelled);
  }
};

HLOSCOPE_TEST(TestLoadExamples);
#include "test_load_examples.moc"
