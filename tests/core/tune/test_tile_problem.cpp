#include <set>

#include "core/analysis/kernel_times.h"
#include "core/sim/estimate.h"
#include "core/sim/simulate.h"
#include "core/tune/program_tiles.h"
#include "core/tune/recorded_tiles.h"
#include "tests/core/tune/problem_fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;
using namespace hloscope::tune;

namespace {

// 24 x 16 registers rows: a product with a choice in three loops.
constexpr const char* kDot =
    "HloModule m, is_scheduled=true\nENTRY main {\n"
    "  a = f32[64,384]{1,0:T(8,128)} parameter(0)\n"
    "  b = f32[384,512]{1,0:T(8,128)} parameter(1)\n"
    "  ROOT dot = f32[64,512]{1,0:T(8,128)} dot(a, b), lhs_contracting_dims={1}, "
    "rhs_contracting_dims={0}\n}\n";

Problem problem_of(const hlo::ProgramPtr& program, Settings settings,
                   const Recorded& recorded = {}) {
  return value_of(make_problem(program, settings, recorded));
}

Settings dot_settings(EvaluatorKind kind) {
  Settings out = settings_for(SpaceKind::kTiles, kind);
  out.kernel = "dot";
  return out;
}

}  // namespace

class TestTileProblem : public QObject {
  Q_OBJECT

  static void check_walk(const Space& space, int steps) {
    Rng rng(3);
    Config at = space.default_config();
    for (int i = 0; i < steps; ++i) {
      const auto next = space.neighbour(at, rng);
      QVERIFY(next && *next != at);
      QCOMPARE(value_of(space.parse(space.text(*next))), *next);
      const Config crossed = space.cross(*next, space.random(rng), rng);
      QCOMPARE(value_of(space.parse(space.text(crossed))), crossed);
      const Config back = space.toward(*next, space.default_config(), 0.1, rng);
      QCOMPARE(value_of(space.parse(space.text(back))), back);
      // Of recorded tiles it is the nearest that there is.
      const bool is_free = dynamic_cast<const RecordedTiles*>(&space) == nullptr;
      for (size_t d = 0; is_free && d < back.size(); ++d) {
        QVERIFY(back[d] == (*next)[d] || back[d] == space.default_config()[d]);
      }
      at = *next;
    }
  }

 private slots:
  void the_default_is_chosen_by_the_model_that_is_asked() {
    Settings settings = dot_settings(EvaluatorKind::kSimulator);
    for (const DefaultTiles by : {DefaultTiles::kSimulated, DefaultTiles::kAnalytical}) {
      settings.default_tiles = by;
      const Problem problem = problem_of(parse(kDot), settings);
      const auto& tiles = dynamic_cast<const TileConfigs&>(*problem.space);
      const TileKernel& kernel = tiles.kernel();
      QCOMPARE(tiles.bounds(tiles.default_config()),
               by == DefaultTiles::kSimulated ? sim::default_bounds(kernel.model, kernel.rates)
                                              : sim::analytical_bounds(kernel.model, kernel.rates));
    }
  }
  void after_gives_every_tile_once() {
    const Problem problem = problem_of(parse(kDot), dot_settings(EvaluatorKind::kSimulator));
    const Space& space = *problem.space;
    std::set<Config> seen;
    for (auto at = space.after(nullptr); at; at = space.after(&*at)) {
      QVERIFY(seen.empty() || *seen.rbegin() < *at);
      seen.insert(*at);
    }
    // 8 rows of tiles, 4 of columns, 384 sums in tiles of 8 rows: all of them fit.
    QCOMPARE(seen.size(), size_t{8 * 4 * 48});
    QCOMPARE(*space.count(), 8.0 * 4 * 48);
  }

  void after_and_count_agree_where_vmem_ends() {
    Settings settings = settings_for(SpaceKind::kTiles, EvaluatorKind::kSimulator);
    settings.kernel = "copy";
    const auto program = parse(
        "HloModule m, is_scheduled=true\nENTRY main {\n"
        "  a = f32[48,256,1024]{2,1,0:T(8,128)} parameter(0)\n"
        "  ROOT copy = f32[48,256,1024]{2,1,0:T(8,128)} copy(a)\n}\n");
    const Problem problem = problem_of(program, settings);
    double count = 0;
    for (auto at = problem.space->after(nullptr); at; at = problem.space->after(&*at)) ++count;
    QVERIFY2(count > 100 && count < 48 * 32 * 8, qPrintable(QString::number(count)));
    QCOMPARE(*problem.space->count(), count);
  }

  void moves_are_valid_and_read_back() {
    const Problem problem = problem_of(parse(kDot), dot_settings(EvaluatorKind::kSimulator));
    check_walk(*problem.space, 300);
    QVERIFY(!problem.space->parse("out=9x1"));
    QVERIFY(!problem.space->parse("nonsense"));
  }

  void times_are_those_of_the_models() {
    const auto program = parse(kDot);
    Problem simulated = problem_of(program, dot_settings(EvaluatorKind::kSimulator));
    Problem estimated = problem_of(program, dot_settings(EvaluatorKind::kAnalytical));
    const sim::Machine machine = value_of(sim::find_machine("tpu_v3"));
    const sim::Rates rates(machine);
    const sim::KernelModel model = sim::kernel_model(*program, (*program)[program->entry()].root);
    const Config config = value_of(simulated.space->parse("out=2x2,kernel=6x2"));
    const auto bounds =
        value_of(sim::loop_bounds(model, value_of(sim::parse_tile("out=2x2,kernel=6x2"))));
    QCOMPARE(time_of(*simulated.search, config), sim::simulate(model, bounds, rates).time_ns);
    QCOMPARE(time_of(*estimated.search, config), sim::estimate(model, bounds, rates).time_ns);
    QVERIFY(simulated.search->is_hardware());
    QVERIFY(!estimated.search->is_hardware());
    QVERIFY(simulated.search->source().starts_with("simulated (tpu_v3@"));
  }

  void a_simulator_for_hardware_books_compiling_and_runs() {
    Settings settings = dot_settings(EvaluatorKind::kAnalytical);
    settings.measure = EvaluatorSettings{EvaluatorKind::kSimulator, {}, 2, 5};
    Problem problem = problem_of(parse(kDot), settings);
    const Config config = problem.space->default_config();
    const auto found = value_of(problem.measure->evaluate({&config, 1}, {}));
    QCOMPARE(found.front().hardware_ns, 2e9 + 5 * *found.front().time_ns);
    const auto searched = value_of(problem.search->evaluate({&config, 1}, {}));
    QCOMPARE(searched.front().hardware_ns, 0.0);
  }

  void recorded_tiles_are_replayed() {
    const hlo::Module module = measured_kernel("fusion.191");
    Settings settings = settings_for(SpaceKind::kTiles, EvaluatorKind::kRecorded);
    settings.kernel = "fusion.191";
    Problem problem = problem_of(module.program, settings, recorded_of(module));
    // 579 ran; two failed on the device.
    QCOMPARE(*problem.space->count(), 581.0);
    QCOMPARE(QString::fromStdString(problem.search->source()), "measured (TPU v3, recorded)");
    for (const Recorded::Run& run : recorded_of(module).runs) {
      const Config config = value_of(problem.space->parse(run.config));
      if (run.time_ns) QCOMPARE(time_of(*problem.search, config), *run.time_ns);
    }
    const auto found = value_of(
        problem.search->evaluate(std::vector<Config>{problem.space->default_config()}, {}));
    QCOMPARE(found.front().hardware_ns, *found.front().time_ns);
    check_walk(*problem.space, 300);
    std::set<Config> seen;
    for (auto at = problem.space->after(nullptr); at; at = problem.space->after(&*at)) {
      QVERIFY(seen.insert(*at).second);
    }
    QCOMPARE(seen.size(), size_t{581});
  }

  void a_failed_run_has_no_time() {
    Recorded recorded;
    recorded.device = "TPU v3";
    recorded.runs = {{"out=1x1,kernel=1x1", std::nullopt, false},
                     {"out=2x1,kernel=1x1", 50.0, true},
                     {"out=2x1,kernel=1x1", 40.0, false},
                     {"out=99x1,kernel=1x1", 1.0, false}};
    Problem problem = problem_of(parse(kDot), dot_settings(EvaluatorKind::kRecorded), recorded);
    QCOMPARE(*problem.space->count(), 2.0);
    const Config by_default = problem.space->default_config();
    QCOMPARE(QString::fromStdString(problem.space->text(by_default)), "out=2x1,kernel=1x1");
    QCOMPARE(time_of(*problem.search, by_default), 40.0);
    const Config failed = value_of(problem.space->parse("out=1x1,kernel=1x1"));
    const auto found = value_of(problem.search->evaluate({&failed, 1}, {}));
    QVERIFY(!found.front().time_ns && !found.front().error.empty());
  }

  void the_tile_stands_in_the_tuned_program() {
    const Problem problem = problem_of(parse(kDot), dot_settings(EvaluatorKind::kSimulator));
    const Config config = value_of(problem.space->parse("out=2x2,kernel=6x2"));
    const auto tuned = value_of(problem.space->program(config));
    const std::string text = hlo::print(*tuned);
    QVERIFY(text.find("frontend_attributes={hloscope_tile=\"out=2x2,kernel=6x2\"}") !=
            std::string::npos);
    const auto again = parse(text);
    QCOMPARE(graph::kernels(*again).kernels[graph::KernelId(0)].hash,
             graph::kernels(*parse(kDot)).kernels[graph::KernelId(0)].hash);
  }

  void tiles_of_a_program_add_up() {
    const auto program = value_of(hlo::read_file(HLOSCOPE_SOURCE_DIR "/samples/mobilenet_v2.hlo"))
                             .modules.front()
                             .program;
    Problem problem =
        problem_of(program, settings_for(SpaceKind::kProgramTiles, EvaluatorKind::kSimulator));
    check_walk(*problem.space, 50);
    const auto fused = value_of(program_with_kernels(program, {}));
    const auto kernels = graph::kernels(*fused);
    const auto times =
        value_of(analysis::kernel_times(*fused, kernels, value_of(sim::find_machine("tpu_v3"))));
    const double total_ns = analysis::total_ns(kernels, times.simulated);
    const double tuned_ns = time_of(*problem.search, problem.space->default_config());
    QVERIFY(std::abs(tuned_ns - total_ns) < 1e-9 * total_ns);
    Rng rng(1);
    const auto moved = problem.space->neighbour(problem.space->default_config(), rng);
    QVERIFY(time_of(*problem.search, *moved) != tuned_ns);
    QCOMPARE(time_of(*problem.search, problem.space->default_config()), tuned_ns);
  }

  void choosing_the_tiles_of_a_program_can_be_stopped() {
    const auto program = value_of(hlo::read_file(HLOSCOPE_SOURCE_DIR "/samples/mobilenet_v2.hlo"))
                             .modules.front()
                             .program;
    std::stop_source stop;
    const Progress progress(stop.get_token(), [&](double, std::string_view what) {
      if (what == "choosing tiles") stop.request_stop();
    });
    const auto problem = make_problem(
        program, settings_for(SpaceKind::kProgramTiles, EvaluatorKind::kSimulator), {}, progress);
    QVERIFY(!problem);
    QCOMPARE(problem.error().code, ErrorCode::kCancelled);
  }

  void what_cannot_be_tuned_is_refused() {
    Settings settings = dot_settings(EvaluatorKind::kSimulator);
    settings.kernel = "dto";
    const auto unknown = make_problem(parse(kDot), settings);
    QVERIFY(!unknown);
    QCOMPARE(unknown.error().code, ErrorCode::kNotFound);
    QVERIFY(unknown.error().hint.find("dot") != std::string::npos);
    settings.kernel = "tiny";
    const auto tiny = make_problem(
        parse("HloModule m, is_scheduled=true\nENTRY e {\n  a = f32[8,128]{1,0:T(8,128)} "
              "parameter(0)\n  ROOT tiny = f32[8,128]{1,0:T(8,128)} negate(a)\n}\n"),
        settings);
    QVERIFY(!tiny);
    QCOMPARE(tiny.error().code, ErrorCode::kUnsupported);
    settings = dot_settings(EvaluatorKind::kModel);
    settings.machine = "tpu_v5e";
    const auto no_model = make_problem(parse(kDot), settings);
    QVERIFY(!no_model);
    QCOMPARE(no_model.error().code, ErrorCode::kNotFound);
  }
};

HLOSCOPE_TEST(TestTileProblem);
#include "test_tile_problem.moc"
