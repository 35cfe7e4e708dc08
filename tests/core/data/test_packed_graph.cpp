#include "core/data/packed_graph.h"

#include <cstring>
#include <limits>

#include "core/data/layout_content.h"
#include "core/hlo/read.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using data::TpuGraph;

namespace {

TpuGraph small_graph() {
  TpuGraph graph;
  graph.collection = TpuGraph::Collection::kLayout;
  graph.opcodes = {63, 255, 0};
  graph.node_features.assign(420, 0);
  graph.node_features[0] = 1;
  graph.node_features[139] = -1;
  graph.node_features[140] = -0.0F;
  graph.node_features[141] = 0.1F;
  graph.node_features[150] = 23440896;
  graph.node_features[151] = std::numeric_limits<float>::max();
  graph.node_features[152] = std::numeric_limits<float>::denorm_min();
  graph.node_features[419] = -0.5F;
  graph.edges = {{2, 0}, {1, 0}, {2, 2}, {0, 2}};
  graph.configurable_nodes = {2, 0};
  graph.splits = {0, 3};
  return graph;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

bool same_graph(const TpuGraph& a, const TpuGraph& b) {
  return a.collection == b.collection && a.opcodes == b.opcodes && a.edges == b.edges &&
         a.configurable_nodes == b.configurable_nodes && a.splits == b.splits &&
         same_bits(a.node_features, b.node_features);
}

}  // namespace

class TestPackedGraph : public QObject {
  Q_OBJECT
 private slots:
  void a_graph_comes_back_bit_for_bit() {
    const TpuGraph graph = small_graph();
    const auto back = data::unpack_graph(data::pack_graph(graph));
    QVERIFY2(back.has_value(), back ? "" : back.error().format().c_str());
    QVERIFY(same_graph(*back, graph));
    QVERIFY(back->runtimes_ns.empty());
  }
  void the_bytes_depend_on_the_graph_alone() {
    TpuGraph timed = small_graph();
    timed.runtimes_ns = {1, 2};
    timed.configuration_features.assign(72, 1);
    QVERIFY(data::pack_graph(timed) == data::pack_graph(small_graph()));
    timed.splits = {0, 2};
    QVERIFY(data::pack_graph(timed) != data::pack_graph(small_graph()));
  }
  // Whatever stands in a damaged file: an error or a graph that fits together, never a crash.
  void damaged_bytes() {
    const std::string good = data::pack_graph(small_graph());
    for (size_t size = 0; size < good.size(); ++size) {
      const auto cut = data::unpack_graph(std::string_view(good).substr(0, size));
      QVERIFY(!cut.has_value());
      QCOMPARE(cut.error().message, std::string("a stored graph is damaged"));
    }
    QVERIFY(!data::unpack_graph(good + "x").has_value());
    for (size_t at = 0; at < good.size(); ++at) {
      for (int bit = 0; bit < 8; ++bit) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
        const auto graph = data::unpack_graph(bad);
        if (!graph) continue;
        QCOMPARE(graph->node_features.size(), graph->nodes() * 140);
        for (const TpuGraph::Edge& edge : graph->edges) {
          QVERIFY(edge.consumer < graph->nodes() && edge.producer < graph->nodes());
        }
        for (const uint32_t node : graph->configurable_nodes) QVERIFY(node < graph->nodes());
        for (const uint32_t node : graph->splits) QVERIFY(node <= graph->nodes());
      }
    }
  }
  void a_configuration_is_the_row_of_the_file() {
    TpuGraph graph;
    graph.configuration_features.assign(48, 0);
    graph.configuration_features[24] = 5;
    graph.configuration_features[47] = 1e18F;
    const auto second = data::configuration_of(graph, 1);
    QVERIFY(second.has_value());
    QCOMPARE(second->size(), size_t{1});
    QCOMPARE(second->front().size(), size_t{24});
    QCOMPARE(second->front().front(), int64_t{5});
    // The float nearest to 1e18.
    QCOMPARE(second->front().back(), int64_t{999999984306749440});
    graph.configuration_features[26] = 1.5F;
    QCOMPARE(data::configuration_of(graph, 1).error().message,
             std::string("array 'config_feat' row 1 holds 1.5 (number 2 of the row), not a whole "
                         "number"));
    graph.collection = TpuGraph::Collection::kLayout;
    graph.configurable_nodes = {0};
    graph.configuration_features.assign(36, -1);
    QVERIFY(data::configuration_of(graph, 1)->front() == std::vector<int64_t>(18, -1));
    graph.configuration_features[18] = 1e19F;
    QCOMPARE(data::configuration_of(graph, 1).error().message,
             std::string("array 'node_config_feat' row 1 holds 1e+19 (number 0 of the row), not a "
                         "whole number"));
  }
  void files_of_the_data_set() {
    HLOSCOPE_NEEDS_SHARED();
    const std::string folder = hloscope::testing::shared_folder().toStdString();
    for (const char* name : {"layout_nlp_random_test_23559853d9702baaaacbb0c83fd32266",
                             "layout_xla_default_valid_unet_3d.4x4.bf16",
                             "layout_xla_random_train_openai_v0_rnn_optimized",
                             "tile_xla_valid_inception_v3_batch_128_train_426e203f19335d17"}) {
      const auto graph = data::read_tpugraph(folder + "/corpus/tpugraphs_npz/" + name + ".npz");
      QVERIFY(graph.has_value());
      const std::string packed = data::pack_graph(*graph);
      const auto back = data::unpack_graph(packed);
      QVERIFY(back.has_value() && same_graph(*back, *graph));
      // 560 bytes of features per node in the file.
      QVERIFY2(packed.size() < graph->nodes() * 100, name);
    }
  }
};

/// Layout graphs as HLO text.
class TestLayoutContent : public QObject {
  Q_OBJECT
 private slots:
  void configurable_instructions_are_found_again() {
    const auto program = hlo::parse_program(R"(HloModule m
region {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY main {
  p = f32[8,8] parameter(0), metadata={op_name="x"}
  d = f32[8,8] dot(p, p), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  z = f32[] constant(0)
  r = f32[8] reduce(d, z), dimensions={1}, to_apply=region
  ROOT a = f32[4,2] reshape(r)
})");
    QVERIFY(program.has_value());
    const std::vector<hlo::InstructionId> chosen = {(*program)->find_instruction("d"),
                                                    hlo::InstructionId(7U)};
    QVERIFY((**program)[chosen[1]].name == "a");
    const auto content = data::layout_content(**program, chosen);
    QVERIFY2(content.has_value(), content ? "" : content.error().format().c_str());
    QVERIFY(content->starts_with("// configurable: 4 7\nHloModule m"));
    QVERIFY(content->find("metadata") == std::string::npos);
    const auto back = data::read_layout_content(*content);
    QVERIFY2(back.has_value(), back ? "" : back.error().format().c_str());
    QCOMPARE(back->configurable.size(), size_t{2});
    QVERIFY((*back->program)[back->configurable[0]].name == "d");
    QVERIFY((*back->program)[back->configurable[1]].opcode == hlo::Opcode::kReshape);
    QVERIFY(data::read_layout_content(*data::layout_content(**program, {}))->configurable.empty());
  }
  void damaged_content() {
    const std::string text = "HloModule m\nENTRY e {\n  ROOT p = f32[] parameter(0)\n}\n";
    QVERIFY(data::read_layout_content("// configurable: 0\n" + text).has_value());
    for (const char* line : {"", "// configurable: 1\n", "// configurable: x\n",
                             "// configurable: -1\n", "// configurable: 99999999999\n"}) {
      QVERIFY2(!data::read_layout_content(line + text).has_value(), line);
    }
    QVERIFY(!data::read_layout_content("// configurable: 0\nHloModule").has_value());
  }
};

HLOSCOPE_TEST(TestPackedGraph);
HLOSCOPE_TEST(TestLayoutContent);
#include "test_packed_graph.moc"
