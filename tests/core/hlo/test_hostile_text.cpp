#include <zlib.h>

#include "core/base/rng.h"
#include "tests/core/hlo/parsing.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::hlo;
using namespace hloscope::testing;

namespace {

std::string repeated(std::string_view text, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) out += text;
  return out;
}

std::string gzipped(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(text.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

const std::string kRich = in_entry(
    "  a = f32[4]{0:T(8)S(1)} add(negate(x), x), metadata={op_name=\"n\" source_line=3}, "
    "sharding={devices=[2,2]<=[4] last_tile_dim_replicate}\n"
    "  b = f32[2,2] constant({ { 1, -2.5e3 }, { nan(0x1), inf } }) // c\n"
    "  s = ((f32[4]), f32[4]) negate-start(x), backend_config={\"k\":\"}\"}\n"
    "  d = f32[4] negate-done(s), frontend_attributes={a=\"b\",c={\"x\":1}}\n"
    "  f = f32[4] fusion(%t#1), kind=kLoop, calls={ p = f32[4] parameter(0) }\n"
    "  ROOT r = (s32[], f32[4]) while(t), condition=cond, body=body");

}  // namespace

class TestHostileText : public QObject {
  Q_OBJECT
 private slots:
  void deep_nesting_data();
  void deep_nesting();
  void every_truncation();
  void random_changes();
  void nul_and_control_bytes();
  void bad_utf8();
  void huge_numbers();
  void gzip();
  void damaged_gzip();
  void missing_file();
  void cancelled();
};

void TestHostileText::deep_nesting_data() {
  QTest::addColumn<QString>("line");
  const auto row = [](const char* name, const std::string& line) {
    QTest::newRow(name) << qs(line);
  };
  constexpr size_t kDeep = 100000;
  row("tuple shape", "r = " + repeated("(", kDeep));
  row("closed tuple shape", "r = " + repeated("(", kDeep) + repeated(")", kDeep) + " tuple()");
  row("buffer", "r = " + repeated("b(", kDeep));
  row("nested operands", "r = f32[4] " + repeated("negate(", kDeep) + "x");
  row("inline bodies", repeated("r = f32[4] call(), to_apply={ ", kDeep));
  row("origin", "r = f32[4] negate(x), origin={" + repeated("(", kDeep));
  row("literal",
      "r = f32[2] custom-call(), custom_call_target=\"a\", literal=" + repeated("(", kDeep));
}

void TestHostileText::deep_nesting() {
  QFETCH(QString, line);
  const std::string error = entry_error("  " + line.toStdString());
  QVERIFY2(qs(error).contains(QStringLiteral("nested too deeply")), error.substr(0, 200).c_str());
}

void TestHostileText::every_truncation() {
  QCOMPARE(qs(error_of(kRich)), QString());
  const size_t last_brace = kRich.rfind('}');
  const size_t body = kRich.find("ENTRY");
  for (size_t length = 0; length <= last_brace; ++length) {
    const auto file = read_bytes(kRich.substr(0, length), "t");
    // Before ENTRY a cut between two computations leaves a good module.
    if (length > body) QVERIFY2(!file.has_value(), std::to_string(length).c_str());
  }
}

void TestHostileText::random_changes() {
  Rng rng(20261129);
  const std::string_view pieces[] = {
      "{",  "}",    "(",     ")",  "[", "]",  ",",  "=",    "\"",
      "'",  "/*",   "//",    "#",  "%", "-",  "->", "...",  "999999999999999999999",
      "\\", "ROOT", "ENTRY", "\n", "?", "<=", ":",  "f32[", "\xff"};
  int refused = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text = kRich;
    for (uint64_t change = 0; change <= rng.below(3); ++change) {
      const size_t at = rng.below(text.size());
      const uint64_t what = rng.below(4);
      if (what == 0) {
        text.erase(at, 1 + rng.below(8));
      } else if (what == 1) {
        text.insert(at, pieces[rng.below(std::size(pieces))]);
      } else if (what == 2) {
        text[at] = static_cast<char>(rng.below(256));
      } else {
        text.insert(at, text.substr(rng.below(text.size()), rng.below(40)));
      }
    }
    const auto file = read_bytes(std::move(text), "t");
    if (file) continue;
    ++refused;
    QVERIFY(!file.error().message.empty());
    QVERIFY(!file.error().format().empty());
  }
  QVERIFY(refused > 1000 && refused < 4000);
}

void TestHostileText::nul_and_control_bytes() {
  std::string text = kRich;
  text[text.find("ENTRY") + 6] = '\0';
  QVERIFY(!error_of(text).empty());
  text = kRich + std::string(5000, ' ') + '\x01';
  QVERIFY(qs(error_of(text)).contains(QStringLiteral("the byte 0x01")));
}

void TestHostileText::bad_utf8() {
  const std::string error = entry_error("  r = f32[4] negate(x), metadata={op_name=\"a\xc3(\"}");
  QCOMPARE(qs(error), QStringLiteral("1:45: the byte 0xc3 is not valid UTF-8"));
  QCOMPARE(entry_error("  r = f32[4] negate(x), metadata={op_name=\"\xc3\xa9\"}"), std::string());
}

void TestHostileText::huge_numbers() {
  // Nothing is allocated for the values of an elided or wrong constant.
  QCOMPARE(entry_error("  r = f32[1000000,1000000] constant({...})"), std::string());
  QVERIFY(!entry_error("  r = f32[1000000,1000000] constant({1})").empty());
  QVERIFY(!entry_error("  r = f32[4] parameter(2000000000)").empty());
  // Words are not read beyond the end of the text.
  QVERIFY(!error_of("f32[] constant(n").empty());
}

void TestHostileText::gzip() {
  const auto file = read_bytes(gzipped(kRich), "t.gz");
  QVERIFY(file.has_value());
  QCOMPARE(qs(file->modules[0].program->name()), QStringLiteral("m"));
  const auto two = read_bytes(gzipped("HloModule a\nENTRY e { ROOT p = f32[] parameter(0) }\n") +
                                  gzipped("HloModule b\nENTRY e { ROOT p = f32[] parameter(0) }\n"),
                              "t.gz");
  QVERIFY(two.has_value());
  QCOMPARE(two->modules.size(), size_t{2});
}

void TestHostileText::damaged_gzip() {
  const std::string good = gzipped(kRich);
  for (const size_t length : {size_t{2}, size_t{10}, good.size() / 2, good.size() - 1}) {
    const auto file = read_bytes(good.substr(0, length), "t.gz");
    QVERIFY(!file.has_value());
    QCOMPARE(qs(file.error().message), QStringLiteral("this gzip file is damaged or cut off"));
  }
}

void TestHostileText::missing_file() {
  const auto file = read_file("/no/such/file.hlo");
  QVERIFY(!file.has_value());
  QVERIFY(file.error().code == ErrorCode::kNotFound);
  QCOMPARE(qs(file.error().file), QStringLiteral("/no/such/file.hlo"));
  QVERIFY(!read_file("/").has_value());
}

void TestHostileText::cancelled() {
  std::stop_source stop;
  stop.request_stop();
  const auto file = read_bytes(kRich, "t", {}, Progress(stop.get_token()));
  QVERIFY(!file.has_value());
  QVERIFY(file.error().code == ErrorCode::kCancelled);
}

HLOSCOPE_TEST(TestHostileText);
#include "test_hostile_text.moc"
