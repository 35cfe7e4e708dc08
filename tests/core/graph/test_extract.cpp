#include "core/graph/program_copier.h"
#include "tests/core/graph/graph_fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;

namespace {

constexpr const char* kWholeProgram = R"(
HloModule whole, is_scheduled=true, replica_count=2
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT sum = f32[] add(a, b) }
fused {
  x = f32[64,128]{1,0:T(8,128)} parameter(0)
  table = f32[4] constant({1, 2, 3, 4})
  zero = f32[] constant(0)
  rows = f32[64]{0} reduce(x, zero), dimensions={1}, to_apply=add
  ROOT pair = (f32[64]{0}, f32[4]{0}) tuple(rows, table)
}
main {
  u = f32[] parameter(0)
  ROOT unused_name = f32[] negate(u)
}
ENTRY entry {
  p = f32[64,128]{1,0:T(8,128)} parameter(0)
  before = f32[64,128]{1,0:T(8,128)} negate(p)
  kernel = (f32[64]{0}, f32[4]{0}) fusion(before), kind=kInput, calls=fused, control-predecessors={before}, metadata={op_name="a/b" stack_frame_id=7}
  twice = f32[64,128]{1,0:T(8,128)} multiply(before, before)
  start = f32[64,128]{1,0:T(8,128)} all-reduce-start(twice), replica_groups={{0,1}}, to_apply=add
  done = f32[64,128]{1,0:T(8,128)} all-reduce-done(start)
  ROOT result = f32[64,128]{1,0:T(8,128)} add(done, twice)
}
)";

hlo::ProgramPtr extracted(const hlo::Program& program, std::string_view name) {
  auto result = graph::extract(program, program.find_instruction(name));
  if (!result) {
    qCritical("extract: %s", result.error().format().c_str());
    std::abort();
  }
  return *result;
}

}  // namespace

class TestExtract : public QObject {
  Q_OBJECT

 private slots:
  void a_kernel_becomes_a_program_of_its_own() {
    hlo::ProgramPtr alone;
    {
      const auto program = parse(kWholeProgram);
      alone = extracted(*program, "kernel");
    }
    // The source is gone: nothing may point into it.
    QCOMPARE(qt(alone->name()), QStringLiteral("kernel"));
    QVERIFY(alone->is_scheduled());
    QCOMPARE(alone->computation_count(), size_t{3});  // add, fused, the entry
    const auto& entry = (*alone)[alone->entry()];
    QCOMPARE(qt(entry.name), QStringLiteral("main.1"));  // "main" is another one there.
    QCOMPARE(entry.instructions.size(), size_t{2});
    const auto parameter = entry.instructions[0];
    QCOMPARE((*alone)[parameter].opcode, hlo::Opcode::kParameter);
    QCOMPARE(qt((*alone)[parameter].name), QStringLiteral("before"));
    QCOMPARE(qt(alone->shapes().text((*alone)[parameter].shape)),
             QStringLiteral("f32[64,128]{1,0:T(8,128)}"));
    QCOMPARE(qt((*alone)[entry.root].name), QStringLiteral("kernel"));
    QCOMPARE(qt(alone->text(entry.root, hlo::AttrKey::kKind)), QStringLiteral("kInput"));
    QVERIFY(alone->find(entry.root, hlo::AttrKey::kControlPredecessors) == nullptr);
    const auto table = (*alone)[alone->find_instruction("table")];
    QVERIFY(alone->literals().at(table.literal).data.find('4') != std::string_view::npos);
  }

  void the_hash_stays_the_same_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"kernel", "before", "twice", "start", "result"}) {
      QTest::newRow(name) << name;
    }
  }
  void the_hash_stays_the_same() {
    QFETCH(QString, name);
    const auto program = parse(kWholeProgram);
    const auto list = graph::kernels(*program);
    const auto id = kernel_named(*program, list, name.toStdString());
    const auto alone = extracted(*program, name.toStdString());
    const auto alone_list = graph::kernels(*alone);
    QCOMPARE(alone_list.kernels.size(), size_t{1});
    QCOMPARE(qt(alone_list.kernels[graph::KernelId(0)].hash.hex()),
             qt(list.kernels[id].hash.hex()));
    QCOMPARE(alone_list.kernels[graph::KernelId(0)].op_class, list.kernels[id].op_class);
  }

  void equal_operands_become_one_parameter() {
    const auto program = parse(kWholeProgram);
    const auto alone = extracted(*program, "twice");
    QCOMPARE(alone->parameters(alone->entry()).size(), size_t{1});
    QCOMPARE(alone->operands((*alone)[alone->entry()].root).size(), size_t{2});
  }

  void an_async_pair_stays_together() {
    const auto program = parse(kWholeProgram);
    const auto alone = extracted(*program, "start");
    const auto root = (*alone)[alone->entry()].root;
    QCOMPARE((*alone)[root].opcode, hlo::Opcode::kAllReduceDone);
    QCOMPARE((*alone)[alone->operands(root)[0]].opcode, hlo::Opcode::kAllReduceStart);
    QCOMPARE(alone->find_module(hlo::AttrKey::kReplicaCount)->integer(), int64_t{2});
  }

  void metadata_loses_its_pointer_into_the_modules_tables_data() {
    QTest::addColumn<QString>("metadata");
    QTest::addColumn<QString>("expected");
    QTest::newRow("last") << R"({op_name="a" stack_frame_id=7})"
                          << R"({op_name="a"})";
    QTest::newRow("only") << "{stack_frame_id=17}"
                          << "{}";
    QTest::newRow("none") << R"({op_name="a"})"
                          << R"({op_name="a"})";
    QTest::newRow("in a name") << R"({op_name="x stack_frame_id=3"})"
                               << R"({op_name="x stack_frame_id=3"})";
  }
  void metadata_loses_its_pointer_into_the_modules_tables() {
    QFETCH(QString, metadata);
    QFETCH(QString, expected);
    QCOMPARE(qt(graph::without_stack_frame(metadata.toStdString())), expected);
  }
};

HLOSCOPE_TEST(TestExtract);

#include "test_extract.moc"
