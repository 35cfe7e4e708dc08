#include "core/analysis/kernel_times.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/cost.h"
#include "core/hlo/read.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using analysis::Bound;

namespace {

struct Analysed {
  hlo::ProgramPtr program;
  graph::KernelList kernels;
  analysis::ProgramCost cost;
  analysis::KernelTimes times;
};

Analysed analyse(const std::string& text, const char* machine_id) {
  auto program = hlo::parse_program(text);
  if (!program) qFatal("%s", program.error().format().c_str());
  const auto machine = sim::find_machine(machine_id);
  Analysed a{*program, graph::kernels(**program), {}, {}};
  a.cost = analysis::cost(*a.program, a.kernels);
  auto times = analysis::kernel_times(*a.program, a.kernels, *machine);
  if (!times) qFatal("%s", times.error().format().c_str());
  a.times = *std::move(times);
  return a;
}

struct BothTimes {
  analysis::ModelTime analytical;
  analysis::ModelTime simulated;
  analysis::TileChoice tile;
};

BothTimes only_kernel(const std::string& text, const char* machine_id) {
  const Analysed a = analyse(text, machine_id);
  if (a.times.simulated.size() != 1) qFatal("%zu kernels", a.times.simulated.size());
  return {a.times.analytical.raw().front(), a.times.simulated.raw().front(), a.times.tiles.front()};
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

QByteArray text_of(double value) {
  return QByteArray::number(value);
}

constexpr const char* kLoop = R"(HloModule m
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
})";

}  // namespace

class TestKernelTimes : public QObject {
  Q_OBJECT
 private slots:
  // The measured 3x3 convolution 192 -> 384 of a TPU v3 needs 132.4 us of its two matrix units:
  // 9 x 2 x 3 weight tiles, 4608 rows each, 0.94 GHz. Its best measured time is 137.3 us.
  void convolution_of_a_tpu_v3() {
    const BothTimes t = only_kernel(R"(HloModule m
ENTRY e {
  a = bf16[32,12,12,192]{3,0,2,1} parameter(0)
  b = bf16[3,3,192,384]{3,2,1,0} parameter(1)
  ROOT r = bf16[32,12,12,384]{3,0,2,1} convolution(a, b), window={size=3x3 pad=1_1x1_1},
    dim_labels=b01f_01io->b01f
})",
                                    "tpu_v3");
    const double mxu_ns = 9.0 * 2 * 3 * 4608 / 2 / 0.94;
    QVERIFY2(t.simulated.compute_ns >= mxu_ns, text_of(t.simulated.compute_ns));
    QVERIFY2(t.analytical.compute_ns >= mxu_ns, text_of(t.analytical.compute_ns));
    QVERIFY2(near(t.simulated.time_ns, 137300, 0.12), text_of(t.simulated.time_ns));
    QVERIFY2(near(t.analytical.time_ns, 137300, 0.12), text_of(t.analytical.time_ns));
    QCOMPARE(t.simulated.bound, Bound::kCompute);
    QCOMPARE(t.analytical.bound, Bound::kCompute);
  }
  // How to Scale Your Model, "Profiling": 96 ms profiled for an eighth of
  // bf16[32,1024,8192] x [8192,32768] per TPU v2 core.
  void dot_of_a_tpu_v2() {
    const BothTimes t = only_kernel(dot("bf16", 4096, 8192, 32768), "tpu_v2");
    QVERIFY2(near(t.simulated.time_ns, 96e6, 0.02), text_of(t.simulated.time_ns));
    QVERIFY2(near(t.analytical.time_ns, 96e6, 0.02), text_of(t.analytical.time_ns));
  }
  // 2 x 8192^3 FLOP at the 918 TFLOPS of the documentation.
  void dot_of_a_tpu_v6e_runs_near_its_peak() {
    const BothTimes t = only_kernel(dot("bf16", 8192, 8192, 8192), "tpu_v6e");
    const double peak_ns = 2 * std::pow(8192.0, 3) / 918e12 * 1e9;
    QVERIFY2(t.simulated.compute_ns >= 0.999 * peak_ns, text_of(t.simulated.compute_ns / peak_ns));
    // Tails of the tiles and the first read come on top.
    QVERIFY2(t.simulated.time_ns <= 1.2 * peak_ns, text_of(t.simulated.time_ns / peak_ns));
    QCOMPARE(t.simulated.bound, Bound::kCompute);
  }
  // 2048^3 through two units of 128 x 128 rows at 0.94 GHz: 256 weight tiles, 2048 rows each.
  void float32_takes_the_passes_of_its_precision() {
    const double pass_ns = 256.0 * 2048 / 2 / 0.94;
    const auto compute_ns = [](const char* type, const char* precision) {
      return only_kernel(dot(type, 2048, 2048, 2048, precision), "tpu_v3").simulated.compute_ns;
    };
    for (const auto& [passes, type, precision] :
         {std::tuple(1, "f32", ""), std::tuple(3, "f32", ", operand_precision={high,high}"),
          std::tuple(6, "f32", ", operand_precision={highest,highest}"),
          std::tuple(1, "bf16", ", operand_precision={highest,highest}")}) {
      const double ns = compute_ns(type, precision);
      QVERIFY2(ns >= passes * pass_ns, text_of(ns / pass_ns));
      QVERIFY2(ns <= 1.15 * passes * pass_ns, text_of(ns / pass_ns));
    }
  }
  // A product with few rows takes the time to load its weights: 64 tiles of 128 x 128, 16 pushes of
  // 8 cycles each, 2 units.
  void thin_products_cost_their_weight_tiles() {
    const BothTimes t = only_kernel(dot("bf16", 8, 1024, 1024), "tpu_v3");
    QVERIFY2(t.simulated.compute_ns >= 64.0 * 16 * 8 / 2 / 0.94, text_of(t.simulated.compute_ns));
  }
  // 64 groups of one feature lie on the diagonal of one 128 x 128 weight tile, two positions in
  // each: 5 weight tiles, 32 x 12 x 12 rows.
  void small_feature_groups_share_a_weight_tile() {
    const BothTimes t = only_kernel(R"(HloModule m
ENTRY e {
  a = bf16[32,14,14,64] parameter(0)
  b = bf16[3,3,1,64] parameter(1)
  ROOT r = bf16[32,12,12,64] convolution(a, b), window={size=3x3}, feature_group_count=64,
    dim_labels=b01f_01io->b01f
})",
                                    "tpu_v3");
    const double mxu_ns = 5.0 * 32 * 144 / 2 / 0.94;
    QVERIFY2(t.simulated.compute_ns >= mxu_ns, text_of(t.simulated.compute_ns / mxu_ns));
    // Far less than 64 products one after the other.
    QVERIFY2(t.simulated.compute_ns <= 8 * mxu_ns, text_of(t.simulated.compute_ns / mxu_ns));
  }
  // Two padded arrays read and one written at the bandwidth of the machine file, where what is
  // written beside a read counts more.
  void additions_are_bound_by_memory() {
    const BothTimes t = only_kernel(R"(HloModule m
ENTRY e {
  a = f32[4000,4096] parameter(0)
  b = f32[4000,4096] parameter(1)
  ROOT r = f32[4000,4096] add(a, b)
})",
                                    "tpu_v3");
    const sim::Machine machine = *sim::find_machine("tpu_v3");
    const double bytes_per_ns = machine["hbm_bytes_per_s"] * machine["hbm_efficiency"] / 1e9;
    const double array_ns = 4000.0 * 4096 * 4 / bytes_per_ns;
    QVERIFY(near(t.simulated.memory_ns, 3 * array_ns, 0.01));
    QVERIFY2(near(t.simulated.time_ns, (2 + machine["hbm_mixed_penalty"]) * array_ns, 0.05),
             text_of(t.simulated.time_ns / array_ns));
    QCOMPARE(t.simulated.bound, Bound::kMemory);
    QCOMPARE(t.analytical.bound, Bound::kMemory);
  }
  void long_chains_are_bound_by_the_vector_unit() {
    std::string text = "HloModule m\nf {\n  x0 = f32[1024,1024] parameter(0)\n";
    for (int i = 0; i < 200; ++i) {
      text +=
          "  x" + std::to_string(i + 1) + " = f32[1024,1024] tanh(x" + std::to_string(i) + ")\n";
    }
    text +=
        "  ROOT r = f32[1024,1024] negate(x200)\n}\nENTRY e {\n  p = f32[1024,1024] parameter(0)\n"
        "  ROOT k = f32[1024,1024] fusion(p), kind=kLoop, calls=f\n}\n";
    const BothTimes t = only_kernel(text, "tpu_v3");
    QCOMPARE(t.simulated.bound, Bound::kVector);
    QCOMPARE(t.analytical.bound, Bound::kVector);
    // One pass per register of 1024 values and cycle through the transcendental unit.
    QVERIFY(t.simulated.compute_ns >= 200.0 * 1024 / 0.94);
  }
  void the_launch_of_tiny_kernels_is_of_the_scalar_unit() {
    const BothTimes t = only_kernel(
        "HloModule m\nENTRY e {\n a = f32[8] parameter(0)\n ROOT r = f32[8] negate(a)\n}\n",
        "tpu_v3");
    QCOMPARE(t.simulated.bound, Bound::kScalar);
    QCOMPARE(t.tile.tiles, 1.0);
  }
  void custom_calls_are_unknown_but_cost_their_arrays() {
    const BothTimes t = only_kernel(
        "HloModule m\nENTRY e {\n a = f32[1024,1024] parameter(0)\n"
        " ROOT r = f32[1024,1024] custom-call(a), custom_call_target=\"t\"\n}\n",
        "tpu_v3");
    QCOMPARE(t.simulated.bound, Bound::kUnknown);
    QCOMPARE(t.analytical.bound, Bound::kUnknown);
    QVERIFY(t.tile.has_fallback);
    QVERIFY(t.simulated.memory_ns >= 2.0 * 1024 * 1024 * 4 / 450);
  }
  // A ring of 8: 14 steps, each member sends 14/8 of the array.
  void an_all_reduce_is_bound_by_the_link() {
    const BothTimes t = only_kernel(R"(HloModule m
plus {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
ENTRY e {
  a = f32[1024,1024] parameter(0)
  ROOT r = f32[1024,1024] all-reduce(a), replica_groups={{0,1,2,3,4,5,6,7}}, to_apply=plus
})",
                                    "tpu_v3");
    const sim::Machine m = *sim::find_machine("tpu_v3");
    const double expected = m["launch_ns"] + 14 * m["link_latency_ns"] +
                            14.0 / 8 * 1024 * 1024 * 4 / (m["link_bytes_per_s"] / 1e9);
    QVERIFY2(near(t.simulated.time_ns, expected, 1e-9), text_of(t.simulated.time_ns / expected));
    QVERIFY(near(t.analytical.time_ns, expected, 1e-9));
    QCOMPARE(t.simulated.bound, Bound::kLink);
    QVERIFY(t.tile.tile.output.empty());
  }
  void executions_count_in_the_total() {
    const Analysed a = analyse(kLoop, "tpu_v3");
    double sum = 0;
    for (uint32_t k = 0; k < a.kernels.kernels.size(); ++k) {
      const graph::KernelId id(k);
      const bool in_loop = a.kernels.kernels[id].executions > 1;
      sum += a.times.simulated[id].time_ns * (in_loop ? 10 : 1);
    }
    QVERIFY(near(analysis::total_ns(a.kernels, a.times.simulated), sum, 1e-12));
    // All but the custom-call has rules.
    const double share = analysis::rule_share(a.kernels, a.times);
    QVERIFY2(share > 0 && share < 1, text_of(share));
  }
  void equal_kernels_have_equal_times() {
    const Analysed a = analyse(R"(HloModule m
ENTRY e {
  a = f32[512,512] parameter(0)
  b = f32[512,512] tanh(a)
  c = f32[512,512] tanh(b)
  ROOT d = f32[512,512] negate(c)
})",
                               "tpu_v4");
    QCOMPARE(a.times.simulated.size(), size_t{3});
    QCOMPARE(a.times.tiles.size(), size_t{2});
    QCOMPARE(a.times.simulated.raw()[0].time_ns, a.times.simulated.raw()[1].time_ns);
    QCOMPARE(a.times.analytical.raw()[0].time_ns, a.times.analytical.raw()[1].time_ns);
    QCOMPARE(analysis::rule_share(a.kernels, a.times), 1.0);
  }
  void timing_can_be_cancelled() {
    const Analysed a = analyse(kLoop, "tpu_v3");
    std::stop_source stop;
    stop.request_stop();
    const auto times = analysis::kernel_times(*a.program, a.kernels, *sim::find_machine("tpu_v3"),
                                              Progress(stop.get_token()));
    QVERIFY(!times.has_value());
    QCOMPARE(times.error().code, ErrorCode::kCancelled);
  }
  void weighted_cost_counts_executions_and_no_unknowns() {
    const Analysed a = analyse(kLoop, "tpu_v3");
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
    QCOMPARE(a.times.simulated.size(), size_t{1});
  }
};

HLOSCOPE_TEST(TestKernelTimes);
#include "test_kernel_times.moc"
