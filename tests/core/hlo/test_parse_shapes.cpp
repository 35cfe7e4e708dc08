#include "tests/core/hlo/parsing.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::hlo;
using namespace hloscope::testing;

namespace {

QString call_of(const QString& shape) {
  return QStringLiteral("  ROOT r = %1 custom-call(), custom_call_target=\"x\"").arg(shape);
}

}  // namespace

class TestParseShapes : public QObject {
  Q_OBJECT
 private slots:
  void accepted_data();
  void accepted();
  void refused_data();
  void refused();
  void parts_of_a_layout();
  void dynamic_dimensions();
  void equal_texts_are_one_shape();
  void blank_before_a_layout();
};

void TestParseShapes::accepted_data() {
  QTest::addColumn<QString>("shape");
  QTest::addColumn<QString>("printed");
  const auto same = [](const char* text) { QTest::newRow(text) << text << text; };
  for (const char* type :
       {"pred",          "s1",         "s2",       "s4",         "s8",        "s16",    "s32",
        "s64",           "u1",         "u2",       "u4",         "u8",        "u16",    "u32",
        "u64",           "f4e2m1fn",   "f6e2m3fn", "f6e3m2fn",   "f8e3m4",    "f8e4m3", "f8e4m3fn",
        "f8e4m3b11fnuz", "f8e4m3fnuz", "f8e5m2",   "f8e5m2fnuz", "f8e8m0fnu", "bf16",   "f16",
        "f32",           "f64",        "c64",      "c128"}) {
    const QString text = QStringLiteral("%1[2,3]{1,0}").arg(QLatin1String(type));
    QTest::newRow(type) << text << text;
  }
  same("f32[]");
  same("f32[0]{0}");
  same("token[]");
  same("opaque[]");
  same("()");
  same("(f32[4]{0}, (s32[], token[]), ())");
  same("b(f32[4]{0})");
  same("f32[<=8,?]{1,0}");
  same("bf16[8,128]{1,0:T(8,128)(2,1)S(1)}");
  same("f32[8,128]{1,0:T(*,128)}");
  same("f32[]{:S(1)}");
  same("s4[8]{0:E(4)}");
  same("f32[16]{0:T(8)L(2)E(32)S(5)SC(0:4,8)M(16)}");
  QTest::newRow("no layout") << "f32[4]"
                             << "f32[4]";
  QTest::newRow("blanks") << "f32 [ 4 , 8 ] { 0 , 1 : T( 8 ) }"
                          << "f32[4,8]{0,1:T(8)}";
  QTest::newRow("comments") << "(f32[], /*index=1*/s32[])"
                            << "(f32[], s32[])";
  QTest::newRow("level types are forgotten") << "f32[4]{0:D(C+~)}"
                                             << "f32[4]{0}";
}

void TestParseShapes::accepted() {
  QFETCH(QString, shape);
  QFETCH(QString, printed);
  const ProgramPtr program = entry(call_of(shape).toStdString());
  QVERIFY(program != nullptr);
  const InstructionId root = (*program)[program->entry()].root;
  QCOMPARE(qs(program->shapes().text((*program)[root].shape)), printed);
}

void TestParseShapes::refused_data() {
  QTest::addColumn<QString>("shape");
  QTest::addColumn<QString>("error");
  const auto row = [](const char* shape, const char* error) {
    QTest::newRow(shape) << shape << error;
  };
  row("f33[4]", "1:12: unknown element type \"f33\"");
  row("F32[4]", "1:12: unknown element type \"F32\"");
  row("tuple[4]", "1:12: unknown element type \"tuple\"");
  row("f32[-1]", "1:16: a dimension must be at least 0");
  row("f32[4,]", "1:18: expected a dimension here, found \"]\"");
  row("f32[1.5]", "1:16: expected a dimension");
  row("token[2]", "1:12: token takes no dimensions");
  row("f32[4]{0,1}", "1:19: the layout lists 2 dimensions, but the shape has 1");
  row("f32[2,3]{1,1}", "1:21: minor_to_major is not a permutation of 0..1");
  row("f32[2,3]{0,2}", "1:21: minor_to_major is not a permutation of 0..1");
  row("f32[4]{0:S(1)T(8)}", "1:25: expected '}' after a layout");
  row("f32[4]{0:T()}", "1:23: expected a tile dimension here, found \")\"");
  row("f32[4]{0:T(0)}", "1:23: a tile dimension must be at least 1");
  row("f32[4]{0:#(u32)}", "1:21: the layout part \"#\" is of sparse arrays, which no longer exist");
  row("f32[4]{0:P(f32[4])}",
      "1:21: the layout part \"P\" is of sparse arrays, which no longer exist");
  row("f32[4]{0:SC(1:2)}", "1:24: the dimension of a split must be in 0 .. 0");
  row("f32[9223372036854775807]", "1:12: the size of this shape needs more than 64 bits");
  row("f32[99999999999999999999]", "1:16: this integer needs more than 64 bits");
  row("b((f32[4]))", "1:14: only an array may stand in b(...)");
  row("(f32[4],)", "1:20: expected a shape here, found \")\"");
  row("f32[]{}", "1:17: expected an opcode here, found \"{\"");
}

void TestParseShapes::refused() {
  QFETCH(QString, shape);
  QFETCH(QString, error);
  QCOMPARE(qs(entry_error(call_of(shape).toStdString())).left(error.size()), error);
}

void TestParseShapes::parts_of_a_layout() {
  const ProgramPtr program =
      entry(call_of("f32[16,2]{0,1:T(8,*)(2)L(2)E(32)S(5)SC(1:4,8)M(16)}").toStdString());
  QVERIFY(program != nullptr);
  const Layout& layout = program->shape((*program)[program->entry()].root).layout;
  QCOMPARE(layout.minor_to_major, (std::vector<int64_t>{0, 1}));
  QCOMPARE(layout.tiles, (std::vector<std::vector<int64_t>>{{8, kCombineDimension}, {2}}));
  QCOMPARE(layout.tail_padding_alignment_in_elements, 2);
  QCOMPARE(layout.element_size_in_bits, 32);
  QCOMPARE(layout.memory_space, 5);
  QCOMPARE(layout.split_configs.size(), size_t{1});
  QCOMPARE(layout.split_configs[0].dimension, 1);
  QCOMPARE(layout.split_configs[0].split_indices, (std::vector<int64_t>{4, 8}));
  QCOMPARE(layout.dynamic_shape_metadata_prefix_bytes, 16);
}

void TestParseShapes::dynamic_dimensions() {
  const ProgramPtr program = entry(call_of("f32[2,<=8,?]").toStdString());
  QVERIFY(program != nullptr);
  const Shape& shape = program->shape((*program)[program->entry()].root);
  QCOMPARE(shape.dimensions, (std::vector<int64_t>{2, 8, kUnboundedSize}));
  QCOMPARE(shape.dynamic_dimensions, (std::vector<bool>{false, true, true}));
  QVERIFY(!shape.has_layout);
  QCOMPARE(shape.layout.minor_to_major, (std::vector<int64_t>{2, 1, 0}));
}

void TestParseShapes::equal_texts_are_one_shape() {
  const ProgramPtr program = entry(
      "  a = f32[4,8]{1,0} add(m, m)\n  b = f32[4, 8]{1,0} add(a, a)\n  ROOT r = f32[4,8] copy(b)");
  QVERIFY(program != nullptr);
  const auto shape = [&](const char* name) {
    return (*program)[program->find_instruction(name)].shape;
  };
  QCOMPARE(shape("a"), shape("b"));
  QVERIFY(shape("a") != shape("r"));  // without a written layout
  QVERIFY(program->shapes().compatible(shape("a"), shape("r")));
}

void TestParseShapes::blank_before_a_layout() {
  // The first line puts "f32[4,8]" into the table of known texts.
  const ProgramPtr program = entry("  a = f32[4,8] add(m, m)\n  ROOT r = f32[4,8] {0,1} copy(a)");
  QVERIFY(program != nullptr);
  const Shape& shape = program->shape((*program)[program->entry()].root);
  QCOMPARE(shape.layout.minor_to_major, (std::vector<int64_t>{0, 1}));
}

HLOSCOPE_TEST(TestParseShapes);
#include "test_parse_shapes.moc"
