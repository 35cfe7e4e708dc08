#include <algorithm>

#include "core/data/export_tpugraph.h"
#include "core/data/layout_content.h"
#include "core/data/packed_graph.h"
#include "core/features/configuration.h"
#include "core/hlo/read.h"
#include "core/predict/layout_encode.h"
#include "tests/core/predict/layout_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::predict;

namespace {

// A chain around one dot; `far` is two edges away from it on either side.
constexpr auto kLayoutProgram = R"(HloModule net
ENTRY e {
  far = f32[64,32]{1,0} parameter(0)
  near = f32[64,32]{1,0} negate(far)
  w = f32[32,16]{1,0} parameter(1)
  d = f32[64,16]{1,0} dot(near, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  user = f32[64,16]{1,0} tanh(d)
  ROOT far_too = f32[64,16]{1,0} exponential(user)
}
)";

GraphSamples program() {
  const hlo::ProgramPtr net = *hlo::parse_program(kLayoutProgram);
  GraphSamples out;
  out.record.label = "net";
  out.record.hash = hash128("net");
  const std::vector<hlo::InstructionId> configurable = {hlo::InstructionId(3U)};
  out.record.content = *data::layout_content(*net, configurable);
  out.samples = {{{{0, 1}, {1, 0}, {}}, 5000, {}, false}, {{{}, {}, {}}, 6000, {}, true}};
  return out;
}

EncodeOptions options() {
  EncodeOptions out;
  out.task = data::Task::kLayout;
  return out;
}

// The same as TpuGraphs has it.
GraphSamples layout_as_features() {
  GraphSamples out = program();
  const data::TpuGraph graph = *data::tpugraph_of(out.record, data::Task::kLayout, out.samples);
  out.record.form = data::GraphForm::kTpuGraph;
  out.record.content = data::pack_graph(graph);
  for (size_t i = 0; i < out.samples.size(); ++i) {
    out.samples[i].configuration = *data::configuration_of(graph, i);
  }
  return out;
}

std::string refusal(const GraphSamples& graph) {
  const auto example = encode(graph, options());
  return example ? "encoded" : example.error().message;
}

}  // namespace

class TestLayoutEncode : public QObject {
  Q_OBJECT
 private slots:
  void the_dot_and_its_neighbours_are_kept() {
    const auto example = encode(program(), options());
    QVERIFY2(example.has_value(), example ? "" : example.error().message.c_str());
    // near, w, d, user: by OpcodeInfo::tpugraphs_id (negate, parameter, dot, tanh).
    QCOMPARE(example->opcodes, (std::vector<uint8_t>{60, 63, 34, 96}));
    QCOMPARE(example->operand_offsets, (std::vector<uint32_t>{0, 0, 0, 2, 3}));
    QCOMPARE(example->operands, (std::vector<uint32_t>{0, 1, 2}));
    QVERIFY(std::ranges::equal(example->layouts.nodes(), std::vector<uint32_t>{2}));
    QCOMPARE(example->node_features.rows(), size_t{4});
    QVERIFY(example->tile_features.empty() && example->static_features.empty());
  }

  void layouts_and_times_of_every_sample() {
    const auto example = encode(program(), options());
    QCOMPARE(example->times_ns, (std::vector<double>{5000, 6000}));
    QCOMPARE(example->default_sample, 1U);
    const NodeLayout& first = example->layouts.layouts()[example->layouts.sample(0)[0]];
    const std::vector<int> expected = {0, 1, -1, -1, -1, -1, 1, 0, -1};
    for (size_t i = 0; i < expected.size(); ++i) QCOMPARE(int{first[i]}, expected[i]);
    const NodeLayout& second = example->layouts.layouts()[example->layouts.sample(1)[0]];
    QVERIFY(std::ranges::all_of(second, [](int8_t value) { return value == -1; }));
  }

  // Features alone lack some extras, but tell the same graph.
  void features_alone_give_the_same_graph() {
    const auto a = encode(program(), options());
    const auto b = encode(layout_as_features(), options());
    QVERIFY2(b.has_value(), b ? "" : b.error().message.c_str());
    QCOMPARE(b->opcodes, a->opcodes);
    QCOMPARE(b->operands, a->operands);
    QVERIFY(std::ranges::equal(b->layouts.nodes(), a->layouts.nodes()));
    QVERIFY(b->layouts.sample_hash(0) == a->layouts.sample_hash(0));
    QCOMPARE(b->times_ns, a->times_ns);
  }

  void nodes_lie_around_others() {
    predict::ExampleSet set = hloscope::testing::small_set(data::Task::kLayout);
    const Example chain = hloscope::testing::chain(set, std::vector(7, std::vector<float>(3, 0)));
    using Nodes = std::vector<uint32_t>;
    const Nodes from = {3};
    QCOMPARE(nodes_around(chain, from, 0), (Nodes{3}));
    QCOMPARE(nodes_around(chain, from, 2), (Nodes{1, 2, 3, 4, 5}));
    QCOMPARE(nodes_around(chain, from, 9).size(), size_t{7});
    // An edge is kept where both its ends are.
    const Example some = with_nodes(chain, Nodes{0, 2, 3}, set.columns);
    QCOMPARE(some.operand_offsets, (std::vector<uint32_t>{0, 0, 0, 1}));
    QCOMPARE(some.operands, (std::vector<uint32_t>{1}));
  }

  void what_does_not_fit_is_named() {
    GraphSamples graph = program();
    graph.samples[1].configuration = {{7}, {}, {}};
    QCOMPARE(refusal(graph),
             std::string("graph net: a configuration has not 18 numbers from -1 to 5 for each "
                         "configurable node"));
    graph = layout_as_features();
    graph.samples[0].configuration.front().pop_back();
    QVERIFY(refusal(graph).starts_with("graph net: a configuration has not 18 numbers"));
    graph = program();
    graph.record.content = "// configurable:\n" + std::string(kLayoutProgram);
    QCOMPARE(refusal(graph),
             std::string("graph net: it has not a list of different configurable nodes"));
  }
};

HLOSCOPE_TEST(TestLayoutEncode);
#include "test_layout_encode.moc"
