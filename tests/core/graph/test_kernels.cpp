#include "core/graph/classify.h"
#include "tests/core/graph/graph_fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;
using hlo::OpClass;

namespace {

// A scheduled program with every kind of kernel.
constexpr const char* kProgramOfKinds = R"(
HloModule kinds, is_scheduled=true

%add_f32 (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum = f32[] add(%a, %b)
}

%inner (p: f32[128,128], q: f32[128,128]) -> f32[128,128] {
  %p = f32[128,128]{1,0} parameter(0)
  %q = f32[128,128]{1,0} parameter(1)
  ROOT %product = f32[128,128]{1,0} dot(%p, %q), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}

%matmul_body (x: f32[128,128], y: f32[128,128]) -> f32[128,128] {
  %x = f32[128,128]{1,0} parameter(0)
  %y = f32[128,128]{1,0} parameter(1)
  %nested = f32[128,128]{1,0} fusion(%x, %y), kind=kOutput, calls=%inner
  ROOT %negated = f32[128,128]{1,0} negate(%nested)
}

%reduce_body (r: f32[128,128]) -> f32[128] {
  %r = f32[128,128]{1,0} parameter(0)
  %zero = f32[] constant(0)
  %squared = f32[128,128]{1,0} multiply(%r, %r)
  ROOT %row = f32[128]{0} reduce(%squared, %zero), dimensions={1}, to_apply=%add_f32
}

%move_body (m: f32[128,128]) -> f32[128,128] {
  %m = f32[128,128]{1,0} parameter(0)
  ROOT %turned = f32[128,128]{1,0} transpose(%m), dimensions={1,0}
}

ENTRY %main (p0: f32[128,128], p1: f32[128,128]) -> (f32[128], f32[16384], f32[128,128]) {
  %p0 = f32[128,128]{1,0} parameter(0)
  %p1 = f32[128,128]{1,0} parameter(1)
  %copy-start = (f32[128,128]{1,0}, f32[128,128]{1,0}, u32[]) copy-start(%p0)
  %matmul = f32[128,128]{1,0} fusion(%p0, %p1), kind=kOutput, calls=%matmul_body
  %ar-start = f32[128,128]{1,0} all-reduce-start(%matmul), replica_groups={}, to_apply=%add_f32
  %rows = f32[128]{0} fusion(%matmul), kind=kInput, calls=%reduce_body
  %ar-done = f32[128,128]{1,0} all-reduce-done(%ar-start)
  %copy-done = f32[128,128]{1,0} copy-done(%copy-start)
  %pair = (f32[128,128]{1,0}, f32[128,128]{1,0}) tuple(%copy-done, %ar-done)
  %second = f32[128,128]{1,0} get-tuple-element(%pair), index=1
  %moved = f32[128,128]{1,0} fusion(%second), kind=kLoop, calls=%move_body
  %flat = f32[16384]{0} bitcast(%moved)
  %top = f32[16384]{0} custom-call(%flat), custom_call_target="TopK"
  ROOT %out = (f32[128]{0}, f32[16384]{0}, f32[128,128]{1,0}) tuple(%rows, %top, %moved)
}
)";

OpClass class_of(const hlo::Program& program, const graph::KernelList& list,
                 std::string_view name) {
  return list.kernels[kernel_named(program, list, name)].op_class;
}

QString names_of(const hlo::Program& program, const graph::KernelList& list,
                 std::span<const graph::KernelId> ids) {
  QStringList names;
  for (graph::KernelId id : ids) names << qt(program[list.kernels[id].instruction].name);
  return names.join(' ');
}

}  // namespace

class TestKernels : public QObject {
  Q_OBJECT

 private slots:
  void every_instruction_that_is_not_free_is_one_kernel() {
    const auto program = parse(kProgramOfKinds);
    const auto list = graph::kernels(*program);
    QVERIFY(list.is_optimized);
    QCOMPARE(kernel_names(*program, list),
             QStringLiteral("copy-start matmul ar-start rows moved top"));
    for (const char* free : {"p0", "pair", "second", "flat", "out", "sum", "add_f32"}) {
      const auto id = program->find_instruction(free);
      if (id.valid()) QVERIFY2(!list.kernel_of[id].valid(), free);
    }
  }

  void an_async_pair_is_one_kernel() {
    const auto program = parse(kProgramOfKinds);
    const auto list = graph::kernels(*program);
    const auto copy = kernel_named(*program, list, "copy-start");
    QVERIFY(copy.valid());
    QCOMPARE(kernel_named(*program, list, "copy-done").value, copy.value);
    QCOMPARE(list.kernels[copy].async_done.value, program->find_instruction("copy-done").value);
    QVERIFY(!list.kernels[kernel_named(*program, list, "matmul")].async_done.valid());
  }

  void the_class_comes_from_the_content() {
    const auto program = parse(kProgramOfKinds);
    const auto list = graph::kernels(*program);
    QCOMPARE(class_of(*program, list, "matmul"), OpClass::kMatmulConv);
    QCOMPARE(class_of(*program, list, "rows"), OpClass::kReduction);
    QCOMPARE(class_of(*program, list, "moved"), OpClass::kDataMovement);
    QCOMPARE(class_of(*program, list, "copy-start"), OpClass::kDataMovement);
    QCOMPARE(class_of(*program, list, "ar-start"), OpClass::kCollective);
    QCOMPARE(class_of(*program, list, "top"), OpClass::kReduction);
  }

  void custom_calls_are_classed_by_their_target_data() {
    QTest::addColumn<QString>("target");
    QTest::addColumn<int>("expected");
    const auto row = [](const char* target, OpClass op_class) {
      QTest::newRow(target) << target << static_cast<int>(op_class);
    };
    row("__cublas$lt$matmul", OpClass::kMatmulConv);
    row("__cudnn$convForward", OpClass::kMatmulConv);
    row("te_fused_attn_forward_ffi", OpClass::kMatmulConv);
    row("TopK", OpClass::kReduction);
    row("DeviceRadixSort", OpClass::kReduction);
    row("ConvertLayout", OpClass::kDataMovement);
    row("Sharding", OpClass::kDataMovement);
  }
  void custom_calls_are_classed_by_their_target() {
    QFETCH(QString, target);
    QFETCH(int, expected);
    QCOMPARE(static_cast<int>(graph::custom_call_class(target.toStdString())), expected);
  }

  void bodies_belong_to_their_kernel() {
    const auto program = parse(kProgramOfKinds);
    const auto list = graph::kernels(*program);
    const auto matmul = kernel_named(*program, list, "matmul");
    QCOMPARE(program->find_computation("matmul_body").value, list.kernels[matmul].body.value);
    QCOMPARE(kernel_named(*program, list, "negated").value, matmul.value);
    QCOMPARE(kernel_named(*program, list, "product").value, matmul.value);
    QCOMPARE(list.kernels[matmul].instruction_count, 3U);  // nested, product, negated
    QCOMPARE(list.kernels[kernel_named(*program, list, "rows")].instruction_count, 3U);
    QCOMPARE(list.kernels[kernel_named(*program, list, "top")].instruction_count, 1U);
    QVERIFY(!kernel_named(*program, list, "sum").valid());
  }

  void edges_lead_through_free_instructions() {
    const auto program = parse(kProgramOfKinds);
    const auto list = graph::kernels(*program);
    const auto operands = [&](const char* name) {
      return names_of(*program, list, list.operands[kernel_named(*program, list, name)]);
    };
    const auto users = [&](const char* name) {
      return names_of(*program, list, list.users[kernel_named(*program, list, name)]);
    };
    QCOMPARE(operands("matmul"), QString());
    QCOMPARE(operands("rows"), QStringLiteral("matmul"));
    QCOMPARE(operands("moved"), QStringLiteral("ar-start"));  // Element 1 only, not copy-done.
    QCOMPARE(operands("top"), QStringLiteral("moved"));
    QCOMPARE(users("matmul"), QStringLiteral("ar-start rows"));
    QCOMPARE(users("copy-start"), QString());
  }

  void producers_serve_for_drawing() {
    const auto program = parse(kProgramOfKinds);
    const auto producers = graph::producers(*program);
    QStringList names;
    for (hlo::InstructionId id : producers[program->find_instruction("out")]) {
      names << qt((*program)[id].name);
    }
    QCOMPARE(names.join(' '), QStringLiteral("rows top moved"));
    QCOMPARE(producers[program->find_instruction("pair")].size(), size_t{0});  // Free, no root.
  }

  void equal_kernels_share_one_entry() {
    const auto program = parse(R"(
HloModule twice, is_scheduled=true
ENTRY main {
  p = f32[8,128]{1,0} parameter(0)
  one = f32[8,128]{1,0} exponential(p)
  two = f32[8,128]{1,0} exponential(one)
  other = f32[8,128]{1,0} negate(two)
  ROOT three = f32[8,128]{1,0} exponential(other)
})");
    const auto list = graph::kernels(*program);
    QCOMPARE(list.kernels.size(), size_t{4});
    QCOMPARE(list.distinct.size(), size_t{2});
    QCOMPARE(list.distinct[0].value, 0U);
    QCOMPARE(list.distinct[1].value, 2U);
    const std::vector<uint32_t> expected = {0, 0, 1, 0};
    QVERIFY(list.distinct_of.raw() == expected);
  }

  // They are timed apart, and still the same kernel for what was measured of it.
  void equal_kernels_with_other_stated_tiles_can_be_told_apart() {
    const auto program = parse(R"(
HloModule twice, is_scheduled=true
ENTRY main {
  p = f32[64,128]{1,0} parameter(0)
  a = f32[64,128]{1,0} exponential(p), frontend_attributes={hloscope_tile="out=1x1"}
  b = f32[64,128]{1,0} exponential(a), frontend_attributes={hloscope_tile="out=8x1"}
  c = f32[64,128]{1,0} exponential(b), frontend_attributes={hloscope_tile="out=1x1"}
  ROOT d = f32[64,128]{1,0} exponential(c)
})");
    const auto together = graph::kernels(*program);
    QCOMPARE(together.distinct.size(), size_t{1});
    graph::KernelOptions options;
    options.by_written_tile = true;
    const auto apart = graph::kernels(*program, options);
    QCOMPARE(apart.distinct.size(), size_t{3});
    const std::vector<uint32_t> expected = {0, 1, 0, 2};
    QVERIFY(apart.distinct_of.raw() == expected);
    for (size_t i = 1; i < 4; ++i) {
      QVERIFY(apart.kernels[graph::KernelId(i)].hash == apart.kernels[graph::KernelId(0U)].hash);
    }
  }

  void a_program_not_optimised_has_one_kernel_per_instruction() {
    const auto program = parse(R"(
HloModule plain
ENTRY main {
  p = f32[8,128]{1,0} parameter(0)
  scale = f32[] constant(2)
  all = f32[8,128]{1,0} broadcast(scale), dimensions={}
  ROOT product = f32[8,128]{1,0} multiply(p, all)
})");
    const auto list = graph::kernels(*program);
    QVERIFY(!list.is_optimized);
    QCOMPARE(kernel_names(*program, list), QStringLiteral("all product"));
  }

  void async_wrappers_take_the_class_of_what_they_wrap() {
    const auto program = parse(R"(
HloModule wrapped, is_scheduled=true
ENTRY main {
  p = f32[128,128]{1,0} parameter(0)
  start = ((f32[128,128]{1,0}, f32[128,128]{1,0}), f32[128,128]{1,0}, u32[]) dot-start(p, p), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  between = f32[128,128]{1,0} negate(p)
  update = ((f32[128,128]{1,0}, f32[128,128]{1,0}), f32[128,128]{1,0}, u32[]) dot-update(start)
  done = f32[128,128]{1,0} dot-done(update)
  ROOT sum = f32[128,128]{1,0} add(between, done)
})");
    const auto list = graph::kernels(*program);
    QCOMPARE(kernel_names(*program, list), QStringLiteral("start between sum"));
    const auto start = kernel_named(*program, list, "start");
    QCOMPARE(list.kernels[start].op_class, OpClass::kMatmulConv);
    QCOMPARE(list.kernels[start].instruction_count, 1U);
    QCOMPARE(kernel_named(*program, list, "update").value, start.value);
    QCOMPARE(kernel_named(*program, list, "done").value, start.value);
    QCOMPARE(names_of(*program, list, list.operands[kernel_named(*program, list, "sum")]),
             QStringLiteral("between start"));
  }
};

HLOSCOPE_TEST(TestKernels);

#include "test_kernels.moc"
