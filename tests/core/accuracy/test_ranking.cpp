#include "core/accuracy/ranking.h"

#include <cmath>

#include "core/accuracy/prediction.h"
#include "tests/support/near.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using accuracy::RankedRun;

namespace {

struct Run {
  std::vector<int64_t> bounds;
  double estimated_ns;
  double measured_ns;
};

accuracy::Ranking rank(const std::vector<Run>& runs) {
  std::vector<RankedRun> views;
  for (const Run& run : runs) views.push_back({run.bounds, run.estimated_ns, run.measured_ns});
  return accuracy::rank(views);
}

// n tiles of measured times 100, 110, 120, ..., estimated in the same order.
std::vector<Run> ordered(int n) {
  std::vector<Run> runs;
  for (int i = 0; i < n; ++i) runs.push_back({{i + 1, 2}, 50.0 + i, 100.0 + 10 * i});
  return runs;
}

}  // namespace

class TestRanking : public QObject {
  Q_OBJECT
 private slots:
  void the_right_order_costs_nothing() {
    const auto ranking = rank(ordered(12));
    QCOMPARE(ranking.tiles, size_t{12});
    QVERIFY(ranking.kendall_tau && testing::is_near(*ranking.kendall_tau, 1));
    QVERIFY(ranking.top1_slowdown && testing::is_near(*ranking.top1_slowdown, 0));
    QVERIFY(ranking.top5_slowdown && testing::is_near(*ranking.top5_slowdown, 0));
  }
  void the_wrong_order_costs_what_the_first_tiles_take() {
    std::vector<Run> runs = ordered(12);
    for (Run& run : runs) run.estimated_ns = 1000 - run.estimated_ns;
    const auto ranking = rank(runs);
    QVERIFY(testing::is_near(*ranking.kendall_tau, -1));
    // First come 210, 200, 190, 180 and 170 ns; the best is 100.
    QVERIFY(testing::is_near(*ranking.top1_slowdown, 1.1));
    QVERIFY(testing::is_near(*ranking.top5_slowdown, 0.7));
    QVERIFY(testing::is_near(*ranking.top10_slowdown, 0.2));
    QVERIFY(testing::is_near(*ranking.opa, 0));
  }
  void under_ten_tiles_nothing_is_said() {
    const auto ranking = rank(ordered(9));
    QCOMPARE(ranking.tiles, size_t{9});
    QVERIFY(!ranking.kendall_tau && !ranking.top1_slowdown && !ranking.top5_slowdown);
  }
  void a_tile_that_ran_twice_is_one_tile_of_its_mean() {
    std::vector<Run> runs = ordered(9);
    runs.push_back({{1, 2}, 50, 160});
    QVERIFY(!rank(runs).kendall_tau);
    runs.push_back({{10, 2}, 90, 400});
    const auto ranking = rank(runs);
    QCOMPARE(ranking.tiles, size_t{10});
    // The tile that the model ranks first takes (100 + 160) / 2, the best one 110.
    QVERIFY(testing::is_near(*ranking.top1_slowdown, 130.0 / 110 - 1));
    QVERIFY(testing::is_near(*ranking.top5_slowdown, 0));
    // 130 stands behind 110 and 120 (and beside 130): two of 45 pairs are the wrong way round.
    QVERIFY(testing::is_near(*ranking.kendall_tau, (42.0 - 2) / std::sqrt(45.0 * 44.0)));
  }
  void equal_estimates_rank_no_tile() {
    std::vector<Run> runs = ordered(10);
    for (Run& run : runs) run.estimated_ns = 7;
    QVERIFY(!rank(runs).kendall_tau);
    QVERIFY(testing::is_near(*rank(runs).top1_slowdown, 0));
  }
  // numpy: np.percentile([.1, .2, .3, .4, .6], [50, 90]) is [0.3, 0.52].
  void error_summary() {
    const std::vector<double> truth = {10, 10, 10, 10, 10};
    const std::vector<double> estimate = {11, 8, 13, 6, 16};
    const auto errors = accuracy::summarise(estimate, truth);
    QCOMPARE(errors.n, size_t{5});
    QVERIFY(testing::is_near(errors.mean, 0.32));
    QVERIFY(testing::is_near(errors.median, 0.3));
    QVERIFY(testing::is_near(errors.p90, 0.52));
    QCOMPARE(accuracy::summarise({}, {}).n, size_t{0});
  }
};

HLOSCOPE_TEST(TestRanking);
#include "test_ranking.moc"
