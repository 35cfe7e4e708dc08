#include <algorithm>
#include <cmath>

#include "core/analysis/cost.h"
#include "core/sim/estimate.h"
#include "core/sim/simulate.h"
#include "core/sim/tile_space.h"
#include "tests/core/sim/random_kernel.h"
#include "tests/core/sim/sim_fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

constexpr double kMostCheckedTiles = 200000;
// Sums of many terms in another order.
constexpr double kRounding = 1 + 1e-9;

double product_flops(const hlo::Program& program) {
  double flops = 0;
  const analysis::ProgramCost cost = analysis::cost(program);
  for (hlo::InstructionId id : program.instructions()) {
    const hlo::Opcode opcode = program[id].opcode;
    if (opcode != hlo::Opcode::kDot && opcode != hlo::Opcode::kConvolution) continue;
    flops += cost.instructions[id].flops;
  }
  return flops;
}

// Of the operands that are not small vectors, without padding.
double operand_bytes(const hlo::Program& program) {
  double bytes = 0;
  for (hlo::InstructionId id : program.parameters(program.entry())) {
    const hlo::Shape& shape = program.shape(id);
    if (shape.rank() < 2) continue;
    bytes += static_cast<double>(program.shapes().byte_size(program[id].shape));
  }
  return bytes;
}

struct Case {
  testing::RandomKernel kernel;
  testing::OneKernel k;
  std::vector<int64_t> bounds;
  QByteArray which;
};

// Random kernels with random tiles, and each with the tile that is chosen for it.
void each_case(uint64_t seed, int count, const sim::Rates& rates,
               const std::function<void(const Case&)>& check) {
  Rng rng(seed);
  for (int round = 0; round < count; ++round) {
    const testing::RandomKernel kernel = testing::random_kernel(rng);
    const testing::OneKernel k = testing::one_kernel(kernel.text);
    for (const std::vector<int64_t>& bounds :
         {sim::TileSpace(k.model, rates).random(rng), sim::default_bounds(k.model, rates)}) {
      double tiles = 1;
      for (size_t l = 0; l < bounds.size(); ++l) {
        tiles *= std::ceil(static_cast<double>(k.model.loops[l].units()) /
                           static_cast<double>(bounds[l]));
      }
      if (tiles > kMostCheckedTiles) continue;
      const std::string text = kernel.text + sim::tile_text(sim::tile_of(k.model, bounds));
      check({kernel, k, bounds, QByteArray::fromStdString(text)});
      if (QTest::currentTestFailed()) return;
    }
  }
}

// A kernel whose first dimension is `rows`.
std::string replaced(std::string text, int64_t rows) {
  for (size_t at = text.find("ROWS"); at != std::string::npos; at = text.find("ROWS")) {
    text.replace(at, 4, std::to_string(rows));
  }
  return text;
}

}  // namespace

class TestSimProperties : public QObject {
  Q_OBJECT
 private slots:
  void no_kernel_is_faster_than_its_machine() {
    const sim::Rates rates(testing::fitted_v3());
    // 2 units of 128 x 128, 0.94 GHz.
    const double peak_flops_per_ns = 2 * 2 * 128 * 128 * 0.94;
    each_case(31, 400, rates, [&](const Case& c) {
      const sim::Simulation s = sim::simulate(c.k.model, c.bounds, rates);
      QVERIFY2(std::isfinite(s.time_ns), c.which);
      QVERIFY2(s.time_ns >= rates.launch_ns, c.which);
      QVERIFY2(s.time_ns * kRounding >= (s.bytes_read + s.bytes_written) / 436, c.which);
      QVERIFY2(s.time_ns * kRounding >= s.compute_ns + s.first_read_ns + s.last_write_ns, c.which);
      QVERIFY2(s.time_ns * kRounding >= product_flops(*c.k.program) / peak_flops_per_ns, c.which);
      QVERIFY2(std::abs(s.time_ns - s.launch_ns - s.compute_ns - s.exposed_ns) <= 1e-6 * s.time_ns,
               c.which);
    });
  }
  void operands_that_take_part_are_read() {
    const sim::Rates rates(testing::fitted_v3());
    int checked = 0;
    each_case(32, 400, rates, [&](const Case& c) {
      if (!c.kernel.reads_everything) return;
      const sim::Simulation s = sim::simulate(c.k.model, c.bounds, rates);
      QVERIFY2(s.bytes_read >= operand_bytes(*c.k.program), c.which);
      checked += operand_bytes(*c.k.program) > 0 ? 1 : 0;
    });
    QVERIFY(checked > 100);
  }
  // What is written once is the result, in whole tiles of its layout, or more where tiles overlap.
  void results_are_written() {
    const sim::Rates rates(testing::fitted_v3());
    each_case(33, 400, rates, [&](const Case& c) {
      const hlo::Program& p = *c.k.program;
      if (c.kernel.text.find("dynamic-update-slice") != std::string::npos) return;
      if (p.shape(p[p.entry()].root).rank() < 2) return;
      const double bytes = static_cast<double>(p.shapes().byte_size(p[p[p.entry()].root].shape));
      const sim::Simulation s = sim::simulate(c.k.model, c.bounds, rates);
      QVERIFY2(s.bytes_written >= bytes, c.which);
    });
  }
  void default_tiles_fit_when_any_does() {
    Rng rng(34);
    for (int round = 0; round < 300; ++round) {
      const testing::RandomKernel kernel = testing::random_kernel(rng);
      const testing::OneKernel k = testing::one_kernel(kernel.text);
      const double vmem = 65536.0 * static_cast<double>(1 + rng.below(256));
      const sim::Rates rates(testing::with_constants(
          testing::fitted_v3(), {{"vmem_bytes", vmem}, {"vmem_reserved_bytes", 0}}));
      if (sim::footprint_bytes(k.model, std::vector<int64_t>(k.model.loops.size(), 1)) > vmem) {
        continue;
      }
      const auto bounds = sim::default_bounds(k.model, rates);
      QVERIFY2(sim::footprint_bytes(k.model, bounds) <= vmem, kernel.text.c_str());
    }
  }
  // The analytical model knows totals only; it must stay near the tile by tile simulation.
  void models_agree_roughly() {
    const sim::Rates rates(testing::fitted_v3());
    double log_sum = 0;
    double count = 0;
    each_case(35, 400, rates, [&](const Case& c) {
      const double simulated = sim::simulate(c.k.model, c.bounds, rates).time_ns;
      const double analytical = sim::estimate(c.k.model, c.bounds, rates).time_ns;
      const QByteArray which = c.which + " simulated " + QByteArray::number(simulated) +
                               " analytical " + QByteArray::number(analytical);
      QVERIFY2(simulated >= 0.5 * analytical, which);
      QVERIFY2(simulated <= 1.75 * analytical, which);
      log_sum += std::abs(std::log(simulated / analytical));
      ++count;
    });
    QVERIFY2(log_sum / count < 0.05, qPrintable(QString::number(log_sum / count)));
  }
  void a_better_machine_is_never_slower_data() {
    QTest::addColumn<QString>("constant");
    QTest::addColumn<double>("factor");
    for (const char* name :
         {"clock_ghz", "hbm_bytes_per_s", "mxu_count", "mxu_rows_per_cycle", "valu_ops_per_cycle",
          "eup_vregs_per_cycle", "vector_loads_per_cycle", "vector_stores_per_cycle"}) {
      QTest::addRow("more %s", name) << QString(name) << 1.5;
    }
    for (const char* name : {"launch_ns", "dma_latency_ns", "dma_issue_cycles", "dma_read_run_ns",
                             "dma_write_run_ns", "hbm_mixed_penalty", "iteration_cycles",
                             "mxu_weight_load_cycles", "mxu_tail_cycles", "transpose_cycles"}) {
      QTest::addRow("less %s", name) << QString(name) << 0.6;
    }
  }
  void a_better_machine_is_never_slower() {
    QFETCH(QString, constant);
    QFETCH(double, factor);
    const QByteArray name = constant.toUtf8();
    const sim::Machine base = testing::fitted_v3();
    const sim::Rates rates(base);
    const sim::Rates better(
        testing::with_constants(base, {{name.constData(), base[name.toStdString()] * factor}}));
    each_case(36, 60, rates, [&](const Case& c) {
      const double before = sim::simulate(c.k.model, c.bounds, rates).time_ns;
      const double after = sim::simulate(c.k.model, c.bounds, better).time_ns;
      QVERIFY2(after <= before * kRounding, c.which);
      QVERIFY2(sim::estimate(c.k.model, c.bounds, better).time_ns <=
                   sim::estimate(c.k.model, c.bounds, rates).time_ns * kRounding,
               c.which);
    });
  }
  void more_data_at_the_same_tile_is_never_faster_data() {
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, const char* body) {
      QTest::newRow(name) << QStringLiteral(
                                 "HloModule m\nplus {\n a = f32[] parameter(0)\n"
                                 " b = f32[] parameter(1)\n ROOT c = f32[] add(a, b)\n}"
                                 "\nENTRY e {\n%1\n}\n")
                                 .arg(QLatin1String(body));
    };
    row("add",
        " a = f32[ROWS,200,300] parameter(0)\n b = f32[ROWS,200,300] parameter(1)\n"
        " ROOT r = f32[ROWS,200,300] add(a, b)");
    row("transpose",
        " a = f32[ROWS,200,300] parameter(0)\n"
        " ROOT r = f32[ROWS,300,200] transpose(a), dimensions={0,2,1}");
    row("reduce",
        " a = f32[ROWS,200,300] parameter(0)\n z = f32[] constant(0)\n"
        " ROOT r = f32[200,300] reduce(a, z), dimensions={0}, to_apply=plus");
    row("dot",
        " a = bf16[ROWS,64,512] parameter(0)\n b = bf16[512,384] parameter(1)\n"
        " ROOT r = bf16[ROWS,64,384] dot(a, b), lhs_contracting_dims={2}, "
        "rhs_contracting_dims={0}");
    row("batch dot",
        " a = bf16[ROWS,64,512] parameter(0)\n b = bf16[ROWS,512,384] parameter(1)\n"
        " ROOT r = bf16[ROWS,64,384] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0},"
        " lhs_contracting_dims={2}, rhs_contracting_dims={1}");
    row("convolution",
        " a = bf16[ROWS,14,14,100] parameter(0)\n b = bf16[3,3,100,200] parameter(1)\n"
        " ROOT r = bf16[ROWS,14,14,200] convolution(a, b), window={size=3x3 pad=1_1x1_1},"
        " dim_labels=b01f_01io->b01f");
    row("reduce-window",
        " a = f32[ROWS,16,16,100] parameter(0)\n z = f32[] constant(0)\n"
        " ROOT r = f32[ROWS,8,8,100] reduce-window(a, z), window={size=1x2x2x1 stride=1x2x2x1},"
        " to_apply=plus");
    row("concatenate",
        " a = f32[ROWS,200,300] parameter(0)\n b = f32[ROWS,100,300] parameter(1)\n"
        " ROOT r = f32[ROWS,300,300] concatenate(a, b), dimensions={1}");
  }
  void more_data_at_the_same_tile_is_never_faster() {
    QFETCH(QString, text);
    const sim::Rates rates(testing::fitted_v3());
    Rng rng(37);
    for (int round = 0; round < 40; ++round) {
      const auto rows = static_cast<int64_t>(2 + rng.below(40));
      const testing::OneKernel one = testing::one_kernel(replaced(text.toStdString(), rows));
      const testing::OneKernel two = testing::one_kernel(replaced(text.toStdString(), 2 * rows));
      const std::vector<int64_t> bounds = sim::TileSpace(one.model, rates).random(rng);
      const sim::Tile tile = sim::tile_of(one.model, bounds);
      const auto same = sim::loop_bounds(two.model, tile);
      QVERIFY2(same.has_value(), same ? "" : same.error().format().c_str());
      const sim::Simulation before = sim::simulate(one.model, bounds, rates);
      const sim::Simulation after = sim::simulate(two.model, *same, rates);
      const std::string which = std::to_string(rows) + " " + sim::tile_text(tile);
      QVERIFY2(after.time_ns * kRounding >= before.time_ns, which.c_str());
      QVERIFY2(after.bytes_read >= before.bytes_read, which.c_str());
      QVERIFY2(after.tiles >= before.tiles, which.c_str());
    }
  }
  void the_simulated_choice_runs_no_slower_than_the_analytical_one() {
    const sim::Rates rates(testing::fitted_v3());
    const sim::Rates view = rates.compiler_view();
    int differ = 0;
    each_case(39, 200, rates, [&](const Case& c) {
      if (sim::default_bounds(c.k.model, rates) != c.bounds) return;
      const auto guess = sim::analytical_bounds(c.k.model, rates);
      QVERIFY2(sim::TileSpace(c.k.model, rates).fits(guess) ||
                   !sim::TileSpace(c.k.model, rates).fits(c.bounds),
               c.which);
      const auto cost_ns = [&](const std::vector<int64_t>& bounds) {
        const sim::Simulation s = sim::simulate(c.k.model, bounds, view);
        return s.time_ns + rates.tile_choice_ns * (s.tiles - 1);
      };
      QVERIFY2(cost_ns(c.bounds) <= cost_ns(guess) * kRounding, c.which);
      differ += c.bounds != guess;
    });
    QVERIFY(differ > 0);
  }
  void equal_input_gives_equal_times() {
    const sim::Rates rates(testing::fitted_v3());
    each_case(38, 60, rates, [&](const Case& c) {
      const testing::OneKernel again = testing::one_kernel(c.kernel.text);
      const sim::Simulation a = sim::simulate(c.k.model, c.bounds, rates);
      const sim::Simulation b = sim::simulate(again.model, c.bounds, rates);
      QVERIFY2(a.time_ns == b.time_ns && a.bytes_read == b.bytes_read, c.which);
      QVERIFY2(sim::default_bounds(c.k.model, rates) == sim::default_bounds(again.model, rates),
               c.which);
    });
  }
};

HLOSCOPE_TEST(TestSimProperties);
#include "test_sim_properties.moc"
