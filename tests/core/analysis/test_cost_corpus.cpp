#include <QFile>
#include <QMap>
#include <array>
#include <cmath>

#include "core/analysis/cost.h"
#include "core/hlo/read.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

constexpr double kTolerance = 1e-3;

struct OracleRow {
  int part = 0;  // N of FILE#N in the oracle's own numbering.
  bool is_ok = false;
  double flops = 0;
  double bytes = 0;
  double transcendentals = 0;
};

// Figures of ours that XLA does not give, and why.
struct Difference {
  const char* file;
  const char* figure;
  const char* reason;
};
constexpr std::array<Difference, 0> kDifferences = {};

bool is_explained(const QString& file, const char* figure) {
  for (const Difference& d : kDifferences) {
    if (file == QLatin1String(d.file) && qstrcmp(figure, d.figure) == 0) return true;
  }
  return false;
}

QMap<QString, QList<OracleRow>> read_oracle(const QString& path) {
  QMap<QString, QList<OracleRow>> rows;
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return rows;
  const QStringList lines = QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
  for (const QString& line : lines.mid(1)) {
    const QStringList cells = line.split('\t');
    const QStringList name = cells[0].split('#');
    OracleRow row;
    row.part = name.size() > 1 ? name[1].toInt() : 1;
    row.is_ok = cells[1] == QStringLiteral("ok");
    row.flops = cells.value(5).toDouble();
    row.bytes = cells.value(6).toDouble();
    row.transcendentals = cells.value(7).toDouble();
    rows[name[0]].append(row);
  }
  return rows;
}

class Comparison {
 public:
  void compare(const QString& file, const char* figure, double ours, double xla) {
    ++compared_;
    const double scale = std::max(std::abs(xla), 1.0);
    if (std::abs(ours - xla) <= kTolerance * scale || is_explained(file, figure)) return;
    failures_ << QStringLiteral("%1: %2 is %3, XLA says %4")
                     .arg(file, QLatin1String(figure))
                     .arg(ours, 0, 'f', 0)
                     .arg(xla, 0, 'f', 0);
  }
  void fail(const QString& message) { failures_ << message; }
  [[nodiscard]] const QStringList& failures() const { return failures_; }
  [[nodiscard]] int compared() const { return compared_; }

 private:
  QStringList failures_;
  int compared_ = 0;
};

void compare_file(const QString& folder, const QString& name, const QList<OracleRow>& rows,
                  Comparison& comparison) {
  const auto file = hlo::read_file((folder + '/' + name).toStdString());
  if (!file) {
    comparison.fail(QString::fromStdString(file.error().headline()));
    return;
  }
  if (file->modules.size() != static_cast<size_t>(rows.size())) {
    comparison.fail(QStringLiteral("%1 has %2 modules, XLA sees %3")
                        .arg(name)
                        .arg(file->modules.size())
                        .arg(rows.size()));
    return;
  }
  for (qsizetype i = 0; i < rows.size(); ++i) {
    if (!rows[i].is_ok) continue;
    const analysis::Cost total =
        analysis::cost(*file->modules[static_cast<size_t>(i)].program).total;
    const QString label =
        rows.size() == 1 ? name : QStringLiteral("%1#%2").arg(name).arg(rows[i].part);
    comparison.compare(label, "flops", total.flops, rows[i].flops);
    comparison.compare(label, "bytes", total.bytes_accessed, rows[i].bytes);
    comparison.compare(label, "transcendentals", total.transcendentals, rows[i].transcendentals);
  }
}

void compare_all(const char* oracle, const char* folder, int least_compared) {
  const QString shared = testing::shared_folder();
  const auto rows = read_oracle(shared + QLatin1String(oracle));
  Comparison comparison;
  for (auto it = rows.begin(); it != rows.end(); ++it) {
    const auto is_ok = [](const OracleRow& row) { return row.is_ok; };
    if (std::none_of(it->begin(), it->end(), is_ok)) continue;
    compare_file(shared + QLatin1String(folder), it.key(), it.value(), comparison);
  }
  // One message each: QtTest cuts long ones.
  for (const QString& failure : comparison.failures()) qWarning("%s", qPrintable(failure));
  QVERIFY2(comparison.failures().isEmpty(), "see the warnings above");
  QVERIFY(comparison.compared() >= least_compared);
}

}  // namespace

class TestCostCorpus : public QObject {
  Q_OBJECT
 private slots:
  // 368 and 96 modules that XLA reads, three figures each.
  void totals_of_the_xla_corpus() {
    HLOSCOPE_NEEDS_SHARED();
    compare_all("/tools/corpus_oracle.tsv", "/corpus", 3 * 368);
  }
  void totals_of_the_models() {
    HLOSCOPE_NEEDS_SHARED();
    compare_all("/tools/models_oracle.tsv", "/corpus/models", 3 * 96);
  }
};

HLOSCOPE_TEST(TestCostCorpus);
#include "test_cost_corpus.moc"
