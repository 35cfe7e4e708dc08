#include <algorithm>

#include "core/layout/fold.h"
#include "core/layout/layered.h"
#include "tests/core/layout/synthetic.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using layout::Box;
using layout::BoxId;
using layout::Placement;

namespace {

Placement layered(const layout::Graph& graph) {
  auto placement = layout::LayeredLayout().place(graph, Progress());
  if (!placement) qFatal("%s", placement.error().message.c_str());
  return std::move(*placement);
}

layout::Graph chain(uint32_t nodes) {
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  for (uint32_t i = 0; i + 1 < nodes; ++i) edges.emplace_back(i, i + 1);
  return testing::graph_of(nodes, edges);
}

double aspect(const Placement& p) {
  return p.bounds.width() / p.bounds.height();
}

/// Empty, or what is wrong: boxes that overlap, lines that end elsewhere than at their boxes.
QString fold_problem_of(const Placement& p) {
  std::vector<const Box*> by_top;
  for (const Box& box : p.boxes) by_top.push_back(&box);
  std::ranges::sort(by_top, {}, [](const Box* box) { return box->rect.top; });
  for (size_t i = 0; i < by_top.size(); ++i) {
    for (size_t k = i + 1; k < by_top.size(); ++k) {
      if (by_top[k]->rect.top >= by_top[i]->rect.bottom) break;
      if (by_top[k]->rect.intersects(by_top[i]->rect)) return "boxes overlap";
    }
  }
  for (const layout::Route& route : p.routes) {
    const auto line = p.line(route);
    if (line.size() < 2) return "a line without length";
    const layout::Rect from = p.boxes[route.from].rect;
    const layout::Rect to = p.boxes[route.to].rect;
    if (std::abs(line.front().y - from.bottom) > 0.1F) return "a line begins elsewhere";
    if (std::abs(line.back().y - to.top) > 0.1F) return "a line ends elsewhere";
    if (!from.contains({line.front().x, from.center_y()})) return "a line begins beside its box";
    if (!to.contains({line.back().x, to.center_y()})) return "a line ends beside its box";
    if (line[line.size() - 2].y > line.back().y) return "a line arrives from below";
    for (const layout::Point point : line) {
      if (!p.bounds.contains(point)) return "a line leaves the bounds";
    }
  }
  return {};
}

}  // namespace

class TestFold : public QObject {
  Q_OBJECT
 private slots:
  void deep_chain_becomes_columns() {
    const Placement tall = layered(chain(400));
    QVERIFY(aspect(tall) < 0.01);
    const Placement p = layout::fold(tall);
    QCOMPARE(fold_problem_of(p), QString());
    QVERIFY(p.columns > 5);
    QVERIFY2(aspect(p) > 1 && aspect(p) < 2.6, qPrintable(QString::number(aspect(p))));
    // Reading order: each column starts at the top, right of the one before.
    const Box* last = &p.boxes[BoxId(0)];
    uint32_t jumps = 0;
    for (uint32_t i = 1; i < 400; ++i) {
      const Box& box = p.boxes[BoxId(i)];
      if (box.rect.top < last->rect.top) {
        ++jumps;
        QVERIFY(box.rect.left > last->rect.right);
      } else {
        QCOMPARE(box.rect.left, last->rect.left);
      }
      last = &box;
    }
    QCOMPARE(jumps + 1, p.columns);
  }

  void small_and_wide_drawings_stay_as_they_are() {
    QCOMPARE(layout::fold(layered(chain(12))).columns, 1U);
    const Placement wide = layered(testing::square(40, 60, 4000));
    QCOMPARE(layout::fold(wide).columns, 1U);
    QCOMPARE(layout::fold(Placement()).boxes.size(), size_t{0});
  }

  void cuts_lie_where_few_lines_pass() {
    // 120 layers in a chain; beside the middle, where an even cut would lie, three more chains.
    testing::GraphSketch sketch;
    uint32_t last = sketch.node();
    for (int i = 0; i < 120; ++i) {
      const uint32_t next = sketch.node();
      sketch.edge(last, next);
      last = next;
    }
    for (int k = 0; k < 3; ++k) {
      uint32_t side = 56;
      for (int i = 0; i < 7; ++i) {
        const uint32_t next = sketch.node();
        sketch.edge(side, next);
        side = next;
      }
      sketch.edge(side, 64);
    }
    const Placement tall = layered(sketch.graph());
    layout::FoldOptions options;
    options.aspect = 0.2;  // Two columns.
    const Placement p = layout::fold(tall, options);
    QCOMPARE(p.columns, 2U);
    // Nodes 56 to 64 stand in one column.
    for (uint32_t i = 57; i <= 64; ++i) {
      QVERIFY(p.boxes[BoxId(i)].rect.top > p.boxes[BoxId(i - 1)].rect.top);
    }
  }

  void lines_of_large_graphs_find_their_boxes_data() {
    QTest::addColumn<int>("nodes");
    QTest::addColumn<bool>("train");
    QTest::newRow("1k inference") << 1000 << false;
    QTest::newRow("1k training") << 1000 << true;
    QTest::newRow("40k training") << 40000 << true;
  }
  void lines_of_large_graphs_find_their_boxes() {
    QFETCH(int, nodes);
    QFETCH(bool, train);
    const layout::Graph graph = testing::transformer(static_cast<uint32_t>(nodes), train);
    const auto p = layout::standard_layout()->place(graph, Progress());
    QVERIFY(p);
    QCOMPARE(fold_problem_of(*p), QString());
    QVERIFY2(aspect(*p) > 0.8 && aspect(*p) < 3, qPrintable(QString::number(aspect(*p))));
  }

  void stops_when_asked() {
    std::stop_source source;
    source.request_stop();
    const auto p = layout::standard_layout()->place(chain(5), Progress(source.get_token()));
    QVERIFY(!p);
    QCOMPARE(p.error().code, ErrorCode::kCancelled);
  }
};

HLOSCOPE_TEST(TestFold);
#include "test_fold.moc"
