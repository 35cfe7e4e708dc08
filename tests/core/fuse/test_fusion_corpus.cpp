#include <QDir>
#include <cmath>

#include "tests/core/fuse/fuse_fixture.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;

namespace {

hlo::ProgramPtr program_of(const QString& path) {
  return value_of(hlo::read_file(path.toStdString())).modules.front().program;
}

}  // namespace

class TestFusionCorpus : public QObject {
  Q_OBJECT
 private slots:
  /// The goal: at most 0.6 of the bytes as geometric mean over real programs of all kinds.
  void default_fusion_of_real_programs_saves_bytes() {
    HLOSCOPE_NEEDS_SHARED();
    const QString models = shared_folder() + "/corpus/models/";
    double log_sum = 0;
    double xla_log_sum = 0;
    int count = 0;
    for (const QString& name : QDir(models + "before").entryList({"*.txt"}, QDir::Files)) {
      const auto before = program_of(models + "before/" + name);
      const fuse::FusionSpace space(value_of(fuse::clean_up(*before)));
      fuse::FusionState state(space);
      QVERIFY(fuse::fuse_by_default(state).has_value());
      const auto after = value_of(fuse::apply(state));
      QVERIFY2(hlo::parse_program(hlo::print(*after)).has_value(), qPrintable(name));
      const double unfused = fuse::traffic(*before).bytes;
      const double fused = fuse::traffic(*after).bytes;
      QVERIFY2(std::abs(fused - state.bytes()) <= 1e-9 * fused, qPrintable(name));
      QVERIFY2(fused < unfused, qPrintable(name));
      QString cpu = models + "cpu_after/" + name;
      cpu.replace("before_opt", "cpu_after_opt");
      const double xla = fuse::traffic(*program_of(cpu)).bytes;
      qInfo("%s: %.3f of the bytes, XLA:CPU %.3f", qPrintable(name), fused / unfused,
            xla / unfused);
      log_sum += std::log(fused / unfused);
      xla_log_sum += std::log(xla / unfused);
      ++count;
    }
    QVERIFY(count >= 15);
    const double mean = std::exp(log_sum / count);
    qInfo("geometric mean %.3f, XLA:CPU %.3f", mean, std::exp(xla_log_sum / count));
    QVERIFY2(mean <= 0.6, qPrintable(QString::number(mean)));
  }
};

HLOSCOPE_TEST(TestFusionCorpus);
#include "test_fusion_corpus.moc"
