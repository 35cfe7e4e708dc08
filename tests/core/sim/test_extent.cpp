#include "core/sim/extent.h"

#include <algorithm>
#include <functional>
#include <set>

#include "core/base/rng.h"
#include "tests/core/sim/random_number.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using sim::ExtentId;
using sim::Extents;
using sim::LoopId;
using sim::Range;
using testing::between;

namespace {

using Positions = std::set<int64_t>;

Range random_range(Rng& rng, int64_t size) {
  const int64_t low = between(rng, 0, size - 1);
  return {low, between(rng, low + 1, size)};
}

Positions positions(Range range) {
  Positions out;
  for (int64_t i = range.low; i < range.high; ++i) out.insert(i);
  return out;
}

Positions mapped(const Positions& in, const std::function<int64_t(int64_t)>& f) {
  Positions out;
  for (int64_t i : in) out.insert(f(i));
  return out;
}

Positions inside(const Positions& in, int64_t size) {
  Positions out;
  for (int64_t i : in) {
    if (i >= 0 && i < size) out.insert(i);
  }
  return out;
}

// The smallest range around the positions, cut to the dimension.
Range hull_of(const Positions& in, int64_t size) {
  const int64_t low = std::clamp<int64_t>(*in.begin(), 0, size);
  return {low, std::clamp<int64_t>(*in.rbegin() + 1, low, size)};
}

bool same(Range a, Range b) {
  return a == b || (a.size() == 0 && b.size() == 0);
}

bool holds(Range range, const Positions& in) {
  return in.empty() || (range.low <= *in.begin() && *in.rbegin() < range.high);
}

QByteArray text(Range got, Range expected) {
  return QStringLiteral("%1..%2, expected %3..%4")
      .arg(got.low)
      .arg(got.high)
      .arg(expected.low)
      .arg(expected.high)
      .toUtf8();
}

// One extent over loop 0 with a random tile, and what it must be.
struct OneLoop {
  explicit OneLoop(Rng& rng, int64_t largest)
      : size(between(rng, 1, largest)), tile{random_range(rng, size)} {
    id = extents.loop(size, LoopId(0));
  }
  Range value(ExtentId of) const { return extents.evaluate(of, tile); }

  Extents extents;
  int64_t size;
  std::vector<Range> tile;
  ExtentId id;
};

// A random expression together with the positions that it stands for, worked out one by one.
struct Expression {
  ExtentId id;
  int64_t size;
  Positions positions;
};

Expression grown(Rng& rng, Extents& extents, const Expression& a, const Expression& b) {
  const int64_t size = between(rng, 1, 40);
  const int64_t k = between(rng, 1, 5);
  const int64_t offset = between(rng, -20, 20);
  switch (rng.below(6)) {
    case 0:
      return {extents.affine(size, a.id, k, offset), size,
              inside(mapped(a.positions, [&](int64_t i) { return i * k + offset; }), size)};
    case 1:
      return {extents.reversed(a.size, a.id), a.size,
              mapped(a.positions, [&](int64_t i) { return a.size - 1 - i; })};
    case 2: {
      const int64_t quotients = (a.size + k - 1) / k;
      return {extents.quotient(quotients, a.id, k), quotients,
              mapped(a.positions, [&](int64_t i) { return i / k; })};
    }
    case 3:
      return {extents.remainder(k, a.id), k, mapped(a.positions, [&](int64_t i) { return i % k; })};
    case 4: {
      Positions joined;
      for (int64_t outer : a.positions) {
        for (int64_t inner : b.positions) joined.insert(outer * b.size + inner);
      }
      return {extents.joined(a.size * b.size, a.id, b.id, b.size), a.size * b.size, joined};
    }
    default: {
      const int64_t larger = std::max(a.size, b.size);
      Positions both = a.positions;
      both.insert(b.positions.begin(), b.positions.end());
      return {extents.hull(larger, a.id, b.id), larger, both};
    }
  }
}

}  // namespace

class TestExtent : public QObject {
  Q_OBJECT
 private slots:
  void equal_expressions_have_equal_ids() {
    Extents extents;
    const ExtentId a = extents.loop(10, LoopId(0));
    QCOMPARE(extents.loop(10, LoopId(0)), a);
    QVERIFY(extents.loop(10, LoopId(1)) != a);
    QCOMPARE(extents.affine(20, a, 2, 1), extents.affine(20, a, 2, 1));
    QVERIFY(extents.affine(20, a, 2, 1) != extents.affine(20, a, 2, 2));
    QCOMPARE(extents.affine(10, a, 1, 0), a);
    QCOMPARE(extents.hull(10, a, a), a);
  }
  void loops_of_an_expression_are_those_of_its_parts() {
    Extents extents;
    const ExtentId a = extents.loop(4, LoopId(0));
    const ExtentId b = extents.loop(8, LoopId(5));
    QCOMPARE(extents.loops(extents.joined(32, a, b, 8)), uint64_t{1} | uint64_t{1} << 5);
    QCOMPARE(extents.loops(extents.whole(9)), uint64_t{0});
  }
  // A 3x3 window with padding 1 at rows 4..7 of 12 reads rows 3..8; at the first rows it is cut.
  void window_of_a_convolution() {
    Extents extents;
    const ExtentId out = extents.loop(12, LoopId(0));
    const ExtentId w = extents.window(12, out, extents.whole(3), {.pad_low = 1});
    QCOMPARE(extents.evaluate(w, std::vector<Range>{{4, 8}}), (Range{3, 9}));
    QCOMPARE(extents.evaluate(w, std::vector<Range>{{0, 2}}), (Range{0, 3}));
    QCOMPARE(extents.evaluate(w, std::vector<Range>{{10, 12}}), (Range{9, 12}));
  }
  void a_window_in_the_padding_moves_one_position() {
    Extents extents;
    const ExtentId out = extents.loop(100, LoopId(0));
    const ExtentId w = extents.window(10, out, extents.whole(1), {.pad_low = 50});
    QCOMPARE(extents.evaluate(w, std::vector<Range>{{0, 5}}), (Range{0, 1}));
    QCOMPARE(extents.evaluate(w, std::vector<Range>{{90, 95}}), (Range{9, 10}));
  }
  void windows_against_brute_force() {
    Rng rng(1);
    for (int round = 0; round < 5000; ++round) {
      OneLoop loop(rng, 30);
      const Range taps = random_range(rng, between(rng, 1, 7));
      const sim::WindowReach reach = {between(rng, 1, 4), between(rng, 1, 4), between(rng, -5, 9),
                                      between(rng, 1, 4)};
      const int64_t size = between(rng, 1, 60);
      const ExtentId id =
          loop.extents.window(size, loop.id, loop.extents.fixed(taps.high, taps), reach);
      Positions read;
      int64_t first = INT64_MAX;
      int64_t last = INT64_MIN;
      for (int64_t o = loop.tile[0].low; o < loop.tile[0].high; ++o) {
        for (int64_t t = taps.low; t < taps.high; ++t) {
          const int64_t at = o * reach.stride + t * reach.dilation - reach.pad_low;
          first = std::min(first, at);
          last = std::max(last, at);
          if (at >= 0 && at % reach.base_dilation == 0) read.insert(at / reach.base_dilation);
        }
      }
      const Range got = loop.value(id);
      QVERIFY(got.size() >= 1 && got.low >= 0 && got.high <= size);
      QVERIFY(holds(got, inside(read, size)));
      Positions between_ends;  // Of the input, from the first to the last position that is read.
      for (int64_t p = 0; p < size; ++p) {
        const int64_t at = p * reach.base_dilation;
        if (at >= first && at <= last) between_ends.insert(p);
      }
      if (between_ends.empty()) {
        QCOMPARE(got.size(), int64_t{1});
      } else {
        const Range expected = hull_of(between_ends, size);
        QVERIFY2(got == expected, text(got, expected));
      }
    }
  }
  void simple_expressions_against_brute_force() {
    Rng rng(2);
    for (int round = 0; round < 5000; ++round) {
      OneLoop loop(rng, 40);
      Extents& e = loop.extents;
      const Positions tile = positions(loop.tile[0]);
      const int64_t size = between(rng, 1, 60);
      const int64_t k = between(rng, 1, 6);
      const int64_t offset = between(rng, -50, 50);
      const auto check = [&](ExtentId id, int64_t of, const std::function<int64_t(int64_t)>& f) {
        const Range expected = hull_of(mapped(tile, f), of);
        const Range got = loop.value(id);
        if (!same(got, expected)) qFatal("%s", text(got, expected).constData());
        return true;
      };
      QVERIFY(check(e.affine(size, loop.id, k, offset), size,
                    [&](int64_t i) { return i * k + offset; }));
      QVERIFY(check(e.reversed(loop.size, loop.id), loop.size,
                    [&](int64_t i) { return loop.size - 1 - i; }));
      QVERIFY(check(e.quotient(size, loop.id, k), size, [&](int64_t i) { return i / k; }));
      QVERIFY(check(e.remainder(k, loop.id), k, [&](int64_t i) { return i % k; }));
    }
  }
  void joined_and_hull_against_brute_force() {
    Rng rng(3);
    for (int round = 0; round < 5000; ++round) {
      Extents e;
      const int64_t outer_size = between(rng, 1, 9);
      const int64_t inner_size = between(rng, 1, 9);
      const std::vector<Range> tile = {random_range(rng, outer_size),
                                       random_range(rng, inner_size)};
      const ExtentId outer = e.loop(outer_size, LoopId(0));
      const ExtentId inner = e.loop(inner_size, LoopId(1));
      Positions joined;
      Positions both = positions(tile[0]);
      for (int64_t o : positions(tile[0])) {
        for (int64_t i : positions(tile[1])) joined.insert(o * inner_size + i);
      }
      both.merge(positions(tile[1]));
      const int64_t size = outer_size * inner_size;
      QCOMPARE(e.evaluate(e.joined(size, outer, inner, inner_size), tile), hull_of(joined, size));
      QCOMPARE(e.evaluate(e.hull(size, outer, inner), tile), hull_of(both, size));
    }
  }
  // However deep: the range holds every position, and lies in the dimension.
  void nested_expressions_hold_all_positions() {
    Rng rng(4);
    for (int round = 0; round < 2000; ++round) {
      Extents e;
      std::vector<Range> tile;
      std::vector<Expression> known;
      for (uint32_t l = 0; l < 3; ++l) {
        const int64_t size = between(rng, 1, 20);
        tile.push_back(random_range(rng, size));
        known.push_back({e.loop(size, LoopId(l)), size, positions(tile[l])});
      }
      for (int step = 0; step < 8; ++step) {
        const Expression& a = known[rng.below(known.size())];
        const Expression& b = known[rng.below(known.size())];
        if (a.size * b.size > 2000) continue;
        known.push_back(grown(rng, e, a, b));
        const Range got = e.evaluate(known.back().id, tile);
        QVERIFY(got.low >= 0 && got.high <= std::max<int64_t>(known.back().size, 0));
        QVERIFY(holds(got, known.back().positions));
      }
    }
  }
  void sizes_are_cut_so_that_products_fit() {
    Extents e;
    const ExtentId huge = e.whole(INT64_MAX);
    QCOMPARE(e.size(huge), sim::kMaxExtent);
    QCOMPARE(e.evaluate(huge, {}), (Range{0, sim::kMaxExtent}));
    const ExtentId far = e.affine(INT64_MAX, huge, INT64_MAX, INT64_MIN);
    QVERIFY(e.evaluate(far, {}).high <= sim::kMaxExtent);
    const ExtentId window =
        e.window(INT64_MAX, huge, huge, {INT64_MAX, INT64_MAX, INT64_MIN, INT64_MAX});
    QVERIFY(e.evaluate(window, {}).size() >= 1);
    QCOMPARE(e.evaluate(e.whole(0), {}).size(), int64_t{0});
    QCOMPARE(e.evaluate(e.whole(-5), {}).size(), int64_t{0});
  }
};

HLOSCOPE_TEST(TestExtent);
#include "test_extent.moc"
