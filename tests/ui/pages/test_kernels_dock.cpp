#include <QHeaderView>
#include <QTableView>
#include <QTest>
#include <memory>

#include "tests/support/test_registry.h"
#include "tests/ui/models/report_fixture.h"
#include "ui/models/filter_edit.h"
#include "ui/pages/graph/kernels_dock.h"

using namespace hloscope;
using namespace hloscope::ui;

class TestKernelsDock : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::failOnWarnings(); }

  // After sorting, filtering and another program the first rows are seen; new times of the program
  // leave the rows where they are.
  void kernels_dock_begins_at_the_first_row() {
    KernelsDock dock;
    dock.resize(868, 240);
    dock.show();
    dock.setReport(testing::longReport(1000));
    QVERIFY(QTest::qWaitForWindowExposed(&dock));
    auto* table = dock.findChild<QTableView*>();
    const auto first_row = [table] { return table->rowAt(0); };
    const int analytical = static_cast<int>(*analysis::column_by_key("analytical"));
    table->scrollTo(table->model()->index(700, 0));
    QVERIFY(first_row() > 600);
    table->horizontalHeader()->setSortIndicator(analytical, Qt::AscendingOrder);
    QCOMPARE(first_row(), 0);
    table->scrollTo(table->model()->index(700, 0));
    auto* filter = dock.findChild<FilterEdit*>();
    filter->setText(QStringLiteral("simulated>0"));
    filter->apply();
    QVERIFY(table->model()->rowCount() > 100);
    QCOMPARE(first_row(), 0);
    const ReportPtr other = testing::longReport(900);
    table->scrollTo(table->model()->index(700, 0));
    dock.setReport(other);
    QCOMPARE(first_row(), 0);
    table->scrollTo(table->model()->index(700, 0));
    const int seen = first_row();
    dock.setReport(std::make_shared<const analysis::ModuleReport>(*other));
    QCOMPARE(first_row(), seen);
  }
};

HLOSCOPE_TEST(TestKernelsDock);
#include "test_kernels_dock.moc"
