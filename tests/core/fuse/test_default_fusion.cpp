#include "tests/core/fuse/fuse_fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;

namespace {

hlo::ProgramPtr fused(const hlo::ProgramPtr& program) {
  const fuse::FusionSpace space(value_of(fuse::clean_up(*program)));
  return value_of(fuse::apply(space, value_of(fuse::default_config(space))));
}

QString fused_text(const std::string& lines) {
  return kernels_text(*fused(entry_of(lines)));
}

/// What a fusion of all edges of these lines is rejected for; kValid when it is not.
fuse::Verdict verdict_of(const hlo::ProgramPtr& program, const fuse::FusionLimits& limits = {}) {
  const fuse::FusionSpace space(value_of(fuse::clean_up(*program)), limits);
  fuse::FusionState state(space);
  for (fuse::EdgeId edge : space.edges()) {
    const fuse::Verdict verdict = state.flip(edge).verdict;
    if (verdict != fuse::Verdict::kValid) return verdict;
  }
  return fuse::Verdict::kValid;
}

/// A test of expected_fusions().
void row(const char* name, const char* lines, const char* expected) {
  QTest::newRow(name) << QString(lines) << QString(expected);
}

void elementwise_rows() {
  row("a chain",
      "  a = f32[512,512] parameter(0)\n  b = f32[512,512] tanh(a)\n"
      "  c = f32[512,512] negate(b)\n  ROOT d = f32[512,512] abs(c)\n",
      "kLoop{tanh negate abs}");
  row("one instruction is no fusion, even with a constant",
      "  a = f32[512,512] parameter(0)\n  z = f32[] constant(0)\n"
      "  ROOT b = f32[514,512] pad(a, z), padding=1_1x0_0\n",
      "pad");
  row("a scalar broadcast goes along",
      "  a = f32[512,512] parameter(0)\n  z = f32[] constant(0)\n"
      "  b = f32[512,512] broadcast(z), dimensions={}\n"
      "  ROOT c = f32[512,512] maximum(a, b)\n",
      "kLoop{broadcast maximum}");
  row("users with other dimensions get no common fusion",
      "  a = f32[512,512] parameter(0)\n  b = f32[512,512] tanh(a)\n"
      "  c = f32[512,256] slice(b), slice={[0:512], [0:256]}\n"
      "  ROOT t = (f32[512,512], f32[512,256]) tuple(b, c)\n",
      "tanh slice");
}

void product_rows() {
  row("sums over rows of a product go along",
      "  a = f32[256,1024] parameter(0)\n  w = f32[1024,8192] parameter(1)\n"
      "  d = f32[256,8192] dot(a, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
      "  e = f32[256,8192] tanh(d)\n  z = f32[] constant(0)\n"
      "  ROOT s = f32[8192] reduce(e, z), dimensions={0}, to_apply=plus\n",
      "kOutput{dot tanh reduce}");
  row("sums over features do not when the weights do not stay in VMEM",
      "  a = f32[256,1024] parameter(0)\n  w = f32[1024,8192] parameter(1)\n"
      "  d = f32[256,8192] dot(a, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
      "  e = f32[256,8192] tanh(d)\n  z = f32[] constant(0)\n"
      "  ROOT s = f32[256] reduce(e, z), dimensions={1}, to_apply=plus\n",
      "kOutput{dot tanh} reduce");
  row("sums over features do when the weights stay in VMEM",
      "  a = f32[256,1024] parameter(0)\n  w = f32[1024,1024] parameter(1)\n"
      "  d = f32[256,1024] dot(a, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
      "  e = f32[256,1024] tanh(d)\n  z = f32[] constant(0)\n"
      "  ROOT s = f32[256] reduce(e, z), dimensions={1}, to_apply=plus\n",
      "kOutput{dot tanh reduce}");
  row("bias and relu behind a dot, convert before it",
      "  a = f32[512,256] parameter(0)\n  w = f16[256,512] parameter(1)\n"
      "  v = f32[512] parameter(2)\n  x = f32[256,512] convert(w)\n"
      "  d = f32[512,512] dot(a, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
      "  b = f32[512,512] broadcast(v), dimensions={1}\n  s = f32[512,512] add(d, b)\n"
      "  z = f32[] constant(0)\n  zz = f32[512,512] broadcast(z), dimensions={}\n"
      "  ROOT r = f32[512,512] maximum(s, zz)\n",
      "kOutput{convert dot broadcast add broadcast maximum}");
  row("two dots stay two kernels, what lies between joins one",
      "  a = f32[512,512] parameter(0)\n"
      "  d = f32[512,512] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
      "  e = f32[512,512] tanh(d)\n"
      "  ROOT f = f32[512,512] dot(e, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n",
      "kOutput{dot tanh} dot");
}

void reduction_rows() {
  row("softmax is two passes, the first with two results",
      "  a = f32[512,512] parameter(0)\n  z = f32[] constant(0)\n"
      "  e = f32[512,512] exponential(a)\n"
      "  s = f32[512] reduce(e, z), dimensions={1}, to_apply=plus\n"
      "  b = f32[512,512] broadcast(s), dimensions={0}\n"
      "  ROOT d = f32[512,512] divide(e, b)\n",
      "kInput{exponential reduce tuple} kLoop{broadcast divide}");
  row("reductions of one array are siblings",
      "  a = f32[512,512] parameter(0)\n  z = f32[] constant(0)\n"
      "  s = f32[512] reduce(a, z), dimensions={1}, to_apply=plus\n"
      "  m = f32[512,512] multiply(a, a)\n"
      "  q = f32[512] reduce(m, z), dimensions={1}, to_apply=plus\n"
      "  ROOT t = (f32[512], f32[512]) tuple(s, q)\n",
      "kInput{reduce multiply reduce tuple}");
}

void barrier_rows() {
  row("nothing joins a custom-call or a sort",
      "  a = f32[512] parameter(0)\n  b = f32[512] tanh(a)\n"
      "  c = f32[512] custom-call(b), custom_call_target=\"x\"\n"
      "  ROOT d = f32[512] negate(c)\n",
      "tanh custom-call negate");
  row("an update in place takes the update in, not the array",
      "  a = f32[512,512] parameter(0)\n  u = f32[1,512] parameter(1)\n"
      "  i = s32[] parameter(2)\n  z = s32[] constant(0)\n  b = f32[512,512] tanh(a)\n"
      "  v = f32[1,512] negate(u)\n"
      "  ROOT c = f32[512,512] dynamic-update-slice(b, v, i, z)\n",
      "tanh kLoop{negate dynamic-update-slice}");
}

}  // namespace

class TestDefaultFusion : public QObject {
  Q_OBJECT
 private slots:
  void a_long_chain_becomes_several_fusions() {
    std::string text = "HloModule chain\nENTRY main {\n  v.0 = f32[64,64] parameter(0)\n";
    constexpr int kLength = 2500;
    for (int i = 1; i <= kLength; ++i) {
      const std::string number = std::to_string(i);
      text += (i == kLength ? "  ROOT v." : "  v.") + number + " = f32[64,64] negate(v." +
              std::to_string(i - 1) + ")\n";
    }
    const fuse::FusionSpace space(value_of(fuse::clean_up(*parse(text + "}\n"))));
    fuse::FusionState state(space);
    QVERIFY(fuse::fuse_by_default(state));
    size_t kernels = 0;
    size_t members = 0;
    for (uint32_t i = 0; i < state.group_limit(); ++i) {
      const fuse::Group& group = state.group(fuse::GroupId(i));
      if (group.members.empty() || group.facts.core_size == 0) continue;
      if (space.program()[group.members.back()].opcode != hlo::Opcode::kNegate) continue;
      QVERIFY(group.members.size() <= space.limits().instructions);
      ++kernels;
      members += group.members.size();
    }
    QCOMPARE(members, size_t{kLength});
    QCOMPARE(kernels, size_t{3});  // 1,000 at most in each.
  }

  void expected_fusions_data() {
    QTest::addColumn<QString>("lines");
    QTest::addColumn<QString>("expected");
    elementwise_rows();
    product_rows();
    reduction_rows();
    barrier_rows();
  }
  void expected_fusions() {
    QFETCH(QString, lines);
    QFETCH(QString, expected);
    QCOMPARE(fused_text(lines.toStdString()), expected);
  }

  void a_cycle_through_the_outside_is_not_valid() {
    // a -> custom-call -> c, and a -> c: together they would wait for the custom-call in between.
    const auto program = entry_of(
        "  p = f32[512] parameter(0)\n  a = f32[512] tanh(p)\n"
        "  x = f32[512] custom-call(a), custom_call_target=\"x\"\n"
        "  ROOT c = f32[512] add(a, x)\n");
    QCOMPARE(verdict_of(program), fuse::Verdict::kCycle);
    QCOMPARE(kernels_text(*fused(program)), QString("tanh custom-call add"));
  }

  void every_rule_has_its_verdict() {
    using fuse::Verdict;
    const std::string head = "  a = f32[64,64] parameter(0)\n  z = f32[] constant(0)\n";
    const std::string dots = ", lhs_contracting_dims={1}, rhs_contracting_dims={0}\n";
    QCOMPARE(verdict_of(entry_of(head + "  b = f32[64,64] dot(a, a)" + dots +
                                 "  ROOT c = f32[64,64] dot(b, a)" + dots)),
             Verdict::kProducts);
    const std::string sum = "  b = f32[64] reduce(a, z), dimensions={1}, to_apply=plus\n";
    QCOMPARE(
        verdict_of(entry_of(head + sum + "  ROOT c = f32[64,64] broadcast(b), dimensions={0}\n")),
        Verdict::kOrder);
    QCOMPARE(verdict_of(entry_of(head + sum + "  ROOT c = f32[64] negate(b)\n")), Verdict::kValid);
    QCOMPARE(verdict_of(entry_of(head + "  b = f32[64,64] tanh(a)\n"
                                        "  c = f32[32,64] slice(b), slice={[0:32], [0:64]}\n"
                                        "  ROOT t = (f32[64,64], f32[32,64]) tuple(b, c)\n")),
             Verdict::kResults);
  }

  void the_number_of_operands_is_limited() {
    // A sum of n + 1 parameters.
    const auto sum = [](int n, bool second_result) {
      std::string lines;
      for (int i = 0; i <= n; ++i) {
        lines += "  p" + std::to_string(i) + " = f32[8] parameter(" + std::to_string(i) + ")\n";
      }
      std::string last = "p0";
      for (int i = 1; i <= n; ++i) {
        const std::string name = "sum" + std::to_string(i);
        lines += "  " + name + " = f32[8] add(" + last + ", p" + std::to_string(i) + ")\n";
        last = name;
      }
      lines += second_result ? "  ROOT t = (f32[8], f32[8]) tuple(sum1, " + last + ")\n"
                             : "  ROOT r = f32[8] copy(" + last + ")\n";
      return entry_of(lines);
    };
    QCOMPARE(verdict_of(sum(12, false)), fuse::Verdict::kValid);
    QCOMPARE(verdict_of(sum(13, false)), fuse::Verdict::kOperands);
    QCOMPARE(verdict_of(sum(18, true)), fuse::Verdict::kValid);
    QCOMPARE(verdict_of(sum(19, true)), fuse::Verdict::kOperands);
  }

  void what_does_not_fit_in_vmem_is_not_valid() {
    // Each element of the result needs a whole row of the product's operand.
    const auto program = entry_of(
        "  a = f32[4096,8192] parameter(0)\n  b = f32[4096,8192] tanh(a)\n"
        "  ROOT c = f32[33554432] reshape(b)\n");
    QCOMPARE(verdict_of(program), fuse::Verdict::kValid);
    fuse::FusionLimits tight;
    tight.vmem_bytes = 1000;  // Less than one tile of 4 KiB.
    QCOMPARE(verdict_of(program, tight), fuse::Verdict::kVmem);
  }

  void control_dependencies_and_effects_keep_out() {
    const auto program = entry_of(
        "  a = f32[512] parameter(0)\n  b = f32[512] tanh(a)\n"
        "  c = f32[512] abs(a), control-predecessors={b}\n  d = f32[512] negate(b)\n"
        "  ROOT e = f32[512] add(c, d)\n");
    const auto out = fused(program);
    QCOMPARE(kernels_text(*out), QString("tanh abs kLoop{negate add}"));
    const auto c = out->find_instruction("c");
    QCOMPARE(out->ints(c, hlo::AttrKey::kControlPredecessors).size(), size_t{1});
    QCOMPARE(InstructionIdValue(out->ints(c, hlo::AttrKey::kControlPredecessors)[0]),
             out->find_instruction("b").value);
  }

  void loop_bodies_and_branches_are_fused_and_reducers_left() {
    const auto out = fused(parse(R"(HloModule m
condition { s = (s32[], f32[512]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(3)
  ROOT go = pred[] compare(i, n), direction=LT }
body { s = (s32[], f32[512]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[512] get-tuple-element(s), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  y = f32[512] tanh(x)
  z = f32[512] negate(y)
  ROOT t = (s32[], f32[512]) tuple(next, z) }
ENTRY main { zero = s32[] constant(0)
  a = f32[512] parameter(0)
  start = (s32[], f32[512]) tuple(zero, a)
  end = (s32[], f32[512]) while(start), condition=condition, body=body
  ROOT r = f32[512] get-tuple-element(end), index=1 }
)"));
    QCOMPARE(opcodes(*out, out->find_computation("body")),
             QString("get-tuple-element get-tuple-element add fusion tuple"));
    // 3 trips: the loop counter adds 8 bytes each time and compares 5, the fusion moves 4096.
    QCOMPARE(fuse::traffic(*out).bytes, 3 * (8.0 + 5.0 + 4096.0));
  }

  void names_shapes_and_metadata_of_fusions() {
    const auto out = fused(parse(R"(HloModule m
fused_computation.1 { x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y) }
ENTRY main {
  a = f32[64,512]{0,1} parameter(0)
  fusion.1 = f32[64,512]{0,1} tanh(a)
  z = f32[] constant(0)
  r = f32[64]{0} reduce(fusion.1, z), dimensions={1}, to_apply=fused_computation.1
  c = f32[64,512]{0,1} custom-call(fusion.1), custom_call_target="x"
  d = f32[64,512]{0,1} tanh(c)
  e = f32[64,512]{0,1} abs(d), metadata={op_name="last"}
  ROOT t = (f32[64]{0}, f32[64,512]{0,1}) tuple(r, e)
}
)"));
    const auto fusion = out->find_instruction("fusion.2");
    QVERIFY(fusion.valid());
    QCOMPARE(qt(out->shapes().text((*out)[fusion].shape)), QString("f32[64,512]{0,1}"));
    QCOMPARE(qt(out->text(fusion, hlo::AttrKey::kMetadata)), QString("{op_name=\"last\"}"));
    QCOMPARE(qt((*out)[out->computation(fusion, hlo::AttrKey::kCalls)].name),
             QString("fused_computation.2"));
    QVERIFY(out->find_instruction("fusion.1").valid());
    QVERIFY(hlo::parse_program(hlo::print(*out)).has_value());
  }

  void equal_instructions_of_a_fusion_stand_once() {
    const auto out = fused(entry_of(
        "  a = f32[512,512] parameter(0)\n  v = f32[512] parameter(1)\n"
        "  b = f32[512,512] broadcast(v), dimensions={0}\n  c = f32[512,512] multiply(a, b)\n"
        "  d = f32[512,512] tanh(c)\n  ROOT e = f32[512,512] multiply(d, b)\n"));
    QCOMPARE(kernels_text(*out), QString("kLoop{broadcast multiply tanh multiply}"));
  }

  void bytes_are_those_counted_by_hand() {
    const double matrix = 512 * 512 * 4;
    const auto softmax = entry_of(
        "  a = f32[512,512] parameter(0)\n  z = f32[] constant(0)\n"
        "  e = f32[512,512] exponential(a)\n"
        "  s = f32[512] reduce(e, z), dimensions={1}, to_apply=plus\n"
        "  b = f32[512,512] broadcast(s), dimensions={0}\n"
        "  ROOT d = f32[512,512] divide(e, b)\n");
    // exponential 2, reduce 1 and a row, broadcast a row and 1, divide 3.
    QCOMPARE(fuse::traffic(*softmax).bytes, 7 * matrix + 2 * 2048);
    QCOMPARE(fuse::traffic(*softmax).kernels, size_t{4});
    // The first pass reads and writes a matrix and writes a row; the second reads both, writes one.
    QCOMPARE(fuse::traffic(*fused(softmax)).bytes, 4 * matrix + 2 * 2048);
    const auto slices = entry_of(
        "  a = f32[512,512] parameter(0)\n  i = s32[] parameter(1)\n  z = s32[] constant(0)\n"
        "  s = f32[1,512] dynamic-slice(a, i, z), dynamic_slice_sizes={1,512}\n"
        "  n = f32[1,512] negate(s)\n"
        "  ROOT u = f32[512,512] dynamic-update-slice(a, n, i, z)\n");
    // Slice: a row and the index in, a row out; negate two rows; update: a row and the index in, a
    // row out.
    QCOMPARE(fuse::traffic(*slices).bytes, 6 * 2048.0 + 2 * 4);
    QCOMPARE(fuse::traffic(*fused(slices)).bytes, 2 * 2048.0 + 4);
  }

  void it_can_be_stopped() {
    const fuse::FusionSpace space(value_of(fuse::clean_up(
        *entry_of("  a = f32[8] parameter(0)\n  b = f32[8] tanh(a)\n  ROOT c = f32[8] abs(b)\n"))));
    std::stop_source stop;
    stop.request_stop();
    const auto result = fuse::default_config(space, Progress(stop.get_token()));
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::kCancelled);
  }

  void configurations_are_texts() {
    const fuse::FusionSpace space(value_of(fuse::clean_up(
        *entry_of("  a = f32[8] parameter(0)\n  b = f32[8] tanh(a)\n  c = f32[8] abs(b)\n"
                  "  ROOT d = f32[8] negate(c)\n"))));
    QCOMPARE(space.edge_count(), size_t{2});
    const auto config = value_of(fuse::parse_config(space, " 0\n1\n"));
    QCOMPARE(qt(fuse::config_text(config)), QString("01"));
    QCOMPARE(kernels_text(*value_of(fuse::apply(space, config))),
             QString("tanh kLoop{abs negate}"));
    const auto wrong = fuse::parse_config(space, "0x");
    QVERIFY(!wrong);
    QVERIFY(qt(wrong.error().message).contains("character 2"));
    QVERIFY(!fuse::parse_config(space, "011"));
  }

 private:
  static uint32_t InstructionIdValue(int64_t id) { return static_cast<uint32_t>(id); }
};

HLOSCOPE_TEST(TestDefaultFusion);
#include "test_default_fusion.moc"
