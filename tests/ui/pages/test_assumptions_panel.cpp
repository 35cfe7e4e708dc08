#include <QAbstractItemModelTester>
#include <QApplication>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "tests/support/test_registry.h"
#include "tests/ui/models/report_fixture.h"
#include "ui/pages/simulate/assumptions_panel.h"

using namespace hloscope;
using namespace hloscope::ui;

namespace {

struct Shown {
  AssumptionsPanel panel;
  MachineModel* model = panel.model();

  Shown() {
    panel.setMachine(*sim::find_machine("tpu_v3"));
    panel.resize(352, 700);
    panel.show();
    if (!QTest::qWaitForWindowActive(&panel)) qFatal("not shown");
  }
  QModelIndex value(const char* key) const {
    return model->index(model->rowOf(key), MachineModel::kValue);
  }
  QString shown(const char* key, MachineModel::Column column) const {
    return model->index(model->rowOf(key), column).data().toString();
  }
  QPushButton* button(const QString& text) const {
    for (QPushButton* one : panel.findChildren<QPushButton*>()) {
      if (one->text() == text) return one;
    }
    return nullptr;
  }
  /// Types a value as a user does.
  void type(const char* key, const QString& text) const {
    panel.view()->setFocus();
    panel.view()->setCurrentIndex(value(key));
    QTest::keyClick(panel.view(), Qt::Key_F2);
    QWidget* editor = panel.view()->indexWidget(value(key));
    if (editor == nullptr) editor = QApplication::focusWidget();
    QTest::keyClick(editor, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(editor, text);
    QTest::keyClick(editor, Qt::Key_Return);
    QApplication::processEvents();  // The editor's value is taken in the next round.
  }
};

}  // namespace

class TestAssumptionsPanel : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::failOnWarnings(); }

  void every_constant_has_value_unit_and_grade() {
    const Shown s;
    QAbstractItemModelTester tester(s.model);
    const sim::Machine machine = *sim::find_machine("tpu_v3");
    int constants = 0;
    for (int row = 0; row < s.model->rowCount(); ++row) constants += s.model->isGroup(row) ? 0 : 1;
    QCOMPARE(constants, static_cast<int>(machine.constants.size()));
    QCOMPARE(s.shown("clock_ghz", MachineModel::kValue), QStringLiteral("0.94"));
    QCOMPARE(s.shown("clock_ghz", MachineModel::kUnit), QStringLiteral("GHz"));
    QCOMPARE(s.shown("clock_ghz", MachineModel::kSource), QStringLiteral("A"));
    QCOMPARE(s.shown("launch_ns", MachineModel::kSource), QStringLiteral("M"));
    QCOMPARE(s.shown("link_latency_ns", MachineModel::kSource), QStringLiteral("S"));
    QCOMPARE(s.shown("hbm_bytes_per_s", MachineModel::kValue), QStringLiteral("450"));
    QCOMPARE(s.shown("hbm_bytes_per_s", MachineModel::kUnit), QStringLiteral("GB/s"));
    QCOMPARE(s.shown("vmem_bytes", MachineModel::kValue), QStringLiteral("16"));
    QCOMPARE(s.shown("vmem_bytes", MachineModel::kUnit), QStringLiteral("MiB"));
    const QString tip = s.value("clock_ghz").data(Qt::ToolTipRole).toString();
    QVERIFY(tip.contains(QStringLiteral("Norrie")));
  }

  void a_typed_value_is_marked_and_asked_for() {
    const Shown s;
    QSignalSpy spy(&s.panel, &AssumptionsPanel::machineRequested);
    QVERIFY(!s.button(QStringLiteral("Simulate again"))->isVisible());
    s.type("hbm_bytes_per_s", QStringLiteral("900"));
    QVERIFY(s.model->isChanged(s.model->rowOf("hbm_bytes_per_s")));
    QVERIFY(s.value("hbm_bytes_per_s").data(Qt::FontRole).value<QFont>().weight() > QFont::Normal);
    QCOMPARE(s.model->changes().at("hbm_bytes_per_s"), 900e9);
    QVERIFY(s.button(QStringLiteral("Simulate again"))->isVisible());
    QCOMPARE(spy.count(), 0);
    QTest::mouseClick(s.button(QStringLiteral("Simulate again")), Qt::LeftButton);
    QCOMPARE(spy.count(), 1);
    const auto machine = spy.first()[0].value<sim::Machine>();
    QCOMPARE(machine["hbm_bytes_per_s"], 900e9);
    QVERIFY(machine.constants.at("hbm_bytes_per_s").is_assumed());
    QVERIFY(!s.panel.isPending());
  }

  void a_machine_that_was_asked_for_keeps_its_marks() {
    Shown s;
    QSignalSpy spy(&s.panel, &AssumptionsPanel::machineRequested);
    s.type("mxu_count", QStringLiteral("4"));
    s.panel.apply();
    s.panel.setMachine(spy.first()[0].value<sim::Machine>());
    QVERIFY(s.model->isChanged(s.model->rowOf("mxu_count")));
    QVERIFY(!s.panel.isPending());
    // Another change, taken back: the one in force stays.
    s.type("launch_ns", QStringLiteral("0"));
    QVERIFY(s.panel.isPending());
    s.panel.revert();
    QVERIFY(!s.panel.isPending());
    QCOMPARE(s.model->changes().size(), size_t{1});
    // Reset is pending too: the window still uses the change.
    s.panel.resetAll();
    QVERIFY(s.panel.isPending());
    s.panel.apply();
    QVERIFY(spy.last()[0].value<sim::Machine>().hash == sim::find_machine("tpu_v3")->hash);
    s.panel.setMachine(*sim::find_machine("tpu_v4"));
    QVERIFY(s.model->changes().empty() && !s.panel.isPending());
  }

  void one_value_is_reset_by_key_or_click() {
    const Shown s;
    s.type("clock_ghz", QStringLiteral("2"));
    s.type("mxu_count", QStringLiteral("8"));
    QCOMPARE(s.model->changes().size(), size_t{2});
    s.panel.view()->setCurrentIndex(s.value("mxu_count"));
    QTest::keyClick(s.panel.view(), Qt::Key_Delete);
    QCOMPARE(s.model->changes().size(), size_t{1});
    const QModelIndex undo = s.model->index(s.model->rowOf("clock_ghz"), MachineModel::kReset);
    s.panel.view()->scrollTo(undo);
    QTest::mouseClick(s.panel.view()->viewport(), Qt::LeftButton, {},
                      s.panel.view()->visualRect(undo).center());
    QVERIFY(s.model->changes().empty());
    // The value it had, typed again, is no change.
    s.type("clock_ghz", QStringLiteral("0.94"));
    QVERIFY(s.model->changes().empty());
  }

  void wrong_values_are_refused_with_the_reason() {
    const Shown s;
    QSignalSpy spy(&s.panel, &AssumptionsPanel::messageRequested);
    s.type("clock_ghz", QStringLiteral("0"));
    s.type("clock_ghz", QStringLiteral("fast"));
    s.type("launch_ns", QStringLiteral("-5"));
    QVERIFY(s.model->changes().empty());
    QCOMPARE(spy.count(), 3);
    QVERIFY(spy[0][0].toString().contains(QStringLiteral("must not be 0")));
    QVERIFY(spy[1][0].toString().contains(QStringLiteral("\"fast\" is not a number")));
    QVERIFY(!(s.model->flags(s.value("hbm_bytes")) & Qt::ItemIsEditable));
  }

  void a_machine_is_saved_and_opened_again() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("big TPU.json"));
    Shown s;
    QSignalSpy spy(&s.panel, &AssumptionsPanel::machineRequested);
    s.type("vmem_bytes", QStringLiteral("32"));
    s.panel.saveTo(path);
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy.first()[1].toString(), path);
    const auto found = sim::find_machine(path.toStdString());
    QVERIFY(found);
    QCOMPARE((*found)["vmem_bytes"], 32.0 * 1024 * 1024);
    QCOMPARE(found->title, std::string("big TPU"));
    s.panel.setMachine(*found);
    QVERIFY(s.model->changes().empty() && !s.panel.isPending());
    s.panel.loadFrom(path);
    QVERIFY(spy.last()[0].value<sim::Machine>().hash == found->hash);
    QSignalSpy messages(&s.panel, &AssumptionsPanel::messageRequested);
    s.panel.loadFrom(folder.filePath(QStringLiteral("none.json")));
    s.panel.saveTo(folder.filePath(QStringLiteral("no/such/folder.json")));
    QCOMPARE(messages.count(), 2);
    QCOMPARE(spy.count(), 2);
  }
};

HLOSCOPE_TEST(TestAssumptionsPanel);
#include "test_assumptions_panel.moc"
