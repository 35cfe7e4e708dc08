#include "core/sim/tile_space.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/sim/estimate.h"
#include "core/sim/simulate.h"
#include "tests/core/sim/random_kernel.h"
#include "tests/core/sim/sim_fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using Bounds = std::vector<int64_t>;

namespace {

// 5 x 3 x 4 x 3 bounds; the whole result is 3.75 MiB.
constexpr const char* kDot = R"(HloModule m
ENTRY e {
  a = f32[5,24,2048]{2,1,0:T(8,128)} parameter(0)
  b = f32[2048,512]{1,0:T(8,128)} parameter(1)
  ROOT r = f32[5,24,512]{2,1,0:T(8,128)} dot(a, b), lhs_contracting_dims={2}, rhs_contracting_dims={0}
})";

sim::Rates small_vmem(double bytes) {
  return sim::Rates(testing::with_constants(testing::fitted_v3(),
                                            {{"vmem_bytes", bytes}, {"vmem_reserved_bytes", 0}}));
}

bool has_pieces(const std::string& text) {
  return text.find(" reshape(") != std::string::npos ||
         text.find(" concatenate(") != std::string::npos || text.find(" pad(") != std::string::npos;
}

QByteArray message(const sim::TileSpace& space, const sim::Tile& tile) {
  const auto bounds = space.check(tile);
  return bounds ? QByteArray() : QByteArray::fromStdString(bounds.error().message);
}

}  // namespace

class TestTileSpace : public QObject {
  Q_OBJECT
 private slots:
  void count_is_the_number_of_listed_tiles() {
    Rng rng(21);
    int some = 0;
    int kernels = 0;
    while (kernels < 150) {
      const std::string text = testing::random_kernel(rng).text;
      const testing::OneKernel k = testing::one_kernel(text);
      const double vmem = 4096.0 * static_cast<double>(uint64_t{1} << rng.below(13));
      const sim::Rates rates = small_vmem(vmem);
      const sim::TileSpace space(k.model, rates);
      if (space.all_count() > 20000) continue;
      ++kernels;
      double listed = 0;
      Bounds last;
      space.each([&](const Bounds& bounds) {
        if (!space.fits(bounds) || !(last < bounds)) qFatal("each()");
        last = bounds;
        ++listed;
        return true;
      });
      const auto count = space.count();
      QVERIFY(count.has_value());
      // Where blocks lie across pieces and groups the footprint does not grow with every bound.
      if (has_pieces(text)) {
        QVERIFY2(std::abs(*count - listed) <= 0.25 * listed, text.c_str());
      } else {
        QVERIFY2(*count == listed, text.c_str());
      }
      QVERIFY(listed <= space.all_count());
      some += listed > 0 && listed < space.all_count() ? 1 : 0;
    }
    QVERIFY(some > 20);  // Neither all nor none.
  }
  void listing_ends_when_the_callback_says_so() {
    const testing::OneKernel k = testing::one_kernel(kDot);
    const sim::Rates rates(testing::fitted_v3());
    int seen = 0;
    sim::TileSpace(k.model, rates).each([&](const Bounds&) { return ++seen < 7; });
    QCOMPARE(seen, 7);
  }
  void counting_can_be_cancelled() {
    const testing::OneKernel k = testing::one_kernel(kDot);
    const sim::Rates rates(testing::fitted_v3());
    std::stop_source stop;
    stop.request_stop();
    // Loops of 5, 3, 4 and 256 bounds: more than the boxes between two looks at `progress`.
    const sim::Rates small = small_vmem(1 << 20);
    const auto count = sim::TileSpace(k.model, small).count(Progress(stop.get_token()));
    QVERIFY(!count.has_value());
    QCOMPARE(count.error().code, ErrorCode::kCancelled);
  }
  void random_tiles_fit() {
    Rng rng(22);
    std::set<Bounds> distinct;
    for (int round = 0; round < 400; ++round) {
      const testing::OneKernel k = testing::one_kernel(testing::random_kernel(rng).text);
      const sim::Rates rates = small_vmem(4096.0 * static_cast<double>(1 + rng.below(512)));
      const sim::TileSpace space(k.model, rates);
      if (!space.fits(Bounds(k.model.loops.size(), 1))) continue;
      const Bounds bounds = space.random(rng);
      QVERIFY(space.fits(bounds));
      for (size_t l = 0; l < bounds.size(); ++l) {
        QVERIFY(bounds[l] >= 1 && bounds[l] <= k.model.loops[l].units());
      }
      const auto checked = space.check(sim::tile_of(k.model, bounds));
      QVERIFY2(checked.has_value(), checked ? "" : checked.error().format().c_str());
      QCOMPARE(*checked, bounds);
    }
    const testing::OneKernel k = testing::one_kernel(kDot);
    const sim::Rates rates(testing::fitted_v3());
    for (int i = 0; i < 200; ++i) distinct.insert(sim::TileSpace(k.model, rates).random(rng));
    QVERIFY(distinct.size() > 60);
  }
  void neighbours_differ_in_one_loop() {
    Rng rng(23);
    const testing::OneKernel k = testing::one_kernel(kDot);
    const sim::Rates rates = small_vmem(4 << 20);
    const sim::TileSpace space(k.model, rates);
    for (int round = 0; round < 200; ++round) {
      const Bounds bounds = space.random(rng);
      const auto neighbours = space.neighbours(bounds);
      QVERIFY(!neighbours.empty());
      std::set<Bounds> distinct(neighbours.begin(), neighbours.end());
      QCOMPARE(distinct.size(), neighbours.size());
      for (const Bounds& next : neighbours) {
        QVERIFY(space.fits(next));
        int changed = 0;
        for (size_t l = 0; l < bounds.size(); ++l) changed += next[l] != bounds[l] ? 1 : 0;
        QCOMPARE(changed, 1);
      }
    }
  }
  void neighbours_of_a_tile_in_the_middle() {
    const sim::KernelModel model = testing::sample_kernel("fusion.209");  // Loops 4, 32 and 125.
    const sim::Rates rates(testing::fitted_v3());
    const sim::TileSpace space(model, rates);
    const auto bounds = space.check(*sim::parse_tile("out=2x4,kernel=25x4"));
    QVERIFY(bounds.has_value());
    std::set<std::string> found;
    for (const Bounds& next : space.neighbours(*bounds)) {
      found.insert(sim::tile_text(sim::tile_of(model, next)));
    }
    // One less, one more, and the bounds for one tile less and one more: 1 of 4 in 2; 32 in 7 and
    // 9 tiles; 125 in 4 and 6.
    const std::set<std::string> expected = {
        "out=1x4,kernel=25x4", "out=3x4,kernel=25x4", "out=4x4,kernel=25x4",
        "out=2x3,kernel=25x3", "out=2x5,kernel=25x5", "out=2x4,kernel=24x4",
        "out=2x4,kernel=26x4", "out=2x4,kernel=32x4", "out=2x4,kernel=21x4"};
    QStringList difference;
    for (const std::string& text : found) {
      if (!expected.contains(text)) difference << QString::fromStdString("+" + text);
    }
    for (const std::string& text : expected) {
      if (!found.contains(text)) difference << QString::fromStdString("-" + text);
    }
    QVERIFY2(difference.isEmpty(), qPrintable(difference.join(' ')));
  }
  void the_whole_kernel_is_the_largest_tile() {
    const testing::OneKernel k = testing::one_kernel(kDot);
    const sim::Tile whole = sim::whole_tile(k.model);
    QCOMPARE(whole.output, (Bounds{5, 3, 4}));
    QCOMPARE(whole.kernel, (Bounds{256, 4}));
    const auto bounds = sim::loop_bounds(k.model, whole);
    QVERIFY(bounds.has_value());
    const sim::Rates rates(testing::fitted_v3());
    QCOMPARE(sim::simulate(k.model, *bounds, rates).tiles, 1.0);
    // Operands and result once: nothing changes, so nothing is buffered twice.
    QCOMPARE(sim::footprint_bytes(k.model, *bounds), 4096.0 * (5 * 3 * 16 + 256 * 4 + 5 * 3 * 4));
  }
  // Two buffers of what changes, one of what stays, and partial sums of a split product.
  void footprint_of_a_tile_by_hand() {
    const testing::OneKernel k = testing::one_kernel(kDot);
    const auto bounds = sim::loop_bounds(k.model, *sim::parse_tile("out=1x3x4,kernel=64x4"));
    QVERIFY(bounds.has_value());
    const double left = 3 * 4;
    const double right = 64 * 4;
    const double result = 3 * 4;
    QCOMPARE(sim::footprint_bytes(k.model, *bounds),
             4096 * (2 * left + 2 * right + 2 * result + result));
  }
  void errors_say_what_is_wrong() {
    const testing::OneKernel k = testing::one_kernel(kDot);
    const sim::Rates rates = small_vmem(1 << 20);
    const sim::TileSpace space(k.model, rates);
    QCOMPARE(message(space, {{5, 3}, {}}), QByteArray("out= needs 3 bounds here"));
    QCOMPARE(message(space, {{5, 3, 4}, {1, 1, 1}}), QByteArray("kernel= needs 2 bounds here"));
    QCOMPARE(message(space, {{5, 4, 4}, {}}),
             QByteArray("bound 2 of out= is 4, its range is 1 to 3"));
    QCOMPARE(message(space, {{0, 3, 4}, {}}),
             QByteArray("bound 1 of out= is 0, its range is 1 to 5"));
    QCOMPARE(message(space, {{1, 1, 1}, {257, 1}}),
             QByteArray("bound 1 of kernel= is 257, its range is 1 to 256"));
    // 960 + 240 KiB of result and left operand, 4 MiB of weights.
    QCOMPARE(message(space, {{5, 3, 4}, {256, 4}}),
             QByteArray("the tile out=5x3x4,kernel=256x4 needs 5.2 MiB of VMEM, there are 1.0"));
  }
  void without_kernel_bounds_the_sums_are_whole() {
    const testing::OneKernel k = testing::one_kernel(kDot);
    const auto bounds = sim::loop_bounds(k.model, *sim::parse_tile("out=1x1x1"));
    QVERIFY(bounds.has_value());
    QCOMPARE(sim::tile_of(k.model, *bounds), *sim::parse_tile("out=1x1x1,kernel=256x1"));
  }
  void texts_of_tiles_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("is_good");
    for (const char* good : {"out=1", "out=12x4x4x3,kernel=3x1x24x3", "kernel=2,out=7x9"}) {
      QTest::newRow(good) << QString(good) << true;
    }
    for (const char* bad :
         {"out=", "out=0", "out=-1", "out=1x", "out=x1", "out=1,out=2", "kernel=3", "tile=4",
          "out=1.5", "out=99999999999999999999", "out=1 x2", "12x4"}) {
      QTest::newRow(bad) << QString(bad) << false;
    }
  }
  void texts_of_tiles() {
    QFETCH(QString, text);
    QFETCH(bool, is_good);
    const auto tile = sim::parse_tile(text.toStdString());
    QCOMPARE(tile.has_value(), is_good);
    if (is_good) {
      QCOMPARE(*sim::parse_tile(sim::tile_text(*tile)), *tile);
    } else {
      QCOMPARE(tile.error().code, ErrorCode::kInvalidInput);
      QVERIFY(tile.error().message.find(text.toStdString()) != std::string::npos);
      QVERIFY(!tile.error().hint.empty());
    }
  }
};

HLOSCOPE_TEST(TestTileSpace);
#include "test_tile_space.moc"
