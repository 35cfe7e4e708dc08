#include "core/sim/tile_walk.h"

#include <cmath>

#include "core/sim/simulate.h"
#include "core/sim/tile_space.h"
#include "tests/core/sim/random_kernel.h"
#include "tests/core/sim/sim_fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

struct Totals {
  double tiles = 0;
  double ends = 0;
  double steps = 0;
  sim::BlockCost read;
  sim::BlockCost write;
};

void add(sim::BlockCost& sum, const sim::BlockCost& cost, double times) {
  sum.bytes += times * cost.bytes;
  sum.runs += times * cost.runs;
  sum.descriptors += times * cost.descriptors;
  sum.time_ns += times * cost.time_ns;
}

Totals walk(const sim::KernelModel& model, const std::vector<int64_t>& bounds,
            const sim::Rates& rates, bool each_tile) {
  Totals out;
  sim::TileWalk(model, bounds, rates).run(each_tile, [&](const sim::TileStep& step) {
    out.tiles += step.repeats;
    out.steps += 1;
    out.ends += step.ends_sums ? step.repeats : 0;
    add(out.read, step.read, step.repeats);
    add(out.write, step.write, step.repeats);
    return true;
  });
  return out;
}

bool same(const sim::BlockCost& a, const sim::BlockCost& b) {
  return a.bytes == b.bytes && a.runs == b.runs && a.descriptors == b.descriptors &&
         std::abs(a.time_ns - b.time_ns) <= 1e-6 * (1 + a.time_ns);
}

constexpr double kMostTiles = 60000;

}  // namespace

class TestTileWalk : public QObject {
  Q_OBJECT
 private slots:
  // Steps with repeats stand for the tiles one by one: same sums, and the same time.
  void repeats_stand_for_equal_tiles() {
    const sim::Rates rates(testing::fitted_v3());
    Rng rng(11);
    int compressed = 0;
    for (int round = 0; round < 600; ++round) {
      const testing::RandomKernel kernel = testing::random_kernel(rng);
      const testing::OneKernel k = testing::one_kernel(kernel.text);
      const std::vector<int64_t> bounds = sim::TileSpace(k.model, rates).random(rng);
      if (sim::TileWalk(k.model, bounds, rates).tile_count() > kMostTiles) continue;
      const Totals few = walk(k.model, bounds, rates, false);
      const Totals all = walk(k.model, bounds, rates, true);
      const QByteArray which =
          QByteArray::fromStdString(kernel.text + sim::tile_text(sim::tile_of(k.model, bounds)));
      QCOMPARE(all.tiles, all.steps);
      QVERIFY2(few.tiles == all.tiles, which);
      QVERIFY2(few.ends == all.ends, which);
      QVERIFY2(same(few.read, all.read) && same(few.write, all.write), which);
      compressed += few.steps < all.steps ? 1 : 0;
      const sim::Simulation s = sim::simulate(k.model, bounds, rates);
      const sim::Timeline t =
          sim::timeline(k.model, bounds, rates, static_cast<int64_t>(kMostTiles) + 1);
      QVERIFY(t.is_complete);
      double end_ns = t.tiles.back().end_ns;
      for (const sim::Event& event : t.events) {
        if (event.what == "write") end_ns = std::max(end_ns, event.end_ns);
      }
      QVERIFY2(std::abs(end_ns - s.time_ns) <= 1e-6 * s.time_ns, which);
      QCOMPARE(static_cast<double>(t.tiles.size()), s.tiles);
    }
    QVERIFY(compressed > 50);
  }
  // 3 x 2 blocks of A are read once, those of the row vector whenever the columns move on.
  void blocks_stay_while_their_loops_stand() {
    const testing::OneKernel k = testing::one_kernel(R"(HloModule m
f {
  a = f32[24,256]{1,0:T(8,128)} parameter(0)
  b = f32[256,256]{1,0:T(8,128)} parameter(1)
  ROOT r = f32[24,256]{1,0:T(8,128)} dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
ENTRY e {
  p = f32[24,256]{1,0:T(8,128)} parameter(0)
  q = f32[256,256]{1,0:T(8,128)} parameter(1)
  ROOT k = f32[24,256]{1,0:T(8,128)} fusion(p, q), kind=kOutput, calls=f
})");
    const sim::Rates rates(testing::fitted_v3());
    const auto bounds = sim::loop_bounds(k.model, *sim::parse_tile("out=1x1,kernel=32x1"));
    QVERIFY(bounds.has_value());
    const Totals totals = walk(k.model, *bounds, rates, false);
    QCOMPARE(totals.tiles, 6.0);
    // Output columns are outermost: weights (2 blocks of 32 tiles) stay while the rows go by, the
    // left operand (2 tiles) comes again for both of them.
    QCOMPARE(totals.read.bytes, 4096.0 * (2 * 32 + 2 * 3 * 2));
    QCOMPARE(totals.write.bytes, 4096.0 * 6);
  }
  void a_callback_that_returns_false_ends_the_walk() {
    const sim::KernelModel model = testing::sample_kernel("fusion.232");
    const sim::Rates rates(testing::fitted_v3());
    int steps = 0;
    sim::TileWalk(model, std::vector<int64_t>(model.loops.size(), 1), rates)
        .run(true, [&](const sim::TileStep&) { return ++steps < 5; });
    QCOMPARE(steps, 5);
  }
  void a_timeline_ends_at_its_limit() {
    const sim::KernelModel model = testing::sample_kernel("fusion.232");
    const sim::Rates rates(testing::fitted_v3());
    const std::vector<int64_t> bounds(model.loops.size(), 1);
    const sim::Timeline t = sim::timeline(model, bounds, rates, 10);
    QCOMPARE(t.tiles.size(), size_t{10});
    QVERIFY(!t.is_complete);
    for (size_t i = 1; i < t.tiles.size(); ++i) {
      QCOMPARE(t.tiles[i].start_ns, t.tiles[i - 1].end_ns);
    }
  }
};

HLOSCOPE_TEST(TestTileWalk);
#include "test_tile_walk.moc"
