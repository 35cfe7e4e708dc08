#include "core/predict/ensemble_metrics.h"
#include "core/predict/spread_fit.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::predict;

class TestSpreadFit : public QObject {
  Q_OBJECT
 private slots:
  void the_floor_is_the_median_of_deviations() {
    std::vector<double> deviations(60, 0.3);
    for (size_t i = 0; i < 20; ++i) deviations[i] = 0.4;
    const auto fit = fit_spread(deviations, std::vector<double>(60, 0.0));
    QVERIFY(fit);
    QCOMPARE(fit->floor, 0.3);
    QCOMPARE(fit->factor, 0.0);
    QCOMPARE(fit->kernels, size_t{60});
  }
  // 99 equal deviations d: unit d sqrt 2; errors 1..99 of both signs. Rank ceil(0.683 x 100) = 69.
  void the_factor_covers_two_thirds() {
    const std::vector<double> deviations(99, 0.5);
    std::vector<double> errors;
    for (int i = 1; i <= 99; ++i) errors.push_back(i % 2 == 0 ? i : -i);
    const auto fit = fit_spread(deviations, errors);
    QVERIFY(fit);
    QCOMPARE(fit->width(0.5), 69.0);
    QVERIFY(fit->width(1) > 69.0);
    QVERIFY(fit->width(0) > 0.0);
  }
  void without_a_fit_the_deviation_stays() { QCOMPARE(SpreadFit().width(0.25), 0.25); }
  void few_kernels_are_refused() {
    const std::vector<double> some(19, 1.0);
    const auto fit = fit_spread(some, some);
    QVERIFY(!fit);
    QCOMPARE(fit.error().code, ErrorCode::kInvalidInput);
  }
  void json_brings_it_back() {
    const SpreadFit fit{0.1, 1.0 / 3, 77};
    QVERIFY(*SpreadFit::from_json(fit.to_json()) == fit);
    for (const char* bad : {"", "[]", "{}", R"({"floor":-1,"factor":1,"kernels":2})",
                            R"({"floor":0,"factor":"x","kernels":2})"}) {
      QVERIFY2(!SpreadFit::from_json(bad), bad);
    }
  }
  // scikit-learn's roc_auc_score documentation: 0.75; ties count half.
  void area_under_curve_of_known_cases() {
    const std::vector<double> scores{0.1, 0.4, 0.35, 0.8};
    QCOMPARE(*area_under_curve(scores, {false, false, true, true}), 0.75);
    const std::vector<double> tied(4, 1.0);
    QCOMPARE(*area_under_curve(tied, {false, true, true, true}), 0.5);
    QVERIFY(!area_under_curve(tied, {true, true, true, true}));
  }
  void metrics_tell_near_from_far_kernels() {
    EnsembleErrors errors;
    for (int i = 0; i < 40; ++i) {
      const bool is_far = i >= 36;
      errors.true_ns.push_back(1000);
      errors.predicted_ns.push_back(is_far ? 2000 : 1100);
      errors.errors.push_back(is_far ? 0.7 : 0.1);
      errors.deviations.push_back(is_far ? 0.2 : 0.1);
      errors.distances.push_back(is_far ? 9 : 1);
    }
    const EnsembleMetrics metrics = ensemble_metrics(errors, {0, 1, 10}, 5.0);
    QCOMPARE(metrics.near.kernels, size_t{36});
    QCOMPARE(*metrics.near.mape, 0.1);
    QCOMPARE(metrics.far.kernels, size_t{4});
    QCOMPARE(*metrics.far.mape, 1.0);
    QCOMPARE(*metrics.coverage, 0.9);
    QCOMPARE(*metrics.distance_auc, 1.0);
    QCOMPARE(*metrics.deviation_auc, 1.0);
    const EnsembleMetrics without = ensemble_metrics(errors, {0, 1, 10}, std::nullopt);
    QCOMPARE(without.far.kernels, size_t{0});
    QVERIFY(!without.far.mape);
  }
};
HLOSCOPE_TEST(TestSpreadFit);

#include "test_spread_fit.moc"
