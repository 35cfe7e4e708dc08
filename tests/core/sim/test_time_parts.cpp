#include <cmath>
#include <numeric>

#include "core/sim/simulate.h"
#include "core/sim/tile_space.h"
#include "core/sim/time_parts.h"
#include "tests/core/sim/random_kernel.h"
#include "tests/core/sim/sim_fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using sim::TimePart;

namespace {

double part(const sim::TimeParts& parts, TimePart which) {
  return parts[static_cast<size_t>(which)];
}

double sum(const sim::TimeParts& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

}  // namespace

class TestTimeParts : public QObject {
  Q_OBJECT
 private slots:
  void parts_of_any_kernel_add_up_to_its_time() {
    const sim::Rates rates(testing::fitted_v3());
    Rng rng(11);
    for (int round = 0; round < 200; ++round) {
      const testing::OneKernel k = testing::one_kernel(testing::random_kernel(rng).text);
      for (const std::vector<int64_t>& bounds :
           {sim::TileSpace(k.model, rates).random(rng), sim::default_bounds(k.model, rates)}) {
        const double time_ns = sim::simulate(k.model, bounds, rates).time_ns;
        const sim::TimeParts parts = sim::time_parts(k.model, bounds, rates);
        QVERIFY(std::abs(sum(parts) - time_ns) <= 1e-9 * time_ns);
        for (double ns : parts) QVERIFY(ns >= 0);
      }
    }
  }

  void a_kernel_of_one_tile_is_reads_and_writes_around_its_work() {
    // 8 x 128 f32: 4 KiB in and out at 436 bytes a ns, 90 ns latency each; launch 200 ns.
    const testing::OneKernel k = testing::one_kernel(R"(HloModule one
      ENTRY main {
        x = f32[8,128]{1,0} parameter(0)
        ROOT y = f32[8,128]{1,0} negate(x)
      })");
    const sim::Rates rates(testing::fitted_v3());
    const sim::TimeParts parts = sim::time_parts(k.model, sim::whole_bounds(k.model), rates);
    QCOMPARE(part(parts, TimePart::kLaunch), 200.0);
    QVERIFY(part(parts, TimePart::kFillDrain) >= 2 * (90 + 4096 / 436.0));
    // One operation on one register: half a cycle; a load and a store: one cycle.
    QVERIFY(std::abs(part(parts, TimePart::kVector) - 1 / 0.94) < 1e-9);
    QCOMPARE(part(parts, TimePart::kMatrix), 0.0);
    QCOMPARE(part(parts, TimePart::kTraffic), 0.0);
    // 62 cycles of the loop, and the issue of 2 DMAs.
    QVERIFY(std::abs(part(parts, TimePart::kLoop) - (62 + 2 * 7.5) / 0.94) < 1e-9);
  }

  void a_convolution_is_the_matrix_units() {
    const sim::KernelModel model = testing::sample_kernel("fusion.191");
    const sim::Rates rates(testing::fitted_v3());
    const auto bounds = sim::default_bounds(model, rates);
    const sim::TimeParts parts = sim::time_parts(model, bounds, rates);
    QVERIFY(part(parts, TimePart::kMatrix) > 0.8 * sum(parts));
    QVERIFY(part(parts, TimePart::kMatrix) <=
            sim::simulate(model, bounds, rates).busy_ns[static_cast<size_t>(sim::Unit::kMxu)] *
                (1 + 1e-9));
  }

  void a_collective_is_launch_and_link() {
    const testing::OneKernel k = testing::one_kernel(R"(HloModule all
      add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
      ENTRY main {
        x = f32[1024,1024]{1,0} parameter(0)
        ROOT y = f32[1024,1024]{1,0} all-reduce(x), replica_groups={{0,1,2,3}}, to_apply=add
      })");
    const sim::Rates rates(testing::fitted_v3());
    const sim::TimeParts parts = sim::time_parts(k.model, {}, rates);
    QVERIFY(part(parts, TimePart::kLink) > 0);
    QCOMPARE(part(parts, TimePart::kLink) + part(parts, TimePart::kLaunch), sum(parts));
  }

  void every_part_has_a_name() {
    std::vector<std::string_view> names;
    for (size_t p = 0; p < sim::kTimePartCount; ++p) {
      names.push_back(sim::name(static_cast<TimePart>(p)));
      QVERIFY(!names.back().empty());
    }
    std::sort(names.begin(), names.end());
    QVERIFY(std::adjacent_find(names.begin(), names.end()) == names.end());
  }
};

HLOSCOPE_TEST(TestTimeParts);
#include "test_time_parts.moc"
