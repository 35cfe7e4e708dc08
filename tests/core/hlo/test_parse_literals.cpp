#include "tests/core/hlo/parsing.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::hlo;
using namespace hloscope::testing;

// What is accepted and refused was compared with hlo_module_from_text of jaxlib 0.10.2, except for
// `{...}` of tuples, which XLA prints but cannot read, and the old forms.
class TestParseLiterals : public QObject {
  Q_OBJECT
 private slots:
  void accepted_data();
  void accepted();
  void refused_data();
  void refused();
  void forms();
  void tuple_of_constants();
};

void TestParseLiterals::accepted_data() {
  QTest::addColumn<QString>("shape");
  QTest::addColumn<QString>("value");
  const auto row = [](const char* shape, const char* value) {
    QTest::newRow(qPrintable(QStringLiteral("%1 %2").arg(shape, value))) << shape << value;
  };
  for (const char* value : {"1", "1.5", "-1.5e-3", "5.", "-.5", "1E5", "1e+5", "inf", "-inf", "nan",
                            "-nan", "nan(0x1)", "nan(0x7fffff)", "1e-400", "3.4028235e38"}) {
    row("f32[]", value);
  }
  row("f64[]", "1.7976931348623157e308");
  row("f64[]", "nan(0xfffffffffffff)");
  row("f16[]", "65519");
  row("bf16[]", "3.39e38");
  row("bf16[]", "nan(0x7f)");
  row("f8e4m3fn[]", "464");
  row("f8e5m2[]", "61439");
  row("f8e4m3b11fnuz[]", "30.9");
  row("f8e3m4[]", "15.7");
  row("f8e8m0fnu[]", "2e38");
  row("f4e2m1fn[]", "100");
  row("s8[]", "-128");
  row("u8[]", "255");
  row("s4[]", "7");
  row("u1[]", "1");
  row("u64[]", "18446744073709551615");
  row("u64[]", "-1");
  row("s64[]", "9223372036854775808");
  row("pred[]", "true");
  row("pred[]", "-1");
  row("c64[]", "(1.5, -2)");
  row("c128[]", "(inf, nan)");
  row("f32[2]", "{1, 2}");
  row("f32[2]", "{,1,,2,}");
  row("f32[2]", "{1 2}");
  row("f32[2]", "1");
  row("f32[2]", "{...}");
  row("f32[0]", "{}");
  row("f32[2,0]", "{ {}, {} }");
  row("f32[2,2]", "{ { /*i0=0*/ 1, 2 }, { 3, 4 } }");
  row("f32[2,2]", "{...}");
  row("()", "()");
  row("(f32[], (s32[2]))", "(1, ({2, 3}))");
  row("(f32[2])", "({...})");
  row("(f32[2], s32[])", "{...}");
  row("f32[2,2]", "f32[2,2] {{1,2},{3,4}}");
  row("(f32[], f32[2])", "(f32[], f32[2]) (1, {2, 3})");
}

void TestParseLiterals::accepted() {
  QFETCH(QString, shape);
  QFETCH(QString, value);
  const QString line = QStringLiteral("  ROOT r = %1 constant(%2)").arg(shape, value);
  QCOMPARE(qs(entry_error(line.toStdString())), QString());
}

void TestParseLiterals::refused_data() {
  QTest::addColumn<QString>("shape");
  QTest::addColumn<QString>("value");
  QTest::addColumn<QString>("error");
  const auto row = [](const char* shape, const char* value, const char* error) {
    QTest::newRow(qPrintable(QStringLiteral("%1 %2").arg(shape, value))) << shape << value << error;
  };
  row("f32[]", "1e39", "1e39 is out of range for f32");
  row("f32[]", "1e400", "1e400 is out of range for f32");
  row("f16[]", "65520", "65520 is out of range for f16");
  row("bf16[]", "3.4e38", "3.4e38 is out of range for bf16");
  row("f8e5m2[]", "61440", "61440 is out of range for f8e5m2");
  row("f8e4m3fn[]", "465", "465 is out of range for f8e4m3fn");
  row("f8e4m3[]", "248", "248 is out of range for f8e4m3");
  row("f8e8m0fnu[]", "0", "0 is out of range for f8e8m0fnu");
  row("s8[]", "128", "128 is out of range for s8 (-128 .. 127)");
  row("u8[]", "-1", "-1 is out of range for u8 (0 .. 255)");
  row("u2[]", "4", "4 is out of range for u2 (0 .. 3)");
  row("u64[]", "18446744073709551616", "this integer needs more than 64 bits");
  row("s32[]", "1.5", "expected a value of type s32");
  row("s32[]", "true", "expected a value of type s32");
  row("f32[]", "true", "expected a value of type f32");
  row("f32[]", "+1", "expected a value of type f32");
  row("f32[]", ".5", "expected a digit before '.', found \".5\"");
  row("f32[]", "infinity", "expected a value of type f32");
  row("f32[]", "nan(0x0)", "the payload of this NaN must be in 1 .. 2^23-1");
  row("f32[]", "nan(0x800000)", "the payload of this NaN must be in 1 .. 2^23-1");
  row("f8e4m3fn[]", "nan(0x1)", "the payload of this NaN must be in 1 .. 2^0-1");
  row("c64[]", "1", "expected '(' before a complex value");
  row("c64[]", "(1)", "expected ',' between the parts of a complex value");
  row("token[]", "1", "a constant cannot be of type token");
  row("f32[]", "{1}", "expected a value of type f32");
  row("f32[]", "{...}", "expected a value of type f32");
  row("f32[2]", "{1}", "dimension 0 has 1 items, but the shape has 2");
  row("f32[2]", "{1,2,3}", "dimension 0 has more items than the 2 of the shape");
  row("f32[2,2]", "{{1,2},{3}}", "dimension 1 has 1 items, but the shape has 2");
  row("f32[2,2]", "{1,2,3,4}", "expected 2 levels of braces for this shape, but a value stands");
  row("f32[2]", "{{1,2}}", "more than 1 levels of braces");
  row("(f32[], s32[])", "(1)", "expected ',' between the parts of a tuple constant");
  row("f32[2]", "f32[3]{0} {1,2}",
      "the shape in the constant is not the f32[2] of the instruction");
  row("f32[]", "1, 2", "expected ')' after the value of a constant, found \",\"");
}

void TestParseLiterals::refused() {
  QFETCH(QString, shape);
  QFETCH(QString, value);
  QFETCH(QString, error);
  const QString line = QStringLiteral("  ROOT r = %1 constant(%2)").arg(shape, value);
  const QString found = qs(entry_error(line.toStdString()));
  QVERIFY2(found.contains(error), qPrintable(found));
}

void TestParseLiterals::forms() {
  const ProgramPtr program = entry(
      "  a = f32[2] constant({ 1, 2 })\n  b = f32[2] constant({...})\n  ROOT r = f32[2] add(a, b)");
  QVERIFY(program != nullptr);
  const auto literal = [&](const char* name) {
    return program->literals()[(*program)[program->find_instruction(name)].literal];
  };
  QVERIFY(literal("a").form == Literal::Form::kText);
  QCOMPARE(qs(literal("a").data), QStringLiteral("{ 1, 2 }"));
  QVERIFY(literal("b").form == Literal::Form::kElided);
}

void TestParseLiterals::tuple_of_constants() {
  const ProgramPtr program = entry("  ROOT r = (f32[], s32[2]) constant((1.5, {2, 3}))");
  QVERIFY(program != nullptr);
  const Literal& tuple = program->literals()[(*program)[(*program)[program->entry()].root].literal];
  QVERIFY(tuple.form == Literal::Form::kTuple);
  QCOMPARE(tuple.children.size(), size_t{2});
  QCOMPARE(qs(program->literals()[tuple.children[0]].data), QStringLiteral("1.5"));
  QCOMPARE(qs(program->literals()[tuple.children[1]].data), QStringLiteral("{2, 3}"));
}

HLOSCOPE_TEST(TestParseLiterals);
#include "test_parse_literals.moc"
