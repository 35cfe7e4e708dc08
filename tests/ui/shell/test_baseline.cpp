#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QToolButton>

#include "core/analysis/kernel_columns.h"
#include "tests/support/test_registry.h"
#include "tests/ui/shell/window_fixture.h"
#include "ui/models/item_roles.h"
#include "ui/models/kernel_table_model.h"
#include "ui/pages/graph/kernel_dock.h"
#include "ui/pages/graph/kernels_dock.h"
#include "ui/pages/graph/time_bars.h"
#include "ui/pages/runs/runs_page.h"

using namespace hloscope;
using namespace hloscope::ui;

namespace {

struct BaselineWindow {
  testing::WindowFixture fixture;
  MainWindow& window() { return fixture.window(); }
  Workspace& workspace() { return window().workspace(); }
  KernelsDock& kernels() { return *window().findChild<KernelsDock*>(); }
  QTableView& table() { return *kernels().findChild<QTableView*>(); }
  QToolButton& button() {
    return *window().findChild<QToolButton*>(QStringLiteral("baseline_button"));
  }
  void trigger(const char* command) { window().commands().find(command)->trigger(); }

  void open() {
    workspace().open(QStringList{fixture.write("two.hlo", testing::kTwoKernels)});
    QVERIFY(QTest::qWaitFor([this] { return workspace().report() && window().tasks().isIdle(); }));
    window().showPage(QStringLiteral("graph"));
  }
  void use(const char* machine) {
    workspace().setMachine(*sim::find_machine(machine));
    QVERIFY(QTest::qWaitFor([this] { return window().tasks().isIdle(); }));
  }
  void select(uint32_t kernel) {
    const graph::KernelId id(kernel);
    workspace().select(nullptr, {id, workspace().report()->kernels.kernels[id].instruction});
  }
  /// Of a kernel in the kernel table.
  double cell(uint32_t kernel, const char* key) {
    const auto& model = static_cast<const KernelTableModel&>(*table().model());
    const int row = model.indexOf(graph::KernelId(kernel)).row();
    return model.index(row, column(key)).data(kValueRole).toDouble();
  }
  static int column(const char* key) { return static_cast<int>(*analysis::column_by_key(key)); }
  double simulated(uint32_t kernel) {
    return workspace().report()->times.simulated[graph::KernelId(kernel)].time_ns;
  }
};

}  // namespace

/// What the window compares times with.
class TestBaseline : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::fail_on_warnings(); }

  void pinned_times_show_what_another_machine_changes() {
    BaselineWindow shown;
    shown.open();
    QVERIFY(shown.table().isColumnHidden(BaselineWindow::column("dsim")));
    QVERIFY(!shown.kernels().totalsText().contains(QStringLiteral("Δ")));
    const double before_ns[] = {shown.simulated(0), shown.simulated(1)};
    const double total_ns = shown.workspace().report()->simulated_total_ns;
    shown.trigger("baseline.pin_times");
    QVERIFY(!shown.table().isColumnHidden(BaselineWindow::column("dsim")));
    QVERIFY(
        shown.table().isColumnHidden(BaselineWindow::column("dmeas")));  // Nothing was measured.
    QCOMPARE(shown.cell(0, "dsim"), 0.0);
    QVERIFY(shown.button().text().startsWith(QStringLiteral("Δ to TPU v3, ")));
    shown.use("tpu_v5e");
    for (uint32_t k = 0; k < 2; ++k) {
      const double change = (shown.simulated(k) - before_ns[k]) / before_ns[k];
      QVERIFY(change != 0);
      QCOMPARE(shown.cell(k, "dsim"), change);
    }
    const double change = (shown.workspace().report()->simulated_total_ns - total_ns) / total_ns;
    const QString expected = QStringLiteral("(Δ %1%2 %)")
                                 .arg(change < 0 ? QStringLiteral("−") : QStringLiteral("+"))
                                 .arg(std::abs(change) * 100, 0, 'f', 1);
    QVERIFY2(shown.kernels().totalsText().contains(expected),
             qPrintable(shown.kernels().totalsText() + " lacks " + expected));
    // In a small window its text makes room for "Go to" and the colours.
    QCOMPARE(shown.button().toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
    shown.window().resize(800, 600);
    QTRY_COMPARE(shown.button().toolButtonStyle(), Qt::ToolButtonIconOnly);
    shown.trigger("baseline.unpin");
    QVERIFY(shown.table().isColumnHidden(BaselineWindow::column("dsim")));
    QVERIFY(shown.button().text().isEmpty());
    QVERIFY(!shown.window().commands().find("baseline.unpin")->isEnabled());
  }

  void a_file_that_was_written_anew_shows_what_changed() {
    BaselineWindow shown;
    shown.open();
    const double before_ns = shown.simulated(1);
    shown.trigger("baseline.pin_times");
    // The copy also changes the layout now; the fusion is as before.
    shown.fixture.write(
        "two.hlo", QString(testing::kTwoKernels)
                       .replace("ROOT copy.2 = f32[8,128]{1,0}", "ROOT copy.2 = f32[8,128]{0,1}"));
    shown.workspace().reload();
    QTRY_VERIFY(shown.window().tasks().isIdle());
    QVERIFY(shown.simulated(1) != before_ns);
    QCOMPARE(shown.cell(0, "dsim"), 0.0);
    QCOMPARE(shown.cell(1, "dsim"), (shown.simulated(1) - before_ns) / before_ns);
  }

  void ctrl_d_pins_the_selected_kernel_and_unpins_it() {
    BaselineWindow shown;
    shown.open();
    QAction* pin = shown.window().commands().find("baseline.pin_kernel");
    QVERIFY(!pin->isEnabled());
    shown.select(1);
    QTest::keyClick(&shown.window(), Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(shown.button().text(), QStringLiteral("Δ to kernel copy.2"));
    QCOMPARE(shown.cell(0, "dsim"), (shown.simulated(0) - shown.simulated(1)) / shown.simulated(1));
    QCOMPARE(shown.cell(1, "dsim"), 0.0);
    auto* in_dock = shown.window().findChild<QToolButton*>(QStringLiteral("pin_kernel"));
    QVERIFY(in_dock->isChecked());
    shown.select(0);
    QVERIFY(!in_dock->isChecked());
    auto* bars = shown.window().findChild<TimeBars*>();
    const double change = (shown.simulated(0) - shown.simulated(1)) / shown.simulated(1);
    QCOMPARE(bars->deltaText(analysis::TimeSource::kSimulated),
             QStringLiteral("Δ %1%2 %")
                 .arg(change < 0 ? QStringLiteral("−") : QStringLiteral("+"))
                 .arg(std::abs(change) * 100, 0, 'f', 1));
    QVERIFY(bars->deltaText(analysis::TimeSource::kMeasured).isEmpty());
    in_dock->click();
    QCOMPARE(shown.button().text(), QStringLiteral("Δ to kernel fusion.1"));
    QTest::keyClick(&shown.window(), Qt::Key_D, Qt::ControlModifier);
    QVERIFY(!shown.window().baseline());
    // The page Runs pins runs with the same key.
    shown.window().showPage(QStringLiteral("runs"));
    QVERIFY(pin->shortcut().isEmpty());
    shown.window().showPage(QStringLiteral("graph"));
    QCOMPARE(pin->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_D));
  }

  void the_graph_is_coloured_by_the_change() {
    BaselineWindow shown;
    shown.open();
    QComboBox* colours = nullptr;
    for (QComboBox* box : shown.window().findChildren<QComboBox*>()) {
      if (box->accessibleName() == QStringLiteral("Colour by")) colours = box;
    }
    QVERIFY(colours != nullptr);
    const int change = colours->findText(QStringLiteral("Change to baseline"));
    const auto is_offered = [&] {
      return colours->model()->index(change, 0).flags().testFlag(Qt::ItemIsEnabled);
    };
    QVERIFY(!is_offered());
    shown.trigger("baseline.pin_times");
    QVERIFY(is_offered());
    colours->setCurrentIndex(change);
    shown.trigger("baseline.unpin");
    QCOMPARE(colours->currentIndex(), 0);
  }

  void a_pinned_run_comes_back_with_the_session() {
    BaselineWindow shown;
    shown.open();
    auto* runs = shown.window().findChild<RunsPage*>();
    shown.window().showPage(QStringLiteral("runs"));
    QTRY_VERIFY(shown.window().tasks().isIdle() && runs->list(RunsPage::kRuns)->rowCount() > 0);
    runs->listView(RunsPage::kRuns)->selectRow(0);
    const auto* pin = runs->findChild<QAction*>(QStringLiteral("runs.pin"));
    QTRY_VERIFY(shown.window().tasks().isIdle() && pin->isEnabled());
    runs->listView(RunsPage::kRuns)->setFocus();
    QTest::keyClick(runs->listView(RunsPage::kRuns), Qt::Key_D, Qt::ControlModifier);
    QTRY_VERIFY(shown.window().baseline() != nullptr);
    const std::string label = shown.window().baseline()->label();
    QVERIFY2(label.starts_with("run "), label.c_str());
    QVERIFY(shown.button().toolTip().contains(QStringLiteral("comes back with the session")));
    shown.fixture.remake();
    shown.window().restoreSession();
    QTRY_VERIFY(shown.window().baseline() != nullptr);
    QCOMPARE(shown.window().baseline()->label(), label);
    runs = shown.window().findChild<RunsPage*>();
    QVERIFY(runs->pinnedRun().has_value());
    // One baseline for the whole window: unpinned here it is unpinned there.
    shown.trigger("baseline.unpin");
    QVERIFY(!runs->pinnedRun().has_value());
    QTRY_VERIFY(shown.window().tasks().isIdle());
  }
};

HLOSCOPE_TEST(TestBaseline);
#include "test_baseline.moc"
