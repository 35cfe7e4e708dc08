#include "core/analysis/analytical.h"

#include <cmath>

#include "core/analysis/matrix_work.h"
#include "core/hlo/read.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

struct Analysed {
  hlo::ProgramPtr program;
  graph::KernelList kernels;
  analysis::ProgramCost cost;
  IndexedVector<graph::KernelId, analysis::ModelTime> times;
};

Analysed analyse(const std::string& text, const char* machine_id) {
  auto program = hlo::parse_program(text);
  if (!program) qFatal("%s", program.error().format().c_str());
  const auto machine = sim::find_machine(machine_id);
  Analysed a{*program, graph::kernels(**program), {}, {}};
  a.cost = analysis::cost(*a.program, a.kernels);
  a.times = analysis::analytical_times(*a.program, a.kernels, a.cost, *machine);
  return a;
}

analysis::ModelTime only_time(const std::string& text, const char* machine_id) {
  const Analysed a = analyse(text, machine_id);
  if (a.times.size() != 1) qFatal("%zu kernels", a.times.size());
  return a.times.raw().front();
}

std::string dot(const char* type, int rows, int depth, int columns, const char* more = "") {
  const auto text = QStringLiteral(
                        "HloModule m\nENTRY e {\n a = %1[%2,%3] parameter(0)\n"
                        " b = %1[%3,%4] parameter(1)\n ROOT r = %1[%2,%4] dot(a, b),"
                        " lhs_contracting_dims={1}, rhs_contracting_dims={0}%5\n}\n")
                        .arg(QLatin1String(type))
                        .arg(rows)
                        .arg(depth)
                        .arg(columns)
                        .arg(QLatin1String(more));
  return text.toStdString();
}

bool near(double value, double expected, double relative) {
  return std::abs(value - expected) <= relative * expected;
}

}  // namespace

class TestAnalytical : public QObject {
  Q_OBJECT
 private slots:
  // The measured 3x3 convolution 192 -> 384 of a TPU v3 takes 132.4 us of its two matrix units:
  // 9 x 2 x 3 weight tiles, 4608 rows each, 0.94 GHz. Its best measured time is 137.3 us.
  void convolution_cycles_of_a_tpu_v3() {
    const auto time = only_time(R"(HloModule m
ENTRY e {
  a = bf16[32,12,12,192]{3,0,2,1} parameter(0)
  b = bf16[3,3,192,384]{3,2,1,0} parameter(1)
  ROOT r = bf16[32,12,12,384]{3,0,2,1} convolution(a, b), window={size=3x3 pad=1_1x1_1},
    dim_labels=b01f_01io->b01f
})",
                                "tpu_v3");
    QCOMPARE(time.compute_ns, 9.0 * 2 * 3 * 4608 / 2 / 0.94);
    QVERIFY(near(time.time_ns, 132400 + 480, 1e-3));
    QCOMPARE(time.bound, analysis::Bound::kCompute);
  }
  // How to Scale Your Model, "Profiling": 96 ms profiled for an eighth of
  // bf16[32,1024,8192] x [8192,32768] per TPU v2 core.
  void dot_of_a_tpu_v2() {
    QVERIFY(near(only_time(dot("bf16", 4096, 8192, 32768), "tpu_v2").time_ns, 96e6, 0.01));
  }
  // 2 x 8192^3 FLOP at the 918 TFLOPS of the documentation.
  void dot_of_a_tpu_v6e_runs_at_its_peak() {
    QVERIFY(near(only_time(dot("bf16", 8192, 8192, 8192), "tpu_v6e").compute_ns,
                 2 * std::pow(8192.0, 3) / 918e12 * 1e9, 1e-3));
  }
  void float32_takes_the_passes_of_its_precision() {
    const double once = only_time(dot("f32", 2048, 2048, 2048), "tpu_v3").compute_ns;
    const double high =
        only_time(dot("f32", 2048, 2048, 2048, ", operand_precision={high,high}"), "tpu_v3")
            .compute_ns;
    const double highest =
        only_time(dot("f32", 2048, 2048, 2048, ", operand_precision={highest,highest}"), "tpu_v3")
            .compute_ns;
    QCOMPARE(high, 3 * once);
    QCOMPARE(highest, 6 * once);
    const double bf16 =
        only_time(dot("bf16", 2048, 2048, 2048, ", operand_precision={highest,highest}"), "tpu_v3")
            .compute_ns;
    QCOMPARE(bf16, once);
  }
  // A product with few rows takes the time to load its weights, whichever side has them.
  void thin_products_cost_their_weight_tiles() {
    const double thin = only_time(dot("bf16", 8, 1024, 1024), "tpu_v3").compute_ns;
    QCOMPARE(thin, 8.0 * 1024 / 2 / 0.94);
    QCOMPARE(only_time(dot("bf16", 1024, 1024, 8), "tpu_v3").compute_ns, thin);
  }
  // 64 groups of one feature lie on the diagonal of one 128 x 128 weight tile, per window position.
  void small_feature_groups_share_a_weight_tile() {
    const auto time = only_time(R"(HloModule m
ENTRY e {
  a = bf16[32,14,14,64] parameter(0)
  b = bf16[3,3,1,64] parameter(1)
  ROOT r = bf16[32,12,12,64] convolution(a, b), window={size=3x3}, feature_group_count=64,
    dim_labels=b01f_01io->b01f
})",
                                "tpu_v3");
    const double positions_per_tile = 2;
    QCOMPARE(time.compute_ns, std::ceil(9 / positions_per_tile) * 32 * 144 / 2 / 0.94);
  }
  // Three padded arrays at 88 % of 450 GB/s, and the launch.
  void additions_are_bound_by_memory() {
    const auto time = only_time(R"(HloModule m
ENTRY e {
  a = f32[1000,1000] parameter(0)
  b = f32[1000,1000] parameter(1)
  ROOT r = f32[1000,1000] add(a, b)
})",
                                "tpu_v3");
    QCOMPARE(time.memory_ns, 3.0 * 1000 * 1024 * 4 / (450 * 0.88));
    QCOMPARE(time.time_ns, 480 + time.memory_ns);
    QCOMPARE(time.bound, analysis::Bound::kMemory);
  }
  void long_chains_are_bound_by_the_vector_unit() {
    std::string text = "HloModule m\nf {\n  x0 = f32[1024,1024] parameter(0)\n";
    for (int i = 0; i < 40; ++i) {
      text +=
          "  x" + std::to_string(i + 1) + " = f32[1024,1024] tanh(x" + std::to_string(i) + ")\n";
    }
    text +=
        "  ROOT r = f32[1024,1024] negate(x40)\n}\nENTRY e {\n  p = f32[1024,1024] parameter(0)\n"
        "  ROOT k = f32[1024,1024] fusion(p), kind=kLoop, calls=f\n}\n";
    const auto time = only_time(text, "tpu_v3");
    QCOMPARE(time.bound, analysis::Bound::kVector);
    QCOMPARE(time.compute_ns, 40.0 * 1024 / 0.94);
  }
  void tiny_kernels_are_bound_by_their_launch() {
    const auto time = only_time(
        "HloModule m\nENTRY e {\n a = f32[8] parameter(0)\n ROOT r = f32[8] negate(a)\n}\n",
        "tpu_v3");
    QCOMPARE(time.bound, analysis::Bound::kLaunch);
  }
  void custom_calls_are_unknown_but_cost_their_arrays() {
    const auto time = only_time(
        "HloModule m\nENTRY e {\n a = f32[1024,1024] parameter(0)\n"
        " ROOT r = f32[1024,1024] custom-call(a), custom_call_target=\"t\"\n}\n",
        "tpu_v3");
    QCOMPARE(time.bound, analysis::Bound::kUnknown);
    QCOMPARE(time.memory_ns, 2.0 * 1024 * 1024 * 4 / (450 * 0.88));
  }
  void weighted_cost_counts_executions_and_no_unknowns() {
    const Analysed a = analyse(R"(HloModule m
c {
  q = (s32[], f32[64,128]) parameter(0)
  i = s32[] get-tuple-element(q), index=0
  n = s32[] constant(10)
  ROOT l = pred[] compare(i, n), direction=LT
}
b {
  q = (s32[], f32[64,128]) parameter(0)
  i = s32[] get-tuple-element(q), index=0
  o = s32[] constant(1)
  j = s32[] add(i, o)
  x = f32[64,128] get-tuple-element(q), index=1
  y = f32[64,128] multiply(x, x)
  ROOT t = (s32[], f32[64,128]) tuple(j, y)
}
ENTRY e {
  p0 = f32[64,128] parameter(0)
  u = f32[64,128] custom-call(p0), custom_call_target="t"
  z = s32[] constant(0)
  t = (s32[], f32[64,128]) tuple(z, u)
  ROOT w = (s32[], f32[64,128]) while(t), condition=c, body=b,
    backend_config={"known_trip_count":{"n":"10"}}
})",
                               "tpu_v3");
    QCOMPARE(a.cost.total.flops, 8192.0 + 2 - 1);
    QCOMPARE(a.cost.weighted.flops, 10 * (8192.0 + 1 + 1));
  }
  // What an async copy moves: its operand and the result, not the tuple that the start hands on.
  void async_pairs_count_once() {
    const Analysed a = analyse(R"(HloModule m, is_scheduled=true
ENTRY e {
  p = f32[64,128] parameter(0)
  s = (f32[64,128], f32[64,128], u32[]) copy-start(p)
  ROOT d = f32[64,128] copy-done(s)
})",
                               "tpu_v3");
    QCOMPARE(a.cost.kernels.size(), size_t{1});
    QCOMPARE(a.cost.kernels.raw().front().bytes_accessed, 2.0 * 64 * 128 * 4);
  }
};

HLOSCOPE_TEST(TestAnalytical);
#include "test_analytical.moc"
