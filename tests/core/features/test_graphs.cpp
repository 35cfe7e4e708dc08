#include "core/features/graph.h"
#include "tests/core/features/fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using hloscope::testing::give_up;
using hloscope::testing::parse;

namespace {

constexpr auto kLoop = R"(HloModule m
add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}
while_body {
  v = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(v), index=0
  a = f32[4] get-tuple-element(v), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  twice = f32[4] add(a, a)
  ROOT t = (s32[], f32[4]) tuple(next, twice)
}
while_cond {
  w = (s32[], f32[4]) parameter(0)
  j = s32[] get-tuple-element(w), index=0
  n = s32[] constant(9)
  ROOT less = pred[] compare(j, n), direction=LT
}
ENTRY main {
  start = (s32[], f32[4]) parameter(0)
  loop = (s32[], f32[4]) while(start), condition=while_cond, body=while_body
  data = f32[4] get-tuple-element(loop), index=1
  zero = f32[] constant(0)
  ROOT sum = f32[] reduce(data, zero), dimensions={0}, to_apply=add
}
)";

// Names of the nodes, and edges as "consumer<producer".
QString names(const features::Graph& graph) {
  QStringList out;
  for (const features::Graph::Node& node : graph.nodes) {
    const std::string_view name = (*graph.program)[node.instruction].name;
    out << QString::fromStdString(std::string(name)) + (node.is_root ? "!" : "");
  }
  return out.join(' ');
}
QString edges(const features::Graph& graph) {
  const QStringList nodes = names(graph).remove('!').split(' ');
  QStringList out;
  for (const features::Edge& edge : graph.edges) {
    out << nodes[static_cast<qsizetype>(edge.consumer)] + "<" +
               nodes[static_cast<qsizetype>(edge.producer)];
  }
  return out.join(' ');
}

features::Graph kernel(const char* text, std::string_view name) {
  const hlo::ProgramPtr program = parse(text);
  auto graph = features::kernel_graph(*program, program->find_instruction(name));
  if (!graph) give_up(graph.error().format());
  return std::move(*graph);
}

}  // namespace

class TestGraphs : public QObject {
  Q_OBJECT
 private slots:
  void module_has_all_instructions_and_edges_to_called_roots() {
    const features::Graph graph = features::module_graph(parse(kLoop));
    QCOMPARE(names(graph), QStringLiteral("x y s! v i a one next twice t! w j n less! start loop "
                                          "data zero sum!"));
    QCOMPARE(edges(graph),
             QStringLiteral("s<x s<y i<v a<v next<i next<one twice<a t<next t<twice j<w less<j "
                            "less<n loop<t loop<less loop<start data<loop sum<s sum<data "
                            "sum<zero"));
  }
  // As node_splits of the layout collections: behind every computation that is named after a loop.
  void module_is_split_behind_loops() {
    const features::Graph graph = features::module_graph(parse(kLoop));
    QVERIFY((graph.splits == std::vector<uint32_t>{0, 10, 14, 19}));
  }
  void opcodes_are_those_of_tpugraphs() {
    const auto opcodes = features::opcodes(features::module_graph(parse(R"(HloModule m
ENTRY main {
  p = f32[4] parameter(0)
  e = f32[4] erf(p)
  ROOT n = f32[4] tanh(e)
})")));
    QVERIFY((opcodes == std::vector<uint8_t>{63, 0, 96}));  // It knows no erf.
  }
  void kernel_of_one_instruction() {
    const features::Graph graph = kernel(kLoop, "sum");
    QCOMPARE(names(graph).split(' ').size(), 3);
    QVERIFY(names(graph).endsWith("sum!"));
    QVERIFY((graph.edges == std::vector<features::Edge>{{2, 0}, {2, 1}}));
    QVERIFY((features::opcodes(graph) == std::vector<uint8_t>{63, 63, 70}));
  }
  void kernel_of_nested_fusions() {
    constexpr auto kNested = R"(HloModule m
inner {
  q0 = f32[4] parameter(0)
  q1 = f32[4] parameter(1)
  d = f32[4] subtract(q1, q0)
  ROOT e = f32[4] exponential(d)
}
pass {
  ROOT same = f32[4] parameter(0)
}
outer {
  p0 = f32[4] parameter(0)
  p1 = f32[4] parameter(1)
  f = f32[4] fusion(p0, p1), kind=kLoop, calls=inner
  g = f32[4] fusion(f), kind=kLoop, calls=pass
  ROOT m = f32[4] multiply(g, p0)
}
ENTRY main {
  a = f32[4] parameter(0)
  b = f32[4] parameter(1)
  ROOT k = f32[4] fusion(a, b), kind=kLoop, calls=outer
}
)";
    const features::Graph graph = kernel(kNested, "k");
    QCOMPARE(names(graph), QStringLiteral("p0 p1 d e m!"));
    QCOMPARE(edges(graph), QStringLiteral("d<p0 d<p1 e<d m<p0 m<e"));
    const std::vector<float> whole =
        features::kernel_static_features(*parse(kNested), parse(kNested)->find_instruction("k"));
    // XLA counts a parameter that a fusion inside and another instruction read twice.
    const std::vector<float> expected = {8, 48, 16, 4};
    for (size_t i = 0; i < 4; ++i) QCOMPARE(whole[i], expected[i]);
  }
  // 2^60 instructions, were all opened.
  void fusions_that_double_sixty_times_end() {
    std::string text =
        "HloModule m\nlevel0 { p = f32[4] parameter(0)\n ROOT n = f32[4] negate(p) }\n";
    for (int i = 1; i <= 60; ++i) {
      const std::string callee = "level" + std::to_string(i - 1);
      text += "level" + std::to_string(i) + " { p = f32[4] parameter(0)\n a = f32[4] fusion(p), " +
              "kind=kLoop, calls=" + callee +
              "\n ROOT b = f32[4] fusion(a), kind=kLoop, calls=" + callee + " }\n";
    }
    text +=
        "ENTRY e { p = f32[4] parameter(0)\n ROOT k = f32[4] fusion(p), kind=kLoop, calls=level60 "
        "}";
    const features::Graph graph = kernel(text.c_str(), "k");
    QVERIFY(graph.nodes.size() > 1000);
    QVERIFY(graph.nodes.size() < (size_t{1} << 21));
  }
};

HLOSCOPE_TEST(TestGraphs);
#include "test_graphs.moc"
