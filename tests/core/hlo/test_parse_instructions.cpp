#include "tests/core/hlo/parsing.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::hlo;
using namespace hloscope::testing;

namespace {

const Instruction& root_of(const ProgramPtr& program) {
  return (*program)[(*program)[program->entry()].root];
}

}  // namespace

class TestParseInstructions : public QObject {
  Q_OBJECT
 private slots:
  void every_opcode_is_known();
  void spans_and_lines();
  void root_by_mark_or_place();
  void tuple_elements_in_operands();
  void nested_operands();
  void inline_bodies();
  void omitted_shapes_data();
  void omitted_shapes();
  void shapes_that_are_computed();
  void old_opcodes();
  void accepted_data();
  void accepted();
  void refused_data();
  void refused();
};

void TestParseInstructions::every_opcode_is_known() {
  for (int i = 0; i < kOpcodeCount; ++i) {
    const std::string opcode(name(static_cast<Opcode>(i)));
    const std::string error = entry_error("  ROOT r = f32[4] " + opcode + "(x, nothing)");
    QVERIFY2(!error.empty() && error.find("unknown opcode") == std::string::npos, error.c_str());
  }
}

void TestParseInstructions::spans_and_lines() {
  const ProgramPtr program = entry("  a = f32[4] negate(x)\n\n  ROOT %r = f32[4] add(a,\n   x)");
  QVERIFY(program != nullptr);
  const Instruction& a = (*program)[program->find_instruction("a")];
  QCOMPARE(qs(program->source(a.span)), QStringLiteral("a = f32[4] negate(x)"));
  QCOMPARE(a.span.line, static_cast<uint32_t>(kFirstLine));
  QCOMPARE(qs(program->source(root_of(program).span)),
           QStringLiteral("ROOT %r = f32[4] add(a,\n   x)"));
  QCOMPARE(root_of(program).span.line, static_cast<uint32_t>(kFirstLine + 2));
  const Computation& same = (*program)[program->find_computation("same")];
  QCOMPARE(qs(program->source(same.span)),
           QStringLiteral("same { ROOT sp = f32[4] parameter(0) }"));
}

void TestParseInstructions::root_by_mark_or_place() {
  QCOMPARE(qs(root_of(entry("  ROOT a = f32[4] negate(x)\n  b = f32[4] negate(a)")).name),
           QStringLiteral("a"));
  QCOMPARE(qs(root_of(entry("  a = f32[4] negate(x)\n  b = f32[4] negate(a)")).name),
           QStringLiteral("b"));
}

void TestParseInstructions::tuple_elements_in_operands() {
  const ProgramPtr program = entry(
      "  n = ((f32[4], s32[]), f32[4]) custom-call(), custom_call_target=\"x\"\n"
      "  a = f32[4] add(%n#0#0, n#1)\n  ROOT r = f32[4] add(f32[4] %n#0#0, a)");
  QVERIFY(program != nullptr);
  const auto a = program->operands(program->find_instruction("a"));
  const auto r = program->operands((*program)[program->entry()].root);
  QVERIFY((*program)[a[0]].opcode == Opcode::kGetTupleElement);
  QCOMPARE((*program)[a[0]].number, 0);
  QCOMPARE((*program)[a[1]].number, 1);
  QCOMPARE(a[0], r[0]);  // made once
  QVERIFY(!(*program)[a[0]].name.empty() && (*program)[a[0]].name != (*program)[a[1]].name);
}

void TestParseInstructions::nested_operands() {
  const ProgramPtr program =
      entry("  ROOT r = f32[4] add(negate(x), f32[4] broadcast(constant_like(z)))");
  QVERIFY(program == nullptr);  // there is no such opcode
  const ProgramPtr good = entry("  ROOT r = f32[4] add(negate(x), f32[4] broadcast(z))");
  QVERIFY(good != nullptr);
  const auto operands = good->operands((*good)[good->entry()].root);
  QCOMPARE(qs((*good)[operands[0]].name), QStringLiteral("negate.anon"));
  QVERIFY((*good)[operands[1]].opcode == Opcode::kBroadcast);
}

void TestParseInstructions::inline_bodies() {
  const ProgramPtr program = entry(
      "  ROOT r = f32[4] all-reduce(x), to_apply={ x = f32[] parameter(0) y = f32[] parameter(1) "
      "ROOT s = f32[] add(x, y) }");
  QVERIFY(program != nullptr);
  const ComputationId body =
      program->computation((*program)[program->entry()].root, AttrKey::kToApply);
  QCOMPARE(qs((*program)[body].name), QStringLiteral("_"));
  QCOMPARE((*program)[body].instructions.size(), size_t{3});
  // Outer names are not visible inside.
  QVERIFY(qs(entry_error("  ROOT r = f32[4] call(x), to_apply={ ROOT s = f32[4] negate(x) }"))
              .contains(QStringLiteral("instruction \"x\" is not defined")));
}

void TestParseInstructions::omitted_shapes_data() {
  QTest::addColumn<QString>("rhs");
  QTest::addColumn<QString>("shape");
  const auto row = [](const char* rhs, const char* shape) { QTest::newRow(rhs) << rhs << shape; };
  row("negate(x)", "f32[4]");
  row("abs(c)", "f32[4]");
  row("imag(c)", "f32[4]");
  row("is-finite(x)", "pred[4]");
  row("compare(x, x), direction=GT", "pred[4]");
  row("complex(x, x)", "c64[4]");
  row("add(x, z)", "f32[4]");
  row("select(q, x, x)", "f32[4]");
  row("clamp(z, x, z)", "f32[4]");
  row("tuple(x, i)", "(f32[4], s32[])");
  row("get-tuple-element(t), index=1", "f32[4]");
  row("transpose(m), dimensions={1,0}", "f32[8,4]");
  row("broadcast(z), dimensions={}", "f32[]");
  row("concatenate(x, x), dimensions={0}", "f32[8]");
  row("pad(x, z), padding=1_2_1", "f32[10]");
  row("reduce(m, z), dimensions={0}, to_apply=addf", "f32[8]");
  row("reduce-window(m, z), window={size=2x2 stride=2x2}, to_apply=addf", "f32[2,4]");
  row("dot(m, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}", "f32[4,8]");
  row("sort(x), dimensions={0}, to_apply=less", "f32[4]");
  row("while(t), condition=cond, body=body", "(s32[], f32[4])");
  row("call(x), to_apply=same", "f32[4]");
  row("conditional(q, x, x), true_computation=same, false_computation=same", "f32[4]");
  row("map(x, x), dimensions={0}, to_apply=addf", "f32[4]");
  row("partition-id()", "u32[]");
  row("after-all(k)", "token[]");
  row("fft(x), fft_type=RFFT, fft_length={4}", "c64[3]");
  row("get-dimension-size(m), dimensions={0}", "s32[]");
  row("set-dimension-size(m, i), dimensions={0}", "f32[<=4,8]");
  row("topk(x), k=2", "(f32[2], s32[2])");
  row("batch-norm-training(m, x, x), epsilon=0.1, feature_index=0", "(f32[4,8], f32[4], f32[4])");
  row("gather(m, v), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
      "index_vector_dim=1, slice_sizes={1,8}",
      "f32[4,8]");
}

void TestParseInstructions::omitted_shapes() {
  QFETCH(QString, rhs);
  QFETCH(QString, shape);
  const ProgramPtr program = entry(("  ROOT r = " + rhs).toStdString());
  QVERIFY(program != nullptr);
  QCOMPARE(qs(program->shapes().text(root_of(program).shape, false)), shape);
}

void TestParseInstructions::shapes_that_are_computed() {
  const auto shape = [](const char* line) {
    const ProgramPtr program = entry(line);
    return program == nullptr ? QStringLiteral("not read")
                              : qs(program->shapes().text(root_of(program).shape, false));
  };
  QCOMPARE(shape("  ROOT r = f32[9] after-all(k)"), QStringLiteral("token[]"));
  QCOMPARE(shape("  ROOT r = f32[9] send(x, k), channel_id=1"),
           QStringLiteral("(f32[4], u32[], token[])"));
  QCOMPARE(shape("  ROOT r = (f32[5], s32[]) recv(k), channel_id=1"),
           QStringLiteral("(f32[5], u32[], token[])"));
  QCOMPARE(shape("  ROOT r = ((f32[4], s32[]), token[]) infeed(k)"),
           QStringLiteral("((f32[4], s32[]), token[])"));
}

void TestParseInstructions::old_opcodes() {
  const ProgramPtr program = entry("  ROOT r = pred[4] greater-than-or-equal-to(x, x)");
  QVERIFY(program != nullptr);
  QVERIFY(root_of(program).opcode == Opcode::kCompare);
  QCOMPARE(qs(program->text((*program)[program->entry()].root, AttrKey::kDirection)),
           QStringLiteral("GE"));
  QVERIFY(!error_of(in_entry("  ROOT r = pred[4] less-than(x, x)"), true).empty());
  QCOMPARE(entry_error("  ROOT r = f32[4] cross-replica-sum(x), to_apply=addf"), std::string());
}

void TestParseInstructions::accepted_data() {
  QTest::addColumn<QString>("line");
  const auto row = [](const char* line) { QTest::newRow(line) << line; };
  row("%r=f32[4] add(x, %x)");
  row("r = f32[4]{0} add(f32[4]{0} x, f32[4] %x)");
  row("%nan = f32[4] add(x, x)");
  row("tuple = f32[4] add(x, x)");
  row("__xla_r = f32[4] add(x, x)");
  row("%a-b.c_1 = f32[4] add(x, x)");
  row("r = f32[4] add(/* c */ x, x) // end");
  row("r = f32[4] add(,x,,x,)");  // XLA takes these commas
}

void TestParseInstructions::accepted() {
  QFETCH(QString, line);
  QCOMPARE(qs(entry_error(("  ROOT " + line).toStdString())), QString());
}

void TestParseInstructions::refused_data() {
  QTest::addColumn<QString>("line");
  QTest::addColumn<QString>("error");
  const auto row = [](const char* line, const char* error) {
    QTest::newRow(line) << line << error;
  };
  row("  r=f32[4] add(x, x)", "1:3: \"r=\" is an attribute, not the name of an instruction");
  row("  %f32 = f32[4] add(x, x)", "1:4: the name \"f32\" is an element type");
  row("  nan = f32[4] add(x, x)",
      "1:3: \"nan\" is a reserved word, not the name of an instruction");
  row("  __r = f32[4] add(x, x)", "1:3: the name \"__r\" begins with \"__\", which XLA refuses");
  row("  %0 = f32[4] add(x, x)", "1:3: expected the name of an instruction behind '%'");
  row("  x = f32[4] add(x, x)", "1:3: instruction \"x\" is defined twice");
  row("  r = f32[4] add(x, nope)", "1:21: instruction \"nope\" is not defined");
  row("  r = f32[4] add(x, r2)\n  r2 = f32[4] add(x, x)",
      "1:21: instruction \"r2\" is not defined");
  row("  r = f32[4] add(x)", "1:14: add takes 2 operands, but has 1");
  row("  r = f32[4] add(x x)", "1:20: expected ')' after the operands, found \"x\"");
  row("  r = f32[4] add(f32[5] x, x)",
      "1:18: the operand is written as f32[5], but \"x\" is f32[4]");
  row("  r = f32[4] foo(x)", "1:14: unknown opcode \"foo\"");
  row("  r = f32 add(x, x)", "1:11: expected '[' behind f32, found \"add\"");
  row("  r = convert(x)", "1:7: convert needs its shape");
  row("  r = opt-barrier(x)", "1:7: the shape of opt-barrier cannot be inferred");
  row("  r = add(x, m)", "1:7: the shape of add cannot be inferred");
  row("  r = f32[4] negate(%t#2)", "1:23: there is no element 2 in (s32[], f32[4])");
  row("  r = f32[4] parameter(-1)", "1:24: a parameter number must be in 0 .. 2147483647");
  row("  r = f32[4] parameter(11)", "1:3: parameter 10 is missing: numbers go from 0 to 10");
  row("  r = f32[4] parameter(0)", "1:3: parameter 0 is defined twice");
  row("  r = s32[] get-tuple-element(t), index=2", "1:3: index 2 of a tuple with 2 elements");
  row("  r = (f32[4]) tuple(x, x)", "1:16: a tuple of 2 operands is not (f32[4])");
  row("  r = f32[4] dynamic-slice(x), dynamic_slice_sizes={4}",
      "1:14: dynamic-slice takes one index per dimension, or all in a vector; it has 1 operands");
  row("  ROOT a = f32[4] negate(x)\n  ROOT b = f32[4] negate(x)",
      "2:3: this computation has a ROOT already");
  row("  r = f32[4] negate(x) /* open", "1:24: this comment is not closed");
}

void TestParseInstructions::refused() {
  QFETCH(QString, line);
  QFETCH(QString, error);
  QCOMPARE(qs(entry_error(line.toStdString())).left(error.size()), error);
}

HLOSCOPE_TEST(TestParseInstructions);
#include "test_parse_instructions.moc"
