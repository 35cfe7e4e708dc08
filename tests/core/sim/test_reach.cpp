#include <functional>
#include <optional>

#include "core/base/rng.h"
#include "tests/core/sim/random_number.h"
#include "tests/core/sim/sim_fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using testing::between;

// What a tile of the result needs of an operand, against its elements one by one.
namespace {

using Place = std::vector<int64_t>;
/// Of an element of the result: the element of the operand that it is, if it is one of it.
using Source = std::function<std::optional<Place>(const Place&)>;

Place unravel(int64_t at, const Place& sizes) {
  Place out(sizes.size());
  for (size_t d = sizes.size(); d-- > 0; at /= sizes[d]) out[d] = at % sizes[d];
  return out;
}

int64_t ravel(const Place& index, const Place& sizes) {
  int64_t at = 0;
  for (size_t d = 0; d < sizes.size(); ++d) at = at * sizes[d] + index[d];
  return at;
}

std::optional<Place> inside(Place index, const Place& sizes) {
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (index[d] < 0 || index[d] >= sizes[d]) return std::nullopt;
  }
  return index;
}

void each_index(const std::vector<sim::Range>& box, const std::function<void(const Place&)>& call) {
  Place at;
  for (const sim::Range& range : box) at.push_back(range.low);
  while (true) {
    call(at);
    size_t d = at.size();
    while (d > 0 && at[d - 1] + 1 == box[d - 1].high) {
      --d;
      at[d] = box[d].low;
    }
    if (d == 0) return;
    ++at[d - 1];
  }
}

// The ranges that random tiles of the result need of the operand named `a` hold all its elements in
// them; where `is_tight`, not one position more along any dimension.
void check(const std::string& lines, const Place& result, bool is_tight, const Source& source,
           const std::string& body = "") {
  const std::string text = "HloModule m\n" + body + "ENTRY e {\n" + lines + "}\n";
  const testing::OneKernel k = testing::one_kernel(text);
  const auto operand = std::find_if(k.model.streams.begin(), k.model.streams.end(),
                                    [](const sim::Stream& s) { return s.name == "a"; });
  QVERIFY2(operand != k.model.streams.end(), text.c_str());
  QCOMPARE(k.model.loops.size(), result.size());
  Rng rng(result.size());
  for (int round = 0; round < 20; ++round) {
    std::vector<sim::Range> tile;
    for (int64_t size : result) {
      const int64_t low = between(rng, 0, size - 1);
      tile.push_back({low, between(rng, low + 1, size)});
    }
    std::vector<sim::Range> needed(operand->dims.size(), {INT64_MAX, INT64_MIN});
    bool any = false;
    each_index(tile, [&](const Place& out) {
      const auto at = source(out);
      if (!at) return;
      any = true;
      for (size_t d = 0; d < needed.size(); ++d) {
        needed[d] = {std::min(needed[d].low, (*at)[d]), std::max(needed[d].high, (*at)[d] + 1)};
      }
    });
    for (size_t d = 0; any && d < needed.size(); ++d) {
      const sim::Range got = k.model.extents.evaluate(operand->dims[d].extent, tile);
      QVERIFY2(got.low <= needed[d].low && got.high >= needed[d].high, text.c_str());
      if (is_tight) QVERIFY2(got == needed[d], text.c_str());
    }
  }
}

}  // namespace

class TestReach : public QObject {
  Q_OBJECT
 private slots:
  void transpose() {
    check("a = f32[5,7,9] parameter(0)\nROOT r = f32[9,5,7] transpose(a), dimensions={2,0,1}\n",
          {9, 5, 7}, true, [](const Place& o) {
            return Place{o[1], o[2], o[0]};
          });
  }
  void broadcast() {
    check("a = f32[5,9] parameter(0)\nROOT r = f32[5,7,9] broadcast(a), dimensions={0,2}\n",
          {5, 7, 9}, true, [](const Place& o) {
            return Place{o[0], o[2]};
          });
  }
  void reverse() {
    check("a = f32[5,9] parameter(0)\nROOT r = f32[5,9] reverse(a), dimensions={1}\n", {5, 9}, true,
          [](const Place& o) {
            return Place{o[0], 8 - o[1]};
          });
  }
  void slice() {
    check("a = f32[20,30] parameter(0)\nROOT r = f32[5,9] slice(a), slice={[3:18:3], [2:20:2]}\n",
          {5, 9}, true, [](const Place& o) {
            return Place{3 + 3 * o[0], 2 + 2 * o[1]};
          });
  }
  void pad() {
    check(
        "a = f32[5,9] parameter(0)\nz = f32[] constant(0)\n"
        "ROOT r = f32[8,10] pad(a, z), padding=2_1x-1_2\n",
        {8, 10}, true, [](const Place& o) {
          return inside({o[0] - 2, o[1] + 1}, {5, 9});
        });
  }
  void interior_padding() {
    check(
        "a = f32[5,9] parameter(0)\nz = f32[] constant(0)\n"
        "ROOT r = f32[14,9] pad(a, z), padding=1_0_2x0_0_0\n",
        {14, 9}, true, [](const Place& o) -> std::optional<Place> {
          if ((o[0] - 1) % 3 != 0) return std::nullopt;
          return inside({(o[0] - 1) / 3, o[1]}, {5, 9});
        });
  }
  void concatenate() {
    check(
        "b = f32[4,9] parameter(0)\na = f32[5,9] parameter(1)\n"
        "ROOT r = f32[13,9] concatenate(b, a, b), dimensions={0}\n",
        {13, 9}, true, [](const Place& o) {
          return inside({o[0] - 4, o[1]}, {5, 9});
        });
  }
  void reshape_data() {
    QTest::addColumn<QList<int>>("from");
    QTest::addColumn<QList<int>>("to");
    QTest::addColumn<bool>("is_tight");
    QTest::newRow("one split") << QList<int>{5, 24} << QList<int>{5, 4, 6} << false;
    QTest::newRow("two merged") << QList<int>{5, 4, 6} << QList<int>{5, 24} << false;
    QTest::newRow("moved by a factor") << QList<int>{4, 6, 5} << QList<int>{8, 3, 5} << false;
    QTest::newRow("dimensions of 1") << QList<int>{5, 1, 7} << QList<int>{1, 5, 7, 1} << true;
    QTest::newRow("no common factor") << QList<int>{6, 35} << QList<int>{10, 21} << false;
    QTest::newRow("two groups") << QList<int>{6, 4, 3, 8} << QList<int>{24, 24} << false;
    QTest::newRow("all in one") << QList<int>{3, 4, 5, 2} << QList<int>{2, 60} << false;
  }
  void reshape() {
    QFETCH(QList<int>, from);
    QFETCH(QList<int>, to);
    QFETCH(bool, is_tight);
    const auto text = [](const QList<int>& sizes) {
      std::string out;
      for (int size : sizes) out += (out.empty() ? "" : ",") + std::to_string(size);
      return "f32[" + out + "]";
    };
    const Place from_sizes(from.begin(), from.end());
    const Place to_sizes(to.begin(), to.end());
    // In a fusion, as some of these are no kernels by themselves.
    check(
        "a = " + text(from) + " parameter(0)\nROOT r = " + text(to) +
            " fusion(a), kind=kLoop, calls=f\n",
        to_sizes, is_tight, [&](const Place& o) { return unravel(ravel(o, to_sizes), from_sizes); },
        "f {\np = " + text(from) + " parameter(0)\nROOT v = " + text(to) + " reshape(p)\n}\n");
  }
  // Inside a fusion each step takes the ranges of the one behind it on.
  void a_chain_of_moves() {
    check(
        "a = f32[12,10] parameter(0)\nROOT r = f32[6,12] fusion(a), kind=kLoop, calls=f\n", {6, 12},
        true,
        [](const Place& o) {
          return Place{o[1], 2 + 5 - o[0]};
        },
        "f {\np = f32[12,10] parameter(0)\nt = f32[10,12] transpose(p), dimensions={1,0}\n"
        "s = f32[6,12] slice(t), slice={[2:8], [0:12]}\n"
        "ROOT v = f32[6,12] reverse(s), dimensions={0}\n}\n");
  }
};

HLOSCOPE_TEST(TestReach);
#include "test_reach.moc"
