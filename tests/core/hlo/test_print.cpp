#include "core/hlo/print.h"

#include <QDirIterator>

#include "core/hlo/program_builder.h"
#include "core/hlo/read.h"
#include "tests/core/hlo/compare_programs.h"
#include "tests/core/hlo/long_form.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::hlo;

namespace {

ProgramPtr parse(const std::string& text) {
  auto program = parse_program(text);
  return program ? *program : nullptr;
}

/// The line of instruction `name` in hloscope::testing::kLongForm.
std::string line(std::string_view name, const PrintOptions& options) {
  const ProgramPtr program = parse(hloscope::testing::kLongForm);
  return print_instruction(*program, program->find_instruction(name), options);
}

PrintOptions with(bool PrintOptions::*field, bool value) {
  PrintOptions options;
  options.*field = value;
  return options;
}

/// The instruction of this text in an entry computation, printed again.
std::string again(const std::string& instruction) {
  const ProgramPtr program = parse(
      "HloModule m\n\nENTRY e {\n  p = f32[4]{0} parameter(0)\n  ROOT " + instruction + "\n}\n");
  if (program == nullptr) return "not read";
  return print_instruction(*program, (*program)[program->entry()].root);
}

}  // namespace

class TestPrint : public QObject {
  Q_OBJECT
 private slots:
  void long_form_is_that_of_xla();
  void options_leave_parts_out();
  void one_computation_stands_alone();
  void attributes_get_xlas_order();
  void reserved_words_keep_their_percent_sign();
  void strings_are_escaped();
  void raw_values_stay_as_written();
  void callees_come_first_whatever_their_number();
  void async_sugar_comes_back();
  void other_threads_are_named();
  void every_program_of_the_corpus_reads_back_equal();
};

void TestPrint::long_form_is_that_of_xla() {
  const ProgramPtr program = parse(hloscope::testing::kLongForm);
  QVERIFY(program != nullptr);
  QCOMPARE(print(*program), std::string(hloscope::testing::kLongForm));
}

void TestPrint::options_leave_parts_out() {
  QCOMPARE(line("big", with(&PrintOptions::large_constants, false)),
           std::string("%big = s32[12]{0} constant({...})"));
  QCOMPARE(line("c", with(&PrintOptions::large_constants, false)),
           std::string("%c = f32[2,2]{1,0} constant({ { 1, 2 }, { 3, 4.5 } })"));
  QCOMPARE(line("q", with(&PrintOptions::metadata, false)),
           std::string("%q = f32[4]{0} parameter(1)"));
  QCOMPARE(line("wh", with(&PrintOptions::backend_config, false)),
           std::string("%wh = (s32[], f32[4]{0}) while(%in), condition=%cond, body=%body"));
  QCOMPARE(line("wh", with(&PrintOptions::percent, false)),
           std::string("wh = (s32[], f32[4]{0}) while(in), condition=cond, body=body, "
                       "backend_config={\"known_trip_count\":{\"n\":\"10\"}}"));
  QCOMPARE(line("rd", with(&PrintOptions::operand_shapes, true)),
           std::string("%rd = f32[2]{0} reduce(f32[2,2]{1,0} %d, f32[] %z.2), dimensions={1}, "
                       "to_apply=%add"));
  const ProgramPtr program = parse(hloscope::testing::kLongForm);
  const std::string text = print(*program, with(&PrintOptions::metadata, false));
  QVERIFY(text.find("FileNames") == std::string::npos);
  QVERIFY(parse(text) != nullptr);
}

void TestPrint::one_computation_stands_alone() {
  const ProgramPtr program = parse(hloscope::testing::kLongForm);
  QCOMPARE(print(*program, program->find_computation("cond")),
           std::string("%cond (p: (s32[], f32[4])) -> pred[] {\n"
                       "  %p = (s32[], f32[4]{0}) parameter(0)\n"
                       "  %i = s32[] get-tuple-element(%p), index=0\n"
                       "  %n = s32[] constant(10)\n"
                       "  ROOT %lt = pred[] compare(%i, %n), direction=LT\n"
                       "}\n"));
}

void TestPrint::attributes_get_xlas_order() {
  QCOMPARE(again("s = f32[2]{0} reduce-scatter(p), dimensions={0}, metadata={op_name=\"n\"}, "
                 "sharding={replicated}, to_apply={ a = f32[] parameter(0)\n b = f32[] "
                 "parameter(1)\n ROOT c = f32[] add(a, b) }, use_global_device_ids=true, "
                 "replica_groups={{0,1}}, channel_id=1"),
           std::string("ROOT %s = f32[2]{0} reduce-scatter(%p), channel_id=1, "
                       "replica_groups={{0,1}}, use_global_device_ids=true, dimensions={0}, "
                       "to_apply=%_, sharding={replicated}, metadata={op_name=\"n\"}"));
}

void TestPrint::reserved_words_keep_their_percent_sign() {
  const ProgramPtr program = parse(
      "HloModule m\n\nENTRY %e {\n  %nan = f32[] parameter(0)\n  ROOT "
      "%b = f32[] abs(%nan)\n}\n");
  QVERIFY(program != nullptr);
  const std::string text = print(*program, with(&PrintOptions::percent, false));
  QVERIFY(text.find("ROOT b = f32[] abs(%nan)") != std::string::npos);
  QVERIFY(parse(text) != nullptr);
}

void TestPrint::strings_are_escaped() {
  const std::string text =
      "ROOT %s = f32[4]{0} custom-call(%p), custom_call_target=\"a\\\"b\\n\\303"
      "\\251\", backend_config=\"{not closed\"";
  QCOMPARE(again(text.substr(5)), text);
}

void TestPrint::raw_values_stay_as_written() {
  const std::string text =
      "ROOT %s = f32[4]{0} abs(%p), sharding={devices=[2,2]<=[2,2]T(1,0) last_tile_dim_replicate}, "
      "frontend_attributes={a=\"1\",b={\"c\":[1,2]}}, origin={{\"x\" {0}}}, "
      "metadata={op_type=\"t\" op_name=\"n\"}";
  QCOMPARE(again(text.substr(5)), text);
}

void TestPrint::callees_come_first_whatever_their_number() {
  ProgramBuilder builder;
  Shape scalar;
  scalar.element_type = PrimitiveType::kF32;
  scalar.has_layout = true;
  const ShapeId shape = builder.shapes().intern(scalar);
  builder.set_name("m");
  const ComputationId caller = builder.begin_computation("caller");
  const ComputationId callee = builder.begin_computation("callee");
  builder.set_entry(caller);
  for (const ComputationId id : {caller, callee}) {
    NewInstruction parameter;
    parameter.name = "p";
    parameter.shape = shape;
    parameter.computation = id;
    parameter.number = 0;
    const InstructionId operand = builder.add(parameter);
    NewInstruction user = parameter;
    user.name = "u";
    user.number = -1;
    user.opcode = id == caller ? Opcode::kCall : Opcode::kAbs;
    user.operands = std::span(&operand, 1);
    std::vector<Attribute> attributes;
    if (id == caller) {
      attributes.push_back(builder.ids<ComputationId>(AttrKey::kToApply, AttrKind::kComputations,
                                                      std::span(&callee, 1)));
    }
    user.attributes = attributes;
    builder.computation(id).root = builder.add(user);
  }
  const auto program = builder.finish();
  QVERIFY(program.has_value());
  const std::string text = print(**program);
  QVERIFY(text.find("%callee (") < text.find("ENTRY %caller ("));
  QVERIFY(parse(text) != nullptr);
}

void TestPrint::async_sugar_comes_back() {
  const std::string text = R"(HloModule m

ENTRY %e (p: f32[4]) -> f32[2] {
  %p = f32[4]{0} parameter(0)
  %s = ((f32[4]{0}), f32[2]{0}, s32[]) slice-start(%p), async_execution_thread="side", slice={[0:2]}, metadata={op_name="n"}
  %u = ((f32[4]{0}), f32[2]{0}, s32[]) slice-update(%s)
  ROOT %d = f32[2]{0} slice-done(%u)
}

)";
  const ProgramPtr program = parse(text);
  QVERIFY(program != nullptr);
  QCOMPARE(program->computation_count(), size_t{2});
  QCOMPARE(print(*program), text);
}

void TestPrint::other_threads_are_named() {
  const std::string text = R"(HloModule m

%w (q: f32[4]) -> f32[4] {
  %q = f32[4]{0} parameter(0)
  ROOT %n = f32[4]{0} negate(%q)
}, execution_thread="side"

ENTRY %e (p: f32[4]) -> f32[4] {
  %p = f32[4]{0} parameter(0)
  %s = ((f32[4]{0}), f32[4]{0}) async-start(%p), async_execution_thread="side", calls=%w
  ROOT %d = f32[4]{0} async-done(%s)
}

)";
  const ProgramPtr program = parse(text);
  QVERIFY(program != nullptr);
  QCOMPARE(print(*program), text);
}

void TestPrint::every_program_of_the_corpus_reads_back_equal() {
  HLOSCOPE_NEEDS_SHARED();
  int modules = 0;
  for (const char* folder :
       {"/corpus/hlo", "/corpus/hlo_proto", "/corpus/models", "/corpus/tpu_v3"}) {
    QDirIterator it(hloscope::testing::shared_folder() + folder, QDir::Files,
                    QDirIterator::Subdirectories);
    while (it.hasNext()) {
      const std::string path = it.next().toStdString();
      const auto file = read_file(path);
      if (!file) continue;  // what must be readable is tested elsewhere
      for (const Module& m : file->modules) {
        const auto back = parse_program(print(*m.program), path);
        QVERIFY2(back.has_value(), back ? "" : back.error().format().c_str());
        const std::string text = hloscope::testing::difference(*m.program, **back);
        QVERIFY2(text.empty(), (path + ": " + text).c_str());
        ++modules;
      }
    }
  }
  QVERIFY(modules >= 470);
}

HLOSCOPE_TEST(TestPrint);
#include "test_print.moc"
