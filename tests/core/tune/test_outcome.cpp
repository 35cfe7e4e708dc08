#include <algorithm>

#include "core/tune/outcome.h"
#include "tests/support/near.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::tune;

namespace {

Trial measured(uint64_t number, uint64_t measured_as, std::optional<double> time_ns) {
  Trial out;
  out.number = number;
  out.measured_as = measured_as;
  out.hardware_ns = time_ns;
  out.booked_ns = 10;
  return out;
}

}  // namespace

class TestOutcome : public QObject {
  Q_OBJECT
 private slots:
  void the_curve_has_what_was_better() {
    Trial model_only;
    model_only.predicted_ns = 1;
    const std::vector<Trial> trials = {measured(0, 3, 50), measured(1, 1, 80),
                                       model_only,         measured(3, 2, std::nullopt),
                                       measured(4, 4, 60), measured(5, 5, 40)};
    const std::vector<CurvePoint> curve = best_so_far(trials);
    QCOMPARE(curve.size(), size_t{3});
    QCOMPARE(curve[0].best_ns, 80.0);
    QCOMPARE(curve[1].measured, uint64_t{3});
    QCOMPARE(curve[1].booked_ns, 30.0);
    QCOMPARE(curve[2].best_ns, 40.0);
    QVERIFY(!best_within(curve, 9));
    QCOMPARE(*best_within(curve, 10), 80.0);
    QCOMPARE(*best_within(curve, 49), 50.0);
    QCOMPARE(*best_after(curve, 5), 40.0);
    QVERIFY(!best_after(curve, 0));
  }
  // All draws listed with itertools.combinations and itertools.permutations of Python.
  void random_draws_have_their_expectation() {
    const std::vector<double> times = {3, 1, 4, 1.5, 9};
    QVERIFY(testing::is_near(expected_best_ns(times, 1), 3.7));
    QVERIFY(testing::is_near(expected_best_ns(times, 2), 1.85));
    QVERIFY(testing::is_near(expected_best_ns(times, 3), 1.35));
    QVERIFY(testing::is_near(expected_best_ns(times, 5), 1));
    QVERIFY(testing::is_near(expected_best_ns(times, 50), 1));
    QVERIFY(testing::is_near(expected_draws(times, 0.5), 2));
    QVERIFY(testing::is_near(expected_draws(times, 0), 3));
  }
  // scipy.stats.wilcoxon(..., mode="exact") of SciPy 1.10; with shared ranks all 64 signs listed.
  void signed_ranks_are_those_of_scipy() {
    const std::vector<double> mixed = {1.5, -0.5, 2.25, 3, -1, 0.75, 4.5, 2, -0.25, 5};
    QVERIFY(testing::is_near(wilcoxon_p(mixed), 0.037109375));
    QVERIFY(testing::is_near(wilcoxon_p(std::vector<double>{1, 2, 3, 4, 5, 6}), 0.03125));
    QVERIFY(testing::is_near(wilcoxon_p(std::vector<double>{-1, -2, -3, -4, -5, -6, 0}), 0.03125));
    QVERIFY(testing::is_near(wilcoxon_p(std::vector<double>{1, 1, -1, 2, 2, -3}), 0.625));
    QCOMPARE(wilcoxon_p(std::vector<double>{0, 0}), 1.0);
  }
  void spread_is_mean_and_deviation() {
    const Spread spread = spread_of(std::vector<double>{2, 4, 4, 4, 5, 5, 7, 9});
    QCOMPARE(spread.mean, 5.0);
    QVERIFY(testing::is_near(spread.deviation * spread.deviation, 32.0 / 7));
    QCOMPARE(spread_of(std::vector<double>{3}).deviation, 0.0);
  }
};

HLOSCOPE_TEST(TestOutcome);
#include "test_outcome.moc"
