#include "core/analysis/compare.h"
#include "core/analysis/kernel_table.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::analysis;
using graph::KernelId;

namespace {

// Kernels a and b.
constexpr const char* kPredictedProgram = R"(HloModule two, is_scheduled=true
ENTRY main {
  p = f32[8,128]{1,0} parameter(0)
  a = f32[8,128]{1,0} add(p, p)
  ROOT b = f32[8,128]{1,0} negate(a)
}
)";

std::shared_ptr<const ModuleReport> plain_report() {
  const hlo::File file = *hlo::read_bytes(kPredictedProgram, "m.hlo");
  return *analysis::analyse(file.modules.front(), "m.hlo", 1, *sim::find_machine("tpu_v3"));
}

PredictedTimes some_times() {
  PredictedTimes times;
  times.by = {"tpu_v3_fusion", {0x0123456789abcdef, 7}, 3, "simulated (tpu_v3)", true, true, true};
  times.of_kernels.push_back(PredictedTime{1000, 900, 1100, false});
  times.of_kernels.push_back(PredictedTime{3000, 2000, 5000, true});
  return times;
}

std::shared_ptr<const ModuleReport> predicted_report(const PredictedTimes& times) {
  return with_predicted(*plain_report(), times);
}

double number(const ModuleReport& report, uint32_t row, const char* key) {
  const KernelTable table(std::make_shared<const ModuleReport>(report));
  return table.number(row, *column_by_key(key));
}

}  // namespace

class TestPredictedTimes : public QObject {
  Q_OBJECT
 private slots:
  void a_label_names_model_and_hash() {
    QCOMPARE(some_times().by.label(), std::string("tpu_v3_fusion@01234567"));
  }
  void totals_count_executions() {
    graph::KernelList kernels;
    kernels.kernels.resize(3);
    kernels.kernels[KernelId(1)].executions = 2;
    PredictedTimes times = some_times();
    times.of_kernels.push_back(std::nullopt);
    add_totals(kernels, times);
    QCOMPARE(times.total_ns, 7000.0);
    QCOMPARE(times.far_share, 6.0 / 7);
  }
  void spread_is_half_the_interval() {
    QCOMPARE(some_times().of_kernels[KernelId(0)]->spread(), 0.1);
    QCOMPARE(some_times().of_kernels[KernelId(1)]->spread(), 0.5);
    QCOMPARE((PredictedTime{0, 0, 0, false}).spread(), 0.0);
  }
  void columns_and_filters_have_time_spread_and_mark() {
    const auto report = predicted_report(some_times());
    QCOMPARE(*time_ns(*report, TimeSource::kPredicted, KernelId(1)), 3000.0);
    QCOMPARE(number(*report, 0, "predicted"), 1000.0);
    QCOMPARE(number(*report, 0, "spread"), 0.1);
    QCOMPARE(number(*report, 0, "far"), 0.0);
    QCOMPARE(number(*report, 1, "far"), 1.0);
    const KernelTable table(report);
    QCOMPARE(table.filtered(*KernelQuery::parse("far=1")), std::vector<uint32_t>{1});
    QCOMPARE(table.filtered(*KernelQuery::parse("spread<20")), std::vector<uint32_t>{0});
    QCOMPARE(table.filtered(*KernelQuery::parse("predicted>2")), std::vector<uint32_t>{1});
  }
  void without_a_model_there_are_no_columns() {
    const auto report = plain_report();
    QVERIFY(!has_place(*report, TimeSource::kPredicted));
    for (const char* key : {"predicted", "spread", "far", "predicted_err"}) {
      QVERIFY2(!has_column(*report, *column_by_key(key)), key);
      QVERIFY2(has_column(*predicted_report(some_times()), *column_by_key(key)), key);
    }
    QVERIFY(has_column(*report, *column_by_key("fallback")));
  }
  void what_the_model_does_not_know_is_left_empty() {
    PredictedTimes times = some_times();
    times.by.has_spread = false;
    times.by.knows_far = false;
    const auto report = predicted_report(times);
    QCOMPARE(number(*report, 0, "predicted"), 1000.0);
    QVERIFY(std::isnan(number(*report, 0, "spread")));
    QVERIFY(std::isnan(number(*report, 0, "far")));
    times.of_kernels[KernelId(0)].reset();
    QVERIFY(std::isnan(number(*predicted_report(times), 0, "predicted")));
  }
  void comparisons_have_them() {
    IndexedVector<KernelId, std::optional<double>> measured(2);
    measured[KernelId(1)] = 2500.0;
    const auto report = with_measured(*predicted_report(some_times()), {}, measured);
    const auto points = compare_points(*report, MeasuredChoice::kReference);
    QCOMPARE(points.size(), size_t{1});
    QCOMPARE(points[0].error(TimeSource::kPredicted), 0.2);
    QVERIFY(export_points(points, TableFormat::kCsv).find("predicted_ns,predicted_error") !=
            std::string::npos);
  }
};
HLOSCOPE_TEST(TestPredictedTimes);

#include "test_predicted_times.moc"
