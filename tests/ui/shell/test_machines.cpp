#include <QComboBox>
#include <QSignalSpy>

#include "core/sim/machine_edit.h"
#include "tests/support/test_registry.h"
#include "tests/ui/shell/window_fixture.h"
#include "ui/pages/simulate/assumptions_panel.h"
#include "ui/pages/simulate/simulate_page.h"

using namespace hloscope;
using namespace hloscope::ui;

namespace {

SimulatePage* simulatePage(MainWindow& window) {
  return window.findChild<SimulatePage*>();
}

QComboBox* toolBarMachine(MainWindow& window) {
  for (QComboBox* box : window.findChildren<QComboBox*>()) {
    if (box->accessibleName() == QStringLiteral("Machine") &&
        !simulatePage(window)->isAncestorOf(box)) {
      return box;
    }
  }
  return nullptr;
}

/// Opens a program and waits for everything that follows.
void openProgram(testing::WindowFixture& fixture) {
  MainWindow& window = fixture.window();
  window.workspace().open(QStringList{fixture.write("two.hlo", testing::kTwoKernels)});
  QTRY_VERIFY(window.workspace().report() && window.tasks().isIdle());
}

}  // namespace

class TestMachines : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::fail_on_warnings(); }

  void changed_assumptions_reach_the_whole_window() {
    testing::WindowFixture fixture;
    openProgram(fixture);
    MainWindow& window = fixture.window();
    const double before_ns = window.workspace().report()->simulated_total_ns;
    AssumptionsPanel* panel = simulatePage(window)->assumptions();
    const int row = panel->model()->rowOf("launch_ns");
    panel->model()->setData(panel->model()->index(row, MachineModel::kValue),
                            QStringLiteral("10000"), Qt::EditRole);
    // Nothing moves until it is asked for.
    QCOMPARE(window.workspace().report()->simulated_total_ns, before_ns);
    panel->apply();
    QTRY_VERIFY(window.tasks().isIdle());
    const double launch_ns = sim::find_machine("tpu_v3")->constants.at("launch_ns").value;
    const double after_ns = window.workspace().report()->simulated_total_ns;
    QVERIFY(std::abs(after_ns - before_ns - 2 * (10000 - launch_ns)) < 1e-6);
    QCOMPARE(simulatePage(window)->timeline()->total_ns(), after_ns);
    QVERIFY(panel->model()->isChanged(row) && !panel->isPending());
    QVERIFY(toolBarMachine(window)->currentText().endsWith(QStringLiteral("1 changed")));
  }

  void a_changed_machine_can_be_chosen_again() {
    testing::WindowFixture fixture;
    openProgram(fixture);
    MainWindow& window = fixture.window();
    AssumptionsPanel* panel = simulatePage(window)->assumptions();
    const int row = panel->model()->rowOf("mxu_count");
    panel->model()->setData(panel->model()->index(row, MachineModel::kValue), QStringLiteral("9"),
                            Qt::EditRole);
    panel->apply();
    QTRY_VERIFY(window.tasks().isIdle());
    const QString changed = toolBarMachine(window)->currentData().toString();
    const auto choose = [&](const QString& id) {
      QComboBox* box = toolBarMachine(window);
      box->setCurrentIndex(box->findData(id));
      emit box->activated(box->currentIndex());
      QTRY_VERIFY(window.tasks().isIdle());
    };
    choose(QStringLiteral("tpu_v4"));
    QCOMPARE(window.workspace().machine().id, std::string("tpu_v4"));
    QVERIFY(panel->model()->changes().empty());
    choose(changed);
    QCOMPARE(window.workspace().machine()["mxu_count"], 9.0);
  }

  void a_saved_machine_is_that_of_the_next_start() {
    testing::WindowFixture fixture;
    openProgram(fixture);
    MainWindow& window = fixture.window();
    AssumptionsPanel* panel = simulatePage(window)->assumptions();
    const int row = panel->model()->rowOf("launch_ns");
    panel->model()->setData(panel->model()->index(row, MachineModel::kValue), QStringLiteral("1"),
                            Qt::EditRole);
    const QString path = fixture.folder().filePath(QStringLiteral("fast start.json"));
    panel->saveTo(path);
    QTRY_VERIFY(window.tasks().isIdle());
    QCOMPARE(window.workspace().machine().title, std::string("fast start"));
    QCOMPARE(fixture.settings().value("window/machine").toString(), path);
    QVERIFY(!panel->isPending() && panel->model()->changes().empty());
    QCOMPARE(toolBarMachine(window)->currentText(), QStringLiteral("fast start"));
  }

  void saved_machines_are_listed_after_a_restart() {
    testing::WindowFixture fixture;
    AssumptionsPanel* panel = simulatePage(fixture.window())->assumptions();
    const int row = panel->model()->rowOf("launch_ns");
    panel->model()->setData(panel->model()->index(row, MachineModel::kValue), QStringLiteral("1"),
                            Qt::EditRole);
    panel->saveTo(fixture.folder().filePath(QStringLiteral("fast start.json")));
    fixture.remake();
    QComboBox* box = toolBarMachine(fixture.window());
    const int index = box->findText(QStringLiteral("fast start"));
    QVERIFY(index >= 0);
    box->setCurrentIndex(index);
    emit box->activated(index);
    QCOMPARE(fixture.window().workspace().machine()["launch_ns"], 1.0);
    // One that cannot be read any more is told where it is chosen.
    fixture.write(QStringLiteral("fast start.json"), QStringLiteral("{"));
    fixture.remake();
    box = toolBarMachine(fixture.window());
    QVERIFY(box->findText(QStringLiteral("fast start")) < 0);
    const int bad = box->findText(QStringLiteral("fast start.json: not read"));
    QVERIFY(bad >= 0);
    QVERIFY(box->itemData(bad, Qt::ToolTipRole).toString().contains("fast start.json"));
  }

  void a_kernel_selected_here_is_selected_in_the_window() {
    testing::WindowFixture fixture;
    openProgram(fixture);
    MainWindow& window = fixture.window();
    QVERIFY(window.showPage(QStringLiteral("simulate")));
    SimulatePage* page = simulatePage(window);
    emit page->selectionRequested(nullptr, Selection{graph::KernelId(1), {}});
    QVERIFY(window.workspace().selection().kernel == graph::KernelId(1));
    window.workspace().closeAll();
    QVERIFY(!page->timeline());
  }
};

HLOSCOPE_TEST(TestMachines);
#include "test_machines.moc"
