#include "core/data/tpugraphs.h"

#include <QTemporaryDir>
#include <limits>

#include "core/data/npz.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using data::NamedArray;
using data::TpuGraph;

namespace {

using Floats = std::vector<float>;
using Ints = std::vector<int64_t>;

/// A tile file of 2 nodes and 3 tiles.
std::vector<NamedArray> tile_file() {
  return {{"node_feat", data::array_of({2, 140}, Floats(280, 1))},
          {"node_opcode", data::array_of({2}, std::vector<uint8_t>{63, 27})},
          {"edge_index", data::array_of({1, 2}, Ints{1, 0})},
          {"config_feat", data::array_of({3, 24}, Floats(72, 2))},
          {"config_runtime", data::array_of({3}, Ints{10, 20, 30})},
          {"config_runtime_normalizers", data::array_of({3}, Ints{10, 10, 10})}};
}

/// A layout file of 2 nodes, of which one is configurable, and 2 configurations.
std::vector<NamedArray> layout_file() {
  std::vector<NamedArray> out = tile_file();
  out.resize(3);
  out.push_back({"node_config_feat", data::array_of({2, 1, 18}, Floats(36, -1))});
  out.push_back({"node_config_ids", data::array_of({1}, Ints{1})});
  out.push_back({"config_runtime", data::array_of({2}, Ints{0, 0})});
  out.push_back({"node_splits", data::array_of({1, 2}, Ints{0, 2})});
  return out;
}

}  // namespace

class TestTpuGraphs : public QObject {
  Q_OBJECT
 private:
  QTemporaryDir folder_;
  Result<TpuGraph> read(const std::vector<NamedArray>& arrays) const {
    const std::string path = folder_.filePath("graph.npz").toStdString();
    HLOSCOPE_TRY(data::write_npz(path, arrays));
    return data::read_tpugraph(path);
  }
  /// The message after an array was replaced, or left out where it has no name.
  std::string message(std::vector<NamedArray> arrays, const std::string& name,
                      const NamedArray& by) const {
    const auto found = std::find_if(arrays.begin(), arrays.end(),
                                    [&name](const NamedArray& one) { return one.name == name; });
    if (found == arrays.end()) return "no such array";
    if (by.name.empty()) {
      arrays.erase(found);
    } else {
      *found = by;
    }
    const auto graph = read(arrays);
    return graph ? "read" : graph.error().message;
  }

 private slots:
  void tile_collection() {
    const auto graph = read(tile_file());
    QVERIFY2(graph.has_value(), graph ? "" : graph.error().format().c_str());
    QVERIFY(graph->collection == TpuGraph::Collection::kTile);
    QCOMPARE(graph->nodes(), size_t{2});
    QVERIFY((graph->edges == std::vector<TpuGraph::Edge>{{1, 0}}));
    QCOMPARE(graph->configurations(), size_t{3});
    QVERIFY((graph->normalizers_ns == Ints{10, 10, 10}));
    QVERIFY(graph->has_runtimes());
  }
  void layout_collection() {
    const auto graph = read(layout_file());
    QVERIFY2(graph.has_value(), graph ? "" : graph.error().format().c_str());
    QVERIFY(graph->collection == TpuGraph::Collection::kLayout);
    QVERIFY((graph->configurable_nodes == std::vector<uint32_t>{1}));
    QVERIFY((graph->splits == std::vector<uint32_t>{0, 2}));
    QVERIFY(!graph->has_runtimes());
  }
  void errors() {
    const auto tile = tile_file();
    QCOMPARE(message(tile, "edge_index", {}), std::string("there is no array 'edge_index'"));
    QCOMPARE(message(tile, "edge_index", {"edge_index", data::array_of({1, 2}, Ints{2, 0})}),
             std::string("array 'edge_index' holds 2, expected 0 to 1"));
    QCOMPARE(message(tile, "edge_index", {"edge_index", data::array_of({1, 2}, Ints{0, -1})}),
             std::string("array 'edge_index' holds -1, expected 0 to 1"));
    QCOMPARE(message(tile, "node_opcode", {"node_opcode", data::array_of({1}, Ints{1})}),
             std::string("array 'node_opcode' has the shape (1,), expected (2)"));
    QCOMPARE(message(tile, "config_feat", {"config_feat", data::array_of({2, 24}, Floats(48))}),
             std::string("array 'config_feat' has the shape (2, 24), expected (3, 24)"));
    Floats nan(72);
    nan[5] = std::numeric_limits<float>::quiet_NaN();
    QCOMPARE(message(tile, "config_feat", {"config_feat", data::array_of({3, 24}, nan)}),
             std::string("array 'config_feat' element 5 is nan, not a finite number"));
    QCOMPARE(
        message(layout_file(), "node_splits", {"node_splits", data::array_of({1, 2}, Ints{0, 3})}),
        std::string("array 'node_splits' holds 3, expected 0 to 2"));
  }
  // Sizes: the headers of the arrays, as NumPy reads them.
  void files_of_the_data_set() {
    HLOSCOPE_NEEDS_SHARED();
    struct Expected {
      const char* file;
      size_t nodes, edges, configurations, configurable;
    };
    const Expected files[] = {
        {"layout_nlp_random_test_23559853d9702baaaacbb0c83fd32266.npz", 1096, 1688, 1000, 56},
        {"layout_xla_default_valid_unet_3d.4x4.bf16.npz", 3163, 5112, 1965, 62},
        {"layout_xla_random_train_openai_v0_rnn_optimized.npz", 1277, 2063, 20, 62},
        {"tile_xla_valid_inception_v3_batch_128_train_426e203f19335d17.npz", 2, 1, 9, 0}};
    for (const Expected& one : files) {
      const auto graph = data::read_tpugraph(hloscope::testing::shared_folder().toStdString() +
                                             "/corpus/tpugraphs_npz/" + one.file);
      QVERIFY2(graph.has_value(), graph ? "" : graph.error().format().c_str());
      QCOMPARE(graph->nodes(), one.nodes);
      QCOMPARE(graph->edges.size(), one.edges);
      QCOMPARE(graph->configurations(), one.configurations);
      QCOMPARE(graph->configurable_nodes.size(), one.configurable);
    }
  }
};

HLOSCOPE_TEST(TestTpuGraphs);
#include "test_tpugraphs.moc"
