#include <bit>
#include <cmath>
#include <set>

#include "core/hlo/element.h"
#include "core/hlo/literal.h"
#include "core/hlo/literal_text.h"
#include "core/hlo/program_builder.h"
#include "core/hlo/read.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::hlo;

namespace {

/// A program with `c = SHAPE constant(VALUE)`.
ProgramPtr constant(const std::string& shape, const std::string& value) {
  auto program = parse_program("HloModule m\nENTRY e {\n  ROOT c = " + shape + " constant(" +
                               value + ")\n}\n");
  return program ? *program : nullptr;
}

/// A program whose constant holds these bytes.
ProgramPtr constant_bytes(PrimitiveType type, const std::vector<int64_t>& dimensions,
                          const std::vector<int64_t>& minor_to_major, std::string_view bytes) {
  ProgramBuilder builder;
  Shape shape;
  shape.element_type = type;
  shape.dimensions = dimensions;
  shape.has_layout = true;
  shape.layout.minor_to_major = minor_to_major;
  Literal literal;
  literal.shape = builder.shapes().intern(shape);
  literal.form = Literal::Form::kBytes;
  literal.data = builder.arena().copy(bytes);
  NewInstruction instruction;
  instruction.name = "c";
  instruction.opcode = Opcode::kConstant;
  instruction.shape = literal.shape;
  instruction.computation = builder.begin_computation("e");
  builder.set_entry(instruction.computation);
  instruction.literal = builder.add_literal(literal);
  builder.computation(instruction.computation).root = builder.add(instruction);
  auto program = builder.finish();
  return program ? *program : nullptr;
}

/// `count` bytes of an integer, little-endian.
std::string little_endian(uint64_t bits, size_t count) {
  return std::string(reinterpret_cast<const char*>(&bits), count);
}

}  // namespace

class TestLiteral : public QObject {
  Q_OBJECT
 private slots:
  void integers_from_text_data();
  void integers_from_text();
  void integers_from_bytes();
  void numbers();
  void floats_print_with_the_digits_of_xla_data();
  void floats_print_with_the_digits_of_xla();
  void every_small_float_has_its_own_text();
  void arrays_print_in_logical_order();
  void braces_are_those_of_xla();
  void tuples_print_their_parts();
};

void TestLiteral::integers_from_text_data() {
  QTest::addColumn<QString>("shape");
  QTest::addColumn<QString>("value");
  QTest::addColumn<QVariant>("expected");
  QTest::newRow("s32") << "s32[]"
                       << "-7" << QVariant(qlonglong{-7});
  QTest::newRow("u8") << "u8[]"
                      << "255" << QVariant(qlonglong{255});
  QTest::newRow("s64") << "s64[]"
                       << "-9223372036854775808" << QVariant(qlonglong{INT64_MIN});
  QTest::newRow("true") << "pred[]"
                        << "true" << QVariant(qlonglong{1});
  QTest::newRow("false") << "pred[]"
                         << "false" << QVariant(qlonglong{0});
  QTest::newRow("pred number") << "pred[]"
                               << "2" << QVariant(qlonglong{1});
  QTest::newRow("rank 1") << "s32[1]"
                          << "{5}" << QVariant(qlonglong{5});
  QTest::newRow("comments") << "s32[1,1,1,1]"
                            << "{ { /*i0=0*/ { /*i1=0*/ {5} } } }" << QVariant(qlonglong{5});
  QTest::newRow("two elements") << "s32[2]"
                                << "{5, 6}" << QVariant();
  QTest::newRow("elided") << "s32[1]"
                          << "{...}" << QVariant();
  QTest::newRow("float") << "f32[]"
                         << "5" << QVariant();
  QTest::newRow("beyond int64") << "u64[]"
                                << "18446744073709551615" << QVariant();
}

void TestLiteral::integers_from_text() {
  QFETCH(QString, shape);
  QFETCH(QString, value);
  QFETCH(QVariant, expected);
  const ProgramPtr program = constant(shape.toStdString(), value.toStdString());
  QVERIFY(program != nullptr);
  const auto got = scalar_integer(*program, InstructionId(0));
  QCOMPARE(got.has_value(), expected.isValid());
  if (got) QCOMPARE(qlonglong{*got}, expected.toLongLong());
}

void TestLiteral::integers_from_bytes() {
  const auto value = [](PrimitiveType type, uint64_t bits, size_t size) {
    const ProgramPtr program = constant_bytes(type, {}, {}, little_endian(bits, size));
    return scalar_integer(*program, InstructionId(0));
  };
  QVERIFY(value(PrimitiveType::kS32, 0xfffffff9, 4) == -7);
  QVERIFY(value(PrimitiveType::kU32, 0xfffffff9, 4) == 4294967289);
  QVERIFY(value(PrimitiveType::kS4, 0x0e, 1) == -2);
  QVERIFY(value(PrimitiveType::kU4, 0x0e, 1) == 14);
  QVERIFY(value(PrimitiveType::kS1, 0x01, 1) == -1);
  QVERIFY(value(PrimitiveType::kPred, 2, 1) == 1);
  QVERIFY(value(PrimitiveType::kS64, UINT64_MAX, 8) == -1);
  QVERIFY(!value(PrimitiveType::kU64, UINT64_MAX, 8));
  QVERIFY(!value(PrimitiveType::kF32, 0x3f800000, 4));
}

void TestLiteral::numbers() {
  const auto text = [](const char* value) {
    return scalar_number(*constant("f32[]", value), InstructionId(0));
  };
  QVERIFY(text("-1.5e3") == -1500.0);
  QVERIFY(text("-inf") == -HUGE_VAL);
  QVERIFY(std::isnan(*text("nan")));
  QVERIFY(!scalar_number(*constant("s32[]", "1"), InstructionId(0)));
  const ProgramPtr half = constant_bytes(PrimitiveType::kBf16, {}, {}, little_endian(0xbf00, 2));
  QVERIFY(scalar_number(*half, InstructionId(0)) == -0.5);
}

// Bits and texts as converted and printed by jaxlib 0.10.2.
void TestLiteral::floats_print_with_the_digits_of_xla_data() {
  QTest::addColumn<int>("type");
  QTest::addColumn<qulonglong>("bits");
  QTest::addColumn<QString>("expected");
  const auto row = [](PrimitiveType type, uint64_t bits, const char* text) {
    const std::string label = std::string(name(type)) + " " + text;
    QTest::newRow(label.c_str()) << static_cast<int>(type) << qulonglong{bits} << text;
  };
  using enum PrimitiveType;
  row(kF32, std::bit_cast<uint32_t>(0.1F), "0.1");
  row(kF32, 1, "1.4013e-45");
  row(kF32, 0x7f7fffff, "3.40282347e+38");
  row(kF32, 0x7f800000, "inf");
  row(kF32, 0xff800000, "-inf");
  row(kF32, 0x7fc00000, "nan");
  row(kF32, 0xffc00000, "-nan");
  row(kF32, 0x7f800001, "nan(0x1)");
  row(kF32, std::bit_cast<uint32_t>(1234567.0F), "1234567");
  row(kF32, std::bit_cast<uint32_t>(123456.7F), "123456.703");
  row(kF32, std::bit_cast<uint32_t>(1e6F), "1e+06");
  row(kF64, std::bit_cast<uint64_t>(0.1), "0.1");
  row(kF64, std::bit_cast<uint64_t>(3.14159265358979312), "3.1415926535897931");
  row(kF64, std::bit_cast<uint64_t>(1e300), "1e+300");
  row(kBf16, 0x3dcd, "0.1001");
  row(kBf16, 0x7f78, "3.296e+38");
  row(kBf16, 0x7fc0, "nan");
  row(kF16, 0x2e66, "0.099976");
  row(kF16, 0x7bff, "65504");
  row(kF16, 0x7c03, "nan(0x3)");
  row(kF16, 0x0001, "5.9605e-08");
  row(kF8e4m3fn, 0x1d, "0.102");
  row(kF8e4m3fn, 0x7e, "448");
  row(kF8e4m3fn, 0xff, "-nan");
  row(kF8e4m3fnuz, 0x80, "-nan");
  row(kF8e4m3b11fnuz, 0x7f, "30");
  row(kF8e5m2, 0x7b, "5.7e+04");
  row(kF8e5m2, 0x7c, "inf");
  row(kF8e5m2fnuz, 0x7f, "5.7e+04");
  row(kF8e3m4, 0x06, "0.0938");
  row(kF8e8m0fnu, 0xff, "nan");
  row(kF8e8m0fnu, 0x7f, "1");
  row(kF8e8m0fnu, 0xfd, "8.5e+37");
  row(kF4e2m1fn, 0x07, "6");
  row(kF4e2m1fn, 0x0b, "-1.5");
  row(kF4e2m1fn, 0x08, "-0");
}

void TestLiteral::floats_print_with_the_digits_of_xla() {
  QFETCH(int, type);
  QFETCH(qulonglong, bits);
  QFETCH(QString, expected);
  const std::string bytes = little_endian(bits, 8);
  QCOMPARE(QString::fromStdString(element_text(static_cast<PrimitiveType>(type), bytes.data())),
           expected);
}

// Every bit pattern has a text of its own, so that it can be read back.
void TestLiteral::every_small_float_has_its_own_text() {
  using enum PrimitiveType;
  for (const PrimitiveType type :
       {kF16, kBf16, kF8e5m2, kF8e4m3fn, kF8e4m3b11fnuz, kF8e5m2fnuz, kF8e4m3fnuz, kF8e4m3, kF8e3m4,
        kF4e2m1fn, kF6e3m2fn, kF6e2m3fn}) {
    std::set<std::string> texts;
    const uint32_t count = 1U << info(type).bits;
    for (uint32_t bits = 0; bits < count; ++bits) {
      const std::string bytes = little_endian(bits, 2);
      texts.insert(element_text(type, bytes.data()));
    }
    // NaNs too: they differ by sign or payload.
    QCOMPARE(texts.size(), size_t{count});
  }
}

void TestLiteral::arrays_print_in_logical_order() {
  const std::string bytes("\x01\x02\x03\x04\x05\x06", 6);
  const auto text = [&](const std::vector<int64_t>& minor_to_major) {
    return literal_text(*constant_bytes(PrimitiveType::kU8, {2, 3}, minor_to_major, bytes), 0);
  };
  QCOMPARE(text({1, 0}), std::string("{ { 1, 2, 3 }, { 4, 5, 6 } }"));
  QCOMPARE(text({0, 1}), std::string("{ { 1, 3, 5 }, { 2, 4, 6 } }"));
}

// Texts as printed by jaxlib 0.10.2.
void TestLiteral::braces_are_those_of_xla() {
  const auto text = [](const std::vector<int64_t>& dimensions, std::string_view bytes) {
    std::vector<int64_t> order;
    for (size_t i = dimensions.size(); i > 0; --i) order.push_back(static_cast<int64_t>(i) - 1);
    return literal_text(*constant_bytes(PrimitiveType::kPred, dimensions, order, bytes), 0);
  };
  const std::string_view bytes("\0\1\0\1", 4);
  QCOMPARE(text({}, bytes.substr(1, 1)), std::string("true"));
  QCOMPARE(text({2}, bytes), std::string("{0, 1}"));
  QCOMPARE(text({0}, {}), std::string("{}"));
  QCOMPARE(text({2, 0}, {}), std::string("{ {}, {} }"));
  QCOMPARE(text({0, 2}, {}), std::string("{  }"));
  QCOMPARE(text({2, 1}, bytes), std::string("{ {0}, {1} }"));
  QCOMPARE(text({1, 2}, bytes), std::string("{ { 0, 1 } }"));
  QCOMPARE(
      text({2, 1, 1, 2}, bytes),
      std::string("{ { /*i0=0*/ { /*i1=0*/ { 0, 1 } } }, { /*i0=1*/ { /*i1=0*/ { 0, 1 } } } }"));
  QCOMPARE(
      text({1, 1, 2, 1, 2}, bytes),
      std::string("{ { /*i0=0*/ { /*i1=0*/ { /*i2=0*/ { 0, 1 } }, { /*i2=1*/ { 0, 1 } } } } }"));
}

void TestLiteral::tuples_print_their_parts() {
  const ProgramPtr program = constant("(f32[], (s32[2], pred[]))", "( 1.50, ( {2,3}, true ) )");
  QVERIFY(program != nullptr);
  const uint32_t literal = (*program)[InstructionId(0)].literal;
  QCOMPARE(literal_text(*program, literal), std::string("( 1.50, ( {2,3}, true ) )"));
  QCOMPARE(shaped_literal_text(*program, literal),
           std::string("( f32[] 1.50, ( s32[2] {2,3}, pred[] true ) )"));
}

HLOSCOPE_TEST(TestLiteral);
#include "test_literal.moc"
