#include <QLabel>
#include <QSignalSpy>
#include <QTableView>

#include "core/analysis/kernel_columns.h"
#include "db/compare.h"
#include "tests/support/test_registry.h"
#include "tests/ui/shell/window_fixture.h"

namespace hloscope::testing {

namespace {

constexpr const char* kStats =
    "HLO op name,Occurrences,Avg. self time (us)\n"
    "fusion.1,10,3\n"
    "copy.2,10,5\n"
    "while.9,10,1\n";

constexpr const char* kOtherStats = "HLO op name,Occurrences,Avg. self time (us)\nx.1,10,3\n";

// Of two kernels one has the compiler's estimate.
constexpr const char* kEstimated = R"(HloModule estimated, is_scheduled=true
ENTRY main {
  p = f32[8,128]{1,0} parameter(0)
  a = f32[8,128]{1,0} add(p, p), backend_config={"window_config":{"estimated_cycles":"940"}}
  ROOT n = f32[8,128]{1,0} negate(a)
}
)";

double measured_ns(ui::MainWindow& window, int kernel) {
  const auto& report = window.workspace().report();
  return report->measured_ns[graph::KernelId(kernel)].value_or(-1);
}

bool shows_column(ui::MainWindow& window, const char* key) {
  for (auto* view : window.findChildren<QTableView*>()) {
    if (view->accessibleName() != "Kernels") continue;
    return !view->isColumnHidden(static_cast<int>(*analysis::column_by_key(key)));
  }
  return false;
}

void open(ui::MainWindow& window, const QString& path) {
  const size_t before = window.workspace().files().size();
  window.workspace().open(QStringList{path});
  QTRY_COMPARE(window.workspace().files().size(), before + 1);
}

}  // namespace

/// Measured times beside a program, and the compiler's own estimates.
class TestMeasuredTimes : public QObject {
  Q_OBJECT
 private slots:
  void init() { fail_on_warnings(); }

  void opened_times_are_joined_to_the_current_program() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    open(window, fixture.write("two.hlo", kTwoKernels));
    QCOMPARE(measured_ns(window, 0), -1.0);
    window.workspace().open(QStringList{fixture.write("stats.csv", kStats)});
    QTRY_COMPARE(measured_ns(window, 0), 3000.0);
    QCOMPARE(measured_ns(window, 1), 5000.0);
    QCOMPARE(window.workspace().files().size(), 1U);
    QVERIFY(window.errors().current() == nullptr);
    bool told = false;
    for (const auto* label : window.findChildren<QLabel*>()) {
      told = told || label->text().contains("2 of 2 kernels measured; 2 of 3 rows");
    }
    QVERIFY(told);
    // Another machine and another reading of the program keep them.
    window.workspace().setMachine(*sim::find_machine("tpu_v4"));
    QTRY_COMPARE(window.workspace().report()->machine.id, std::string("tpu_v4"));
    QCOMPARE(measured_ns(window, 0), 3000.0);
    const auto before = window.workspace().report();
    window.workspace().reload();
    QTRY_VERIFY(window.workspace().report() != before);
    QCOMPARE(measured_ns(window, 0), 3000.0);
  }

  void times_are_stored_and_compared() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    open(window, fixture.write("two.hlo", kTwoKernels));
    window.workspace().addMeasured(fixture.write("stats.csv", kStats));
    QTRY_COMPARE(measured_ns(window, 0), 3000.0);
    QTRY_VERIFY(window.workspace().store().stateText().contains("all saved"));
    const auto database = db::Database::open(fixture.database(), db::OpenMode::kReadOnly);
    QVERIFY(database);
    db::CompareQuery query;
    query.source_kinds = {"simulator"};
    const auto points = db::compare_points(*database, query);
    QVERIFY(points);
    QCOMPARE(points->size(), 2U);
    QCOMPARE((*points)[0].measured_ns, 3000.0);
    QCOMPARE((*points)[0].instruction_name, std::string("fusion.1"));
  }

  void times_of_another_program_are_told_and_not_taken() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    open(window, fixture.write("two.hlo", kTwoKernels));
    window.workspace().open(QStringList{fixture.write("other.csv", kOtherStats)});
    QTRY_VERIFY(window.errors().current() != nullptr);
    QVERIFY(window.errors().current()->is_warning);
    QVERIFY(window.errors().current()->text.contains("were not taken"));
    QVERIFY(window.errors().current()->details.contains("x.1"));
    QCOMPARE(measured_ns(window, 0), -1.0);
  }

  void times_wait_for_their_program() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    QSignalSpy waits(&window.workspace(), &ui::Workspace::measuredWaits);
    window.workspace().open(QStringList{fixture.write("stats.csv", kStats)});
    QTRY_COMPARE(waits.size(), 1);
    open(window, fixture.write("two.hlo", kTwoKernels));
    QTRY_COMPARE(measured_ns(window, 1), 5000.0);
  }

  void a_file_that_is_neither_is_told_as_before() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    window.workspace().open(QStringList{fixture.write("bad.hlo", "HloModule m\nENTRY e {\n")});
    QTRY_VERIFY(window.errors().current() != nullptr);
    QVERIFY(!window.errors().current()->is_warning);
    QVERIFY(window.errors().current()->text.startsWith("bad.hlo could not be opened"));
    QSignalSpy failed(&window.workspace(), &ui::Workspace::openFailed);
    window.workspace().addMeasured(fixture.write("bad.csv", "a,b\n1,2\n"));
    QTRY_COMPARE(failed.size(), 1);
    QCOMPARE(failed[0][1].value<Error>().message,
             std::string("this is no table of measured times"));
  }

  void estimates_of_the_compiler_have_a_column_where_there_are_any() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    open(window, fixture.write("two.hlo", kTwoKernels));
    QVERIFY(!shows_column(window, "compiler"));
    open(window, fixture.write("estimated.hlo", kEstimated));
    // 940 cycles at the 0.94 GHz of a TPU v3.
    QCOMPARE(*window.workspace().report()->compiler_ns[graph::KernelId(0)], 1000.0);
    QVERIFY(shows_column(window, "compiler"));
    QVERIFY(!shows_column(window, "compiler_err"));
    window.workspace().select(window.workspace().reports().front(), {});
    QVERIFY(!shows_column(window, "compiler"));
  }
};
HLOSCOPE_TEST(TestMeasuredTimes);

}  // namespace hloscope::testing

#include "test_measured.moc"
