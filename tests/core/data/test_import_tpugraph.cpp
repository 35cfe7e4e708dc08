#include <cstring>
#include <map>

#include "core/data/export_tpugraph.h"
#include "core/data/packed_graph.h"
#include "tests/core/data/import_fixtures.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;
using data::Task;
using data::TpuGraph;

namespace {

using Ints = std::vector<int64_t>;

Imported import_npz(const std::string& path, const std::string& device = {}) {
  return imported([&](const data::ImportSink& sink, data::ImportReport& report) {
    return data::import_tpugraph(path, {device, {}}, sink, report);
  });
}

std::string name_text(const char* path, Task task) {
  const data::TpuGraphsName name = data::tpugraphs_name(path, task);
  return name.program + " " + (name.part ? std::string(data::name(*name.part)) : "-");
}

std::string real_file(const char* name) {
  return shared_folder().toStdString() + "/corpus/" + name;
}

// The rows of a file by their bytes, in order of first occurrence, each with its least runtime and
// the normalizer of that.
struct LeastRow {
  int64_t runtime = 0;
  int64_t normalizer = 0;
};
std::vector<std::pair<std::string, LeastRow>> least_rows(const TpuGraph& graph) {
  const size_t width = graph.configuration_features.size() / graph.configurations();
  std::vector<std::pair<std::string, LeastRow>> out;
  std::map<std::string, size_t> place;
  for (size_t i = 0; i < graph.configurations(); ++i) {
    std::string row(width * sizeof(float), '\0');
    std::memcpy(row.data(), graph.configuration_features.data() + i * width, row.size());
    const LeastRow one{graph.runtimes_ns[i],
                       graph.normalizers_ns.empty() ? 0 : graph.normalizers_ns[i]};
    const auto [at, is_new] = place.try_emplace(row, out.size());
    if (is_new) {
      out.emplace_back(row, one);
    } else if (one.runtime < out[at->second].second.runtime) {
      out[at->second].second = one;
    }
  }
  return out;
}

}  // namespace

class TestImportTpuGraph : public QObject {
  Q_OBJECT
 private:
  FileFolder folder_;

 private slots:
  void names_of_files() {
    QCOMPARE(
        name_text("npz/tile/xla/train/resnet_v2_50_batch_16_426e203f19335d17.npz", Task::kTile),
        std::string("resnet_v2_50_batch_16 train"));
    QCOMPARE(name_text("valid/alexnet_train_batch_32_-127dfbeac6ff8f1b.npz", Task::kTile),
             std::string("alexnet_train_batch_32 valid"));
    QCOMPARE(name_text("npz/layout/xla/random/test/unet_3d.4x4.bf16.npz", Task::kLayout),
             std::string("unet_3d.4x4.bf16 test"));
    QCOMPARE(
        name_text("tile_xla_valid_inception_v3_batch_128_train_426e203f19335d17.npz", Task::kTile),
        std::string("inception_v3_batch_128_train valid"));
    QCOMPARE(
        name_text("x/layout_nlp_random_test_23559853d9702baaaacbb0c83fd32266.npz", Task::kLayout),
        std::string("23559853d9702baaaacbb0c83fd32266 test"));
    QCOMPARE(name_text("tile_xla_mine.npz", Task::kTile), std::string("tile_xla_mine -"));
    // A number is no hash.
    QCOMPARE(name_text("data/bert_batch_128.npz", Task::kTile), std::string("bert_batch_128 -"));
  }
  void repeated_tiles_keep_the_least_time() {
    const std::string path =
        folder_.write_npz("resnet_v1_50_batch_4_00112233445566aa.npz", tile_arrays());
    const Imported out = import_npz(path);
    QVERIFY2(out.status.has_value(), out.message().c_str());
    QCOMPARE(out.graphs.size(), size_t{1});
    const data::ImportedGraph& one = out.graphs.front();
    QVERIFY(one.task == Task::kTile);
    QCOMPARE(one.target.label(), std::string("measured (TPU v3, imported)"));
    QCOMPARE(one.program.name, std::string("resnet_v1_50_batch_4"));
    QCOMPARE(one.program.family, std::string("resnet_v1"));
    QVERIFY(one.graph.form == data::GraphForm::kTpuGraph);
    QCOMPARE(one.graph.node_count, int64_t{2});
    QVERIFY(one.graph.hash == hash128(one.graph.content));
    QVERIFY(!one.part.has_value());
    // Of four: one of 1 ns is dropped, one repeated.
    QCOMPARE(one.samples.size(), size_t{2});
    QCOMPARE(one.samples[0].time_ns, 25.0);
    QCOMPARE(*one.samples[0].normalizer_ns, 21.0);
    QCOMPARE(one.samples[0].configuration.front()[8], int64_t{1});
    QCOMPARE(one.samples[1].time_ns, 20.0);
    QCOMPARE(out.report.duplicates, int64_t{1});
    QCOMPARE(out.report.too_short, int64_t{1});
    QCOMPARE(import_npz(path, "TPU v4").graphs.front().target.device,
             std::string("TPU v4, imported"));
  }
  void kernels_of_one_program_and_kernels_of_equal_features() {
    auto other = tile_arrays();
    other[1].array = data::array_of({2}, std::vector<uint8_t>{63, 2});
    const Imported a = import_npz(folder_.write_npz("p_00112233445566aa.npz", tile_arrays()));
    const Imported b = import_npz(folder_.write_npz("p_00112233445566ab.npz", other));
    const Imported c = import_npz(folder_.write_npz("q_00112233445566ac.npz", tile_arrays()));
    QVERIFY(a.graphs[0].program.hash == b.graphs[0].program.hash);
    QVERIFY(a.graphs[0].graph.hash != b.graphs[0].graph.hash);
    QVERIFY(a.graphs[0].program.hash != c.graphs[0].program.hash);
    QVERIFY(a.graphs[0].graph.hash == c.graphs[0].graph.hash);
  }
  void without_runtimes_there_are_no_samples() {
    const Imported out = import_npz(folder_.write_npz(
        "t.npz", with(tile_arrays(), "config_runtime", data::array_of({4}, Ints(4, 0)))));
    QVERIFY(out.status.has_value());
    QVERIFY(out.graphs.front().samples.empty());
    QCOMPARE(out.report.warnings.size(), size_t{1});
    QCOMPARE(out.report.warnings[0].message,
             std::string("has no runtimes: the graph comes without samples"));
  }
  void errors_name_the_file_and_the_array() {
    std::vector<float> tiles(96, 0);
    tiles[24] = 0.5F;
    const std::string path = folder_.write_npz(
        "bad.npz", with(tile_arrays(), "config_feat", data::array_of({4, 24}, tiles)));
    QCOMPARE(import_npz(path).message(),
             path +
                 ": array 'config_feat' row 1 holds 0.5 (number 0 of the row), not a whole "
                 "number");
    const std::string cut = folder_.write("cut.npz", "PK\x03\x04 half");
    QVERIFY2(import_npz(cut).message().starts_with(cut + ": is cut or damaged"),
             import_npz(cut).message().c_str());
    QVERIFY(import_npz(folder_.path("absent.npz")).status.error().code == ErrorCode::kNotFound);
  }
  void an_error_of_the_sink_ends_it() {
    data::ImportReport report;
    const auto status = data::import_tpugraph(
        folder_.write_npz("a.npz", tile_arrays()), {},
        [](const data::ImportedGraph&) -> Status { return fail(ErrorCode::kCancelled, "stop"); },
        report);
    QVERIFY(!status && status.error().code == ErrorCode::kCancelled);
  }
  void written_again_a_file_has_the_same_arrays() {
    for (const auto& arrays : {tile_arrays(), layout_arrays()}) {
      const std::string path = folder_.write_npz("first.npz", arrays);
      const Imported out = import_npz(path);
      QVERIFY2(out.status.has_value(), out.message().c_str());
      const data::ImportedGraph& one = out.graphs.front();
      const auto graph = data::tpugraph_of(one.graph, one.task, one.samples);
      QVERIFY2(graph.has_value(), graph ? "" : graph.error().format().c_str());
      const std::string second = folder_.path("second.npz");
      QVERIFY(data::write_tpugraph(second, *graph).has_value());
      const auto file = data::NpzFile::open(second);
      QVERIFY(file.has_value());
      QCOMPARE(file->names().size(), arrays.size());
      for (size_t i = 0; i < arrays.size(); ++i) {
        QVERIFY(file->names()[i] == arrays[i].name);
        const auto array = file->array(arrays[i].name);
        QVERIFY(array.has_value());
        QVERIFY(array->type == arrays[i].array.type);
        if (one.task == Task::kLayout || i < 3) {
          QVERIFY2(array->shape == arrays[i].array.shape, arrays[i].name.c_str());
          QVERIFY2(array->bytes == arrays[i].array.bytes, arrays[i].name.c_str());
        }
      }
      // Of four tiles two are left.
      if (one.task == Task::kLayout) continue;
      QVERIFY(data::integers(*file->array("config_runtime")) == Ints({25, 20}));
      QVERIFY(data::integers(*file->array("config_runtime_normalizers")) == Ints({21, 20}));
      QVERIFY((file->array("config_feat")->shape == data::Shape{2, 24}));
    }
  }
  // All arrays of real files; repeated rows with their least runtime.
  void files_of_the_data_set_written_again() {
    HLOSCOPE_NEEDS_SHARED();
    for (const char* name : {"layout_xla_default_valid_unet_3d.4x4.bf16.npz",
                             "layout_xla_random_train_openai_v0_rnn_optimized.npz",
                             "tile_xla_valid_inception_v3_batch_128_train_426e203f19335d17.npz"}) {
      const std::string path = real_file("tpugraphs_npz/") + name;
      const auto original = data::read_tpugraph(path);
      QVERIFY(original.has_value());
      const Imported out = import_npz(path);
      QVERIFY(out.status.has_value());
      const data::ImportedGraph& one = out.graphs.front();
      const auto again = data::tpugraph_of(one.graph, one.task, one.samples);
      QVERIFY(again.has_value());
      QVERIFY(data::write_tpugraph(folder_.path("again.npz"), *again).has_value());
      const auto back = data::read_tpugraph(folder_.path("again.npz"));
      QVERIFY(back.has_value());
      QVERIFY(data::pack_graph(*back) == data::pack_graph(*original));
      const auto a = least_rows(*back);
      const auto b = least_rows(*original);
      QCOMPARE(a.size(), back->configurations());
      QCOMPARE(a.size(), b.size());
      for (size_t i = 0; i < a.size(); ++i) {
        QVERIFY(a[i].first == b[i].first);
        QCOMPARE(a[i].second.runtime, b[i].second.runtime);
        QCOMPARE(a[i].second.normalizer, b[i].second.normalizer);
      }
      // Types and shapes, array by array.
      const auto first = data::NpzFile::open(path);
      const auto second = data::NpzFile::open(folder_.path("again.npz"));
      QVERIFY(first->names() == second->names());
      for (const std::string& array : first->names()) {
        QVERIFY2(first->array(array)->type == second->array(array)->type, array.c_str());
        QCOMPARE(first->array(array)->shape.size(), second->array(array)->shape.size());
      }
    }
  }
};

class TestExportTpuGraph : public QObject {
  Q_OBJECT
 private:
  // A kernel as a data set has it.
  static data::GraphRecord kernel() {
    data::GraphRecord out;
    out.label = "add";
    out.content = R"(HloModule k
fused {
  p = f32[8,16]{1,0} parameter(0)
  q = f32[8,16]{1,0} parameter(1)
  ROOT a = f32[8,16]{1,0} add(p, q)
}
ENTRY e {
  x = f32[8,16]{1,0} parameter(0)
  y = f32[8,16]{1,0} parameter(1)
  ROOT f = f32[8,16]{1,0} fusion(x, y), kind=kLoop, calls=fused
})";
    return out;
  }

 private slots:
  // Values by hand from the layout of the 140 and 24 features (TpuGraphs README).
  void a_kernel_with_tiles() {
    std::vector<data::Sample> samples;
    samples.push_back({{{}, {2, 16}, {}}, 1500.4, std::nullopt, false});
    samples.push_back({{{3}, {8, 16}, {}}, 0.2, 900.6, true});
    const auto graph = data::tpugraph_of(kernel(), Task::kTile, samples);
    QVERIFY2(graph.has_value(), graph ? "" : graph.error().format().c_str());
    QVERIFY((graph->opcodes == std::vector<uint8_t>{63, 63, 2}));
    QVERIFY((graph->edges == std::vector<TpuGraph::Edge>{{2, 0}, {2, 1}}));
    QCOMPARE(graph->node_features[280], 1.0F);         // is_root of the add
    QCOMPARE(graph->node_features[280 + 22], 16.0F);   // its second dimension
    QCOMPARE(graph->node_features[280 + 28], 128.0F);  // product of its dimensions
    const std::vector<float> second(graph->configuration_features.begin() + 24,
                                    graph->configuration_features.end());
    const std::vector<float> expected = {3, 0, 0,  0,   0, 0, 3, 3, 8, 16, 0, 0,
                                         0, 0, 24, 128, 0, 0, 0, 0, 0, 0,  0, 0};
    QVERIFY(second == expected);
    QVERIFY((graph->runtimes_ns == Ints{1500, 1}));
    // That of the default tile; its own.
    QVERIFY((graph->normalizers_ns == Ints{1, 901}));
  }
  void without_a_default_the_least_time_is_the_normalizer() {
    std::vector<data::Sample> samples;
    samples.push_back({{{}, {2, 16}, {}}, 30, std::nullopt, false});
    samples.push_back({{{}, {4, 16}, {}}, 20, std::nullopt, false});
    QVERIFY((data::tpugraph_of(kernel(), Task::kTile, samples)->normalizers_ns == Ints{20, 20}));
  }
  void errors() {
    const auto fusion = data::tpugraph_of(kernel(), Task::kFusion, {});
    QVERIFY(!fusion && fusion.error().code == ErrorCode::kUnsupported);
    data::GraphRecord broken = kernel();
    broken.content = "HloModule";
    QVERIFY(data::tpugraph_of(broken, Task::kTile, {}).error().message.starts_with("graph add: "));
    std::vector<data::Sample> samples;
    samples.push_back({{{1}, {2}, {3}, {4}}, 30, std::nullopt, false});
    QCOMPARE(data::tpugraph_of(kernel(), Task::kTile, samples).error().message,
             std::string("graph add: a configuration does not fit it"));
    data::GraphRecord features = kernel();
    features.form = data::GraphForm::kTpuGraph;
    TpuGraph graph;
    graph.opcodes = {63};
    graph.node_features.assign(140, 0);
    features.content = data::pack_graph(graph);
    QVERIFY(data::tpugraph_of(features, Task::kTile, {}).has_value());
    QCOMPARE(data::tpugraph_of(features, Task::kLayout, {}).error().message,
             std::string("graph add: is of another task than the data set"));
    QVERIFY(!data::tpugraph_of(features, Task::kTile, samples).has_value());
  }
};

HLOSCOPE_TEST(TestImportTpuGraph);
HLOSCOPE_TEST(TestExportTpuGraph);
#include "test_import_tpugraph.moc"
