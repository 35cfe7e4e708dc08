#include <algorithm>
#include <cmath>

#include "core/data/packed_graph.h"
#include "core/features/configuration.h"
#include "core/features/graph.h"
#include "core/hlo/read.h"
#include "core/predict/encode.h"
#include "core/predict/estimate_features.h"
#include "core/sim/estimate.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using predict::Example;
using predict::GraphSamples;

namespace {

constexpr auto kKernel = R"(HloModule scaled_sum

body {
  a = f32[256,384]{1,0:T(8,128)} parameter(0)
  b = f32[256,384]{1,0:T(8,128)} parameter(1)
  s = f32[256,384]{1,0:T(8,128)} add(a, b)
  e = f32[256,384]{1,0:T(8,128)} exponential(s)
  ROOT m = f32[256,384]{1,0:T(8,128)} multiply(e, s)
}

ENTRY main {
  x = f32[256,384]{1,0:T(8,128)} parameter(0)
  y = f32[256,384]{1,0:T(8,128)} parameter(1)
  ROOT f = f32[256,384]{1,0:T(8,128)} fusion(x, y), kind=kLoop, calls=body
}
)";

GraphSamples kernel() {
  GraphSamples out;
  out.record.label = "scaled_sum";
  out.record.op_class = "elementwise";
  out.record.content = kKernel;
  out.record.hash = hash128("scaled_sum");
  out.samples = {{{{}, {32, 3}, {}}, 5000, 4000, true}, {{{}, {8, 1}, {}}, 4500, 4000, false}};
  return out;
}

predict::EncodeOptions tile_options() {
  predict::EncodeOptions out;
  out.task = data::Task::kTile;
  out.rates = sim::Rates(*sim::find_machine("tpu_v3"));
  return out;
}

std::vector<float> dense(const Example& example, const predict::NodeColumns& columns) {
  const size_t width = columns.empty.size();
  std::vector<float> out(example.nodes() * width);
  for (size_t i = 0; i < example.nodes(); ++i) {
    example.node_features.write_row(i, columns.empty, std::span(out).subspan(i * width, width));
  }
  return out;
}

features::Graph graph_of_kernel() {
  const hlo::ProgramPtr program = *hlo::parse_program(kKernel);
  return *features::kernel_graph(*program, (*program)[program->entry()].root);
}

// The same kernel as TpuGraphs would have it.
GraphSamples as_features() {
  const features::Graph graph = graph_of_kernel();
  constexpr features::Group kGroups[] = {features::Group::kNode};
  data::TpuGraph packed;
  packed.opcodes = features::opcodes(graph);
  packed.node_features = features::node_features(graph, kGroups).values;
  for (const features::Edge& edge : graph.edges) {
    packed.edges.push_back({edge.consumer, edge.producer});
  }
  GraphSamples out = kernel();
  out.record.form = data::GraphForm::kTpuGraph;
  out.record.content = data::pack_graph(packed);
  for (data::Sample& sample : out.samples) {
    const features::ConfigurationView lists(sample.configuration.begin(),
                                            sample.configuration.end());
    const auto row = features::configuration_features(features::Group::kTile, lists);
    sample.configuration = {std::vector<int64_t>(row.begin(), row.end())};
  }
  return out;
}

}  // namespace

class TestEncode : public QObject {
  Q_OBJECT
 private slots:
  void a_kernel_has_the_values_of_the_feature_library() {
    const auto example = predict::encode(kernel(), tile_options());
    QVERIFY2(example.has_value(), example ? "" : example.error().format().c_str());
    const features::Graph graph = graph_of_kernel();
    const predict::NodeColumns columns = predict::node_columns(true);
    QCOMPARE(example->nodes(), size_t{5});
    QCOMPARE(example->opcodes, features::opcodes(graph));
    QCOMPARE(dense(*example, columns), features::node_features(graph, columns.groups).values);
    const hlo::ProgramPtr program = *hlo::parse_program(kKernel);
    QCOMPARE(example->static_features,
             features::kernel_static_features(*program, (*program)[program->entry()].root));
    QCOMPARE(example->operand_offsets, (std::vector<uint32_t>{0, 0, 0, 2, 3, 5}));
    QCOMPARE(example->operands, (std::vector<uint32_t>{0, 1, 2, 2, 3}));
  }
  void rows_keep_little() {
    const auto example = predict::encode(kernel(), tile_options());
    const size_t all = example->nodes() * predict::node_columns(true).empty.size();
    QVERIFY(example->node_features.entries() * 5 < all);
  }
  void tiles_and_times_of_every_sample() {
    const auto example = predict::encode(kernel(), tile_options());
    QCOMPARE(example->times_ns, (std::vector<double>{5000, 4500}));
    QCOMPARE(example->default_sample, 0U);
    QCOMPARE(example->fastest(), size_t{1});
    const std::vector<int64_t> bounds = {8, 1};
    const auto row =
        features::configuration_features(features::Group::kTile, {{}, std::span(bounds), {}});
    QVERIFY(std::ranges::equal(example->tile_row(1), row));
  }
  void analytical_times_are_those_of_the_tile() {
    const GraphSamples graph = kernel();
    const auto example = predict::encode(graph, tile_options());
    const hlo::ProgramPtr program = *hlo::parse_program(kKernel);
    const auto model = sim::kernel_model(*program, (*program)[program->entry()].root);
    const sim::Rates rates(*sim::find_machine("tpu_v3"));
    QCOMPARE(example->analytical_ns.size(), size_t{2});
    for (size_t i = 0; i < 2; ++i) {
      const auto bounds = sim::loop_bounds(model, {graph.samples[i].configuration[1], {}});
      QVERIFY(bounds.has_value());
      const sim::Estimate estimate = sim::estimate(model, *bounds, rates);
      QCOMPARE(example->analytical_ns[i], estimate.time_ns);
      std::vector<float> features;
      predict::append_estimate_features(estimate, features);
      QVERIFY(std::ranges::equal(example->estimate_row(i), features));
    }
    QVERIFY(example->analytical_ns[0] != example->analytical_ns[1]);
  }
  void a_tile_that_the_kernel_does_not_have_has_no_analytical_time() {
    GraphSamples graph = kernel();
    graph.samples[1].configuration = {{}, {8}, {}};
    const auto example = predict::encode(graph, tile_options());
    QVERIFY(example && std::isnan(example->analytical_ns[1]) && example->analytical_ns[0] > 0);
    QVERIFY(std::ranges::all_of(example->estimate_row(1), [](float x) { return std::isnan(x); }));
    QCOMPARE(example->estimate_row(0).size(), predict::estimate_feature_names().size());
  }
  // Host two is twice as slow: 4500 / 8000 of the mean normalizer, 6000.
  void times_of_different_hosts_are_brought_to_one() {
    GraphSamples graph = kernel();
    graph.samples[1].normalizer_ns = 8000;
    const auto example = predict::encode(graph, tile_options());
    QCOMPARE(example->times_ns, (std::vector<double>{7500, 3375}));
  }
  void features_alone_give_the_same_rows_without_dot_dimensions() {
    const predict::NodeColumns columns = predict::node_columns(true);
    const auto given = predict::encode(as_features(), tile_options());
    QVERIFY2(given.has_value(), given ? "" : given.error().format().c_str());
    const auto own = predict::encode(kernel(), tile_options());
    QCOMPARE(given->opcodes, own->opcodes);
    QCOMPARE(given->operands, own->operands);
    QCOMPARE(given->tile_features, own->tile_features);
    QVERIFY(given->static_features.empty() && given->analytical_ns.empty());
    // No node has padding or a dot, so that all extra features follow from the shape.
    QCOMPARE(dense(*given, columns), dense(*own, columns));
  }
  void any_number_of_threads_gives_the_same() {
    std::vector<GraphSamples> graphs(40, kernel());
    for (size_t i = 0; i < graphs.size(); ++i) graphs[i].samples[0].time_ns = 5000.0 + double(i);
    ThreadPool one(1), four(4);
    const auto a = predict::encode_all(graphs, tile_options(), one);
    const auto b = predict::encode_all(graphs, tile_options(), four);
    QVERIFY(a && b && a->size() == graphs.size());
    for (size_t i = 0; i < graphs.size(); ++i) {
      QCOMPARE((*a)[i].times_ns[0], 5000.0 + double(i));
      QCOMPARE((*a)[i].times_ns, (*b)[i].times_ns);
      QCOMPARE((*a)[i].analytical_ns, (*b)[i].analytical_ns);
    }
  }
  void what_cannot_be_read_is_named() {
    std::vector<GraphSamples> graphs(3, kernel());
    graphs[1].record.content = "HloModule broken\nENTRY e { ROOT r = f32[ parameter(0) }";
    graphs[1].record.label = "broken_kernel";
    graphs[2] = as_features();
    graphs[2].samples[0].configuration = {{1, 2}};
    ThreadPool pool(2);
    const auto text = predict::encode_all(graphs, tile_options(), pool);
    QVERIFY(!text && text.error().code == ErrorCode::kInvalidInput);
    QVERIFY(text.error().message.find("broken_kernel") != std::string::npos);
    const auto tile = predict::encode(graphs[2], tile_options());
    QVERIFY(!tile && tile.error().message.find("24 features") != std::string::npos);
    predict::EncodeOptions layout;
    layout.task = data::Task::kLayout;
    // A kernel does not say which of its instructions are configurable.
    QCOMPARE(predict::encode(kernel(), layout).error().code, ErrorCode::kInvalidInput);
  }
  void encoding_can_be_stopped() {
    std::stop_source source;
    source.request_stop();
    ThreadPool pool(1);
    const auto result = predict::encode_all(std::vector<GraphSamples>(3, kernel()), tile_options(),
                                            pool, Progress(source.get_token()));
    QVERIFY(!result && result.error().code == ErrorCode::kCancelled);
  }
};

HLOSCOPE_TEST(TestEncode);
#include "test_encode.moc"
