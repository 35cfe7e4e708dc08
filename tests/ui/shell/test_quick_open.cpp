#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QListView>
#include <QSignalSpy>

#include "tests/support/test_registry.h"
#include "tests/ui/shell/window_fixture.h"
#include "ui/shell/quick_model.h"
#include "ui/shell/quick_open.h"

namespace hloscope::testing {

class TestQuickOpen : public QObject {
  Q_OBJECT
 private slots:
  void init() { fail_on_warnings(); }

  void ranksMatches() {
    QCOMPARE(ui::matchRank(u"fusion.1", u"fusion.1"), 0);
    QCOMPARE(ui::matchRank(u"fusion.1", u"copy"), -1);
    QVERIFY(ui::matchRank(u"fusion.1", u"FUSION") > 0);
    // The whole name, then the beginning, then the middle; shorter names first.
    QVERIFY(ui::matchRank(u"fusion.1", u"fus") < ui::matchRank(u"a.fusion", u"fus"));
    QVERIFY(ui::matchRank(u"fusion.1", u"fus") < ui::matchRank(u"fusion.10", u"fus"));
  }

  void findsKernelsAndInstructions() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    QVERIFY(window.search("fusion").empty());
    window.workspace().open(QStringList{fixture.write("two.hlo", kTwoKernels)});
    QTRY_VERIFY(window.workspace().report());
    // Nothing typed: the kernels.
    QCOMPARE(window.search({}).size(), 2U);
    const auto kernel = window.search("copy.2");
    QCOMPARE(kernel.size(), 1U);
    QVERIFY(kernel.front().selection.kernel.valid());
    const auto inside = window.search("add.1");
    QCOMPARE(inside.size(), 1U);
    QCOMPARE(inside.front().detail, "in fused");
    window.follow(inside.front());
    const auto selected = window.workspace().selection().instruction;
    QVERIFY((*window.workspace().report()->module.program)[selected].name == "add.1");
    QCOMPARE(window.currentPage()->id(), "graph");
  }

  void findsAndRunsCommands() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    // What can't be done now is not offered.
    QVERIFY(window.search(">reload").empty());
    const auto hits = window.search(">dark colours");
    QCOMPARE(hits.size(), 1U);
    window.follow(hits.front());
    QVERIFY(ui::theme().isDark());
    window.follow(window.search(">light").front());
    QVERIFY(!ui::theme().isDark());
    const auto open = window.search(">open…");
    QCOMPARE(open.front().shortcut, "Ctrl+O");
    // Every command with a shortcut can be found by its own text.
    for (const auto& entry : window.commands().all()) {
      if (!entry.action->isEnabled()) continue;
      QVERIFY2(!window.search('>' + QString(entry.action->text()).remove('&')).empty(),
               qPrintable(entry.action->text()));
    }
  }

  void popsUpAndFollowsTheKeyboard() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    window.workspace().open(QStringList{fixture.write("two.hlo", kTwoKernels)});
    QTRY_VERIFY(window.workspace().report());
    QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier);
    auto* popup = window.findChild<ui::QuickOpen*>();
    QVERIFY(popup != nullptr && popup->isVisible());
    auto* edit = popup->findChild<QLineEdit*>();
    QTest::keyClicks(edit, "copy");
    QTest::keyClick(edit, Qt::Key_Down);
    QTest::keyClick(edit, Qt::Key_Return);
    QVERIFY(!popup->isVisible());
    const auto selected = window.workspace().selection().kernel;
    QVERIFY(selected.valid());
    QCOMPARE(window.workspace().report()->kernels.kernels[selected].op_class,
             hlo::OpClass::kDataMovement);
  }

  void modelIsSound() {
    ui::QuickModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    ui::QuickHit hit;
    hit.title = "a";
    model.setHits({hit, hit});
    QCOMPARE(model.rowCount(), 2);
    model.setHits({});
    QCOMPARE(model.rowCount(), 0);
  }
};

HLOSCOPE_TEST(TestQuickOpen);

}  // namespace hloscope::testing

#include "test_quick_open.moc"
