#include <QFile>
#include <QMap>

#include "tests/core/hlo/parsing.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::hlo;
using namespace hloscope::testing;

namespace {

struct Counts {
  size_t computations;
  size_t instructions;
};

// XLA's counts of each text file, one entry per module, in order (corpus_oracle.tsv and
// models_oracle.tsv of the tools folder: status ok only).
QMap<QString, std::vector<Counts>> expected_counts(const QString& table, const QString& root) {
  QMap<QString, std::vector<Counts>> counts;
  QFile file(shared_folder() + QStringLiteral("/tools/") + table);
  if (!file.open(QIODevice::ReadOnly)) return counts;
  file.readLine();
  while (!file.atEnd()) {
    const QStringList fields = QString::fromUtf8(file.readLine()).split('\t');
    const QString name = fields[0].section('#', 0, 0);
    if (name.endsWith(QStringLiteral(".pb")) || fields[1] != QStringLiteral("ok")) continue;
    counts[root + name].push_back({fields[3].toULongLong(), fields[4].toULongLong()});
  }
  return counts;
}

}  // namespace

class TestTextFiles : public QObject {
  Q_OBJECT
 private slots:
  void counts_are_those_of_xla_data();
  void counts_are_those_of_xla();
  void files_that_are_no_hlo_data();
  void files_that_are_no_hlo();
};

void TestTextFiles::counts_are_those_of_xla_data() {
  QTest::addColumn<QString>("table");
  QTest::addColumn<QString>("root");
  QTest::addColumn<int>("modules");
  QTest::newRow("corpus") << "corpus_oracle.tsv"
                          << "/corpus/" << 365;
  QTest::newRow("models") << "models_oracle.tsv"
                          << "/corpus/models/" << 89;
}

void TestTextFiles::counts_are_those_of_xla() {
  HLOSCOPE_NEEDS_SHARED();
  QFETCH(QString, table);
  QFETCH(QString, root);
  QFETCH(int, modules);
  const auto expected = expected_counts(table, shared_folder() + root);
  int seen = 0;
  for (auto it = expected.begin(); it != expected.end(); ++it) {
    const auto file = read_file(it.key().toStdString());
    QVERIFY2(file.has_value(), file ? "" : file.error().format().c_str());
    QCOMPARE(file->modules.size(), it.value().size());
    for (size_t i = 0; i < it.value().size(); ++i, ++seen) {
      const Program& program = *file->modules[i].program;
      QVERIFY2(program.computation_count() == it.value()[i].computations, qPrintable(it.key()));
      QVERIFY2(program.instruction_count() == it.value()[i].instructions, qPrintable(it.key()));
    }
    QVERIFY2(file->warnings.empty(), qPrintable(it.key()));
  }
  QCOMPARE(seen, modules);
}

void TestTextFiles::files_that_are_no_hlo_data() {
  QTest::addColumn<QString>("path");
  QTest::addColumn<QString>("message");
  QTest::newRow("comments") << "hlo/tools/hlo_opt/tests/list_passes.hlo"
                            << "there is no HLO in this file";
  QTest::newRow("proto text") << "hlo/hlo/translate/hlo_to_mhlo/tests/dynamic_param.hlo"
                              << "this is a protobuf in text form, not HLO";
}

void TestTextFiles::files_that_are_no_hlo() {
  HLOSCOPE_NEEDS_SHARED();
  QFETCH(QString, path);
  QFETCH(QString, message);
  const auto file = read_file((shared_folder() + QStringLiteral("/corpus/") + path).toStdString());
  QVERIFY(!file.has_value());
  QCOMPARE(qs(file.error().message), message);
}

HLOSCOPE_TEST(TestTextFiles);
#include "test_text_files.moc"
