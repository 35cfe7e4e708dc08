#include "core/hlo/print.h"
#include "core/hlo/proto_read.h"
#include "tests/core/hlo/wire_writer.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::hlo;
using hloscope::testing::Wire;

namespace {

// Numbers of xla.PrimitiveType.
constexpr int kF32 = 11;
constexpr int kTuple = 13;

Wire shape(int type, const std::vector<int64_t>& dimensions) {
  std::vector<int64_t> order;
  for (size_t i = dimensions.size(); i > 0; --i) order.push_back(static_cast<int64_t>(i) - 1);
  return Wire().number(2, type).packed(3, dimensions).message(5, Wire().packed(1, order));
}

Wire instruction(std::string_view name, std::string_view opcode, int64_t id,
                 const std::vector<int64_t>& operands, const Wire& of = shape(kF32, {2, 3})) {
  return Wire().text(1, name).text(2, opcode).message(3, of).number(35, id).packed(36, operands);
}

Wire computation(const std::vector<Wire>& instructions, int64_t root) {
  Wire out;
  out.text(1, "main").number(5, 7).number(6, root);
  for (const Wire& i : instructions) out.message(2, i);
  return out;
}

/// HloModuleProto "m" with one computation.
Wire module(const std::vector<Wire>& instructions, int64_t root = 2) {
  return Wire()
      .text(1, "m")
      .text(2, "main")
      .message(3, computation(instructions, root))
      .number(6, 7);
}

std::vector<Wire> parameter_and_abs() {
  return {instruction("p", "parameter", 1, {}), instruction("a", "abs", 2, {1})};
}

std::string message_of(const std::string& bytes) {
  const auto file = read_proto(bytes);
  return file ? "no error" : file.error().message;
}

std::string message_of(const std::vector<Wire>& instructions) {
  return message_of(module(instructions).bytes());
}

/// The text of instruction `name` in a module of these instructions.
std::string text_of(const std::vector<Wire>& instructions, std::string_view name) {
  const auto file = read_proto(module(instructions).bytes());
  if (!file) return file.error().message;
  const Program& program = *file->modules.front().program;
  return print_instruction(program, program.find_instruction(name));
}

}  // namespace

class TestProto : public QObject {
  Q_OBJECT
 private slots:
  void every_wrapper_is_told_by_its_content();
  void module_becomes_a_program();
  void content_hash_is_that_of_the_module_bytes();
  void users_may_stand_before_their_operands();
  void schedule_gives_the_order();
  void attributes_print_as_xla_does();
  void constants_keep_their_bytes();
  void async_operation_prints_as_sugar();
  void damaged_structure_is_named_data();
  void damaged_structure_is_named();
  void every_cut_is_an_error();
  void changed_bytes_never_crash();
};

void TestProto::every_wrapper_is_told_by_its_content() {
  const Wire m = module(parameter_and_abs());
  const Wire run = Wire().message(4, Wire().number(4, 12345)).number(5, 1);
  const Wire hlo_proto = Wire().message(1, m);
  const Wire tuned = Wire().message(1, m).number(2, 99).message(3, run);
  const std::vector<std::pair<Wire, FileKind>> cases = {
      {m, FileKind::kHloModuleProto},
      {hlo_proto, FileKind::kHloProto},
      {Wire().message(1, hlo_proto).text(4, "TPU"), FileKind::kHloSnapshot},
      {tuned, FileKind::kModuleTuningData},
      {Wire().message(1, tuned), FileKind::kTuningData},
      {Wire().message(1, tuned).message(1, tuned), FileKind::kTuningData},
  };
  for (const auto& [bytes, kind] : cases) {
    const auto file = read_proto(bytes.bytes());
    QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
    QCOMPARE(name(file->kind).data(), name(kind).data());
    QVERIFY(file->modules.front().program->name() == "m");
    QCOMPARE(file->modules.front().program->instruction_count(), size_t{2});
    if (kind != FileKind::kModuleTuningData && kind != FileKind::kTuningData) continue;
    QCOMPARE(file->modules.back().runs.size(), size_t{1});
    QCOMPARE(file->modules.back().runs.front().time_ns, int64_t{12345});
    QVERIFY(file->modules.back().runs.front().is_default);
  }
}

void TestProto::module_becomes_a_program() {
  const auto file = read_proto(module(parameter_and_abs()).bytes());
  QVERIFY(file.has_value());
  QCOMPARE(print(*file->modules.front().program), std::string(R"(HloModule m

ENTRY %main (p: f32[2,3]) -> f32[2,3] {
  %p = f32[2,3]{1,0} parameter(0)
  ROOT %a = f32[2,3]{1,0} abs(%p)
}

)"));
}

void TestProto::content_hash_is_that_of_the_module_bytes() {
  const Wire m = module(parameter_and_abs());
  const auto alone = read_proto(m.bytes());
  const auto wrapped = read_proto(Wire().message(1, m).bytes());
  QVERIFY(alone && wrapped);
  QVERIFY(alone->modules[0].content_hash == hash128(m.bytes()));
  QVERIFY(wrapped->modules[0].content_hash == alone->modules[0].content_hash);
}

void TestProto::users_may_stand_before_their_operands() {
  const auto file = read_proto(
      module({instruction("a", "abs", 2, {1}), instruction("p", "parameter", 1, {})}).bytes());
  QVERIFY(file.has_value());
  const Program& program = *file->modules.front().program;
  QVERIFY(program[InstructionId(0)].name == "p");
  QVERIFY(program[InstructionId(1)].name == "a");
}

void TestProto::schedule_gives_the_order() {
  Wire m = module({instruction("p", "parameter", 1, {}), instruction("x", "abs", 2, {1}),
                   instruction("y", "negate", 3, {1}), instruction("z", "add", 4, {2, 3})},
                  4);
  const auto schedule = [](const std::vector<int64_t>& ids) {
    return Wire().message(1, Wire().number(1, 7).message(2, Wire().packed(1, ids)));
  };
  Wire good = m;
  const auto file = read_proto(good.message(7, schedule({1, 3, 2, 4})).bytes());
  QVERIFY(file.has_value());
  const Program& program = *file->modules.front().program;
  QVERIFY(program.is_scheduled());
  QVERIFY(program[InstructionId(1)].name == "y");
  Wire incomplete = m;
  QCOMPARE(message_of(incomplete.message(7, schedule({1, 2, 3})).bytes()),
           std::string("module 'm': computation 'main': the schedule has 3 of 4 instructions"));
  Wire wrong = m;
  QCOMPARE(message_of(wrong.message(7, schedule({2, 1, 3, 4})).bytes()),
           std::string("module 'm': computation 'main': the schedule has instruction 'x' before an "
                       "operand of it"));
}

// The texts are those that jaxlib 0.10.2 prints for the same protos.
void TestProto::attributes_print_as_xla_does() {
  const Wire p = instruction("p", "parameter", 1, {});
  Wire sharded = instruction("s", "abs", 2, {1});
  sharded.message(40, Wire()
                          .number(1, 3)
                          .packed(3, {2, 1, 2, 2})
                          .packed(8, {4, 0})
                          .packed(9, {2, 4})
                          .packed(10, {1, 0}));
  sharded.message(68, Wire()
                          .message(1, Wire().text(1, "b").text(2, "x\n"))
                          .message(1, Wire().text(1, "a").text(2, "{\"k\":1}")));
  sharded.message(7, Wire().text(1, "t").text(2, "n\"q").number(4, 3));
  sharded.text(43, "{\"n\":5}");
  QCOMPARE(text_of({p, sharded}, "s"),
           std::string("ROOT %s = f32[2,3]{1,0} abs(%p), sharding={devices=[2,1,2,2]<=[2,4]T(1,0) "
                       "last_tile_dims={manual, replicated}}, frontend_attributes={a={\"k\":1},"
                       "b=\"x\\n\"}, metadata={op_type=\"t\" op_name=\"n\\\"q\" source_line=3}, "
                       "backend_config={\"n\":5}"));

  Wire sliced = instruction("s", "slice", 2, {1}, shape(kF32, {1, 2}));
  sliced.message(17, Wire().number(1, 0).number(2, 1).number(3, 1));
  sliced.message(17, Wire().number(1, 0).number(2, 3).number(3, 2));
  QCOMPARE(text_of({p, sliced}, "s"),
           std::string("ROOT %s = f32[1,2]{1,0} slice(%p), slice={[0:1:1], [0:3:2]}"));

  // The side that the text calls entry is field 55, domain_exit_sharding.
  Wire domain = instruction("s", "domain", 2, {1});
  domain.message(54, Wire().number(1, 2)).message(55, Wire().number(1, 1).packed(4, {1}));
  QCOMPARE(text_of({p, domain}, "s"),
           std::string("ROOT %s = f32[2,3]{1,0} domain(%p), domain={kind=\"sharding\", "
                       "entry={maximal device=1}, exit={}}"));
}

void TestProto::constants_keep_their_bytes() {
  Wire constant = instruction("c", "constant", 2, {}, shape(kF32, {2}));
  const std::string data("\x00\x00\x80\x3f\x00\x00\x20\xc0", 8);  // 1, -2.5
  constant.message(8, Wire().message(1, shape(kF32, {2})).text(8, data));
  QCOMPARE(text_of({constant}, "c"), std::string("ROOT %c = f32[2]{0} constant({1, -2.5})"));

  Wire dropped = instruction("c", "constant", 2, {}, shape(kF32, {2}));
  QCOMPARE(text_of({dropped}, "c"), std::string("ROOT %c = f32[2]{0} constant({...})"));

  Wire small = instruction("c", "constant", 2, {}, shape(kF32, {2}));
  small.message(8, Wire().message(1, shape(kF32, {2})).text(8, data.substr(0, 4)));
  QCOMPARE(message_of({small}),
           std::string("module 'm': computation 'main': instruction 'c': a literal f32[2]{0} has 4 "
                       "bytes of data"));
}

void TestProto::async_operation_prints_as_sugar() {
  const Wire wrapped = Wire()
                           .text(1, "wrapped")
                           .number(5, 3)
                           .number(6, 12)
                           .message(2, instruction("q", "parameter", 11, {}))
                           .message(2, instruction("n", "negate", 12, {11}));
  const Wire f = shape(kF32, {2, 3});
  const Wire start_shape =
      Wire().number(2, kTuple).message(4, Wire().number(2, kTuple).message(4, f)).message(4, f);
  Wire start = instruction("s", "async-start", 2, {1}, start_shape);
  start.packed(38, {3});
  const Wire m = Wire()
                     .text(1, "m")
                     .number(6, 7)
                     .message(3, wrapped)
                     .message(3, computation({instruction("p", "parameter", 1, {}), start,
                                              instruction("d", "async-done", 4, {2})},
                                             4));
  const auto file = read_proto(m.bytes());
  QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
  const Program& program = *file->modules.front().program;
  QCOMPARE(print_instruction(program, program.find_instruction("s")),
           std::string("%s = ((f32[2,3]{1,0}), f32[2,3]{1,0}) negate-start(%p)"));
  QCOMPARE(print_instruction(program, program.find_instruction("d")),
           std::string("ROOT %d = f32[2,3]{1,0} negate-done(%s)"));
}

void TestProto::damaged_structure_is_named_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("message");
  const auto row = [](const char* label, const Wire& m, const char* message) {
    QTest::newRow(label) << QByteArray::fromStdString(m.bytes())
                         << QStringLiteral("module 'm': computation 'main': ") + message;
  };
  const Wire p = instruction("p", "parameter", 1, {});
  row("operand", module({p, instruction("a", "abs", 2, {5})}),
      "instruction 'a': operand or control predecessor 5 does not exist");
  row("cycle", module({p, instruction("a", "add", 2, {1, 3}), instruction("b", "add", 3, {1, 2})}),
      "instruction 'a' depends on itself");
  row("same id", module({p, instruction("a", "abs", 1, {1})}),
      "instruction 'a' has the id 1 of another one");
  row("opcode", module({p, instruction("a", "absolute", 2, {1})}),
      "instruction 'a': unknown opcode 'absolute'");
  row("root", module(parameter_and_abs(), 9), "the root 9 does not exist");
  row("called", module({p, instruction("a", "call", 2, {1}).packed(38, {5})}),
      "instruction 'a': called computation 5 does not exist");
  row("type", module({p, instruction("a", "abs", 2, {1}, shape(99, {2}))}),
      "instruction 'a': unknown element type 99 in ShapeProto");
  row("size", module({p, instruction("a", "abs", 2, {1}, shape(kF32, {-2}))}),
      "instruction 'a': negative dimension -2 in ShapeProto");
  row("huge", module({p, instruction("a", "abs", 2, {1}, shape(kF32, {INT64_MAX, INT64_MAX}))}),
      "instruction 'a': the dimensions in ShapeProto are too large");
  Wire bad_layout = Wire().number(2, kF32).packed(3, {2, 3}).message(5, Wire().packed(1, {0, 0}));
  row("layout", module({p, instruction("a", "abs", 2, {1}, bad_layout)}),
      "instruction 'a': minor_to_major {0,0} is no order of 2 dimensions in LayoutProto");
  row("enum", module({p, instruction("a", "fft", 2, {1}).number(31, 8)}),
      "instruction 'a': unknown value 8 of fft_type");
  row("sharding", module({p, instruction("a", "abs", 2, {1}).message(40, Wire().number(1, 77))}),
      "instruction 'a': unknown type 77 in OpSharding");
  Wire deep = shape(kF32, {});
  for (int i = 0; i < 1000; ++i) deep = Wire().number(2, kTuple).message(4, deep);
  row("nesting", module({p, instruction("a", "tuple", 2, {1}, deep)}),
      "instruction 'a': tuple shapes nested deeper than 256 levels");
}

void TestProto::damaged_structure_is_named() {
  QFETCH(QByteArray, bytes);
  QFETCH(QString, message);
  QCOMPARE(QString::fromStdString(message_of(bytes.toStdString())), message);
}

void TestProto::every_cut_is_an_error() {
  const std::string whole = Wire().message(1, module(parameter_and_abs())).bytes();
  QVERIFY(read_proto(whole).has_value());
  for (size_t size = 0; size < whole.size(); ++size) {
    const auto file = read_proto(std::string_view(whole).substr(0, size));
    QVERIFY(!file.has_value());
    QVERIFY(file.error().code == ErrorCode::kInvalidInput);
  }
}

// What comes out does not matter here, only that something does; ASan watches.
void TestProto::changed_bytes_never_crash() {
  Wire constant = instruction("c", "constant", 3, {}, shape(kF32, {1}));
  constant.message(8, Wire().message(1, shape(kF32, {1})).text(8, "abcd"));
  std::vector<Wire> list = parameter_and_abs();
  list.push_back(constant);
  const std::string whole = module(list).bytes();
  size_t readable = 0;
  for (size_t i = 0; i < whole.size(); ++i) {
    for (int value = 0; value < 256; ++value) {
      std::string changed = whole;
      changed[i] = static_cast<char>(value);
      const auto file = read_proto(changed);
      if (!file) continue;
      ++readable;
      QVERIFY(!print(*file->modules.front().program).empty());
    }
  }
  QVERIFY(readable > whole.size());  // the unchanged ones, and changed names and numbers
}

HLOSCOPE_TEST(TestProto);
#include "test_proto.moc"
