#include <QAbstractItemModelTester>

#include "tests/support/test_registry.h"
#include "tests/ui/models/report_fixture.h"
#include "ui/models/item_roles.h"
#include "ui/models/kernel_tables.h"
#include "ui/models/program_tree_model.h"
#include "ui/theme/format.h"

using namespace hloscope;
using namespace hloscope::ui;

namespace {

/// The tree as indented text, notes in brackets.
QString outline(const QAbstractItemModel& model, const QModelIndex& parent = {}, int depth = 0) {
  QString text;
  for (int row = 0; row < model.rowCount(parent); ++row) {
    const QModelIndex index = model.index(row, 0, parent);
    text += QString(depth * 2, ' ') + index.data().toString();
    const QString note = index.data(kLabelRole).toString();
    if (!note.isEmpty() && depth < 3) text += " [" + note + ']';
    text += '\n' + outline(model, index, depth + 1);
  }
  return text;
}

std::vector<ProgramTreeModel::TablePtr> tables() {
  auto second = std::make_shared<analysis::ModuleReport>(*testing::reportOf(testing::kLoopProgram));
  second->module_number = 2;
  return {kernelTable(testing::reportOf(testing::kLoopProgram)), kernelTable(second),
          kernelTable(testing::reportOf(testing::kLoopProgram, "dir/other.hlo"))};
}

}  // namespace

class TestProgramTreeModel : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::failOnWarnings(); }

  void keeps_the_rules_of_models() {
    ProgramTreeModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setModules(tables());
    model.setCurrentModule(1);
    model.setQuery(*analysis::KernelQuery::parse("dot"));
    model.setModules({});
    QCOMPARE(model.rowCount(), 0);
  }

  void nests_files_modules_computations_kernels() {
    ProgramTreeModel model;
    model.setModules({tables()[0]});
    const QString expected = QString::fromUtf8(
        "test.hlo\n"
        "  loop [5 kernels]\n"
        "    ENTRY main\n"
        "      fusion.7\n"
        "      dot.1\n"
        "    body (while body) [×12]\n"
        "      next\n"
        "      sine.1\n"
        "    condition (while condition) [×12]\n"
        "      less\n");
    const QStringList got = outline(model).split('\n');
    QStringList wanted = expected.split('\n');
    QCOMPARE(got.size(), wanted.size());
    QCOMPARE(got.mid(0, 5), wanted.mid(0, 5));
    for (const QString& line : wanted) QVERIFY2(got.contains(line), qPrintable(outline(model)));
  }

  void one_file_node_for_all_its_modules() {
    ProgramTreeModel model;
    model.setModules(tables());
    QCOMPARE(model.rowCount(), 2);
    const QModelIndex first = model.index(0, 0, {});
    QCOMPARE(model.rowCount(first), 2);
    QCOMPARE(first.data(kLabelRole).toString(), QStringLiteral("2 modules"));
    QCOMPARE(model.index(1, 0, {}).data().toString(), QStringLiteral("other.hlo"));
    QCOMPARE(model.placeAt(model.index(1, 0, {})).module, 2);
  }

  void filter_keeps_matches_with_their_parents() {
    ProgramTreeModel model;
    model.setModules({tables()[0]});
    model.setQuery(*analysis::KernelQuery::parse("class:conv"));
    QCOMPARE(outline(model),
             QStringLiteral("test.hlo\n  loop [5 kernels]\n    ENTRY main\n      dot.1\n"));
    model.setQuery(*analysis::KernelQuery::parse("condition"));
    QVERIFY(outline(model).contains(QStringLiteral("less")));
    QVERIFY(!outline(model).contains(QStringLiteral("dot.1")));
  }

  void says_whether_times_are_measured() {
    ProgramTreeModel model;
    QVERIFY(model.timeTitle().isEmpty());
    const auto estimated = kernelTable(testing::reportOf(testing::kLoopProgram, "other.hlo"));
    const auto count = static_cast<uint32_t>(estimated->report().kernels.kernels.size());
    const auto measured = kernelTable(testing::measuredReport(count));
    model.setModules({estimated});
    QCOMPARE(model.timeTitle(), QStringLiteral("simulated µs"));
    QCOMPARE(model.indexOfModule(0).data(kLabelRole).toString(), QStringLiteral("5 kernels"));
    model.setModules({measured});
    QCOMPARE(model.timeTitle(), QStringLiteral("measured µs"));
    model.setModules({measured, estimated});
    QCOMPARE(model.timeTitle(), QStringLiteral("measured or simulated µs"));
    QCOMPARE(model.indexOfModule(0).data(kLabelRole).toString(), QStringLiteral("measured"));
    QCOMPARE(model.indexOfModule(1).data(kLabelRole).toString(), QStringLiteral("simulated"));
    QCOMPARE(model.indexOfModule(1).siblingAtColumn(1).data().toString(),
             formatTime(estimated->report().simulated_total_ns));
    QVERIFY(model.indexOfModule(1)
                .data(Qt::ToolTipRole)
                .toString()
                .startsWith(QStringLiteral("loop · 5 kernels · simulated ")));
    // The first kernel was given 1 µs.
    const QModelIndex kernel = model.indexOfKernel(0, graph::KernelId(0));
    QVERIFY(kernel.data(Qt::ToolTipRole).toString().endsWith(QStringLiteral("measured 1.00 µs")));
  }

  void finds_rows_of_kernels_and_computations() {
    ProgramTreeModel model;
    model.setModules(tables());
    const auto& report = model.modules()[1]->report();
    for (uint32_t k = 0; k < report.kernels.kernels.size(); ++k) {
      const QModelIndex index = model.indexOfKernel(1, graph::KernelId(k));
      QVERIFY(index.isValid());
      const ProgramTreeModel::Place place = model.placeAt(index);
      QVERIFY(place.kernel == graph::KernelId(k));
      QCOMPARE(place.module, 1);
      QVERIFY(index.parent() ==
              model.indexOfComputation(1, report.kernels.kernels[graph::KernelId(k)].computation));
    }
    QVERIFY(!model.indexOfKernel(7, graph::KernelId(0)).isValid());
    QVERIFY(!model.indexOfKernel(0, graph::KernelId(9999)).isValid());
  }
};

HLOSCOPE_TEST(TestProgramTreeModel);
#include "test_program_tree_model.moc"
