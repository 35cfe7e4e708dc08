#include <cmath>

#include "core/analysis/kernel_export.h"
#include "core/analysis/kernel_query.h"
#include "core/analysis/kernel_table.h"
#include "core/analysis/roofline.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::analysis;

namespace {

using graph::KernelId;

constexpr const char* kThree = R"(HloModule three, is_scheduled=true
ENTRY main {
  p0 = f32[8,128]{1,0} parameter(0)
  add.1 = f32[8,128]{1,0} add(p0, p0)
  sine.1 = f32[8,128]{1,0} sine(add.1)
  ROOT copy.1 = f32[8,128]{0,1} copy(sine.1)
}
)";
// The sine has another name, the copy another shape and layout, and there is no add.
constexpr const char* kRewritten = R"(HloModule three, is_scheduled=true
ENTRY main {
  p0 = f32[8,128]{1,0} parameter(0)
  sine.7 = f32[8,128]{1,0} sine(p0)
  slice.1 = f32[4,128]{1,0} slice(sine.7), slice={[0:4], [0:128]}
  ROOT copy.1 = f32[4,128]{0,1} copy(slice.1)
}
)";
constexpr const char* kOther = R"(HloModule other, is_scheduled=true
ENTRY main {
  p0 = f32[8,128]{1,0} parameter(0)
  ROOT sine.1 = f32[8,128]{1,0} sine(p0)
}
)";

using ReportPtr = std::shared_ptr<const ModuleReport>;

/// With these simulated times in µs; analytical ones are twice as long.
ReportPtr report(const char* text, std::initializer_list<double> simulated_us,
                 const char* file = "three.hlo") {
  auto report = std::make_shared<ModuleReport>();
  report->file_path = file;
  report->module.program = *hlo::parse_program(text);
  report->kernels = graph::kernels(*report->module.program);
  report->cost = cost(*report->module.program, report->kernels);
  for (double us : simulated_us) {
    report->times.simulated.push_back({us * 1000, 0, 0, Bound::kMemory});
    report->times.analytical.push_back({us * 2000, 0, 0, Bound::kMemory});
  }
  return report;
}

BaselinePtr pinned(const ReportPtr& report) {
  return pinned_times({&report, 1}, "before");
}

double number(const KernelTable& table, uint32_t row, std::string_view key) {
  return table.number(row, *column_by_key(key));
}

KernelTable::Totals totals(const KernelTable& table, std::vector<uint32_t> rows) {
  return table.totals(rows);
}

constexpr auto kSim = static_cast<size_t>(TimeSource::kSimulated);
constexpr auto kMeas = static_cast<size_t>(TimeSource::kMeasured);

}  // namespace

class TestBaseline : public QObject {
  Q_OBJECT
 private slots:
  void changes_are_fractions_of_the_baseline_with_their_sign() {
    const KernelTable table(report(kThree, {1.5, 2, 3}), pinned(report(kThree, {1, 2, 4})));
    QCOMPARE(number(table, 0, "dsim"), 0.5);
    QCOMPARE(number(table, 1, "dsim"), 0.0);
    QCOMPARE(number(table, 2, "dsim"), -0.25);
    QCOMPARE(number(table, 2, "dana"), -0.25);
    QVERIFY(table.has_column(*column_by_key("dsim")));
    // Nothing was measured, predicted or compiled.
    for (const char* key : {"dmeas", "dpred", "dxla"}) {
      QVERIFY2(!table.has_column(*column_by_key(key)), key);
      QVERIFY2(std::isnan(number(table, 0, key)), key);
    }
  }
  void without_a_baseline_there_are_no_such_columns() {
    const KernelTable table(report(kThree, {1, 2, 4}));
    std::vector<uint32_t> rows{0, 1, 2};
    QVERIFY(!table.has_column(*column_by_key("dsim")));
    QVERIFY(!has_column(table.report(), *column_by_key("dsim")));
    QVERIFY(is_optional(kernel_columns()[*column_by_key("dsim")]));
    QVERIFY(std::isnan(number(table, 0, "dsim")));
    table.sort(rows, *column_by_key("dsim"), true);
    QCOMPARE(rows, (std::vector<uint32_t>{0, 1, 2}));
    QVERIFY(std::isnan(totals(table, rows).delta[kSim]));
  }
  void they_sort_with_their_sign_and_filters_see_it() {
    const KernelTable table(report(kThree, {1.5, 2, 3}), pinned(report(kThree, {1, 2, 4})));
    std::vector<uint32_t> rows{0, 1, 2};
    table.sort(rows, *column_by_key("dsim"), false);
    QCOMPARE(rows, (std::vector<uint32_t>{2, 1, 0}));
    const auto found = [&table](std::string_view text) {
      return table.filtered(*KernelQuery::parse(text));
    };
    QCOMPARE(found("dsim>5"), (std::vector<uint32_t>{0}));
    QCOMPARE(found("dsim<-5%"), (std::vector<uint32_t>{2}));
    QCOMPARE(found("dsim=0"), (std::vector<uint32_t>{1}));
    QCOMPARE(found("dmeas>0"), (std::vector<uint32_t>{}));
  }
  void kernels_are_found_by_name_then_by_hash() {
    // sine.7 is the sine.1 of before: 3 µs. The copy has the old one's name. The slice is new.
    const KernelTable table(report(kRewritten, {3, 5, 2}), pinned(report(kThree, {1, 2, 4})));
    QCOMPARE(number(table, 0, "dsim"), 0.5);
    QVERIFY(std::isnan(number(table, 1, "dsim")));
    QCOMPARE(number(table, 2, "dsim"), -0.5);
  }
  void programs_are_found_by_file_then_by_their_own_name() {
    const ReportPtr before = report(kThree, {1, 2, 4}, "dump/before.hlo");
    const KernelTable moved(report(kThree, {2, 2, 4}, "dump/after.hlo"), pinned(before));
    QCOMPARE(number(moved, 0, "dsim"), 1.0);
    // Another program: not by name, only by what its kernels are. sine: 2 µs before, 3 now.
    const KernelTable other(report(kOther, {3}, "other.hlo"), pinned(before));
    QCOMPARE(number(other, 0, "dsim"), 0.5);
    // Of two modules of the same name none is the one.
    const std::vector<ReportPtr> two{before, report(kThree, {8, 8, 8}, "b.hlo")};
    const auto both = pinned_times(two, "two");
    QVERIFY(!both->total_ns(*report(kThree, {1, 1, 1}, "c.hlo"), TimeSource::kSimulated));
    QCOMPARE(*both->total_ns(*report(kThree, {1, 1, 1}, "b.hlo"), TimeSource::kSimulated), 24000.0);
  }
  void the_total_is_of_the_whole_program() {
    // 7 µs before; 10 µs now, in other kernels.
    const KernelTable table(report(kRewritten, {3, 5, 2}), pinned(report(kThree, {1, 2, 4})));
    QCOMPARE(totals(table, {0, 1, 2}).delta[kSim], 3.0 / 7);
    // Of some rows: those with both times. 3 + 2 now, 2 + 4 before.
    QCOMPARE(totals(table, {0, 2}).delta[kSim], -1.0 / 6);
    QVERIFY(std::isnan(totals(table, {1}).delta[kSim]));
    QVERIFY(std::isnan(totals(table, {0, 1, 2}).delta[kMeas]));
  }
  void a_total_that_lacks_kernels_is_of_those_with_both_times() {
    auto before = std::make_shared<ModuleReport>(*report(kThree, {1, 2, 4}));
    auto now = std::make_shared<ModuleReport>(*before);
    before->measured_ns.resize(3);
    before->measured_ns[KernelId(1)] = 2000;
    now->measured_ns.resize(3, 1000.0);
    const KernelTable table(now, pinned(before));
    QCOMPARE(number(table, 1, "dmeas"), -0.5);
    QVERIFY(std::isnan(number(table, 0, "dmeas")));
    QCOMPARE(totals(table, {0, 1, 2}).delta[kMeas], -0.5);
    QVERIFY(table.has_column(*column_by_key("dmeas")));
    // The same measured times as before: no column of zeros.
    const KernelTable same(now, pinned(now));
    QVERIFY(!same.has_column(*column_by_key("dmeas")));
    QVERIFY(same.has_column(*column_by_key("dsim")));
  }
  void all_kernels_are_compared_with_one() {
    const ReportPtr one = report(kThree, {1, 2, 4});
    const BaselinePtr baseline = pinned_kernel(*one, KernelId(1));
    QCOMPARE(baseline->label(), std::string("kernel sine.1"));
    const KernelTable table(one, baseline);
    QCOMPARE(number(table, 0, "dsim"), -0.5);
    QCOMPARE(number(table, 1, "dsim"), 0.0);
    QCOMPARE(number(table, 2, "dsim"), 1.0);
    // A program is not compared with a kernel.
    QVERIFY(std::isnan(totals(table, {0, 1, 2}).delta[kSim]));
  }
  void the_roofline_has_where_kernels_were_before() {
    // The adds alone compute: 1024 FLOPs in 1 µs before, in 1.5 µs now; the sine is no FLOP.
    const ReportPtr now = report(kThree, {1.5, 2, 3});
    const Roofline line = roofline(*now, TimeSource::kSimulated, pinned(report(kThree, {1, 2, 4})));
    QCOMPARE(line.points.size(), size_t{1});
    QCOMPARE(line.pinned.size(), size_t{1});
    QCOMPARE(line.points[0].flops_per_s, 1024 / 1.5e-6);
    QCOMPARE(line.pinned[0].flops_per_s, 1024 / 1e-6);
    QCOMPARE(line.pinned[0].intensity, line.points[0].intensity);
    // Analytical times twice as long.
    QCOMPARE(roofline(*now, TimeSource::kAnalytical, pinned(report(kThree, {1, 2, 4})))
                 .pinned[0]
                 .flops_per_s,
             1024 / 2e-6);
    QVERIFY(roofline(*now, TimeSource::kSimulated).pinned.empty());
  }
  void it_outlives_what_it_was_made_of() {
    ReportPtr gone = report(kThree, {1, 2, 4});
    const BaselinePtr baseline = pinned(gone);
    gone.reset();
    const ReportPtr now = report(kThree, {2, 2, 2});
    QCOMPARE(*baseline->time_ns(*now, TimeSource::kSimulated, KernelId(2)), 4000.0);
    QVERIFY(!baseline->time_ns(*now, TimeSource::kMeasured, KernelId(2)));
  }
  void tables_export_them_in_full() {
    const KernelTable table(report(kThree, {1.5, 2, 3}), pinned(report(kThree, {1, 2, 4})));
    const std::vector<uint32_t> rows{0, 2};
    const std::vector<size_t> columns{*column_by_key("name"), *column_by_key("dsim")};
    QCOMPARE(export_rows(table, rows, columns, TableFormat::kCsv),
             std::string("kernel,simulated_delta\nadd.1,0.5\ncopy.1,-0.25\n"));
  }
  void labels_leave_out_what_all_machines_have_alike() {
    QCOMPARE(short_title(*sim::find_machine("tpu_v3")), std::string("TPU v3"));
    sim::Machine own;
    own.title = "Own, 2 cores";
    QCOMPARE(short_title(own), std::string("Own, 2 cores"));
  }
};

HLOSCOPE_TEST(TestBaseline);
#include "test_baseline.moc"
