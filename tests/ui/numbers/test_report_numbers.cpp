#include <QFile>
#include <QRegularExpression>

#include "core/analysis/kernel_columns.h"
#include "tests/support/test_registry.h"
#include "tests/ui/numbers/page_numbers.h"

namespace hloscope::testing {

namespace {

/// The cells of the tables of a page, without markup; the head line first.
QList<QList<QStringList>> html_tables(const QString& html) {
  static const QRegularExpression kTable("<table.*?</table>",
                                         QRegularExpression::DotMatchesEverythingOption);
  static const QRegularExpression kRow("<tr.*?</tr>",
                                       QRegularExpression::DotMatchesEverythingOption);
  static const QRegularExpression kCell("<t[hd][^>]*>(.*?)</t[hd]>",
                                        QRegularExpression::DotMatchesEverythingOption);
  static const QRegularExpression kTag("<[^>]*>");
  QList<QList<QStringList>> out;
  for (const auto& table : kTable.globalMatch(html)) {
    QList<QStringList> rows;
    for (const auto& row : kRow.globalMatch(table.captured())) {
      QStringList cells;
      for (const auto& one : kCell.globalMatch(row.captured())) {
        QString text = one.captured(1).remove(kTag).trimmed();
        cells << text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
      }
      rows << cells;
    }
    out << rows;
  }
  return out;
}

double unit_of(analysis::ColumnKind kind) {
  using analysis::ColumnKind;
  if (kind == ColumnKind::kTime) return 1e3;
  const bool is_percent =
      kind == ColumnKind::kError || kind == ColumnKind::kShare || kind == ColumnKind::kSpread;
  return is_percent ? 0.01 : 1;
}

}  // namespace

/// The tables of `report` against `kernels` and `accuracy`.
class TestReportNumbers : public QObject {
  Q_OBJECT
 private slots:
  void kernels_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow("measured") << "tpu_v3_tiles.pb#2";
    QTest::newRow("compiled") << "resnet50_train.cpu_after_optimizations.txt";
    QTest::newRow("own fusion") << "mobilenet_v2.hlo";
  }
  void kernels() {
    QFETCH(QString, file);
    const QString path = sample_path(file.toLatin1().constData());
    const QList<QStringList> table = table_with(path, "Class");
    const QJsonArray kernels = printed({"kernels", path, "--sort", "share"})["kernels"].toArray();
    QVERIFY(table.size() > 1 && table.size() - 1 <= kernels.size());
    for (const analysis::KernelColumn& column : analysis::kernel_columns()) {
      const qsizetype at = table[0].indexOf(QString::fromStdString(column.title));
      if (at < 0) continue;
      for (qsizetype row = 1; row < table.size(); ++row) {
        const QJsonValue value = kernels[row - 1][QString::fromStdString(column.csv_name)];
        QVERIFY_SHOWS(table[0][at], table[row][at], value, unit_of(column.kind));
      }
    }
  }

  void errors_against_measured_times() {
    const QString path = sample_path("tpu_v3_tiles.pb");
    const QList<QStringList> table = table_with(path, "Source");
    QMap<QString, QJsonObject> wanted;
    for (const QJsonValue& row : printed({"accuracy", path, "--runs"})["metrics"].toArray()) {
      wanted[row["source"].toString() + row["range"].toString()] = row.toObject();
    }
    QVERIFY(table.size() > 6);
    for (qsizetype row = 1; row < table.size(); ++row) {
      const QStringList& cells = table[row];
      const QString range = cells[1] == "all"            ? "all"
                            : cells[1].contains("below") ? "short"
                                                         : "long";
      const QJsonObject of = wanted[cells[0].toLower() + range];
      QVERIFY2(!of.isEmpty(), qPrintable(cells.join(' ')));
      QVERIFY_SHOWS("n", cells[2], of["n"], 1);
      QVERIFY_SHOWS("MAPE", cells[3], of["mape"], 0.01);
      QVERIFY_SHOWS("median", cells[4], of["median_ape"], 0.01);
      QVERIFY_SHOWS("tau", cells[5], of["kendall_tau"], 1);
      QVERIFY_SHOWS("within", cells[6], of["within_10_percent"], 0.01);
    }
  }

 private:
  static QList<QStringList> table_with(const QString& path, const QString& title) {
    const QTemporaryDir folder;
    const Outcome made = run({"report", path, "--out", folder.path()});
    if (made.code != 0) qWarning("%s", made.err.constData());
    QFile page(folder.filePath("index.html"));
    if (!page.open(QIODevice::ReadOnly)) return {};
    for (const auto& table : html_tables(QString::fromUtf8(page.readAll()))) {
      if (table.isEmpty()) continue;
      if (table[0].value(0) == title || table[0].value(1) == title) return table;
    }
    return {};
  }
};

HLOSCOPE_TEST(TestReportNumbers);
}  // namespace hloscope::testing
#include "test_report_numbers.moc"
