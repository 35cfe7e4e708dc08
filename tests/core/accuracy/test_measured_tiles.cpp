#include "core/accuracy/measured_tiles.h"

#include "core/accuracy/prediction.h"
#include "tests/core/sim/sim_fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using accuracy::MeasuredTiles;

class TestMeasuredTiles : public QObject {
  Q_OBJECT
 private slots:
  void equal_bounds_are_one_tile_with_the_fastest_time() {
    const testing::OneKernel kernel = testing::one_kernel(R"(HloModule m
ENTRY main {
  a = f32[64,128]{1,0:T(8,128)} parameter(0)
  ROOT n = f32[64,128]{1,0:T(8,128)} negate(a)
})");
    std::vector<hlo::MeasuredRun> runs(6);
    for (hlo::MeasuredRun& run : runs) run.output_bounds = {4, 1};
    runs[0].time_ns = 300;
    runs[1].time_ns = 200;
    runs[2].time_ns = 250;
    runs[2].is_default = true;
    runs[3].time_ns = 100;
    runs[3].output_bounds = {2, 1};
    runs[4].time_ns = 50;
    runs[4].failed = true;
    runs[5].time_ns = 70;
    runs[5].output_bounds = {9, 1};  // Of 8.
    const MeasuredTiles tiles = accuracy::measured_tiles(kernel.model, runs);
    QCOMPARE(tiles.tiles.size(), size_t{2});
    QCOMPARE(tiles.strangers, size_t{1});
    const MeasuredTiles::Entry* entry = tiles.entry(tiles.tiles[1].bounds);
    QVERIFY(entry != nullptr);
    QCOMPARE(entry->time_ns, 200.0);
    QCOMPARE(entry->runs_ns, (std::vector<double>{200, 250, 300}));
    QVERIFY(entry->is_default);
    QVERIFY(!tiles.tiles[0].is_default);
    QCOMPARE(tiles.find(tiles.tiles[0].bounds), std::optional(100.0));
    QVERIFY(!tiles.find(sim::whole_bounds(kernel.model)));
  }
};

HLOSCOPE_TEST(TestMeasuredTiles);
#include "test_measured_tiles.moc"
