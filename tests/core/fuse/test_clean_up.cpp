#include "tests/core/fuse/fuse_fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;

namespace {

QString cleaned(const hlo::ProgramPtr& program) {
  const auto clean = value_of(fuse::clean_up(*program));
  return opcodes(*clean, clean->entry());
}

size_t count(const hlo::Program& program, hlo::Opcode opcode) {
  size_t n = 0;
  for (hlo::InstructionId id : program[program.entry()].instructions) {
    n += program[id].opcode == opcode ? 1 : 0;
  }
  return n;
}

}  // namespace

class TestCleanUp : public QObject {
  Q_OBJECT
 private slots:
  void calls_are_inlined_from_the_inside() {
    const auto program = parse(R"(HloModule m
inner { a = f32[8] parameter(0)
  ROOT r = f32[8] negate(a) }
outer { a = f32[8] parameter(0)
  b = f32[8] parameter(1)
  c = f32[8] call(b), to_apply=inner
  ROOT r = f32[8] subtract(a, c) }
ENTRY main { a = f32[8] parameter(0)
  b = f32[8] parameter(1)
  c = f32[8] call(b, a), to_apply=outer
  ROOT d = f32[8] call(c, c), to_apply=outer }
)");
    const auto clean = value_of(fuse::clean_up(*program));
    QCOMPARE(opcodes(*clean, clean->entry()), QString("negate subtract negate subtract"));
    QCOMPARE(clean->computation_count(), size_t{1});
    // outer(b, a) = b - (-a): the operands stand in the order of the call.
    const auto first = clean->find_instruction("r.1");
    QCOMPARE(qt((*clean)[clean->operands(first)[0]].name), QString("b"));
  }

  void calls_that_ask_not_to_be_inlined_stay() {
    const auto program = parse(R"(HloModule m
inner { a = f32[8] parameter(0)
  ROOT r = f32[8] negate(a) }
ENTRY main { a = f32[8] parameter(0)
  ROOT c = f32[8] call(a), to_apply=inner, frontend_attributes={inlineable="false"} }
)");
    QCOMPARE(cleaned(program), QString("call"));
  }

  void too_many_inlined_instructions_are_an_error() {
    std::string text = "HloModule m\ng0 { a = f32[8] parameter(0)\n  ROOT r = f32[8] negate(a) }\n";
    for (int i = 1; i < 40; ++i) {
      const std::string callee = "g" + std::to_string(i - 1);
      text += "g" + std::to_string(i) +
              " { a = f32[8] parameter(0)\n  b = f32[8] call(a), to_apply=" + callee +
              "\n  ROOT r = f32[8] call(b), to_apply=" + callee + " }\n";
    }
    text += "ENTRY main { a = f32[8] parameter(0)\n  ROOT r = f32[8] call(a), to_apply=g39 }\n";
    const auto result = fuse::clean_up(*parse(text));
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::kUnsupported);
  }

  void tuples_are_seen_through() {
    QCOMPARE(cleaned(entry_of("  a = f32[8] parameter(0)\n  b = f32[8] negate(a)\n"
                              "  t = (f32[8], f32[8]) tuple(a, b)\n"
                              "  u = (f32[8], (f32[8], f32[8])) tuple(b, t)\n"
                              "  v = (f32[8], f32[8]) get-tuple-element(u), index=1\n"
                              "  c = f32[8] get-tuple-element(v), index=1\n"
                              "  ROOT d = f32[8] abs(c)\n")),
             QString("negate abs"));
    // Made again of all its elements in order: the tuple itself. In another order: not.
    const std::string pair =
        "  p = (f32[8], f32[8]) parameter(0)\n  a = f32[8] get-tuple-element(p), index=0\n"
        "  b = f32[8] get-tuple-element(p), index=1\n";
    QCOMPARE(cleaned(entry_of(pair + "  ROOT t = (f32[8], f32[8]) tuple(a, b)\n")), QString());
    QCOMPARE(cleaned(entry_of(pair + "  ROOT t = (f32[8], f32[8]) tuple(b, a)\n")),
             QString("get-tuple-element get-tuple-element tuple"));
  }

  void an_element_with_another_layout_stays() {
    QCOMPARE(cleaned(entry_of("  a = f32[8,4]{1,0} parameter(0)\n"
                              "  t = (f32[8,4]{0,1}) tuple(a)\n"
                              "  ROOT c = f32[8,4]{0,1} get-tuple-element(t), index=0\n")),
             QString("tuple get-tuple-element"));
  }

  void dead_code_goes_but_side_effects_stay() {
    QCOMPARE(cleaned(entry_of("  a = f32[8] parameter(0)\n  unused = f32[8] parameter(1)\n"
                              "  dead = f32[8] negate(a)\n  deader = f32[8] abs(dead)\n"
                              "  k = token[] after-all()\n  x = f32[8] tanh(a)\n"
                              "  out = token[] outfeed(x, k), outfeed_shape=f32[8]\n"
                              "  ROOT d = f32[8] cosine(a)\n")),
             QString("after-all tanh outfeed cosine"));
  }

  void a_loop_that_nobody_needs_goes_unless_it_has_an_effect() {
    const auto text = [](const char* effect) {
      return std::string(R"(HloModule m
condition { s = (s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(3)
  ROOT go = pred[] compare(i, n), direction=LT }
body { s = (s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  one = s32[] constant(1)
  next = s32[] add(i, one)
)") + effect +
             R"(
  ROOT t = (s32[]) tuple(next) }
ENTRY main { zero = s32[] constant(0)
  start = (s32[]) tuple(zero)
  end = (s32[]) while(start), condition=condition, body=body
  ROOT a = f32[8] parameter(0) }
)";
    };
    QCOMPARE(cleaned(parse(text(""))), QString());
    QCOMPARE(cleaned(parse(text("  k = token[] after-all()\n"
                                "  o = token[] outfeed(i, k), outfeed_shape=s32[]"))),
             QString("tuple while"));
  }

  void cheap_producers_are_given_to_each_user() {
    const auto clean = value_of(fuse::clean_up(*entry_of(
        "  a = f32[8,4] parameter(0)\n  c = f32[] constant(2)\n"
        "  b = f32[8,4] broadcast(c), dimensions={}\n  i = f32[8,4] iota(), iota_dimension=0\n"
        "  d = f32[8,4] multiply(a, b)\n  e = f32[8,4] add(d, b)\n  f = f32[8,4] add(e, i)\n"
        "  g = f32[8,4] subtract(f, i)\n  ROOT t = (f32[8,4], f32[]) tuple(g, c)\n")));
    QCOMPARE(count(*clean, hlo::Opcode::kBroadcast), size_t{2});
    QCOMPARE(count(*clean, hlo::Opcode::kIota), size_t{2});
    QCOMPARE(count(*clean, hlo::Opcode::kConstant), size_t{3});  // Two broadcasts, the tuple.
    const fuse::FusionSpace space(clean);
    for (hlo::InstructionId id : clean->instructions()) {
      const bool follows = fuse::is_trivial(*clean, id) &&
                           clean->users(id)[0] != (*clean)[(*clean)[id].computation].root;
      QCOMPARE(space.host(id).valid(), follows);
    }
  }

  void other_cheap_producers_only_where_it_saves() {
    const auto copies = [](const std::string& producer, const char* shape) {
      const auto clean = value_of(fuse::clean_up(*entry_of(
          "  a = f16[8,4] parameter(0)\n  v = f32[4] parameter(1)\n  w = f32[8,4] parameter(2)\n" +
          producer + "  x = " + shape + " tanh(p)\n  y = " + shape + " cosine(p)\n  ROOT t = (" +
          shape + ", " + shape + ") tuple(x, y)\n")));
      size_t n = 0;
      for (hlo::InstructionId id : clean->instructions()) {
        n += (*clean)[id].name.starts_with("p") && (*clean)[id].name.size() <= 3 ? 1 : 0;
      }
      return n - 1;  // The reducer of entry_of() is gone; the original.
    };
    QCOMPARE(copies("  p = f32[8,4] convert(a)\n", "f32[8,4]"), size_t{1});
    QCOMPARE(copies("  p = f32[8,4] broadcast(v), dimensions={1}\n", "f32[8,4]"), size_t{1});
    QCOMPARE(copies("  p = f32[8,4] negate(w)\n", "f32[8,4]"), size_t{1});
    // Transcendental; two operands; larger operand; an operand that can be fused itself.
    QCOMPARE(copies("  p = f32[8,4] tanh(w)\n", "f32[8,4]"), size_t{0});
    QCOMPARE(copies("  p = f32[8,4] add(w, w)\n", "f32[8,4]"), size_t{0});
    QCOMPARE(copies("  p = f16[8,4] convert(w)\n", "f16[8,4]"), size_t{0});
    QCOMPARE(copies("  q = f32[8,4] tanh(w)\n  p = f32[8,4] negate(q)\n", "f32[8,4]"), size_t{0});
  }

  void the_module_keeps_its_attributes_metadata_and_tables() {
    const auto program = parse(
        R"(HloModule m, input_output_alias={ {}: (0, {}, may-alias) }, entry_computation_layout={(f32[8]{0})->f32[8]{0}}, replica_count=2

FileNames
1 "a.py"

FunctionNames
1 "f"

FileLocations
1 {file_name_id=1 function_name_id=1 line=3 end_line=3 column=1 end_column=2}

StackFrames
1 {file_location_id=1 parent_frame_id=1}

ENTRY main {
  a = f32[8]{0} parameter(0)
  b = f32[8]{0} negate(a), metadata={op_name="neg" stack_frame_id=1}
  ROOT c = f32[8]{0} tanh(b)
}
)");
    const auto clean = value_of(fuse::clean_up(*program));
    QCOMPARE(qt(hlo::print(*clean)), qt(hlo::print(*program)));
  }
};

HLOSCOPE_TEST(TestCleanUp);
#include "test_clean_up.moc"
