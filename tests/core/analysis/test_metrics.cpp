#include "core/analysis/metrics.h"

#include <cmath>
#include <vector>

#include "core/base/rng.h"
#include "tests/support/near.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

// A series that is easily made in any language: x = x * 1103515245 + 12345 (mod 2^31), (x >> 8) %
// m.
std::vector<double> series(size_t n, uint64_t modulus, uint64_t seed) {
  std::vector<double> values;
  for (size_t i = 0; i < n; ++i) {
    seed = (seed * 1103515245 + 12345) % (uint64_t{1} << 31);
    values.push_back(static_cast<double>((seed >> 8) % modulus));
  }
  return values;
}

// The definition: (concordant - discordant) / sqrt((n0 - ties a)(n0 - ties b)).
double tau_by_definition(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, untied_a = 0, untied_b = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const double sign_a = a[i] == a[j] ? 0 : (a[i] < a[j] ? -1 : 1);
      const double sign_b = b[i] == b[j] ? 0 : (b[i] < b[j] ? -1 : 1);
      difference += sign_a * sign_b;
      untied_a += sign_a * sign_a;
      untied_b += sign_b * sign_b;
    }
  }
  return difference / std::sqrt(untied_a * untied_b);
}

}  // namespace

class TestMetrics : public QObject {
  Q_OBJECT
 private slots:
  void mape_is_the_mean_of_relative_errors() {
    QVERIFY(testing::is_near(
        analysis::mape(std::vector<double>{110, 150, 100}, std::vector<double>{100, 100, 200}),
        (0.1 + 0.5 + 0.5) / 3));
  }
  void pairs_without_a_positive_truth_are_left_out() {
    QVERIFY(testing::is_near(
        analysis::mape(std::vector<double>{110, 5, 5}, std::vector<double>{100, 0, -1}), 0.1));
    QVERIFY(std::isnan(analysis::mape(std::vector<double>{1}, std::vector<double>{0})));
    QVERIFY(std::isnan(analysis::mape({}, {})));
  }
  void median_of_odd_and_even_counts() {
    QVERIFY(testing::is_near(analysis::median_ape(std::vector<double>{110, 190, 130},
                                                  std::vector<double>{100, 100, 100}),
                             0.3));
    QVERIFY(testing::is_near(analysis::median_ape(std::vector<double>{110, 190, 130, 150},
                                                  std::vector<double>{100, 100, 100, 100}),
                             0.4));
    QVERIFY(std::isnan(analysis::median_ape({}, {})));
  }
  void share_counts_the_edge_as_within() {
    QCOMPARE(analysis::share_within(std::vector<double>{110, 111, 90, 89},
                                    std::vector<double>{100, 100, 100, 100}, 0.1),
             0.5);
    QVERIFY(std::isnan(analysis::share_within({}, {}, 0.1)));
  }

  // Expected values: scipy.stats.kendalltau of scipy 1.17.1.
  void kendall_as_scipy() {
    const auto tau = [](std::vector<double> a, std::vector<double> b) {
      return analysis::kendall_tau(a, b);
    };
    QVERIFY(testing::is_near(tau({1, 2, 3, 4, 5}, {1, 3, 2, 5, 4}), 0.6));
    QVERIFY(testing::is_near(tau({12, 2, 1, 12, 2}, {1, 4, 7, 1, 0}), -0.4714045207910316));
    QVERIFY(testing::is_near(tau({1, 1, 2, 2, 3, 3}, {3, 1, 2, 2, 1, 3}), 0.0));
    QVERIFY(
        testing::is_near(tau(series(100, 1000, 1), series(100, 1000, 2)), -0.10332625672057894));
    QVERIFY(testing::is_near(tau(series(100, 7, 1), series(100, 7, 2)), -0.052335168629347256));
    QVERIFY(testing::is_near(tau(series(1000, 5, 1), series(1000, 5, 2)), 0.008778650108548166));
    std::vector<double> a = series(500, 50, 3), b = series(500, 60, 4);
    for (size_t i = 0; i < b.size(); ++i) b[i] = a[i] + b[i] / 3;
    QVERIFY(testing::is_near(analysis::kendall_tau(a, b), 0.7733786279406195));
  }
  void kendall_as_its_definition_with_any_ties() {
    Rng rng(7);
    for (int round = 0; round < 200; ++round) {
      const uint64_t values = 2 + rng.below(9);
      std::vector<double> a, b;
      for (uint64_t i = 0, n = 2 + rng.below(40); i < n; ++i) {
        a.push_back(static_cast<double>(rng.below(values)));
        b.push_back(static_cast<double>(rng.below(values)));
      }
      const double expected = tau_by_definition(a, b);
      const double tau = analysis::kendall_tau(a, b);
      QVERIFY(std::isnan(expected) ? std::isnan(tau) : testing::is_near(tau, expected));
    }
  }
  void kendall_of_orders_and_of_nothing() {
    const std::vector<double> up = {1, 2, 3, 4}, down = {9, 7, 5, 3}, flat = {1, 1, 1, 1};
    QCOMPARE(analysis::kendall_tau(up, up), 1.0);
    QCOMPARE(analysis::kendall_tau(up, down), -1.0);
    QVERIFY(std::isnan(analysis::kendall_tau(up, flat)));
    QVERIFY(std::isnan(analysis::kendall_tau(std::vector<double>{1}, std::vector<double>{1})));
    QVERIFY(std::isnan(analysis::kendall_tau({}, {})));
    QVERIFY(
        std::isnan(analysis::kendall_tau(std::vector<double>{1, NAN}, std::vector<double>{1, 2})));
  }

  // Expected values: scipy.stats.spearmanr of scipy 1.10.1.
  void spearman_as_scipy() {
    const auto rho = [](std::vector<double> a, std::vector<double> b) {
      return analysis::spearman(a, b);
    };
    QVERIFY(testing::is_near(rho({1, 2, 3, 4, 5}, {5, 6, 7, 8, 7}), 0.8207826816681233));
    QVERIFY(testing::is_near(rho({12, 2, 1, 12, 2}, {1, 4, 7, 1, 0}), -0.5407380704358752));
    QVERIFY(std::isnan(rho({1, 2}, {3, 3})) && std::isnan(rho({}, {})));
    QVERIFY(std::isnan(rho({1, NAN}, {1, 2})));
  }
  // Five pairs have different truths: the three with the estimate 1 are in order, 3 and 2 are not,
  // 2 and 2 are tied.
  void pairs_in_order_by_hand() {
    const auto opa = [](std::vector<double> estimate, std::vector<double> truth) {
      return analysis::ordered_pair_accuracy(estimate, truth);
    };
    QVERIFY(testing::is_near(opa({1, 3, 2, 2}, {10, 20, 20, 30}), 3.0 / 5));
    QVERIFY(testing::is_near(opa({1, 2, 3}, {10, 20, 30}), 1));
    QVERIFY(testing::is_near(opa({1, 1, 1}, {10, 20, 30}), 0));
    QVERIFY(std::isnan(opa({1, 2}, {3, 3})));
  }
};

HLOSCOPE_TEST(TestMetrics);
#include "test_metrics.moc"
