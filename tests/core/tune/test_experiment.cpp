#include "core/tune/experiment.h"
#include "tests/support/near.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::tune;

namespace {

std::vector<CurvePoint> found(double time_ns) {
  return {{1, 1e9, time_ns}};
}

}  // namespace

class TestExperiment : public QObject {
  Q_OBJECT
 private slots:
  void gains_are_those_of_pairs() {
    ProgramOutcome outcome;
    outcome.default_ns = 200;
    outcome.best_ns = 100;
    outcome.runs[size_t(Start::kRandom)] = {{found(100), found(150)}, {found(125), found(125)}};
    const Comparison c = compare_at(outcome, Start::kRandom, 1);
    QVERIFY(testing::is_near(c.gain.mean, 0.25));
    QVERIFY(testing::is_near(c.guided_ns.mean, 112.5));
    QVERIFY(testing::is_near(c.alone_ns.mean, 137.5));
    QVERIFY(testing::is_near(c.above_best, 0.125));
    QVERIFY(testing::is_near(c.p, 1));  // One difference: either sign is as likely.
    // Nothing was found within half of the time.
    QCOMPARE(compare_at(outcome, Start::kRandom, 0.5).gain.mean, 0.0);
  }
  void from_the_default_nothing_is_slower_than_it() {
    ProgramOutcome outcome;
    outcome.default_ns = 120;
    outcome.best_ns = 100;
    outcome.runs[size_t(Start::kDefault)] = {{found(130), found(150)}, {found(100), {}}};
    const Comparison c = compare_at(outcome, Start::kDefault, 1);
    QVERIFY(testing::is_near(c.guided_ns.mean, 110));
    QVERIFY(testing::is_near(c.alone_ns.mean, 120));
    QVERIFY(testing::is_near(c.gain.mean, 0.1));
  }
};

HLOSCOPE_TEST(TestExperiment);
#include "test_experiment.moc"
