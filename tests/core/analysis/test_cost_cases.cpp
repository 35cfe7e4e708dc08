#include <QFile>
#include <QRegularExpression>

#include "core/analysis/cost.h"
#include "core/hlo/read.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

struct Totals {
  double flops = 0;
  double transcendentals = 0;
  double bytes = 0;
};

void add_row(const QString& name, const Totals& expected, const QString& module) {
  QTest::newRow(qPrintable(name)) << expected.flops << expected.transcendentals << expected.bytes
                                  << module;
}

void add_columns() {
  QTest::addColumn<double>("flops");
  QTest::addColumn<double>("transcendentals");
  QTest::addColumn<double>("bytes");
  QTest::addColumn<QString>("module");
}

// Files of "=== name | flops | transcendentals | bytes" lines, each with the module below it.
void add_rows_of(const QString& file_name) {
  add_columns();
  QFile file(QStringLiteral(HLOSCOPE_SOURCE_DIR "/tests/core/analysis/") + file_name);
  QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.errorString()));
  const QStringList blocks = QString::fromUtf8(file.readAll()).split(QStringLiteral("\n=== "));
  for (qsizetype i = 1; i < blocks.size(); ++i) {
    const qsizetype end = blocks[i].indexOf('\n');
    const QStringList head = blocks[i].left(end).split(QStringLiteral(" | "));
    QCOMPARE(head.size(), 4);
    add_row(head[0], {head[1].toDouble(), head[2].toDouble(), head[3].toDouble()},
            blocks[i].mid(end + 1));
  }
}

void check_row() {
  QFETCH(double, flops);
  QFETCH(double, transcendentals);
  QFETCH(double, bytes);
  QFETCH(QString, module);
  const auto program = hlo::parse_program(module.toStdString());
  QVERIFY2(program.has_value(), program ? "" : program.error().format().c_str());
  const analysis::Cost total = analysis::cost(**program).total;
  // XLA adds up in float32: its figure is the nearest float of ours.
  QCOMPARE(static_cast<float>(total.flops), static_cast<float>(flops));
  QCOMPARE(static_cast<float>(total.transcendentals), static_cast<float>(transcendentals));
  QCOMPARE(static_cast<float>(total.bytes_accessed), static_cast<float>(bytes));
}

}  // namespace

class TestCostCases : public QObject {
  Q_OBJECT
 private slots:
  void one_operation_as_xla_data() { add_rows_of(QStringLiteral("xla_cost_cases.txt")); }
  void one_operation_as_xla() { check_row(); }
  void special_rules_as_xla_data() { add_rows_of(QStringLiteral("xla_cost_probes.txt")); }
  void special_rules_as_xla() { check_row(); }

  void every_convention_of_the_shared_table_data() {
    add_columns();
    QFile file(testing::shared_folder() + QStringLiteral("/tools/cost_conventions.tsv"));
    if (!file.open(QIODevice::ReadOnly)) return;
    const QStringList lines = QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
    for (const QString& line : lines.mid(1)) {
      const QStringList cells = line.split('\t');
      if (cells.size() == 7) {
        add_row(cells[0], {cells[1].toDouble(), cells[2].toDouble(), cells[3].toDouble()},
                cells[6]);
      }
    }
  }
  void every_convention_of_the_shared_table() {
    HLOSCOPE_NEEDS_SHARED();
    check_row();
  }
};

HLOSCOPE_TEST(TestCostCases);
#include "test_cost_cases.moc"
