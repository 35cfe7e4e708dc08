#include "core/fuse/group_body.h"
#include "tests/core/fuse/fuse_fixture.h"
#include "tests/core/fuse/random_program.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;

/// Bodies of fusions that are not written are those of the written ones.
class TestGroupBody : public QObject {
  Q_OBJECT

  /// Everything of a body that a kernel model looks at.
  static QString body_text(const hlo::Program& program, const sim::FlatBody& body) {
    QString out;
    for (const sim::FlatNode& node : body.nodes) {
      const hlo::Opcode opcode = program[node.instruction].opcode;
      out += node.is_leaf ? QString("leaf") : qt(hlo::name(opcode));
      out += ' ' + qt(program.shapes().text(node.shape)) + '(';
      for (const sim::FlatId operand : node.operands) out += QString(" %1").arg(operand.value);
      out += ")\n";
    }
    for (const sim::FlatId output : body.outputs) out += QString(" %1").arg(output.value);
    return out;
  }

 private slots:
  void equal_to_the_body_of_the_written_kernel() {
    Rng rng(31);
    int compared = 0;
    for (int i = 0; i < random_program_count() / 2; ++i) {
      fuse::FusionLimits limits;
      limits.sibling_bytes = 4;
      const auto clean = value_of(fuse::clean_up(*parse(random_program(rng))));
      const fuse::FusionSpace space(clean, limits);
      fuse::FusionState state(space);
      state.take(space.random(rng, 0.7));
      fuse::GroupBodies bodies(space);
      for (uint32_t g = 0; g < state.group_limit(); ++g) {
        const fuse::Group& group = state.group(fuse::GroupId(g));
        if (group.members.empty() || group.facts.is_plain) continue;
        const auto alone = value_of(fuse::kernel_program(space, group));
        const auto root = (*alone)[alone->entry()].root;
        QCOMPARE(body_text(space.program(), bodies.of(group)),
                 body_text(*alone, sim::flatten(*alone, root)));
        ++compared;
      }
    }
    QVERIFY2(compared > 500, qPrintable(QString::number(compared)));
  }
};

HLOSCOPE_TEST(TestGroupBody);
#include "test_group_body.moc"
