#include "core/eval/compare.h"
#include "core/eval/evaluate.h"
#include "tests/core/fuse/fuse_fixture.h"
#include "tests/core/fuse/random_program.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;

/// What a program computes must not change, whatever is fused.
class TestFusionMeaning : public QObject {
  Q_OBJECT

  /// Empty, or how the values of `changed` differ from those of `program`, bit for bit.
  static QString difference(const hlo::Program& program, const hlo::Program& changed, Rng& rng) {
    const auto arguments = value_of(eval::random_arguments(program, rng));
    const auto expected = eval::evaluate(program, arguments);
    if (!expected) return "the program itself: " + qt(expected.error().format());
    const auto actual = eval::evaluate(changed, arguments);
    if (!actual) return qt(actual.error().format());
    return qt(eval::compare(*actual, *expected).first);
  }

 private slots:
  void fused_random_programs_compute_the_same() {
    Rng rng(6);
    size_t fusions = 0;
    for (int i = 0; i < random_program_count(); ++i) {
      const auto program = parse(random_program(rng));
      const auto clean = value_of(fuse::clean_up(*program));
      QCOMPARE(difference(*program, *clean, rng), QString());
      fuse::FusionLimits limits;
      limits.sibling_bytes = 4;  // The arrays are small.
      const fuse::FusionSpace space(clean, limits);
      const auto by_default = value_of(fuse::default_config(space));
      for (const fuse::FusionConfig& config : {by_default, space.random(rng), space.random(rng)}) {
        const auto fused = value_of(fuse::apply(space, config));
        QCOMPARE(difference(*program, *fused, rng), QString());
        for (hlo::InstructionId id : fused->instructions()) {
          fusions += (*fused)[id].opcode == hlo::Opcode::kFusion ? 1 : 0;
        }
      }
    }
    QVERIFY2(fusions > 1000, qPrintable(QString::number(fusions)));
  }

  /// The comparison sees a fusion that computes something else.
  void a_changed_program_is_seen() {
    Rng rng(7);
    const std::string lines = "  a = f32[8] parameter(0)\n  b = f32[8] tanh(a)\n";
    const auto program = entry_of(lines + "  ROOT c = f32[8] negate(b)\n");
    const auto other = entry_of(lines + "  ROOT c = f32[8] abs(b)\n");
    QVERIFY(!difference(*program, *other, rng).isEmpty());
  }
};

HLOSCOPE_TEST(TestFusionMeaning);
#include "test_fusion_meaning.moc"
