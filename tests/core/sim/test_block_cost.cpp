#include "core/sim/block_cost.h"

#include <algorithm>

#include "core/base/rng.h"
#include "tests/core/sim/sim_fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

using Sizes = std::vector<int64_t>;

sim::Stream stream(const Sizes& full, double unit_bytes) {
  sim::Stream out;
  out.unit_bytes = unit_bytes;
  for (int64_t units : full) out.dims.push_back({.extent = {}, .unit = 1, .full_units = units});
  return out;
}

// Places of all units of a block at the origin, in memory order.
std::vector<int64_t> places(const Sizes& full, const Sizes& block) {
  std::vector<int64_t> out = {0};
  for (size_t d = 0; d < full.size(); ++d) {
    std::vector<int64_t> next;
    for (int64_t at : out) {
      for (int64_t i = 0; i < block[d]; ++i) next.push_back(at * full[d] + i);
    }
    out = std::move(next);
  }
  return out;
}

double contiguous_runs(const std::vector<int64_t>& places) {
  double runs = 1;
  for (size_t i = 1; i < places.size(); ++i) runs += places[i] != places[i - 1] + 1 ? 1 : 0;
  return runs;
}

// Whether runs that start there, in groups of equal size, lie at one stride within each group.
bool have_one_stride(const std::vector<int64_t>& places, size_t groups) {
  std::vector<int64_t> starts = {places[0]};
  for (size_t i = 1; i < places.size(); ++i) {
    if (places[i] != places[i - 1] + 1) starts.push_back(places[i]);
  }
  if (starts.size() % groups != 0) return false;
  const size_t length = starts.size() / groups;
  for (size_t begin = 0; begin < starts.size(); begin += length) {
    for (size_t i = begin + 2; i < begin + length; ++i) {
      if (starts[i] - starts[i - 1] != starts[i - 1] - starts[i - 2]) return false;
    }
  }
  return true;
}

}  // namespace

class TestBlockCost : public QObject {
  Q_OBJECT
 private slots:
  // Measured on a TPU v3: f32 (26,26,4,2) in tiles of 4 KB, block (7,6,4,1). Runs of 4 KB every
  // 8 KB, 24 in a row, which cost nothing; 7 such rows 832 KB apart: 7 descriptors, 7 runs.
  void a_block_of_every_second_tile() {
    const sim::Rates rates(testing::fitted_v3());
    const sim::BlockCost cost =
        sim::block_cost(stream({26, 26, 4, 2}, 4096), Sizes{7, 6, 4, 1}, rates);
    QCOMPARE(cost.bytes, 7.0 * 6 * 4 * 4096);
    QCOMPARE(cost.descriptors, 7.0);
    QCOMPARE(cost.runs, 7.0);
    QCOMPARE(cost.time_ns, 7 * 6 * 4 * 4096 / 436.0 + 7 * 3.1);
  }
  void a_whole_array_is_one_run() {
    const sim::Rates rates(testing::fitted_v3());
    const sim::BlockCost cost =
        sim::block_cost(stream({26, 26, 4, 2}, 4096), Sizes{26, 26, 4, 2}, rates);
    QCOMPARE(cost.runs, 1.0);
    QCOMPARE(cost.descriptors, 1.0);
  }
  void an_empty_block_costs_nothing() {
    const sim::Rates rates(testing::fitted_v3());
    const sim::BlockCost cost = sim::block_cost(stream({26, 4}, 4096), Sizes{0, 4}, rates);
    QCOMPARE(cost.time_ns, 0.0);
    QCOMPARE(cost.runs, 0.0);
    QCOMPARE(cost.descriptors, 0.0);
  }
  void a_scalar_is_one_run() {
    const sim::Rates rates(testing::fitted_v3());
    QCOMPARE(sim::block_cost(stream({}, 4), Sizes{}, rates).runs, 1.0);
  }
  void writing_a_run_costs_more_than_reading_it() {
    const sim::Rates rates(testing::fitted_v3());
    sim::Stream s = stream({8, 100}, 4096);
    const sim::BlockCost read = sim::block_cost(s, Sizes{8, 3}, rates);
    s.is_output = true;
    const sim::BlockCost write = sim::block_cost(s, Sizes{8, 3}, rates);
    QCOMPARE(write.time_ns - read.time_ns, 8 * (6.6 - 3.1));
  }
  // Rows that indices choose: each is a run and a descriptor of its own.
  void scattered_rows_are_runs_of_their_own() {
    const sim::Rates rates(testing::fitted_v3());
    sim::Stream s = stream({1000, 2}, 512);
    s.is_scattered = true;
    const sim::BlockCost cost = sim::block_cost(s, Sizes{40, 2}, rates);
    QCOMPARE(cost.runs, 40.0);
    QCOMPARE(cost.descriptors, 40.0);
    QCOMPARE(cost.bytes, 40.0 * 2 * 512);
  }
  // Every run costs when strides are too long to be free.
  void runs_against_brute_force() {
    const sim::Rates rates(testing::with_constants(
        testing::fitted_v3(), {{"dma_free_stride_bytes", 1}, {"dma_free_run_bytes", 1e12}}));
    Rng rng(7);
    for (int round = 0; round < 3000; ++round) {
      Sizes full;
      Sizes block;
      const size_t rank = 1 + rng.below(4);
      for (size_t d = 0; d < rank; ++d) {
        full.push_back(1 + static_cast<int64_t>(rng.below(6)));
        const auto most = static_cast<uint64_t>(full.back());
        block.push_back(rng.below(3) == 0 ? full.back()
                                          : 1 + static_cast<int64_t>(rng.below(most)));
      }
      const std::vector<int64_t> at = places(full, block);
      const sim::BlockCost cost = sim::block_cost(stream(full, 2048), block, rates);
      QCOMPARE(cost.bytes, 2048.0 * static_cast<double>(at.size()));
      QCOMPARE(cost.runs, contiguous_runs(at));
      QVERIFY(have_one_stride(at, static_cast<size_t>(cost.descriptors)));
    }
  }
};

HLOSCOPE_TEST(TestBlockCost);
#include "test_block_cost.moc"
