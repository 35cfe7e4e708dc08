#include <algorithm>
#include <string>

#include "core/layout/layered.h"
#include "tests/core/layout/synthetic.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using layout::Box;
using layout::BoxId;
using layout::NodeId;
using layout::Placement;
using testing::graph_of;

namespace {

Placement placed(const layout::Graph& graph, const layout::LayeredOptions& options = {}) {
  auto placement = layout::LayeredLayout(options).place(graph, Progress());
  if (!placement) qFatal("%s", placement.error().message.c_str());
  return std::move(*placement);
}

/// Empty, or what is wrong with the drawing: overlapping boxes, lines that do not run down from one
/// box to the other, lines that leave the bounds.
QString problem_of(const Placement& p) {
  std::vector<std::vector<const Box*>> layers(p.layer_count);
  for (const Box& box : p.boxes) layers[box.layer].push_back(&box);
  float bottom = -1e9F;
  for (auto& layer : layers) {
    std::ranges::sort(layer, {}, [](const Box* box) { return box->rect.left; });
    float lowest = bottom;
    for (size_t i = 0; i < layer.size(); ++i) {
      if (i > 0 && layer[i - 1]->rect.right > layer[i]->rect.left + 0.01F) return "boxes overlap";
      if (layer[i]->rect.top <= bottom) return "layers overlap";
      lowest = std::max(lowest, layer[i]->rect.bottom);
    }
    bottom = lowest;
  }
  for (const layout::Route& route : p.routes) {
    const auto line = p.line(route);
    if (line.size() < 2) return "a line without length";
    const layout::Rect from = p.boxes[route.from].rect;
    const layout::Rect to = p.boxes[route.to].rect;
    if (line.front().y != from.bottom || line.back().y != to.top) return "a line ends elsewhere";
    if (line.front().x < from.left || line.front().x > from.right) return "leaves beside its box";
    if (line.back().x < to.left || line.back().x > to.right) return "arrives beside its box";
    for (size_t i = 0; i < line.size(); ++i) {
      if (i > 0 && line[i].y < line[i - 1].y - 0.01F) return "a line runs upwards";
      if (line[i].x < p.bounds.left || line[i].x > p.bounds.right) return "outside of the bounds";
    }
  }
  return "";
}

/// Every edge of the graph is either drawn once, between pictures of its ends, or cut.
QString lost_edges(const layout::Graph& graph, const Placement& p) {
  std::vector<int> drawn(graph.edges.size(), 0);
  for (const layout::Route& route : p.routes) {
    if (route.edge != layout::Route::kNoEdge) ++drawn[route.edge];
  }
  uint64_t missing = 0;
  for (const int count : drawn) {
    if (count > 1) return "an edge is drawn twice";
    missing += count == 0;
  }
  uint64_t outgoing = 0;
  uint64_t incoming = 0;
  for (const Box& box : p.boxes) {
    if (box.kind == Box::Kind::kPort) (box.outgoing ? outgoing : incoming) += box.count;
  }
  if (missing != outgoing || missing != incoming) return "ports do not match the cut edges";
  return "";
}

}  // namespace

class TestLayered : public QObject {
  Q_OBJECT
 private slots:
  void empty_graph() {
    const Placement p = placed({});
    QCOMPARE(p.boxes.size(), size_t{0});
    QCOMPARE(p.bounds, layout::Rect());
  }

  void one_node_stands_alone() {
    const Placement p = placed(graph_of(1, {}));
    QCOMPARE(p.boxes.size(), size_t{1});
    QCOMPARE(p.bounds.width(), 184.F);
    QCOMPARE(p.bounds.height(), 38.F);
    QVERIFY(p.routes.empty());
  }

  void chain_is_one_straight_column() {
    const Placement p = placed(graph_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}));
    QCOMPARE(problem_of(p), QString());
    QCOMPARE(p.layer_count, 5U);
    QCOMPARE(p.bounds.width(), 184.F);
    for (const layout::Route& route : p.routes) QCOMPARE(route.point_count, 2U);
  }

  void cycle_is_an_error() {
    const auto p = layout::LayeredLayout().place(graph_of(3, {{0, 1}, {1, 2}, {2, 0}}), Progress());
    QVERIFY(!p);
    QCOMPARE(p.error().code, ErrorCode::kInvalidInput);
  }

  void crossings_that_can_be_avoided_are_avoided() {
    // Pairs in reverse order: K2,2-free, so an order without crossings exists.
    QCOMPARE(placed(graph_of(8, {{0, 7}, {1, 6}, {2, 5}, {3, 4}})).crossings, uint64_t{0});
    // A binary tree is planar.
    QCOMPARE(placed(graph_of(7, {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}, {2, 6}})).crossings,
             uint64_t{0});
  }

  void crossings_of_complete_bipartite_graphs() {
    // Two layers of m and n vertices, all joined: every pair crosses with every pair, so the number
    // is C(m,2) C(n,2) in any order.
    const Placement k33 = placed(
        graph_of(6, {{0, 3}, {0, 4}, {0, 5}, {1, 3}, {1, 4}, {1, 5}, {2, 3}, {2, 4}, {2, 5}}));
    QCOMPARE(k33.crossings, uint64_t{9});
    const Placement k22 = placed(graph_of(4, {{0, 2}, {0, 3}, {1, 2}, {1, 3}}));
    QCOMPARE(k22.crossings, uint64_t{1});
  }

  void parameter_of_a_late_user_stands_just_above_it() {
    // 0 -> 1 -> 2 -> 3 -> 4 is the chain; 5 is used by 4 only.
    const Placement p = placed(graph_of(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {5, 4}}));
    QCOMPARE(p.boxes[BoxId(5)].layer, 3U);
  }

  void hub_constant_is_drawn_beside_each_user() {
    testing::GraphSketch sketch;
    const uint32_t hub = sketch.node(true);
    uint32_t last = sketch.node();
    for (int i = 0; i < 9; ++i) {
      const uint32_t next = sketch.node();
      sketch.edge(last, next);
      sketch.edge(hub, next);
      last = next;
    }
    const layout::Graph graph = sketch.graph();
    const Placement p = placed(graph);
    QCOMPARE(problem_of(p), QString());
    QCOMPARE(lost_edges(graph, p), QString());
    int pictures = 0;
    for (const Box& box : p.boxes) pictures += box.node == NodeId(hub);
    QCOMPARE(pictures, 9);
    for (const layout::Route& route : p.routes) {
      QCOMPARE(p.boxes[route.to].layer, p.boxes[route.from].layer + 1);
    }
  }

  void long_edge_is_cut_into_two_ports() {
    testing::GraphSketch sketch;
    const uint32_t first = sketch.node();
    uint32_t last = first;
    for (int i = 0; i < 20; ++i) {
      const uint32_t next = sketch.node();
      sketch.edge(last, next);
      last = next;
    }
    sketch.edge(first, last);
    layout::Graph graph = sketch.graph();
    graph.port_widths.resize(graph.sizes.size(), 50);
    const Placement p = placed(graph);
    QCOMPARE(problem_of(p), QString());
    QCOMPARE(lost_edges(graph, p), QString());
    std::vector<Box> ports;
    std::ranges::copy_if(p.boxes.raw(), std::back_inserter(ports),
                         [](const Box& box) { return box.kind == Box::Kind::kPort; });
    QCOMPARE(ports.size(), size_t{2});
    QVERIFY(ports[0].outgoing);
    QCOMPARE(ports[0].owner, NodeId(first));
    QCOMPARE(ports[0].node, NodeId(last));
    QCOMPARE(ports[0].distance, 20U);
    QCOMPARE(ports[0].rect.width(), 50.F);
    QVERIFY(!ports[1].outgoing);
    QCOMPARE(ports[1].owner, NodeId(last));
    QCOMPARE(ports[1].layer, 19U);
  }

  void edge_of_a_few_layers_passes_beside_the_boxes() {
    const layout::Graph graph = graph_of(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}});
    const Placement p = placed(graph);
    QCOMPARE(problem_of(p), QString());
    const layout::Route& skip = p.routes[1];
    QCOMPARE(skip.to, BoxId(3));
    for (const layout::Point point : p.line(skip)) {
      QVERIFY(!p.boxes[BoxId(1)].rect.contains(point));
      QVERIFY(!p.boxes[BoxId(2)].rect.contains(point));
    }
  }

  void many_independent_nodes_do_not_form_one_line() {
    const Placement p = placed(graph_of(400, {}));
    QCOMPARE(problem_of(p), QString());
    QVERIFY(p.bounds.width() < 4 * p.bounds.height());
  }

  void star_with_many_operands() {
    testing::GraphSketch sketch;
    const uint32_t center = sketch.node();
    for (int i = 0; i < 5000; ++i) sketch.edge(sketch.node(), center);
    const layout::Graph graph = sketch.graph();
    const Placement p = placed(graph);
    QCOMPARE(problem_of(p), QString());
    QCOMPARE(lost_edges(graph, p), QString());
  }

  void large_graphs_are_drawn_soundly_data() {
    QTest::addColumn<int>("nodes");
    QTest::addColumn<bool>("train");
    QTest::newRow("1k inference") << 1000 << false;
    QTest::newRow("1k training") << 1000 << true;
    QTest::newRow("40k inference") << 40000 << false;
    QTest::newRow("40k training") << 40000 << true;
  }
  void large_graphs_are_drawn_soundly() {
    QFETCH(int, nodes);
    QFETCH(bool, train);
    const layout::Graph graph = testing::transformer(static_cast<uint32_t>(nodes), train);
    const Placement p = placed(graph);
    QCOMPARE(problem_of(p), QString());
    QCOMPARE(lost_edges(graph, p), QString());
    std::vector<int> boxes(p.layer_count, 0);
    for (const Box& box : p.boxes) ++boxes[box.layer];
    QCOMPARE(std::ranges::count(boxes, 0), 0);
    // Deep graphs do not drift sideways (a constant beside every eighth node would be enough for
    // 500,000 px over the 40k nodes), and clones and ports stay few.
    QVERIFY2(p.bounds.width() < 20000, qPrintable(QString::number(p.bounds.width())));
    QVERIFY(p.boxes.size() < 2 * graph.sizes.size());
  }

  void same_graph_gives_the_same_drawing() {
    const layout::Graph graph = testing::transformer(3000, true);
    const Placement a = placed(graph);
    const Placement b = placed(graph);
    QVERIFY(a.points == b.points);
    for (size_t i = 0; i < a.boxes.size(); ++i) {
      QCOMPARE(a.boxes[BoxId(i)].rect, b.boxes[BoxId(i)].rect);
    }
  }

  void stops_when_asked() {
    const layout::Graph graph = testing::transformer(3000, true);
    std::stop_source source;
    // Asks in the middle: at the second report of the ordering.
    int reports = 0;
    const Progress progress(source.get_token(), [&](double, std::string_view) {
      if (++reports == 3) source.request_stop();
    });
    const auto p = layout::LayeredLayout().place(graph, progress);
    QVERIFY(!p);
    QCOMPARE(p.error().code, ErrorCode::kCancelled);
    QCOMPARE(reports, 3);
  }
};

HLOSCOPE_TEST(TestLayered);
#include "test_layered.moc"
