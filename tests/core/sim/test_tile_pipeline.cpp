#include "core/sim/tile_pipeline.h"

#include <cmath>

#include "core/sim/tile_space.h"
#include "tests/core/sim/random_kernel.h"
#include "tests/core/sim/sim_fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

bool near_bytes(double a, double b) {
  return std::abs(a - b) <= 1e-6 * (1 + std::abs(b));
}

struct Moved {
  double read_bytes = 0;
  double written_bytes = 0;
  double read_ns = 0;
  double write_ns = 0;
};

Moved moved(const sim::KernelModel& model, const sim::TilePipeline& pipeline) {
  Moved out;
  for (const sim::BlockTransfer& transfer : pipeline.transfers) {
    const bool is_output = model.streams[transfer.stream].is_output;
    (is_output ? out.written_bytes : out.read_bytes) += transfer.bytes;
    (is_output ? out.write_ns : out.read_ns) += transfer.end_ns - transfer.start_ns;
  }
  return out;
}

}  // namespace

class TestTilePipeline : public QObject {
  Q_OBJECT
 private slots:
  void transfers_add_up_to_the_simulation() {
    const sim::Rates rates(testing::fitted_v3());
    Rng rng(5);
    int compared = 0;
    for (int i = 0; i < 60; ++i) {
      const testing::OneKernel kernel = testing::one_kernel(testing::random_kernel(rng).text);
      if (kernel.model.kind != sim::KernelKind::kTiled) continue;
      const sim::TileSpace space(kernel.model, rates);
      const std::vector<int64_t> bounds = space.random(rng);
      const sim::TilePipeline pipeline = sim::tile_pipeline(kernel.model, bounds, rates, 3000);
      if (!pipeline.is_complete) continue;
      const sim::Simulation expected = sim::simulate(kernel.model, bounds, rates);
      const Moved sums = moved(kernel.model, pipeline);
      QVERIFY(near_bytes(pipeline.end_ns, expected.time_ns));
      QVERIFY(near_bytes(sums.read_bytes, expected.bytes_read));
      QVERIFY(near_bytes(sums.written_bytes, expected.bytes_written));
      QVERIFY(near_bytes(sums.read_ns, expected.read_ns));
      QVERIFY(near_bytes(sums.write_ns, expected.write_ns));
      QCOMPARE(static_cast<double>(pipeline.tiles.size()), expected.tiles);
      ++compared;
    }
    QVERIFY(compared > 20);
  }

  void a_block_that_depends_on_no_moving_loop_is_kept() {
    // The right side is the same for all rows: read once, then kept.
    const testing::OneKernel kernel = testing::one_kernel(R"(HloModule m
ENTRY main {
  a = f32[512,256]{1,0:T(8,128)} parameter(0)
  b = f32[256,256]{1,0:T(8,128)} parameter(1)
  ROOT d = f32[512,256]{1,0:T(8,128)} dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})");
    const sim::Rates rates(testing::fitted_v3());
    std::vector<int64_t> bounds = sim::whole_bounds(kernel.model);
    bounds[kernel.model.output_loops[0].value] = 16;  // Of 64 row tiles: four iterations.
    const sim::TilePipeline pipeline = sim::tile_pipeline(kernel.model, bounds, rates);
    QCOMPARE(pipeline.tiles.size(), size_t{4});
    int kept = 0;
    for (const sim::BlockTransfer& transfer : pipeline.transfers) {
      const std::string& name = kernel.model.streams[transfer.stream].name;
      QCOMPARE(transfer.is_kept, name == "b" && transfer.tile > 0);
      if (transfer.is_kept) QCOMPARE(transfer.start_ns, transfer.end_ns);
      kept += transfer.is_kept ? 1 : 0;
    }
    QCOMPARE(kept, 3);
  }

  void long_kernels_show_their_first_iterations() {
    const testing::OneKernel kernel = testing::one_kernel(R"(HloModule m
ENTRY main {
  a = f32[8192,128]{1,0:T(8,128)} parameter(0)
  ROOT n = f32[8192,128]{1,0:T(8,128)} negate(a)
})");
    const sim::Rates rates(testing::fitted_v3());
    std::vector<int64_t> bounds = sim::whole_bounds(kernel.model);
    bounds[kernel.model.output_loops[0].value] = 1;
    const sim::TilePipeline pipeline = sim::tile_pipeline(kernel.model, bounds, rates, 10);
    QVERIFY(!pipeline.is_complete);
    QCOMPARE(pipeline.tiles.size(), size_t{10});
    QVERIFY(pipeline.end_ns < pipeline.total.time_ns);
  }
};

HLOSCOPE_TEST(TestTilePipeline);
#include "test_tile_pipeline.moc"
