#include <cstring>
#include <map>

#include "core/data/layout_tuning.h"
#include "core/data/tpugraphs.h"
#include "core/features/configuration.h"
#include "core/features/graph.h"
#include "tests/core/features/fixture.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

/// Our features of corpus/tpu_v3/unet_3d_layout_tuning.pb beside those that Google's encoder gave
/// for the same module: layout_xla_default_valid_unet_3d.4x4.bf16.npz of TpuGraphs.
struct Golden {
  data::LayoutTuning tuning;
  data::TpuGraph npz;
  features::Graph graph;
};

std::string path(const char* name) {
  return hloscope::testing::shared_folder().toStdString() + "/corpus/" + name;
}

const Golden& golden() {
  static const Golden loaded = [] {
    Golden out;
    auto tunings = data::read_layout_tunings(path("tpu_v3/unet_3d_layout_tuning.pb"));
    auto npz =
        data::read_tpugraph(path("tpugraphs_npz/layout_xla_default_valid_unet_3d.4x4.bf16.npz"));
    if (!tunings || !npz) hloscope::testing::give_up("the golden files cannot be read");
    out.tuning = std::move(tunings->front());
    out.npz = std::move(*npz);
    out.graph = features::module_graph(out.tuning.program);
    return out;
  }();
  return loaded;
}

using Bits = std::vector<uint32_t>;
Bits bits(std::span<const float> values) {
  Bits out(values.size());
  std::memcpy(out.data(), values.data(), values.size_bytes());
  return out;
}

}  // namespace

class TestGolden : public QObject {
  Q_OBJECT
 private slots:
  void node_features_are_equal_bit_for_bit();
  void opcodes_edges_and_splits_are_equal();
  void configurable_nodes_are_equal();
  void every_timed_configuration_stands_in_the_data_set_with_its_time();
  void a_tile_file_of_the_data_set_is_encoded_alike();
};

void TestGolden::node_features_are_equal_bit_for_bit() {
  HLOSCOPE_NEEDS_SHARED();
  const Golden& g = golden();
  QCOMPARE(g.graph.nodes.size(), size_t{3163});
  constexpr features::Group kGroups[] = {features::Group::kNode};
  const features::NodeMatrix ours = node_features(g.graph, kGroups);
  QCOMPARE(ours.width, size_t{140});
  QCOMPARE(ours.values.size(), g.npz.node_features.size());
  const Bits a = bits(ours.values);
  const Bits b = bits(g.npz.node_features);
  const std::vector<std::string> names = features::names(features::Group::kNode);
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    const auto id = g.graph.nodes[i / 140].instruction;
    QFAIL(qPrintable(QStringLiteral("node %1 %2 %3: %4, expected %5")
                         .arg(i / 140)
                         .arg(QString::fromStdString(std::string((*g.graph.program)[id].name)),
                              QString::fromStdString(names[i % 140]))
                         .arg(ours.values[i])
                         .arg(g.npz.node_features[i])));
  }
}

void TestGolden::opcodes_edges_and_splits_are_equal() {
  HLOSCOPE_NEEDS_SHARED();
  const Golden& g = golden();
  QVERIFY(features::opcodes(g.graph) == g.npz.opcodes);
  QCOMPARE(g.graph.edges.size(), size_t{5112});
  QCOMPARE(g.graph.edges.size(), g.npz.edges.size());
  for (size_t i = 0; i < g.npz.edges.size(); ++i) {
    QCOMPARE(g.graph.edges[i].consumer, g.npz.edges[i].consumer);
    QCOMPARE(g.graph.edges[i].producer, g.npz.edges[i].producer);
  }
  QVERIFY(g.graph.splits == g.npz.splits);
}

void TestGolden::configurable_nodes_are_equal() {
  HLOSCOPE_NEEDS_SHARED();
  const Golden& g = golden();
  std::vector<uint32_t> ours;
  for (const hlo::InstructionId id : g.tuning.configurable) ours.push_back(id.value);
  QCOMPARE(ours.size(), size_t{62});
  QVERIFY(ours == g.npz.configurable_nodes);
}

void TestGolden::every_timed_configuration_stands_in_the_data_set_with_its_time() {
  HLOSCOPE_NEEDS_SHARED();
  const Golden& g = golden();
  QCOMPARE(g.npz.configurations(), size_t{1965});
  const size_t row = g.npz.configurable_nodes.size() * data::kTpuLayoutFeatures;
  std::multimap<Bits, int64_t> times;
  for (size_t c = 0; c < g.npz.configurations(); ++c) {
    const auto one = std::span(g.npz.configuration_features).subspan(c * row, row);
    times.emplace(bits(one), g.npz.runtimes_ns[c]);
  }
  size_t timed = 0;
  for (const data::LayoutRun& run : g.tuning.runs) {
    if (run.failed) continue;
    std::vector<float> ours;
    for (const auto& orders : run.layouts) {
      append_configuration_features(features::Group::kLayout, {orders.begin(), orders.end()}, ours);
    }
    const auto [first, last] = times.equal_range(bits(ours));
    QVERIFY(std::any_of(first, last, [&run](const auto& at) { return at.second == run.time_ns; }));
    ++timed;
  }
  QCOMPARE(g.tuning.runs.size(), size_t{122});
  QCOMPARE(timed, size_t{112});
}

// The program is not at hand, but the two nodes tell it: a copy of a parameter. Its fusions cannot
// be compared, as no file with both a program and features of one is public.
void TestGolden::a_tile_file_of_the_data_set_is_encoded_alike() {
  HLOSCOPE_NEEDS_SHARED();
  const auto npz = data::read_tpugraph(
      path("tpugraphs_npz/tile_xla_valid_inception_v3_batch_128_train_426e203f19335d17.npz"));
  QVERIFY(npz.has_value());
  const auto program = hloscope::testing::parse(R"(HloModule kernel
ENTRY main {
  p = f32[1,1,1280,320]{2,3,1,0} parameter(0)
  ROOT c = f32[1,1,1280,320]{2,3,1,0} copy(p)
})");
  const hlo::Program& p = *program;
  const auto graph = features::kernel_graph(p, p[p.entry()].root);
  QVERIFY(graph.has_value());
  constexpr features::Group kGroups[] = {features::Group::kNode};
  QVERIFY(bits(node_features(*graph, kGroups).values) == bits(npz->node_features));
  QVERIFY(features::opcodes(*graph) == npz->opcodes);
  QCOMPARE(graph->edges.size(), npz->edges.size());
  QCOMPARE(graph->edges[0].consumer, npz->edges[0].consumer);
  QCOMPARE(graph->edges[0].producer, npz->edges[0].producer);
  const std::vector<int64_t> bounds = {1, 1, 1, 5};  // The second configuration.
  const auto tile = configuration_features(features::Group::kTile, {{}, bounds, {}});
  const auto second = std::span(npz->configuration_features).subspan(24, 24);
  QVERIFY(bits(tile) == bits(second));
}

HLOSCOPE_TEST(TestGolden);
#include "test_golden.moc"
