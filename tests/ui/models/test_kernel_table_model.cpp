#include <QAbstractItemModelTester>
#include <QTableView>
#include <cmath>

#include "tests/support/test_registry.h"
#include "tests/ui/models/report_fixture.h"
#include "ui/models/filter_edit.h"
#include "ui/models/item_roles.h"
#include "ui/models/kernel_delegates.h"
#include "ui/models/kernel_table_model.h"
#include "ui/models/kernel_tables.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

using namespace hloscope;
using namespace hloscope::ui;

namespace {

int column(const char* key) {
  return static_cast<int>(*analysis::column_by_key(key));
}

QStringList names(const QAbstractItemModel& model) {
  QStringList out;
  for (int row = 0; row < model.rowCount(); ++row) out << model.index(row, 0).data().toString();
  return out;
}

}  // namespace

class TestKernelTableModel : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::failOnWarnings(); }

  void keeps_the_rules_of_models() {
    KernelTableModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setTable(kernelTable(testing::measuredReport(3)));
    model.sort(column("measured"), Qt::DescendingOrder);
    model.setQuery(*analysis::KernelQuery::parse("class:conv"));
    model.setQuery({});
    model.setTable(nullptr);
    QCOMPARE(model.rowCount(), 0);
  }

  void shows_kernels_with_units_and_dashes() {
    KernelTableModel model;
    model.setTable(kernelTable(testing::measuredReport(1)));
    QCOMPARE(model.columnCount(), static_cast<int>(analysis::kernel_columns().size()));
    QCOMPARE(names(model).count(QStringLiteral("fusion.7")), 1);
    QCOMPARE(model.index(0, column("measured")).data().toString(), QStringLiteral("1.00"));
    const QModelIndex missing = model.index(1, column("measured"));
    QCOMPARE(missing.data().toString(), QString(QChar(0x2013)));
    QVERIFY(std::isnan(missing.data(kValueRole).toDouble()));
    QCOMPARE(model.headerData(column("analytical"), Qt::Horizontal, Qt::DisplayRole).toString(),
             QStringLiteral("Analytical µs"));
    QCOMPARE(model.headerData(column("simulated"), Qt::Horizontal, Qt::DisplayRole).toString(),
             QStringLiteral("Simulated µs"));
    QVERIFY(model.headerData(column("simulated"), Qt::Horizontal, Qt::ToolTipRole)
                .toString()
                .endsWith(QStringLiteral("simulated, not measured")));
  }

  void shows_predicted_times_with_spread_and_mark() {
    KernelTableModel model;
    const auto plain = testing::reportOf(testing::kLoopProgram);
    model.setTable(kernelTable(testing::predictedReport(*plain)));
    const QModelIndex far = model.index(0, column("predicted"));
    QCOMPARE(far.data().toString(), QStringLiteral("12.3"));
    QCOMPARE(model.index(0, column("spread")).data().toString(), QStringLiteral("± 3.3"));
    QCOMPARE(model.index(0, column("far")).data().toString(), QStringLiteral("yes"));
    QVERIFY(!far.data(Qt::DecorationRole).value<QIcon>().isNull());
    QCOMPARE(far.data(Qt::ToolTipRole).toString(),
             QStringLiteral("12.3 ± 0.40 µs predicted by tpu_v3_fusion@4f1c09ab, 3 models, not "
                            "measured\nFar from the kernels that the model learned from"));
    const QModelIndex near = model.index(1, column("predicted"));
    QVERIFY(!near.data(Qt::DecorationRole).isValid());
    QVERIFY(near.data(Qt::ToolTipRole).toString().endsWith(QStringLiteral("not measured")));
    model.setQuery(*analysis::KernelQuery::parse("far=1"));
    QCOMPARE(model.rowCount(), 1);
    model.setTable(kernelTable(plain));
    QVERIFY(!model.table()->has_column(static_cast<size_t>(column("predicted"))));
  }

  void shows_tile_vmem_and_rules() {
    KernelTableModel model;
    const auto report = testing::reportOf(testing::kLoopProgram);
    model.setTable(kernelTable(report));
    model.setQuery(*analysis::KernelQuery::parse("sine"));
    const graph::KernelId kernel = model.kernelAt(model.index(0, 0));
    const auto& choice = report->times.tiles[report->kernels.distinct_of[kernel]];
    // f32[8,128] is one register tile.
    QCOMPARE(model.index(0, column("tile")).data().toString(), QStringLiteral("out=1x1"));
    QCOMPARE(model.index(0, column("vmem")).data().toString(), formatBytes(choice.footprint_bytes));
    QCOMPARE(model.index(0, column("fallback")).data().toString(), QStringLiteral("no"));
  }

  void executions_come_from_the_loop() {
    KernelTableModel model;
    model.setTable(kernelTable(testing::reportOf(testing::kLoopProgram)));
    model.setQuery(*analysis::KernelQuery::parse("sine"));
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.index(0, column("executions")).data().toString(), QStringLiteral("12"));
  }

  void sorts_and_keeps_persistent_indexes() {
    KernelTableModel model;
    model.setTable(kernelTable(testing::measuredReport(3)));
    const graph::KernelId third(2);
    const QPersistentModelIndex kept = model.indexOf(third);
    model.sort(column("measured"), Qt::DescendingOrder);
    QCOMPARE(model.kernelAt(model.index(0, 0)).value, 2U);
    QCOMPARE(kept.row(), 0);
    QVERIFY(model.kernelAt(kept) == third);
    model.sort(-1, Qt::AscendingOrder);
    QCOMPARE(kept.row(), 2);
  }

  void hidden_kernels_have_no_index() {
    KernelTableModel model;
    model.setTable(kernelTable(testing::reportOf(testing::kLoopProgram)));
    model.setQuery(*analysis::KernelQuery::parse("class:conv"));
    QCOMPARE(names(model), QStringList{"dot.1"});
    QVERIFY(!model.indexOf(graph::KernelId(0)).isValid());
    QCOMPARE(model.totals().kernels, size_t{1});
  }

  void exports_what_is_shown() {
    KernelTableModel model;
    model.setTable(kernelTable(testing::measuredReport(2)));
    const std::vector<size_t> columns{0, *analysis::column_by_key("measured")};
    const QString text = model.exportText({1}, columns, analysis::TableFormat::kTsv);
    QCOMPARE(text.section('\n', 0, 0), QStringLiteral("kernel\tmeasured_ns"));
    QCOMPARE(text.section('\n', 1, 1).section('\t', 1), QStringLiteral("2000"));
    QCOMPARE(model.exportText({}, columns, analysis::TableFormat::kTsv).count('\n'),
             model.rowCount() + 1);
  }

  void a_million_rows_sort_filter_and_scroll() {
    constexpr uint32_t kRows = 1'000'000;
    KernelTableModel model;
    QTableView view;
    styleTable(view);
    view.setItemDelegateForColumn(0, new KernelNameDelegate(&view));
    view.setModel(&model);
    model.setTable(kernelTable(testing::longReport(kRows)));
    QCOMPARE(model.rowCount(), static_cast<int>(kRows));
    model.sort(column("analytical"), Qt::DescendingOrder);
    double last = HUGE_VAL;
    for (int row = 0; row < model.rowCount(); row += 997) {
      const double time = model.index(row, column("analytical")).data(kValueRole).toDouble();
      QVERIFY(time <= last);
      last = time;
    }
    view.resize(900, 400);
    view.show();
    view.scrollToBottom();
    QVERIFY(!view.grab().isNull());
    QCOMPARE(view.rowAt(view.viewport()->height() - 2), static_cast<int>(kRows) - 1);
    model.setQuery(*analysis::KernelQuery::parse("executions>999000"));
    QCOMPARE(model.rowCount(), 999);
  }

  void delegates_paint() {
    KernelTableModel model;
    model.setTable(kernelTable(testing::measuredReport(3)));
    QTableView view;
    styleTable(view);
    view.setModel(&model);
    view.setItemDelegateForColumn(0, new KernelNameDelegate(&view));
    view.setItemDelegateForColumn(column("err"), new ErrorTintDelegate(&view));
    view.setItemDelegateForColumn(column("share"), new ShareBarDelegate(&view));
    view.resize(1400, 200);
    const QImage image = view.grab().toImage();
    const QRect name = view.visualRect(model.index(0, 0)).translated(0, 24);
    bool letter = false;
    const QRgb wanted =
        theme()
            .opClass(static_cast<hlo::OpClass>(model.index(0, 0).data(kOpClassRole).toInt()))
            .rgb();
    for (int x = name.left(); x < name.left() + 24; ++x) {
      letter = letter || image.pixel(x, name.center().y() - 5) == wanted;
    }
    QVERIFY(letter);
  }

  void tables_of_a_report_are_shared() {
    const auto report = testing::reportOf(testing::kLoopProgram);
    const auto table = kernelTable(report);
    QCOMPARE(kernelTable(report).get(), table.get());
    QVERIFY(kernelTable(testing::reportOf(testing::kLoopProgram)).get() != table.get());
    QVERIFY(!kernelTable(nullptr));
  }

  void wrong_filters_turn_red_and_say_why() {
    FilterEdit edit(QStringLiteral("Filter"));
    int changes = 0;
    connect(&edit, &FilterEdit::queryChanged, this, [&changes] { ++changes; });
    edit.setText(QStringLiteral("class:conv"));
    edit.apply();
    QCOMPARE(changes, 1);
    QVERIFY(!edit.property("bad").toBool());
    edit.setText(QStringLiteral("err>x"));
    edit.apply();
    QCOMPARE(changes, 1);
    QVERIFY(edit.property("bad").toBool());
    QVERIFY(edit.toolTip().contains(QStringLiteral("expected a number")));
    QTest::keyClick(&edit, Qt::Key_Escape);
    QVERIFY(edit.text().isEmpty());
    QCOMPARE(changes, 2);
    QVERIFY(!edit.property("bad").toBool());
  }
};

HLOSCOPE_TEST(TestKernelTableModel);
#include "test_kernel_table_model.moc"
