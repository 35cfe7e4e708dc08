#include "tests/core/graph/graph_fixture.h"
#include "tests/core/graph/loop_text.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;

namespace {

constexpr const char* kNested = R"(
HloModule nested

square {
  v = f32[8,128]{1,0} parameter(0)
  ROOT squared = f32[8,128]{1,0} multiply(v, v)
}
inner_condition {
  state = (s32[], f32[8,128]{1,0}) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  limit = s32[] constant(5)
  ROOT inner_less = pred[] compare(i, limit), direction=LT
}
inner_body {
  state = (s32[], f32[8,128]{1,0}) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  one = s32[] constant(1)
  inner_next = s32[] add(i, one)
  data = f32[8,128]{1,0} get-tuple-element(state), index=1
  in_loop = f32[8,128]{1,0} call(data), to_apply=square
  ROOT result = (s32[], f32[8,128]{1,0}) tuple(inner_next, in_loop)
}
outer_condition {
  state = (s32[], f32[8,128]{1,0}) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  limit = s32[] constant(7)
  ROOT outer_less = pred[] compare(i, limit), direction=LT
}
outer_body {
  state = (s32[], f32[8,128]{1,0}) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  one = s32[] constant(1)
  zero = s32[] constant(0)
  outer_next = s32[] add(i, one)
  data = f32[8,128]{1,0} get-tuple-element(state), index=1
  start = (s32[], f32[8,128]{1,0}) tuple(zero, data)
  inner = (s32[], f32[8,128]{1,0}) while(start), condition=inner_condition, body=inner_body
  data2 = f32[8,128]{1,0} get-tuple-element(inner), index=1
  ROOT result = (s32[], f32[8,128]{1,0}) tuple(outer_next, data2)
}
ENTRY main {
  p = f32[8,128]{1,0} parameter(0)
  zero = s32[] constant(0)
  before = f32[8,128]{1,0} call(p), to_apply=square
  init = (s32[], f32[8,128]{1,0}) tuple(zero, before)
  outer = (s32[], f32[8,128]{1,0}) while(init), condition=outer_condition, body=outer_body
  ROOT out = f32[8,128]{1,0} get-tuple-element(outer), index=1
}
)";

constexpr const char* kBranches = R"(
HloModule branches
a { pa = f32[8] parameter(0)
  ROOT slow = f32[8] exponential(pa) }
b { pb = f32[8] parameter(0)
  quick = f32[8] negate(pb)
  ROOT quicker = f32[8] abs(quick) }
c { ROOT pc = f32[8] parameter(0) }
ENTRY main {
  which = s32[] parameter(0)
  data = f32[8] parameter(1)
  chosen = f32[8] conditional(which, data, data, data), branch_computations={a, b, c}
  ROOT after = f32[8] sine(chosen)
}
)";

}  // namespace

class TestControlFlow : public QObject {
  Q_OBJECT

 private slots:
  // Calls that double on each of 1,100 levels: counted up to 1e18, so that sums stay finite.
  void counts_of_calls_stay_finite() {
    std::string text =
        "HloModule m\nlevel0 {\n p = f32[] parameter(0)\n ROOT r = f32[] negate(p)\n}\n";
    for (int level = 1; level <= 1100; ++level) {
      const std::string callee = "level" + std::to_string(level - 1);
      text += "level" + std::to_string(level) +
              " {\n p = f32[] parameter(0)\n a = f32[] call(p), to_apply=" + callee +
              "\n ROOT r = f32[] call(a), to_apply=" + callee + "\n}\n";
    }
    text += "ENTRY e {\n p = f32[] parameter(0)\n ROOT r = f32[] call(p), to_apply=level1100\n}\n";
    const auto program = parse(text);
    const auto list = graph::kernels(*program);
    QCOMPARE(list.kernels[graph::KernelId(0U)].executions, 1e18);
  }
  void nested_loops_multiply_and_calls_add_up() {
    const auto program = parse(kNested);
    const auto list = graph::kernels(*program);
    const auto executions = [&](const char* name) {
      return list.kernels[kernel_named(*program, list, name)].executions;
    };
    QCOMPARE(executions("outer_next"), 7.0);
    QCOMPARE(executions("outer_less"), 7.0);
    QCOMPARE(executions("inner_next"), 35.0);
    QCOMPARE(executions("squared"), 36.0);  // 35 in the loops, 1 before them.
    QCOMPARE(list.loops.size(), size_t{2});
    QCOMPARE(kernel_names(*program, list),
             QStringLiteral("squared outer_less outer_next inner_less inner_next"));
    QCOMPARE(list.scheduled.back().value, program->entry().value);
    for (const auto& kernel : list.kernels) QVERIFY(kernel.executions_known);
  }

  void unknown_trip_counts_mark_what_is_below() {
    const auto program = parse(loop_text({.next = "next = s32[] multiply(i, i)"}));
    const auto list = graph::kernels(*program, {.unknown_trip_count = 9});
    const auto work = list.kernels[kernel_named(*program, list, "work")];
    QVERIFY(!work.executions_known);
    QCOMPARE(work.executions, 9.0);
    QCOMPARE(list.loops[0].trip_count, int64_t{9});
    QVERIFY(!list.loops[0].known);
    QCOMPARE(graph::kernels(*program).kernels[kernel_named(*program, list, "work")].executions,
             1.0);
  }

  void branches_weigh_by_the_rule() {
    const auto program = parse(kBranches);
    const auto mean = graph::kernels(*program, {.branches = graph::BranchRule::kMean});
    QCOMPARE(kernel_names(*program, mean), QStringLiteral("slow quick quicker after"));
    QCOMPARE(mean.kernels[graph::KernelId(0)].executions, 1.0 / 3);
    QCOMPARE(mean.kernels[graph::KernelId(3)].executions, 1.0);
    const auto most = graph::kernels(*program, {.branches = graph::BranchRule::kMaximum});
    QCOMPARE(most.kernels[graph::KernelId(1)].executions, 1.0);
  }

  void totals_take_the_mean_or_the_largest_branch() {
    const auto program = parse(kBranches);
    const auto list = graph::kernels(*program);
    const std::vector<double> value = {9, 1, 2, 10};  // slow, quick, quicker, after
    QCOMPARE(graph::total(*program, list, value, graph::BranchRule::kMaximum), 19.0);
    QCOMPARE(graph::total(*program, list, value, graph::BranchRule::kMean), 14.0);
  }

  void totals_multiply_by_trips() {
    const auto program = parse(kNested);
    const auto list = graph::kernels(*program);
    const std::vector<double> value = {1, 10, 100, 1000, 10000};
    // 36 squared, 7 x (outer_less, outer_next), 35 x (inner_less, inner_next)
    QCOMPARE(graph::total(*program, list, value, graph::BranchRule::kMean),
             36.0 + 7 * 110 + 35 * 11000);
    double weighted = 0;
    for (uint32_t i = 0; i < value.size(); ++i) {
      weighted += value[i] * list.kernels[graph::KernelId(i)].executions;
    }
    QCOMPARE(graph::total(*program, list, value, graph::BranchRule::kMean), weighted);
  }

  void reducers_hold_no_kernels() {
    const auto program = parse(R"(
HloModule reducer
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT sum = f32[] add(a, b) }
ENTRY main {
  p = f32[8,128] parameter(0)
  zero = f32[] constant(0)
  ROOT row = f32[8] reduce(p, zero), dimensions={1}, to_apply=add
})");
    const auto list = graph::kernels(*program);
    QCOMPARE(kernel_names(*program, list), QStringLiteral("row"));
    QVERIFY(!list.computations[program->find_computation("add")].is_scheduled);
    QCOMPARE(list.computations[program->find_computation("add")].executions, 0.0);
    QVERIFY(list.computations[program->entry()].is_scheduled);
  }
};

HLOSCOPE_TEST(TestControlFlow);

#include "test_control_flow.moc"
