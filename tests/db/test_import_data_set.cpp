#include "db/import_data_set.h"

#include <filesystem>
#include <stop_token>

#include "core/data/tpugraphs.h"
#include "db/export_data_set.h"
#include "tests/core/data/import_fixtures.h"
#include "tests/db/fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using hloscope::db::testing::read_bytes;
using hloscope::db::testing::TempFolder;
using hloscope::db::testing::write_bytes;
using hloscope::testing::layout_arrays;
using hloscope::testing::tile_arrays;
using hloscope::testing::with;

namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

// A tile file whose graph is told apart by the opcode of its kernel.
std::vector<data::NamedArray> tile_file(uint8_t opcode) {
  return with(tile_arrays(), "node_opcode", data::array_of({2}, std::vector<uint8_t>{63, opcode}));
}

Progress stopped() {
  std::stop_source source;
  source.request_stop();
  return Progress(source.get_token());
}

}  // namespace

class TestImportDataSet : public QObject {
  Q_OBJECT
 private:
  std::unique_ptr<TempFolder> folder_;

  std::string write(const std::string& name, const std::vector<data::NamedArray>& arrays) const {
    const fs::path path = folder_->path(name);
    fs::create_directories(path.parent_path());
    if (!data::write_npz(path.string(), arrays)) qFatal("cannot write");
    return path.string();
  }
  [[nodiscard]] Result<ImportSummary> import(const Names& paths, bool skip_bad = false) const {
    ImportOrder order;
    order.name = "set";
    order.paths = paths;
    order.skip_bad = skip_bad;
    return import_data_set(order, folder_->path("set.hloscope"));
  }
  [[nodiscard]] Database open() const {
    return HLOSCOPE_MUST(Database::open(folder_->path("set.hloscope"), OpenMode::kReadOnly));
  }
  [[nodiscard]] Names below(const std::string& name) const {
    Names out;
    for (const auto& at : fs::recursive_directory_iterator(folder_->path(name))) {
      if (at.is_regular_file()) {
        out.push_back(fs::relative(at.path(), folder_->path(name)).string());
      }
    }
    std::sort(out.begin(), out.end());
    return out;
  }

 private slots:
  void init() { folder_ = std::make_unique<TempFolder>(); }

  void a_folder_with_its_published_split() {
    write("t/npz/tile/xla/train/a_00112233445566aa.npz", tile_file(1));
    write("t/npz/tile/xla/train/a_00112233445566ab.npz", tile_file(2));
    write("t/npz/tile/xla/valid/b_00112233445566ac.npz", tile_file(2));
    write("t/npz/tile/xla/test/c_00112233445566ad.npz", tile_file(4));
    const auto summary = import({folder_->path("t").string()});
    HLOSCOPE_OK(summary);
    QCOMPARE(summary->files, int64_t{4});
    QCOMPARE(summary->programs, int64_t{3});
    QCOMPARE(summary->counts.graphs, int64_t{3});
    QCOMPARE(summary->counts.samples, int64_t{6});
    // One in each of the four files, and the two of the kernel that two programs have.
    QCOMPARE(summary->report.duplicates, int64_t{4 + 2});
    QVERIFY((folder_->file_names() == Names{"set.hloscope", "t"}));
    QVERIFY(summary->has_published_split);
    Database database = open();
    const DataSets sets(database);
    QVERIFY(HLOSCOPE_MUST(sets.state()) == DataSetState::kFinished);
    QVERIFY(HLOSCOPE_MUST(sets.info()).task == data::Task::kTile);
    const data::Split split = HLOSCOPE_MUST(sets.split("published"));
    using enum data::Part;
    // In alphabetical order of the files: test before train before valid.
    QVERIFY((split.programs == std::vector<data::Part>{kTest, kTrain, kValid}));
    // The kernel of a training and a validation program is for validation.
    QVERIFY((split.graphs == std::vector<data::Part>{kTest, kTrain, kValid}));
  }
  void without_a_part_or_with_two_there_is_no_published_split() {
    const auto a = write("train/a_00112233445566aa.npz", tile_file(1));
    const auto b = write("b_00112233445566aa.npz", tile_file(2));
    const auto c = write("valid/a_00112233445566ab.npz", tile_file(2));
    const auto d = write("valid/d_00112233445566ab.npz", tile_file(2));
    for (const Names& files : {Names{a, b}, Names{a, c}, Names{b}}) {
      const auto summary = import(files);
      HLOSCOPE_OK(summary);
      QVERIFY(!summary->has_published_split);
      Database database = open();
      QVERIFY(HLOSCOPE_MUST(DataSets(database).split_names()).empty());
    }
    QVERIFY(HLOSCOPE_MUST(import({a, d})).has_published_split);
  }
  void a_bad_file_ends_it_and_leaves_nothing() {
    const auto good = write("a.npz", tile_file(1));
    const auto bad = write("bad.npz", with(tile_arrays(), "edge_index",
                                           data::array_of({1, 2}, std::vector<int64_t>{5, 0})));
    const auto result = import({good, bad});
    QVERIFY(!result.has_value());
    QCOMPARE(result.error().headline(), bad + ": array 'edge_index' holds 5, expected 0 to 1");
    QVERIFY((folder_->file_names() == Names{"a.npz", "bad.npz"}));
    const auto skipped = import({good, bad}, true);
    HLOSCOPE_OK(skipped);
    QCOMPARE(skipped->files, int64_t{1});
    QCOMPARE(skipped->bad.size(), size_t{1});
    QCOMPARE(skipped->bad[0].file, bad);
    // What stands there stays when it fails.
    const std::string before = read_bytes(folder_->path("set.hloscope"));
    QVERIFY(!import({bad}).has_value());
    QVERIFY(!import({bad}, true).has_value());
    QVERIFY(read_bytes(folder_->path("set.hloscope")) == before);
    QVERIFY((folder_->file_names() == Names{"a.npz", "bad.npz", "set.hloscope"}));
  }
  void files_of_two_tasks_or_targets() {
    const auto tile = write("tile.npz", tile_file(1));
    const auto layout = write("layout.npz", layout_arrays());
    const auto result = import({tile, layout}, true);
    QVERIFY(!result.has_value());
    QCOMPARE(result.error().headline(),
             layout + ": is of the task layout, but " + tile + " of the task tile");
    write_bytes(folder_->path("k.hlo"),
                "HloModule one\nENTRY e {\n p = f32[8] parameter(0)\n ROOT t = f32[8] "
                "tanh(p)\n}");
    write_bytes(folder_->path("k.csv"), "program,tile,time_ns,device\nk.hlo,out=8,5,TPU v4\n");
    const auto other = import({tile, folder_->path("k.csv").string()});
    QVERIFY(!other.has_value());
    QCOMPARE(other.error().headline(), folder_->path("k.csv").string() +
                                           ": has times that are measured (TPU v4, imported), "
                                           "but " +
                                           tile +
                                           " has times that are measured (TPU v3, imported)");
  }
  void cancelled_it_leaves_nothing() {
    ImportOrder order;
    order.paths = {write("a.npz", tile_file(1))};
    const auto result = import_data_set(order, folder_->path("set.hloscope"), stopped());
    QVERIFY(!result && result.error().code == ErrorCode::kCancelled);
    QVERIFY((folder_->file_names() == Names{"a.npz"}));
  }
  void nothing_to_import() {
    fs::create_directories(folder_->path("empty"));
    const auto result = import({folder_->path("empty").string()});
    QVERIFY(!result && result.error().code == ErrorCode::kNotFound);
  }

  void export_in_parts() {
    HLOSCOPE_OK(import({write("train/a_00112233445566aa.npz", tile_file(1)),
                        write("train/a_00112233445566ab.npz", tile_file(2)),
                        write("test/c_00112233445566ad.npz", tile_file(4))}));
    Database database = open();
    const auto plain = export_tpugraphs(database, {folder_->path("plain"), "", false});
    HLOSCOPE_OK(plain);
    QCOMPARE(plain->files[0], int64_t{3});
    QCOMPARE(plain->configurations, int64_t{6});
    QCOMPARE(below("plain/npz/tile/xla/train").size(), size_t{3});
    const auto parts = export_tpugraphs(database, {folder_->path("parts"), "published", false});
    HLOSCOPE_OK(parts);
    QVERIFY((parts->files == std::array<int64_t, 3>{2, 0, 1}));
    const Names test = below("parts/npz/tile/xla/test");
    QCOMPARE(test.size(), size_t{1});
    QVERIFY2(test[0].starts_with("c_") && test[0].size() == 2 + 16 + 4, test[0].c_str());
    QVERIFY(fs::is_directory(folder_->path("parts/npz/tile/xla/valid")));
    const auto graph =
        data::read_tpugraph((folder_->path("parts/npz/tile/xla/test") / test[0]).string());
    HLOSCOPE_OK(graph);
    QCOMPARE(graph->opcodes[1], uint8_t{4});
    QVERIFY((graph->runtimes_ns == std::vector<int64_t>{25, 20}));

    const auto absent = export_tpugraphs(database, {folder_->path("x"), "mine", false});
    QVERIFY(!absent && absent.error().code == ErrorCode::kNotFound);
    const auto there = export_tpugraphs(database, {folder_->path("parts"), "", false});
    QVERIFY(!there && there.error().code == ErrorCode::kInvalidInput);
    const auto cancelled =
        export_tpugraphs(database, {folder_->path("parts"), "", true}, stopped());
    QVERIFY(!cancelled && cancelled.error().code == ErrorCode::kCancelled);
    QCOMPARE(below("parts").size(), size_t{4});
    QCOMPARE(below("parts/npz/tile/xla/test").size(), size_t{1});
    const auto first =
        export_tpugraphs(database, {folder_->path("new/folder"), "", false}, stopped());
    QVERIFY(!first && !fs::exists(folder_->path("new")));
    HLOSCOPE_OK(export_tpugraphs(database, {folder_->path("parts"), "", true}));
    QCOMPARE(below("parts/npz/tile/xla/test").size(), size_t{0});
    QCOMPARE(below("parts/npz/tile/xla/train").size(), size_t{3});
    QCOMPARE(below("parts").size(), size_t{4});
  }
  // Simulated times must not pass for measured ones.
  void the_target_comes_back_from_an_export() {
    data::DataSetInfo info;
    info.task = data::Task::kTile;
    info.target = {data::Target::Kind::kSimulated, "tpu_v4", "4f1c09ab", 0.02, 3};
    data::GraphRecord graph;
    graph.content =
        "HloModule k\nENTRY e {\n  p = f32[8] parameter(0)\n  ROOT t = f32[8] tanh(p)\n}";
    const std::vector<data::Sample> samples = {{{{}, {8}, {}}, 500, std::nullopt, true}};
    {
      Database database = HLOSCOPE_MUST(Database::open(folder_->path("made.hloscope")));
      DataSets sets(database);
      HLOSCOPE_OK(sets.create(info, {}));
      HLOSCOPE_OK(sets.put_graph(graph, 0, samples));
      HLOSCOPE_OK(sets.finish());
      HLOSCOPE_OK(export_tpugraphs(database, {folder_->path("out"), "", false}));
    }
    const auto summary = import({folder_->path("out").string()});
    HLOSCOPE_OK(summary);
    QVERIFY(summary->info.target == info.target);
    QCOMPARE(summary->counts.samples, int64_t{1});
    write_bytes(folder_->path("out/npz/tile/xla/hloscope_target.json"), "{\"kind\": 5}");
    const auto damaged = import({folder_->path("out").string()});
    QVERIFY(!damaged && damaged.error().code == ErrorCode::kInvalidInput);
    QVERIFY2(damaged.error().file.ends_with("hloscope_target.json"), damaged.error().file.c_str());
  }
  void layouts_are_named_by_their_program() {
    const auto untimed =
        with(layout_arrays(), "config_runtime", data::array_of({2}, std::vector<int64_t>{0, 0}));
    HLOSCOPE_OK(
        import({write("train/net.4x4.npz", layout_arrays()),
                write("train/new.npz", with(untimed, "node_opcode",
                                            data::array_of({2}, std::vector<uint8_t>{63, 2})))}));
    Database database = open();
    const auto summary = export_tpugraphs(database, {folder_->path("out"), "", false});
    HLOSCOPE_OK(summary);
    QCOMPARE(summary->without_samples, int64_t{1});
    QVERIFY(
        (below("out/npz/layout/xla/random") == Names{"hloscope_target.json", "train/net.4x4.npz"}));
  }
  void fusion_has_no_place_in_tpugraphs() {
    write_bytes(folder_->path("k.hlo"),
                "HloModule one\nENTRY e {\n p = f32[8] parameter(0)\n ROOT t = f32[8] "
                "tanh(p)\n}");
    write_bytes(folder_->path("k.csv"), "program,time_ns\nk.hlo,5\n");
    HLOSCOPE_OK(import({folder_->path("k.csv").string()}));
    Database database = open();
    const auto result = export_tpugraphs(database, {folder_->path("out"), "", false});
    QVERIFY(!result && result.error().code == ErrorCode::kUnsupported);
    QVERIFY(!fs::exists(folder_->path("out")));
  }
};

HLOSCOPE_TEST(TestImportDataSet);
#include "test_import_data_set.moc"
