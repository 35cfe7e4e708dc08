#include <fmt/format.h>

#include "core/hlo/read.h"
#include "core/hlo/similar.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

// The error of a module with one line behind p = f32[2,3]; "ok" without one.
std::string hint_error_of(std::string_view line) {
  const std::string text =
      fmt::format("HloModule m\nENTRY e {{\n  p = f32[2,3] parameter(0)\n  {}\n}}\n", line);
  const auto file = hlo::read_bytes(text, "m.hlo");
  return file ? "ok" : file.error().headline() + "; " + file.error().hint;
}

}  // namespace

// What an error proposes, and where the cause of an error is looked for.
class TestHints : public QObject {
  Q_OBJECT
 private slots:
  void most_similar_counts_letters() {
    constexpr std::string_view kNames[] = {"negate", "not", "reduce", "reduce-window"};
    QCOMPARE(hlo::most_similar("negatee", kNames).value(), std::string_view("negate"));
    QCOMPARE(hlo::most_similar("REDUCE", kNames).value(), std::string_view("reduce"));
    QCOMPARE(hlo::most_similar("nto", kNames).value(), std::string_view("not"));
    QCOMPARE(hlo::most_similar("bat", kNames).has_value(), false);  // two letters of three
    QCOMPARE(hlo::most_similar("", kNames).has_value(), false);
    QCOMPARE(hlo::most_similar(std::string(100, 'n'), kNames).has_value(), false);
  }
  void misspelt_opcode() {
    QCOMPARE(hint_error_of("x = f32[2,3] mulitply(p)"),
             std::string("m.hlo:4:16: unknown opcode \"mulitply\"; did you mean multiply?"));
    QCOMPARE(hint_error_of("x = f32[2,3] shuffle-rows(p)"),
             std::string("m.hlo:4:16: unknown opcode \"shuffle-rows\"; was this dumped by a newer "
                         "XLA?"));
  }
  void misspelt_type() {
    QCOMPARE(hint_error_of("x = F32[2,3] negate(p)"),
             std::string("m.hlo:4:7: unknown element type \"F32\"; did you mean f32?"));
    QCOMPARE(hint_error_of("x = (f32[2], f33[2]) tuple(p, p)"),
             std::string("m.hlo:4:16: unknown element type \"f33\"; did you mean f32?"));
  }
  // XLA says "Contracting dimension sizes are not compatible" while it reads.
  void shape_of_an_impossible_dot_is_not_made_up() {
    const std::string where =
        "m.hlo:4:7: the shape of dot cannot be inferred from its operands; "
        "write it before the opcode";
    QCOMPARE(hint_error_of("x = dot(p, p), lhs_contracting_dims={0}, rhs_contracting_dims={1}"),
             where);
    QCOMPARE(hint_error_of("x = dot(p, p), lhs_contracting_dims={1}, rhs_contracting_dims={}"),
             where);
    QCOMPARE(hint_error_of("x = dot(p, p), lhs_contracting_dims={2}, rhs_contracting_dims={2}"),
             where);
    QCOMPARE(hint_error_of("x = dot(p, p), lhs_contracting_dims={1}, rhs_contracting_dims={1}"),
             std::string("ok"));
  }
  void cross_program_prefetch_index_has_32_bits() {
    const std::string copy =
        "x = (f32[2,3], f32[2,3], u32[]) copy-start(p), "
        "cross_program_prefetch_index=";
    QCOMPARE(hint_error_of(copy + "2147483647"), std::string("ok"));
    QVERIFY(
        hint_error_of(copy + "2147483648").starts_with("m.hlo:4:79: a 32-bit number must be in"));
  }
  // Comments may stand between any two tokens.
  void comments_everywhere() {
    const std::string spread =
        "HloModule/**/m/**/ENTRY/**/e/**/{/**/t/**/=/**/(/**/f32/**/[/**/2/**/,/**/3/**/]/**/{/**/1"
        "/**/,/**/0/**/:/**/T/**/(/**/2/**/)/**/}/**/,/**/b/**/(/**/f32/**/[/**/]/**/)/**/)/**/"
        "parameter/**/(/**/0/**/)/**/,/**/sharding=/**/{/**/{/**/replicated/**/metadata=/**/{/**/{"
        "/**/op_name=/**/\"a\"/**/}/**/}/**/}/**/,/**/{/**/replicated/**/}/**/}/**/}";
    const auto program = hlo::parse_program(spread);
    QVERIFY2(program.has_value(), program ? "" : program.error().format().c_str());
    QCOMPARE((*program)->instruction_count(), size_t{1});
    QVERIFY(
        hlo::parse_program("ENTRY/**/e/**/{/**/a/**/=/**/f32[]/**/constant(1)/**/}").has_value());
  }
  void control_bytes_in_text_have_a_place() {
    const auto file = hlo::read_bytes(
        std::string("HloModule m\nENTRY e {\n  p = f32[] parameter(0) \0\n}\n", 51), "m.hlo");
    QVERIFY(!file.has_value());
    QCOMPARE(file.error().line, 3);
    QCOMPARE(file.error().column, 26);
  }
  void text_that_is_not_hlo_is_told_what_is_read_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<bool>("told");
    const auto row = [](const char* name, const char* text, bool told) {
      QTest::newRow(name) << std::string(text) << told;
    };
    row("python", "import jax\n\ndef f(x):\n  return x[0]\n", true);
    row("json", "{\"a\": [1, 2, 3]}\n", true);
    row("table", "name,time\na,1\n", true);
    row("prose", "hello world\n", true);
    row("header", "HloModule m\nnonsense here\n", false);
    row("headless", "ENTRY e { x = nonsense }\n", false);
    row("instruction", "x = f32[8] add(y, z\n", false);
    row("hint of the parser", "x = add_any(y)\n", false);
  }
  void text_that_is_not_hlo_is_told_what_is_read() {
    QFETCH(std::string, text);
    QFETCH(bool, told);
    const auto file = hlo::read_bytes(text, "t");
    QVERIFY(!file.has_value());
    QVERIFY(file.error().line > 0);
    const std::string& hint = file.error().hint;
    QVERIFY2(hint.starts_with("this does not look like HLO; files of HLO text, HloProto") == told,
             hint.c_str());
  }
  void utf16_is_named_with_and_without_a_mark() {
    std::u16string wide = u"HloModule m ENTRY e { p = f32[] parameter(0) }";
    std::string little;
    std::string big;
    for (const char16_t unit : wide) {
      little += {static_cast<char>(unit), '\0'};
      big += {'\0', static_cast<char>(unit)};
    }
    for (const std::string& bytes : {little, big, "\xff\xfe" + little, "\xfe\xff" + big}) {
      const auto file = hlo::read_bytes(bytes, "m.hlo");
      QVERIFY(!file.has_value());
      QCOMPARE(file.error().message, std::string("this is UTF-16 text, not HLO"));
    }
  }
};

HLOSCOPE_TEST(TestHints);
#include "test_hints.moc"
