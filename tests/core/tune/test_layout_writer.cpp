#include <set>

#include "core/eval/compare.h"
#include "core/eval/evaluate.h"
#include "tests/core/fuse/random_program.h"
#include "tests/core/tune/layout_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;
using hlo::InstructionId;
using hlo::Opcode;
using tune::Config;

class TestLayoutWriter : public QObject {
  Q_OBJECT

  static constexpr const char* kScheduledHeader = "HloModule random, is_scheduled=true";

  /// Empty, or how the values of `changed` differ from those of `program`, bit for bit.
  static QString difference(const hlo::Program& program, const hlo::Program& changed, Rng& rng) {
    const auto arguments = value_of(eval::random_arguments(program, rng));
    const auto expected = eval::evaluate(program, arguments);
    if (!expected) return "the program itself: " + qt(expected.error().format());
    const auto actual = eval::evaluate(changed, arguments);
    if (!actual) return qt(actual.error().format());
    return qt(eval::compare(*actual, *expected).first);
  }

  static QString shape_of(const hlo::Program& program, InstructionId id) {
    return qt(program.shapes().text(program[id].shape));
  }

  /// What is not as kernels need it: operands and parameters, results and roots have one layout;
  /// operations on elements have one order.
  static QString mismatch(const hlo::Program& program) {
    for (InstructionId id : program.instructions()) {
      const QString name = qt(program[id].name);
      const auto operands = program.operands(id);
      if (program[id].opcode == Opcode::kFusion) {
        const auto body = program.computation(id, hlo::AttrKey::kCalls);
        const auto parameters = program.parameters(body);
        for (size_t i = 0; i < operands.size(); ++i) {
          if (order_of(program, operands[i]) != order_of(program, parameters[i])) return name;
        }
        if (shape_of(program, id) != shape_of(program, program[body].root)) return name;
      } else if (fuse::role_of(program, id) == fuse::Role::kElementwise &&
                 program[id].opcode != Opcode::kCopy) {
        for (InstructionId operand : operands) {
          if (program.shape(operand).rank() == program.shape(id).rank() &&
              order_of(program, operand) != order_of(program, id)) {
            return name;
          }
        }
      }
    }
    return {};
  }

  static QString order(const hlo::Program& program, std::string_view name) {
    return order_of(program, program.find_instruction(name));
  }

 private slots:
  void the_default_is_the_program_itself() {
    for (const auto& program : {entry_of(kSmallNetwork), scheduled(kSmallNetwork)}) {
      const auto space = layout_space(program);
      const auto same = value_of(space->program(space->default_config()));
      QCOMPARE(qt(hlo::print(*same)), qt(hlo::print(space->groups().program())));
      QCOMPARE(copies_in(*same).count, size_t{0});
    }
  }

  void what_hangs_together_follows_without_a_copy() {
    const auto space = layout_space(scheduled(kNarrowLanes));
    const auto program =
        value_of(space->program(value_of(space->parse("narrow/out:1.2.0;wide/in0:1.2.0"))));
    QCOMPARE(copies_in(*program).count, size_t{0});
    QCOMPARE(order(*program, "narrow"), QString("1.2.0"));
    QCOMPARE(order(*program, "t"), QString("1.2.0"));
    QCOMPARE(order(*program, "wide"), QString("1.0"));
  }
  void copies_stand_where_layouts_disagree() {
    const auto space = layout_space(scheduled(kNarrowLanes));
    const auto one = value_of(space->program(value_of(space->parse("narrow/out:1.2.0"))));
    QCOMPARE(copies_in(*one).count, size_t{1});  // Behind t, which follows its operand.
    QCOMPARE(order(*one, "copy.t"), QString("2.1.0"));
    const auto all = value_of(space->program(
        value_of(space->parse("narrow/in0:0.1;narrow/out:1.2.0;wide/in0:0.1.2;wide/out:0.1"))));
    QCOMPARE(copies_in(*all).count, size_t{3});
    QCOMPARE(order(*all, "p"), QString("1.0"));
    QCOMPARE(order(*all, "copy.p"), QString("0.1"));
    QCOMPARE(order(*all, "copy.t"), QString("0.1.2"));
    QCOMPARE(qt((*all)[(*all)[all->entry()].root].name), QString("copy.wide"));
    QCOMPARE(order(*all, "copy.wide"), QString("1.0"));
  }
  void a_value_is_copied_once_for_all_that_read_it_alike() {
    const auto space = layout_space(
        scheduled("  p = f32[16,32] parameter(0)\n  q = f32[32,8] parameter(1)\n"
                  "  d = f32[16,8] dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
                  "  e = f32[16,8] dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
                  "  ROOT s = f32[16,8] add(d, e)\n"));
    const auto program = value_of(space->program(value_of(space->parse("d/in0:0.1;e/in0:0.1"))));
    QCOMPARE(copies_in(*program).count, size_t{1});
  }
  void most_bytes_decide_what_an_operation_between_takes() {
    const auto space = layout_space(
        scheduled("  p = f32[16,32] parameter(0)\n  q = f32[32,8] parameter(1)\n"
                  "  d = f32[16,8] dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
                  "  e = f32[16,4] slice(d), slice={[0:16], [0:4]}\n"
                  "  f = f32[16,12] concatenate(d, e), dimensions={1}\n"
                  "  ROOT g = f32[12,16] reshape(f)\n"));
    const auto program = value_of(space->program(value_of(space->parse("d/out:0.1"))));
    QCOMPARE(order(*program, "e"), QString("0.1"));
    QCOMPARE(order(*program, "f"), QString("0.1"));
    QCOMPARE(copies_in(*program).count, size_t{1});  // Before the reshape.
  }
  void what_has_no_order_of_its_own_is_made_as_it_is_read() {
    const auto space = layout_space(scheduled(
        "  p = f32[16] parameter(0)\n  q = f32[32,8] parameter(1)\n"
        "  b = f32[16,32] broadcast(p), dimensions={0}\n"
        "  ROOT d = f32[16,8] dot(b, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"));
    const auto program = value_of(space->program(value_of(space->parse("d/in0:0.1"))));
    QCOMPARE(order(*program, "b"), QString("0.1"));
    QCOMPARE(copies_in(*program).count, size_t{0});
  }
  void loops_and_tuples_keep_their_layouts() {
    Rng rng(2);
    const auto program = parse(R"(HloModule m, is_scheduled=true
body {
  s = (f32[4,4], s32[]) parameter(0)
  a = f32[4,4] get-tuple-element(s), index=0
  n = s32[] get-tuple-element(s), index=1
  d = f32[4,4] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  one = s32[] constant(1)
  m = s32[] add(n, one)
  ROOT out = (f32[4,4], s32[]) tuple(d, m)
}
condition {
  s = (f32[4,4], s32[]) parameter(0)
  n = s32[] get-tuple-element(s), index=1
  two = s32[] constant(2)
  ROOT less = pred[] compare(n, two), direction=LT
}
ENTRY main {
  p = f32[4,4] parameter(0)
  zero = s32[] constant(0)
  start = (f32[4,4], s32[]) tuple(p, zero)
  loop = (f32[4,4], s32[]) while(start), condition=condition, body=body
  ROOT r = f32[4,4] get-tuple-element(loop), index=0
}
)");
    const auto space = layout_space(program);
    QCOMPARE(space->dimensions(), size_t{3});
    const auto turned = value_of(space->program({1, 0, 1}));
    QCOMPARE(copies_in(*turned).count, size_t{2});  // Of one operand, and of the result.
    QCOMPARE(difference(*program, *turned, rng), QString());
  }

  void networks_compute_the_same_in_any_layout() {
    Rng rng(3);
    for (const auto& program : {entry_of(kSmallNetwork), scheduled(kSmallNetwork)}) {
      const auto space = layout_space(program);
      size_t copies = 0;
      for (int i = 0; i < 60; ++i) {
        const auto changed = value_of(space->program(space->random(rng)));
        QCOMPARE(difference(*program, *changed, rng), QString());
        QCOMPARE(mismatch(*changed), QString());
        const Copies made = copies_in(*changed);
        QCOMPARE(made.problem, QString());
        copies += made.count;
        // And as text: printed and read again it is the same program.
        const std::string text = hlo::print(*changed);
        QCOMPARE(qt(hlo::print(*parse(text))), qt(text));
      }
      QVERIFY2(copies > 150, qPrintable(QString::number(copies)));
    }
  }
  void random_programs_compute_the_same_in_any_layout() {
    Rng rng(4);
    size_t copies = 0;
    for (int i = 0; i < random_program_count(); ++i) {
      std::string text = random_program(rng);
      // Every other one without fusion: each instruction is a kernel.
      if (i % 2 == 0) text.replace(0, sizeof("HloModule random") - 1, kScheduledHeader);
      const auto program = parse(text);
      const auto space = tune::make_layout_space(program);
      if (!space) continue;
      for (int n = 0; n < 3; ++n) {
        const auto changed = value_of((*space)->program((*space)->random(rng)));
        QCOMPARE(difference(*program, *changed, rng), QString());
        QCOMPARE(mismatch(*changed), QString());
        const Copies made = copies_in(*changed);
        QCOMPARE(made.problem, QString());
        copies += made.count;
      }
    }
    QVERIFY2(copies > 500, qPrintable(QString::number(copies)));
  }
};

HLOSCOPE_TEST(TestLayoutWriter);
#include "test_layout_writer.moc"
