#include "core/analysis/roofline.h"

#include <cmath>
#include <map>

#include "core/analysis/kernel_table.h"
#include "core/analysis/machine_times.h"
#include "core/hlo/read.h"
#include "core/sim/machine_edit.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using analysis::TimeSource;

namespace {

using Report = std::shared_ptr<const analysis::ModuleReport>;

Report analysed(const std::string& machine) {
  const std::string path = HLOSCOPE_SOURCE_DIR "/samples/mobilenet_v2.hlo";
  const auto file = hlo::read_file(path);
  if (!file) qFatal("%s", file.error().format().c_str());
  const auto shown =
      analysis::shown_module(file->modules.front(), analysis::KernelChoice::kOwnFusion);
  return *analysis::analyse(*shown, path, 1, *sim::find_machine(machine));
}

// Each machine's report is made once.
Report roofline_report(const std::string& machine = "tpu_v3") {
  static std::map<std::string, Report> reports;
  Report& report = reports[machine];
  if (!report) report = analysed(machine);
  return report;
}

bool near_relative(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::abs(b);
}

}  // namespace

class TestRoofline : public QObject {
  Q_OBJECT
 private slots:
  // Peaks that the documents of Google give, per core (see resources/machines).
  void the_roof_is_that_of_the_documents() {
    const analysis::Roof v3 = analysis::roof(*sim::find_machine("tpu_v3"));
    QVERIFY(std::abs(v3.matrix_flops_per_s / 61.6e12 - 1) < 0.001);
    QCOMPARE(v3.vector_flops_per_s, 2 * 1024 * 0.94e9);
    const sim::Machine machine = *sim::find_machine("tpu_v3");
    QCOMPARE(v3.hbm_bytes_per_s, 450e9 * machine["hbm_efficiency"]);
    QVERIFY(near_relative(v3.ridge() * v3.hbm_bytes_per_s, v3.matrix_flops_per_s));
    const analysis::Roof v5e = analysis::roof(*sim::find_machine("tpu_v5e"));
    QVERIFY(std::abs(v5e.matrix_flops_per_s / 197e12 - 1) < 0.01);
  }

  void points_are_the_numbers_of_the_kernel_table() {
    const auto report = roofline_report();
    const analysis::KernelTable table(report);
    const analysis::Roofline line = analysis::roofline(*report, TimeSource::kSimulated);
    const size_t intensity = *analysis::column_by_key("intensity");
    const size_t flops = *analysis::column_by_key("flops");
    double share = line.share_without_flops;
    for (const analysis::RoofPoint& point : line.points) {
      QCOMPARE(point.intensity, table.number(point.kernel.value, intensity));
      QVERIFY(near_relative(point.flops_per_s * report->times.simulated[point.kernel].time_ns / 1e9,
                            table.number(point.kernel.value, flops)));
      share += point.share;
    }
    QVERIFY(near_relative(share, 1));
    QCOMPARE(line.points.size() + line.without_flops, report->kernels.kernels.size());
  }

  void no_kernel_is_above_the_matrix_roof() {
    const auto report = roofline_report();
    const analysis::Roof roof = analysis::roof(report->machine);
    const analysis::Roofline line = analysis::roofline(*report, TimeSource::kSimulated);
    for (const analysis::RoofPoint& point : line.points) {
      QVERIFY(point.flops_per_s <= roof.matrix_flops_per_s * (1 + 1e-9));
    }
  }

  void a_source_without_times_gives_no_points() {
    const analysis::Roofline line = analysis::roofline(*roofline_report(), TimeSource::kMeasured);
    QVERIFY(line.points.empty());
    QCOMPARE(line.without_flops, size_t{0});
    QCOMPARE(line.share_without_flops, 0.0);
  }

  void machines_are_compared_as_if_each_were_chosen() {
    const auto v3 = roofline_report("tpu_v3");
    const auto v5e = roofline_report("tpu_v5e");
    const std::vector<sim::Machine> machines = {v3->machine, v5e->machine};
    const auto times = analysis::machine_times(*v3, machines);
    QVERIFY(times);
    QCOMPARE((*times)[0].total_ns, v3->simulated_total_ns);
    QCOMPARE((*times)[1].total_ns, v5e->simulated_total_ns);
    for (uint32_t k = 0; k < v3->kernels.kernels.size(); ++k) {
      const graph::KernelId id(k);
      QCOMPARE((*times)[1].time_ns[id], v5e->times.simulated[id].time_ns);
    }
    const std::string csv = analysis::machine_times_csv(*v3, *times);
    QVERIFY(csv.starts_with("kernel,class,executions,simulated_ns tpu_v3,simulated_ns tpu_v5e\n"));
    QCOMPARE(static_cast<size_t>(std::count(csv.begin(), csv.end(), '\n')),
             v3->kernels.kernels.size() + 1);
  }

  void a_machine_at_twice_the_clock_is_faster() {
    const auto report = roofline_report();
    const auto fast = sim::changed_machine(report->machine, {{"clock_ghz", 1.88}});
    const std::vector<sim::Machine> machines = {*fast};
    const auto times = analysis::machine_times(*report, machines);
    QVERIFY(times && times->front().total_ns < report->simulated_total_ns);
  }
};

HLOSCOPE_TEST(TestRoofline);
#include "test_roofline.moc"
