#include <algorithm>
#include <cmath>

#include "core/analysis/compare.h"
#include "core/analysis/compare_svg.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::analysis;

namespace {

/// The analytical estimate is twice the simulated one.
ComparePoint point(double measured_ns, double estimate_ns,
                   hlo::OpClass op_class = hlo::OpClass::kMatmulConv) {
  ComparePoint point;
  point.kernel_name = "k";
  point.program_name = "p,q";
  point.file_path = "f.pb";
  point.op_class = op_class;
  point.time_ns = {measured_ns, estimate_ns, 2 * estimate_ns};
  return point;
}

/// Errors 50 %, 0, -10 %, 20 %, and a point without estimate.
std::vector<ComparePoint> points() {
  return {point(2000, 3000, hlo::OpClass::kElementwise),
          point(4000, 4000, hlo::OpClass::kElementwise), point(10000, 9000), point(20000, 24000),
          point(30000, NAN)};
}

constexpr const char* kOneKernel = R"(HloModule one, is_scheduled=true
ENTRY main {
  p0 = f32[8,128]{1,0} parameter(0)
  ROOT add.1 = f32[8,128]{1,0} add(p0, p0)
}
)";

hlo::MeasuredRun run(int64_t time_ns, bool is_default, bool failed) {
  hlo::MeasuredRun run;
  run.time_ns = time_ns;
  run.is_default = is_default;
  run.failed = failed;
  run.output_bounds = {8, 128};
  run.kernel_bounds = {2};
  return run;
}

ModuleReport one_kernel() {
  ModuleReport report;
  report.module.program = *hlo::parse_program(kOneKernel);
  report.kernels = graph::kernels(*report.module.program);
  report.times.simulated.push_back({1800, 0, 0, Bound::kMemory});
  report.times.analytical.push_back({1500, 0, 0, Bound::kMemory});
  report.module.runs = {run(3000, false, false), run(2000, true, false), run(1, false, true)};
  report.measured_ns.push_back(2000.0);
  return report;
}

}  // namespace

class TestCompare : public QObject {
  Q_OBJECT
 private slots:
  void metrics_by_range() {
    const auto all = compare_metrics(points(), TimeSource::kSimulated, TimeRange::kAll);
    QCOMPARE(all.n, size_t{4});
    QCOMPARE(all.mape, (0.5 + 0.0 + 0.1 + 0.2) / 4);
    QCOMPARE(all.median_ape, (0.1 + 0.2) / 2);
    QCOMPARE(all.kendall_tau, 1.0);
    QCOMPARE(all.within_band, 0.5);
    const auto brief = compare_metrics(points(), TimeSource::kSimulated, TimeRange::kShort);
    QCOMPARE(brief.n, size_t{2});
    QCOMPARE(brief.mape, 0.25);
    const auto longer = compare_metrics(points(), TimeSource::kSimulated, TimeRange::kLong);
    QCOMPARE(longer.n, size_t{2});
    QCOMPARE(longer.mape, (0.1 + 0.2) / 2);
  }
  void each_estimate_has_metrics_of_its_own() {
    const auto all = compare_metrics(points(), TimeSource::kAnalytical, TimeRange::kAll);
    QCOMPARE(all.n, size_t{4});
    QCOMPARE(all.mape, (2.0 + 1.0 + 0.8 + 1.4) / 4);
    QCOMPARE(all.within_band, 0.0);
  }
  void the_threshold_belongs_to_the_long_kernels() {
    QVERIFY(in_range(TimeRange::kShort, 4999.9));
    QVERIFY(in_range(TimeRange::kLong, 5000));
    QVERIFY(!in_range(TimeRange::kShort, 5000));
    QVERIFY(in_range(TimeRange::kAll, 1));
  }
  void errors_by_class() {
    const auto errors = class_errors(points(), TimeSource::kSimulated);
    QCOMPARE(errors[size_t(hlo::OpClass::kElementwise)].n, size_t{2});
    QCOMPARE(errors[size_t(hlo::OpClass::kElementwise)].mape, 0.25);
    QCOMPARE(errors[size_t(hlo::OpClass::kMatmulConv)].n, size_t{2});
    QVERIFY(std::isnan(errors[size_t(hlo::OpClass::kReduction)].mape));
  }
  void largest_errors_are_by_absolute_time() {
    QCOMPARE(largest_errors(points(), TimeSource::kSimulated), (std::vector<uint32_t>{3, 0, 2, 1}));
  }
  void one_point_per_kernel_or_per_run() {
    const ModuleReport report = one_kernel();
    const auto reference = compare_points(report, MeasuredChoice::kReference);
    QCOMPARE(reference.size(), size_t{1});
    QCOMPARE(reference[0].kernel_name, std::string("add.1"));
    QCOMPARE(reference[0].measured_ns(), 2000.0);
    QCOMPARE(reference[0].error(TimeSource::kSimulated), -0.1);
    QCOMPARE(reference[0].error(TimeSource::kAnalytical), -0.25);
    const auto runs = compare_points(report, MeasuredChoice::kEveryRun);
    QCOMPARE(runs.size(), size_t{2});  // the failed one is no measured time
    QCOMPARE(runs[0].measured_ns(), 3000.0);
    QCOMPARE(runs[0].configuration, std::string("out=8x128,kernel=2"));
    QCOMPARE(runs[0].estimate_ns(TimeSource::kAnalytical), 1500.0);
    QCOMPARE(runs[0].estimate_ns(TimeSource::kSimulated), 1800.0);
    QVERIFY(runs[1].configuration.empty());
  }
  void filters_know_times_errors_and_the_tile_of_a_point() {
    const auto runs = compare_points(one_kernel(), MeasuredChoice::kEveryRun);
    const auto found = [&runs](std::string_view text) {
      const KernelQuery query = *KernelQuery::parse(text);
      return std::count_if(runs.begin(), runs.end(),
                           [&query](const ComparePoint& p) { return matches(query, p); });
    };
    QCOMPARE(found("simulated>1.7"), 2);
    QCOMPARE(found("err>20"), 1);  // 1.8 of 3 µs
    QCOMPARE(found("analytical_err>20"), 2);
    QCOMPARE(found("tile:8x128"), 1);
    QCOMPARE(found("shape:f32"), 0);
  }
  void kernels_without_measured_time_give_no_point() {
    ModuleReport report = one_kernel();
    report.measured_ns[graph::KernelId(0)] = std::nullopt;
    QVERIFY(compare_points(report, MeasuredChoice::kReference).empty());
    QVERIFY(compare_points(report, MeasuredChoice::kEveryRun).empty());
  }
  void the_picture_holds_every_point_with_an_estimate() {
    ScatterStyle style;
    style.title = "a < b";
    const std::string svg = scatter_svg(points(), TimeSource::kSimulated, style);
    size_t markers = 0;
    for (size_t at = svg.find("<path"); at != std::string::npos; at = svg.find("<path", at + 1)) {
      ++markers;
    }
    QCOMPARE(markers, size_t{4});
    QVERIFY(svg.find("a &lt; b") != std::string::npos);
    QVERIFY(svg.find("simulated 3 µs (+50.0 %)") != std::string::npos);
    QVERIFY(svg.find(">5 µs</text>") != std::string::npos);
    // y = x: measured equals estimated for the second point, so its marker lies on the diagonal of
    // a square plot.
    style.width = 480;   // 64 left + 400 + 16 right
    style.height = 484;  // 36 top + 400 + 48 bottom
    const std::vector<ComparePoint> two{point(1000, 4000), point(2000, 2000)};
    const std::string square = scatter_svg(two, TimeSource::kSimulated, style);
    // 2 is the geometric middle of 1 and 4.
    QVERIFY2(square.find("translate(264.00 236.00)") != std::string::npos, square.c_str());
  }
  void points_export_with_units() {
    const std::vector<ComparePoint> one{point(2000, 3000)};
    QCOMPARE(export_points(one, TableFormat::kCsv),
             std::string("kernel,program,file,module,class,configuration,measured_ns,"
                         "simulated_ns,simulated_error,analytical_ns,analytical_error\n"
                         "k,\"p,q\",f.pb,1,matmul/conv,,2000,3000,0.5,6000,2\n"));
  }
};

HLOSCOPE_TEST(TestCompare);
#include "test_compare.moc"
