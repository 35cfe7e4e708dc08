#include "tests/core/hlo/parsing.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::hlo;
using namespace hloscope::testing;

class TestAsyncSugar : public QObject {
  Q_OBJECT
 private slots:
  void start_and_done();
  void attributes_are_shared_out();
  void plain_async_ops();
  void late_binding();
  void two_starts_get_two_computations();
  void refused_data();
  void refused();
};

void TestAsyncSugar::start_and_done() {
  const ProgramPtr program = entry(
      "  s = ((f32[4], f32[4]), f32[4], u32[]) add-start(x, x)\n"
      "  u = ((f32[4], f32[4]), f32[4], u32[]) add-update(s)\n  ROOT r = f32[4] add-done(u)");
  QVERIFY(program != nullptr);
  const InstructionId start = program->find_instruction("s");
  QVERIFY((*program)[start].opcode == Opcode::kAsyncStart);
  QVERIFY((*program)[program->find_instruction("u")].opcode == Opcode::kAsyncUpdate);
  QVERIFY((*program)[(*program)[program->entry()].root].opcode == Opcode::kAsyncDone);
  const ComputationId wrapped = program->computation(start, AttrKey::kCalls);
  QVERIFY((*program)[wrapped].is_async_wrapper);
  QCOMPARE(qs((*program)[wrapped].name), QStringLiteral("async_wrapped"));
  QCOMPARE((*program)[wrapped].instructions.size(), size_t{3});
  QVERIFY((*program)[(*program)[wrapped].root].opcode == Opcode::kAdd);
}

void TestAsyncSugar::attributes_are_shared_out() {
  const ProgramPtr program = entry(
      "  s = ((f32[4]), f32[4]) custom-call-start(x), custom_call_target=\"t\", "
      "async_execution_thread=\"host\", metadata={op_name=\"n\"}\n"
      "  ROOT r = f32[4] custom-call-done(s)");
  QVERIFY(program != nullptr);
  const InstructionId start = program->find_instruction("s");
  const Computation& wrapped = (*program)[program->computation(start, AttrKey::kCalls)];
  QCOMPARE(qs(wrapped.execution_thread), QStringLiteral("host"));
  QCOMPARE(qs(program->text(wrapped.root, AttrKey::kCustomCallTarget)), QStringLiteral("t"));
  QCOMPARE(qs(program->text(wrapped.root, AttrKey::kMetadata)), QStringLiteral("{op_name=\"n\"}"));
  QCOMPARE(qs(program->text(start, AttrKey::kMetadata)), QStringLiteral("{op_name=\"n\"}"));
  QVERIFY(program->find(start, AttrKey::kCustomCallTarget) == nullptr);
}

void TestAsyncSugar::plain_async_ops() {
  const ProgramPtr program = entry(
      "  s = ((f32[4]), f32[4]) async-start(x), calls=same\n"
      "  ROOT r = f32[4] async-done(s), calls=same");
  QVERIFY(program != nullptr);
  QCOMPARE(program->computation(program->find_instruction("s"), AttrKey::kCalls),
           program->find_computation("same"));
}

void TestAsyncSugar::late_binding() {
  const ProgramPtr program = entry(
      "  s = ((f32[4]), f32[4]) add-start(x)\n"
      "  u = ((f32[4], f32[4]), f32[4]) add-update(s, x)\n  ROOT r = f32[4] add-done(u)");
  QVERIFY(program != nullptr);
  const ComputationId wrapped =
      program->computation(program->find_instruction("s"), AttrKey::kCalls);
  QCOMPARE(program->parameters(wrapped).size(), size_t{2});
  const Shape& late = program->shape(program->parameters(wrapped)[1]);
  QCOMPARE(late.dimensions, (std::vector<int64_t>{4}));
}

void TestAsyncSugar::two_starts_get_two_computations() {
  const ProgramPtr program = entry(
      "  a = ((f32[4]), f32[4]) negate-start(x)\n  b = ((f32[4]), f32[4]) negate-start(x)\n"
      "  c1 = f32[4] negate-done(a)\n  ROOT d = f32[4] negate-done(b)");
  QVERIFY(program != nullptr);
  QVERIFY(program->find_computation("async_wrapped").valid());
  QVERIFY(program->find_computation("async_wrapped.1").valid());
}

void TestAsyncSugar::refused_data() {
  QTest::addColumn<QString>("lines");
  QTest::addColumn<QString>("error");
  const auto row = [](const char* lines, const char* error) {
    QTest::newRow(lines) << lines << error;
  };
  row("  s = f32[4] negate-start(x)", "1:14: negate-start needs a shape ((operands...), result");
  row("  s = ((f32[5]), f32[4]) negate-start(x)",
      "1:26: the operands of negate-start are not those of its shape");
  row("  s = f32[4] all-gather-update(x)", "1:14: unknown opcode \"all-gather-update\"");
  row("  s = ((f32[4]), f32[4]) negate-start(x), dimensions={0}",
      "1:43: negate-start has no attribute \"dimensions\"");
  row("  s = f32[4] negate-done(x)",
      "1:14: operand 0 of negate-done must be an async-start or async-update");
  row("  s = ((f32[4]), f32[4]) negate-start(x)\n  r = f32[4] abs-done(s)",
      "2:14: abs-done continues a chain of negate");
  row("  s = ((f32[4]), f32[4]) async-start(x), calls=same\n"
      "  r = f32[4] async-done(s), calls=addf",
      "2:29: this is not the computation that the async-start calls");
}

void TestAsyncSugar::refused() {
  QFETCH(QString, lines);
  QFETCH(QString, error);
  QCOMPARE(qs(entry_error(lines.toStdString())).left(error.size()), error);
}

HLOSCOPE_TEST(TestAsyncSugar);
#include "test_async_sugar.moc"
