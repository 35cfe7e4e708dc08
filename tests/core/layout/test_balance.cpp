#include <algorithm>

#include "core/layout/balance.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using layout::Box;
using layout::BoxId;
using layout::Link;
using layout::VertexId;

namespace {

struct Drawing {
  IndexedVector<BoxId, Box> boxes;
  std::vector<Link> links;

  uint32_t box(uint32_t layer) {
    Box box;
    box.layer = layer;
    boxes.push_back(box);
    return static_cast<uint32_t>(boxes.size() - 1);
  }
  void link(uint32_t from, uint32_t to) { links.push_back({VertexId(from), VertexId(to)}); }
  void pair(uint32_t upper_layer, uint32_t lower_layer) {
    const uint32_t from = box(upper_layer);
    link(from, box(lower_layer));
  }
  uint32_t layer(uint32_t i) const { return boxes[BoxId(i)].layer; }
  /// Boxes by layer.
  std::vector<uint32_t> fill() const {
    std::vector<uint32_t> out;
    for (const Box& b : boxes) {
      if (b.layer >= out.size()) out.resize(b.layer + 1, 0);
      ++out[b.layer];
    }
    return out;
  }
};

}  // namespace

class TestBalance : public QObject {
  Q_OBJECT
 private slots:
  void empty_layers_go() {
    Drawing d;
    d.pair(3, 7);
    QCOMPARE(layout::balance_layers(d.boxes, d.links), 2U);
    QCOMPARE(d.layer(0), 0U);
    QCOMPARE(d.layer(1), 1U);
    Drawing none;
    QCOMPARE(layout::balance_layers(none.boxes, none.links), 0U);
  }

  void small_parts_spread_over_the_height_of_the_largest() {
    // A chain of 100 boxes, and 100 pairs that all stand in the first two layers.
    Drawing d;
    for (uint32_t i = 0; i < 100; ++i) {
      const uint32_t box = d.box(i);
      if (i > 0) d.link(box - 1, box);
    }
    for (int i = 0; i < 100; ++i) d.pair(0, 1);
    QCOMPARE(layout::balance_layers(d.boxes, d.links), 100U);
    for (uint32_t i = 0; i < 100; ++i) QCOMPARE(d.layer(i), i);
    for (uint32_t i = 100; i < 300; i += 2) QCOMPARE(d.layer(i + 1), d.layer(i) + 1);
    const auto fill = d.fill();
    QVERIFY(*std::ranges::max_element(fill) <= 5);
  }

  void wide_layers_become_several() {
    // 300 boxes below one: more than 12 rows would be too many lines between them.
    Drawing d;
    const uint32_t top = d.box(0);
    for (int i = 0; i < 300; ++i) d.link(top, d.box(1));
    const uint32_t last = d.box(2);
    d.link(1, last);
    const uint32_t layers = layout::balance_layers(d.boxes, d.links);
    QVERIFY(layers > 10 && layers <= 14);
    for (uint32_t i = 1; i <= 300; ++i) {
      QVERIFY(d.layer(i) > d.layer(top) && d.layer(i) < d.layer(last));
    }
    const auto fill = d.fill();
    QVERIFY(*std::ranges::max_element(fill) <= 30);
  }
};

HLOSCOPE_TEST(TestBalance);
#include "test_balance.moc"
