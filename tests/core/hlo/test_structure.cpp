#include "core/hlo/program_builder.h"
#include "tests/core/hlo/parsing.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::hlo;
using namespace hloscope::testing;

namespace {

ShapeId scalar(ProgramBuilder& builder) {
  Shape shape;
  shape.element_type = PrimitiveType::kF32;
  return builder.shapes().intern(shape);
}

InstructionId add(ProgramBuilder& builder, Opcode opcode, std::string_view name,
                  ComputationId computation, std::vector<InstructionId> operands = {}) {
  NewInstruction instruction;
  instruction.name = name;
  instruction.opcode = opcode;
  instruction.shape = scalar(builder);
  instruction.computation = computation;
  instruction.number = opcode == Opcode::kParameter ? 0 : -1;
  instruction.operands = operands;
  return builder.add(instruction);
}

}  // namespace

class TestStructure : public QObject {
  Q_OBJECT
 private slots:
  void calls_refused_data();
  void calls_refused();
  void empty_module();
  void operand_of_another_computation();
  void operand_after_its_user();
  void recursion();
  void contiguous_ranges();
};

void TestStructure::calls_refused_data() {
  QTest::addColumn<QString>("line");
  QTest::addColumn<QString>("error");
  const auto row = [](const char* line, const char* error) {
    QTest::newRow(line) << line << error;
  };
  row("f32[4] fusion(), kind=kLoop, calls=same",
      "calls \"same\" has 1 parameters, but fusion needs 0");
  row("f32[4] call(x, x), to_apply=same", "to_apply \"same\" has 1 parameters, but call needs 2");
  row("f32[8] reduce(m, z), dimensions={0}, to_apply=same",
      "to_apply \"same\" has 1 parameters, but reduce needs 2");
  row("f32[4] sort(x), dimensions={0}, to_apply=same",
      "to_apply \"same\" has 1 parameters, but sort needs 2");
  row("(s32[], f32[4]) while(t), condition=body, body=body",
      "the root of condition \"body\" is (s32[], f32[4]), not pred[]");
  row("(s32[], f32[4]) while(t), condition=cond, body=cond", "the root of body \"cond\" is pred[]");
  row("f32[4] while(x), condition=cond, body=same",
      "parameter 0 of condition \"cond\" is (s32[], f32[4]), not f32[4]");
  row("f32[4] conditional(i, x), branch_computations={same, same}",
      "a conditional with 2 branches and 2 operands");
  row("f32[4] conditional(i, m), branch_computations={same}",
      "the parameter of branch 0 \"same\" is f32[4], not f32[4,8]");
  row("f32[4] concatenate(), dimensions={0}", "concatenate takes 1 or more operands, but has 0");
  row("f32[4] reduce(m, z, z), dimensions={0}, to_apply=addf",
      "reduce takes 2, 4, ... operands, but has 3");
}

void TestStructure::calls_refused() {
  QFETCH(QString, line);
  QFETCH(QString, error);
  const QString found = qs(entry_error(("  ROOT r = " + line).toStdString()));
  QVERIFY2(found.startsWith(QStringLiteral("1:3: ") + error), qPrintable(found));
}

void TestStructure::empty_module() {
  ProgramBuilder builder;
  QVERIFY(!builder.finish().has_value());
}

void TestStructure::operand_of_another_computation() {
  ProgramBuilder builder;
  const ComputationId f = builder.begin_computation("f");
  const ComputationId g = builder.begin_computation("g");
  const InstructionId p = add(builder, Opcode::kParameter, "p", f);
  builder.computation(f).root = p;
  builder.computation(g).root = add(builder, Opcode::kNegate, "n", g, {p});
  builder.set_entry(g);
  const auto program = builder.finish();
  QVERIFY(!program.has_value());
  QCOMPARE(qs(program.error().message),
           QStringLiteral("instruction \"n\" of computation \"g\": an operand is not in the same "
                          "computation"));
}

void TestStructure::operand_after_its_user() {
  ProgramBuilder builder;
  const ComputationId f = builder.begin_computation("f");
  const InstructionId later(size_t{1});
  builder.computation(f).root = add(builder, Opcode::kNegate, "n", f, {later});
  add(builder, Opcode::kParameter, "p", f);
  builder.set_entry(f);
  const auto program = builder.finish();
  QVERIFY(!program.has_value());
  QVERIFY(
      qs(program.error().message).contains(QStringLiteral("operand \"p\" comes after its user")));
}

void TestStructure::recursion() {
  ProgramBuilder builder;
  const ComputationId f = builder.begin_computation("f");
  const InstructionId p = add(builder, Opcode::kParameter, "p", f);
  NewInstruction call;
  call.name = "c";
  call.opcode = Opcode::kCall;
  call.shape = scalar(builder);
  call.computation = f;
  call.operands = std::span(&p, 1);
  const Attribute to_apply =
      builder.ids<ComputationId>(AttrKey::kToApply, AttrKind::kComputations, std::span(&f, 1));
  call.attributes = std::span(&to_apply, 1);
  builder.computation(f).root = builder.add(call);
  builder.set_entry(f);
  const auto program = builder.finish();
  QVERIFY(!program.has_value());
  QVERIFY(qs(program.error().message).contains(QStringLiteral("computation \"f\" calls itself")));
}

void TestStructure::contiguous_ranges() {
  ProgramBuilder builder;
  const ComputationId f = builder.begin_computation("f");
  const ComputationId g = builder.begin_computation("g");
  const InstructionId gp = add(builder, Opcode::kParameter, "gp", g);
  const InstructionId fp = add(builder, Opcode::kParameter, "fp", f);
  builder.computation(g).root = add(builder, Opcode::kNegate, "gn", g, {gp});
  builder.computation(f).root = add(builder, Opcode::kNegate, "fn", f, {fp});
  builder.set_entry(g);
  const auto program = builder.finish();
  QVERIFY(program.has_value());
  const Program& p = **program;
  QCOMPARE(p[f].instructions.size(), size_t{2});
  QCOMPARE(qs(p[p[f].instructions[0]].name), QStringLiteral("fp"));
  QCOMPARE(qs(p[p.operands(p[g].root)[0]].name), QStringLiteral("gp"));
  QCOMPARE(p.users(p.find_instruction("fp")).front(), p[f].root);
}

HLOSCOPE_TEST(TestStructure);
#include "test_structure.moc"
