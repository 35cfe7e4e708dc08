#include "tests/core/hlo/parsing.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::hlo;
using namespace hloscope::testing;

namespace {

const std::string kEntry =
    "ENTRY e (a: f32[4]) -> f32[4] {\n  a = f32[4] parameter(0)\n  ROOT r = f32[4] negate(a)\n}\n";

Result<File> read(const std::string& text) {
  return read_bytes(text, "dir/some.name.hlo");
}

QStringList names(const Result<File>& file) {
  QStringList list;
  if (!file) return {qs(file.error().format())};
  for (const Module& module : file->modules) list << qs(module.program->name());
  return list;
}

}  // namespace

class TestParseModules : public QObject {
  Q_OBJECT
 private slots:
  void header();
  void stack_frames();
  void headers_accepted_data();
  void headers_accepted();
  void headers_refused_data();
  void headers_refused();
  void signatures_data();
  void signatures();
  void entry_may_be_anywhere();
  void threads();
  void without_a_header();
  void bare_instructions();
  void several_modules();
  void divided_modules();
  void modules_in_a_log();
  void content_hash_is_of_the_module();
  void kinds_of_files_data();
  void kinds_of_files();
};

void TestParseModules::header() {
  const auto program = parse_program(
      "HloModule jit_f.1, is_scheduled=true, input_output_alias={ {}: (0, {}, must-alias) }, "
      "entry_computation_layout={(f32[4]{0})->f32[4]{0}}, replica_count=2, num_partitions=4, "
      "frontend_attributes={a=\"b\"}\n\n" +
      kEntry);
  QVERIFY(program.has_value());
  QCOMPARE(qs((*program)->name()), QStringLiteral("jit_f.1"));
  QVERIFY((*program)->is_scheduled());
  QCOMPARE((*program)->find_module(AttrKey::kReplicaCount)->integer(), 2);
  QCOMPARE((*program)->find_module(AttrKey::kNumPartitions)->integer(), 4);
  QCOMPARE(qs((*program)->find_module(AttrKey::kEntryComputationLayout)->text()),
           QStringLiteral("{(f32[4]{0})->f32[4]{0}}"));
  QCOMPARE(qs((*program)->find_module(AttrKey::kInputOutputAlias)->text()),
           QStringLiteral("{ {}: (0, {}, must-alias) }"));
}

void TestParseModules::stack_frames() {
  const auto program = parse_program(R"(HloModule m

FileNames
1 "a.py"
2 "b\"c.py"

FunctionNames
1 "f"

FileLocations
1 {file_name_id=2 function_name_id=1 line=10 end_line=11 column=3 end_column=7}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=1, parent_frame_id=2}

)" + kEntry);
  QVERIFY(program.has_value());
  const StackFrameIndex& tables = (*program)->stack_frames();
  QCOMPARE(qs(tables.file_names[1]), QStringLiteral("b\"c.py"));
  QCOMPARE(tables.locations[0].line, 10);
  QCOMPARE(tables.locations[0].end_column, 7);
  QCOMPARE(tables.frames[0].parent_frame_id, 0);  // written plus one
  QCOMPARE(tables.frames[1].parent_frame_id, 1);
}

void TestParseModules::headers_accepted_data() {
  QTest::addColumn<QString>("header");
  const auto row = [](const char* header) { QTest::newRow(header) << header; };
  row("HloModule %m");
  row("// RUN: x\n/* y */ HloModule m // z");
  row("# RUN: x\nHloModule m");
  row("HloModule m, allow_spmd_sharding_propagation_to_output=true");
  row("HloModule m, allow_spmd_sharding_propagation_to_parameters={false,true}");
  row("HloModule m, buffer_donor={ (0, {}), }");
  row("HloModule m, input_output_alias={}");
  row("HloModule m, origin_recovery_table={{\"a\" {0}} : {\"b\"} {\"c\"} : {\"d\"}}");
  row("HloModule m, debug_attributes={{\"a\"} : ({log_mode=default op_id=3}), {\"b\"} : {}}");
}

void TestParseModules::headers_accepted() {
  QFETCH(QString, header);
  QCOMPARE(qs(error_of(header.toStdString() + "\n\n" + kEntry)), QString());
}

void TestParseModules::headers_refused_data() {
  QTest::addColumn<QString>("header");
  QTest::addColumn<QString>("error");
  const auto row = [](const char* header, const char* error) {
    QTest::newRow(header) << header << error;
  };
  row("HloModule", "t:3:1: \"ENTRY\" is a reserved word, not the name of the module");
  row("HloModule m,", "t:3:1: expected '=' directly behind \"ENTRY\"");
  row("HloModule m, is_scheduled=1", "t:1:27: expected true or false here");
  row("HloModule m, is_scheduled=true, is_scheduled=true",
      "t:1:33: attribute \"is_scheduled\" is given twice");
  row("HloModule m, dimensions={0}", "t:1:14: a module has no attribute \"dimensions\"");
  row("HloModule m, input_output_alias={ {0}: (0, {}) }",
      "t:1:35: the result f32[4] has no part {0}");
  row("HloModule m, input_output_alias={ {}: (5, {}) }", "t:1:35: the entry has no parameter 5");
  row("HloModule m, input_output_alias={ {}: (0, {}), {}: (0, {}) }",
      "t:1:48: this output is aliased twice");
  row("HloModule m, buffer_donor={ (0, {3}) }", "t:1:29: parameter 0 has no part {3}");
  row("HloModule m\nFileNames\n1 \"a\"\nStackFrames", "t:4:1: expected FunctionNames here");
}

void TestParseModules::headers_refused() {
  QFETCH(QString, header);
  QFETCH(QString, error);
  QCOMPARE(qs(error_of(header.toStdString() + "\n\n" + kEntry)).left(error.size()), error);
}

void TestParseModules::signatures_data() {
  QTest::addColumn<QString>("entry");
  QTest::addColumn<QString>("error");
  const auto row = [](const char* entry, const char* error) {
    QTest::newRow(entry) << entry << error;
  };
  row("ENTRY e", "");
  row("ENTRY %e (nan: f32[4]) -> f32[4]{0}", "");
  row("ENTRY %e (other s32[9], another: token[]) -> f32[4]", "");  // not compared with anything
  row("ENTRY %e (a: f32[4]) -> f32[5]",
      "t:3:10: the signature gives f32[5], but the root \"r\" is f32[4]");
  row("ENTRY %e (a : f32[4]) -> f32[4]", "t:3:13: expected a shape here, found \":\"");
  row("ENTRY %e (a: f32[4])", "t:3:22: expected '->' before the result of a computation");
}

void TestParseModules::signatures() {
  QFETCH(QString, entry);
  QFETCH(QString, error);
  const std::string body = kEntry.substr(kEntry.find('{'));
  const QString found = qs(error_of("HloModule m\n\n" + entry.toStdString() + " " + body));
  QCOMPARE(error.isEmpty() ? found : found.left(error.size()), error);
}

void TestParseModules::entry_may_be_anywhere() {
  const auto first =
      parse_program("HloModule m\n" + kEntry + "f { ROOT p = s32[] parameter(0) }\n");
  QVERIFY(first.has_value());
  QCOMPARE(qs((**first)[(*first)->entry()].name), QStringLiteral("e"));
  const auto none = parse_program(
      "HloModule m\nf { ROOT p = s32[] parameter(0) }\n"
      "g { ROOT p = s32[] parameter(0) }\n");
  QVERIFY(none.has_value());
  QCOMPARE(qs((**none)[(*none)->entry()].name), QStringLiteral("g"));
  QVERIFY(qs(error_of("HloModule m\n" + kEntry + kEntry))
              .startsWith(QStringLiteral("t:6:7: computation \"e\" is defined twice")));
}

void TestParseModules::threads() {
  std::string text = kEntry;
  text.insert(text.size() - 1, ", execution_thread=\"host\"");
  const auto program = parse_program("HloModule m\n" + text);
  QVERIFY(program.has_value());
  QCOMPARE(qs((**program)[(*program)->entry()].execution_thread), QStringLiteral("host"));
}

void TestParseModules::without_a_header() {
  QCOMPARE(names(read(kEntry)), QStringList{QStringLiteral("some")});
  QCOMPARE(names(read("f {\n  ROOT p = s32[] parameter(0)\n}\n" + kEntry)),
           QStringList{QStringLiteral("some")});
  QCOMPARE(names(read("%f (p: s32[]) -> s32[] {\n  ROOT p = s32[] parameter(0)\n}\n")),
           QStringList{QStringLiteral("some")});
}

void TestParseModules::bare_instructions() {
  const auto one = parse_program(
      "f32[4] fusion(f32[4] %a, f32[4]), kind=kLoop, calls={\n"
      "  p = f32[4] parameter(0)\n  q = f32[4] parameter(1)\n"
      "  ROOT n = f32[4] add(p, q)\n}");
  QVERIFY(one.has_value());
  QCOMPARE((*one)->parameters((*one)->entry()).size(), size_t{2});
  QCOMPARE(qs((**one)[(*one)->parameters((*one)->entry())[0]].name), QStringLiteral("a"));
  const auto list = parse_program("a = f32[4] parameter(0)\nROOT b = f32[4] negate(a)\n");
  QVERIFY(list.has_value());
  QCOMPARE((*list)->instruction_count(), size_t{2});
  QVERIFY(!error_of("f32[4] add(%a, %b)").empty());  // no shapes to make parameters of
}

void TestParseModules::several_modules() {
  const auto file = read("HloModule a\n" + kEntry + "\nHloModule b\n" + kEntry);
  QCOMPARE(names(file), (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
  const Program& b = *file->modules[1].program;
  QCOMPARE(b[b.find_instruction("r")].span.line, 10U);
}

void TestParseModules::divided_modules() {
  const auto file = read("// a comment\n// -----\nHloModule a\n" + kEntry +
                         "// -----  \n# only\n// -----\n" + kEntry + "// -----\n");
  QCOMPARE(names(file), (QStringList{QStringLiteral("a"), QStringLiteral("some")}));
  const std::string error =
      error_of("HloModule a\n" + kEntry + "// -----\nHloModule b\nENTRY x {\n  y\n}\n");
  QVERIFY2(qs(error).startsWith(QStringLiteral("t:10:1: expected '='")), error.c_str());
}

void TestParseModules::modules_in_a_log() {
  std::string log =
      "I0521 12:04:45.883512    1509 service.cc:186] XLA service\n"
      "I0521 12:04:45.883512    1509 dumper.cc:10] *** Begin first ***\n";
  for (const std::string line : {"HloModule m", "ENTRY e {", "  a = f32[4] parameter(0)", "}"}) {
    log += "I0521 12:04:45.883777    1509 dumper.cc:12] " + line + "\n";
  }
  log +=
      "I0521 12:04:45.883777    1509 dumper.cc:12] *** End first ***\n"
      "*** Begin second ***\n" +
      kEntry + "*** End second ***\nmore text\n";
  const auto file = read(log);
  QCOMPARE(names(file), (QStringList{QStringLiteral("m"), QStringLiteral("second")}));
  const Program& m = *file->modules[0].program;
  QCOMPARE(m[m.find_instruction("a")].span.line, 5U);
}

void TestParseModules::content_hash_is_of_the_module() {
  const auto one = read("HloModule a\n" + kEntry);
  const auto two = read("HloModule b\n" + kEntry + "// -----\nHloModule a\n" + kEntry);
  QVERIFY(one.has_value() && two.has_value());
  QCOMPARE(one->modules[0].content_hash.hex(), two->modules[1].content_hash.hex());
  QVERIFY(one->modules[0].content_hash != two->modules[0].content_hash);
}

void TestParseModules::kinds_of_files_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("message");
  QTest::addColumn<QString>("hint");
  const auto row = [](const char* bytes, const char* message, const char* hint) {
    QTest::newRow(message) << QByteArray(bytes) << message << hint;
  };
  row("", "the file is empty", "");
  row("// only\n\n", "there is no HLO in this file", "comments");
  row("module @jit_f attributes {} {\n}", "this is StableHLO or other MLIR text, not HLO",
      "as_text");
  row("#loc = loc(unknown)\nfunc.func @main() {\n}", "this is StableHLO or other MLIR text",
      "as_text");
  row("ML\xefR\x01", "this is MLIR bytecode (StableHLO or MHLO), not HLO", "as_text");
  row("PK\x03\x04", "this is a zip archive", "unpack");
  row("hlo_module {\n  name: \"x\"\n}", "this is a protobuf in text form", "binary");
}

void TestParseModules::kinds_of_files() {
  QFETCH(QByteArray, bytes);
  QFETCH(QString, message);
  QFETCH(QString, hint);
  const auto file = read_bytes(bytes.toStdString(), "t");
  QVERIFY(!file.has_value());
  QVERIFY2(qs(file.error().message).startsWith(message), file.error().message.c_str());
  QVERIFY2(qs(file.error().hint).contains(hint), file.error().hint.c_str());
}

HLOSCOPE_TEST(TestParseModules);
#include "test_parse_modules.moc"
