#include <algorithm>
#include <cmath>

#include "core/analysis/compare_pairs.h"
#include "core/analysis/compare_svg.h"
#include "tests/support/near.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::analysis;

namespace {

/// A kernel of a program; NaN where it has no time.
ComparePoint point(const char* program, hlo::OpClass op_class, double measured_ns,
                   double simulated_ns, double analytical_ns) {
  ComparePoint point;
  point.kernel_name = "k";
  point.program_name = program;
  point.op_class = op_class;
  point.time_ns.fill(NAN);
  point.time_ns[0] = measured_ns;
  point.time_ns[1] = simulated_ns;
  point.time_ns[2] = analytical_ns;
  return point;
}

/// Simulated over measured: 1.5, 1, 0.9, 1.2; the last kernel is not measured.
std::vector<ComparePoint> pair_points() {
  using enum hlo::OpClass;
  return {point("a", kElementwise, 2000, 3000, 1000), point("a", kElementwise, 4000, 4000, 2000),
          point("b", kMatmulConv, 10000, 9000, 6000), point("a", kMatmulConv, 20000, 24000, 9000),
          point("b", kMatmulConv, NAN, 6000, 4000)};
}

constexpr PairAxes kSimulatedByMeasured{};
constexpr PairAxes kAnalyticalBySimulated{PairSource::kSimulated, PairSource::kAnalytical};

}  // namespace

class TestComparePairs : public QObject {
  Q_OBJECT
 private slots:
  void sources_are_in_the_order_of_their_numbers() {
    for (size_t i = 0; i < kPairSources.size(); ++i) {
      QCOMPARE(static_cast<size_t>(kPairSources[i].source), i);
    }
    QCOMPARE(pair_source(TimeSource::kAnalytical), PairSource::kAnalytical);
    QCOMPARE(pair_source(TimeSource::kCompiler), PairSource::kCompiler);
  }
  void against_measured_is_what_the_other_metrics_say() {
    const auto all = pair_metrics(pair_points(), kSimulatedByMeasured, TimeRange::kAll);
    const auto same = compare_metrics(pair_points(), TimeSource::kSimulated, TimeRange::kAll);
    QCOMPARE(all.n, size_t{4});
    QVERIFY(testing::is_near(all.mape, (0.5 + 0 + 0.1 + 0.2) / 4));
    QCOMPARE(all.mape, same.mape);
    QCOMPARE(all.kendall_tau, same.kendall_tau);
  }
  void estimates_are_judged_by_each_other_without_measured_times() {
    // |a - s| / s: 2/3, 1/2, 1/3, 5/8, 1/3. Pairs of (3, 1), (4, 2), (9, 6), (24, 9), (6, 4) µs are
    // all in the same order.
    const auto all = pair_metrics(pair_points(), kAnalyticalBySimulated, TimeRange::kAll);
    QCOMPARE(all.n, size_t{5});
    QVERIFY(testing::is_near(all.mape, (2.0 / 3 + 0.5 + 1.0 / 3 + 0.625 + 1.0 / 3) / 5));
    QVERIFY(testing::is_near(all.median_ape, 0.5));
    QCOMPARE(all.kendall_tau, 1.0);
    // The split is by x: 3 and 4 µs are short.
    QCOMPARE(pair_metrics(pair_points(), kAnalyticalBySimulated, TimeRange::kShort).n, size_t{2});
    QCOMPARE(pair_metrics(pair_points(), kAnalyticalBySimulated, TimeRange::kLong).n, size_t{3});
  }
  void one_factor_is_fitted_to_totals_of_measured_kernels() {
    // (2 + 4 + 10 + 20) / (1 + 2 + 6 + 9)
    QCOMPARE(fitted_scale(pair_points()), 2.0);
    const PairAxes axes{PairSource::kMeasured, PairSource::kScaled, 2.0};
    QCOMPARE(axes.y_ns(pair_points()[2]), 12000.0);
    QVERIFY(testing::is_near(axes.error(pair_points()[2]), 0.2));
    QVERIFY(testing::is_near(pair_metrics(pair_points(), axes, TimeRange::kAll).mape,
                             (0 + 0 + 0.2 + 0.1) / 4));
    QVERIFY(has_times(pair_points(), PairSource::kScaled, 2.0));
    const std::vector<ComparePoint> unmeasured{pair_points()[4]};
    QVERIFY(std::isnan(fitted_scale(unmeasured)));
    QVERIFY(!has_times(unmeasured, PairSource::kScaled, NAN));
    QVERIFY(!has_times(unmeasured, PairSource::kMeasured, NAN));
    QVERIFY(has_times(unmeasured, PairSource::kAnalytical, NAN));
  }
  void largest_differences_are_of_the_pair() {
    QCOMPARE(largest_differences(pair_points(), kSimulatedByMeasured),
             (std::vector<uint32_t>{3, 0, 2, 1}));
    QCOMPARE(largest_differences(pair_points(), kAnalyticalBySimulated),
             (std::vector<uint32_t>{3, 2, 0, 1, 4}));
  }
  void errors_by_class_program_and_size() {
    const std::array ys{PairSource::kSimulated, PairSource::kAnalytical};
    const auto classes = error_groups(pair_points(), {}, ys, Grouping::kOpClass);
    QCOMPARE(classes.size(), size_t{2});
    QCOMPARE(classes[0].key, std::string(hlo::name(classes[0].op_class)));
    const auto programs = error_groups(pair_points(), {}, ys, Grouping::kProgram);
    QCOMPARE(programs[0].key, std::string("a"));
    QCOMPARE(programs[0].n, size_t{3});
    QVERIFY(testing::is_near(programs[0].errors[0].mape, (0.5 + 0 + 0.2) / 3));
    QVERIFY(testing::is_near(programs[0].errors[1].mape, (0.5 + 0.5 + 0.55) / 3));
    QCOMPARE(programs[1].n, size_t{1});  // the other kernel of b is not measured
    const auto sizes = error_groups(pair_points(), {}, ys, Grouping::kSize);
    QCOMPARE(sizes.size(), size_t{3});
    QCOMPARE(sizes[0].key, std::string("1 to 5 µs"));
    QVERIFY(testing::is_near(sizes[0].errors[0].mape, 0.25));
    QCOMPARE(sizes[1].key, std::string("5 to 20 µs"));
    QCOMPARE(sizes[2].key, std::string("20 to 100 µs"));
    QCOMPARE(group_key(pair_points()[0], Grouping::kSize, 5000), std::string("5 to 20 µs"));
    QCOMPARE(group_key(pair_points()[0], Grouping::kSize, 1e9), std::string("1 ms and over"));
  }
  void residuals_are_counted_by_their_logarithm() {
    const auto histogram = residual_histogram(pair_points(), kSimulatedByMeasured);
    // 1.5 is no longer inside of a limit of 1.5. Bins are 2/41 wide: (log2(ratio) + 1) / (2/41).
    QCOMPARE(histogram.limit, 1.0);
    QCOMPARE(histogram.n, size_t{4});
    for (const size_t bin : {size_t{32}, size_t{20}, size_t{17}, size_t{25}}) {
      QCOMPARE(histogram.counts[bin], size_t{1});
    }
    QVERIFY(testing::is_near(histogram.median_ratio, std::sqrt(1.2)));
    // exp(numpy.std(numpy.log([1.5, 1, 0.9, 1.2]), ddof=1))
    QVERIFY(testing::is_near(histogram.spread, 1.2511009869731502));
    const auto none = residual_histogram({}, kSimulatedByMeasured);
    QCOMPARE(none.n, size_t{0});
    QVERIFY(std::isnan(none.median_ratio) && std::isnan(none.spread));
  }
  void far_residuals_are_counted_beside_the_bins() {
    std::vector<ComparePoint> many(100, point("a", hlo::OpClass::kReduction, 1000, 1010, NAN));
    many[7].time_ns[1] = 1e9;
    many[8].time_ns[1] = 1;
    const auto histogram = residual_histogram(many, kSimulatedByMeasured);
    QCOMPARE(histogram.limit, std::log2(1.1));
    QCOMPARE(histogram.below, size_t{1});
    QCOMPARE(histogram.above, size_t{1});
    size_t inside = 0;
    for (const size_t count : histogram.counts) inside += count;
    QCOMPARE(inside, size_t{98});
  }
  void every_kernel_gives_a_point_when_asked() {
    const auto file = hlo::read_file(HLOSCOPE_SOURCE_DIR "/samples/mobilenet_v2.hlo");
    QVERIFY(file.has_value());
    const auto report = *analyse(file->modules[0], "m.hlo", 1, *sim::find_machine("tpu_v3"));
    QVERIFY(compare_points(*report, MeasuredChoice::kReference).empty());
    const auto all = compare_points(*report, MeasuredChoice::kEveryKernel);
    QCOMPARE(all.size(), report->kernels.kernels.size());
    const auto metrics = pair_metrics(all, kAnalyticalBySimulated, TimeRange::kAll);
    QVERIFY(metrics.n > 0 && metrics.mape > 0 && metrics.kendall_tau > 0.5);
  }
};

HLOSCOPE_TEST(TestComparePairs);
#include "test_compare_pairs.moc"
