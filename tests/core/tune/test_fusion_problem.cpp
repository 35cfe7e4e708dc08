#include <set>

#include "core/analysis/kernel_times.h"
#include "core/eval/compare.h"
#include "core/eval/evaluate.h"
#include "core/tune/fusion_configs.h"
#include "core/tune/fusion_evaluator.h"
#include "tests/core/fuse/random_program.h"
#include "tests/core/tune/problem_fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;
using namespace hloscope::tune;

namespace {

using Times = IndexedVector<graph::KernelId, analysis::ModelTime> analysis::KernelTimes::*;

// The sum over the kernels of a program as all other commands count it.
double whole_ns(const hlo::Program& program, Times times) {
  static const sim::Machine machine = value_of(sim::find_machine("tpu_v3"));
  const graph::KernelList kernels = graph::kernels(program);
  return analysis::total_ns(kernels,
                            value_of(analysis::kernel_times(program, kernels, machine)).*times);
}

Result<Problem> fusion_problem(const hlo::ProgramPtr& program, EvaluatorKind kind) {
  return make_problem(program, settings_for(SpaceKind::kFusion, kind));
}

}  // namespace

class TestFusionProblem : public QObject {
  Q_OBJECT

  /// The evaluator's time of a walk against that of the written program.
  static void check_walk(Problem& problem, int steps, Rng& rng, Times times) {
    Config at = problem.space->default_config();
    for (int i = 0; i < steps; ++i) {
      const auto written = value_of(problem.space->program(at));
      const double expected = whole_ns(*written, times);
      const double actual = time_of(*problem.search, at);
      QVERIFY2(std::abs(actual - expected) <= 1e-9 * expected,
               qPrintable(QString("step %1: %2 is not %3").arg(i).arg(actual).arg(expected)));
      if (i % 10 == 9) {
        at = problem.space->random(rng);
      } else if (const auto next = problem.space->neighbour(at, rng)) {
        at = *next;
      }
    }
  }

 private slots:
  void times_are_those_of_the_written_program() {
    Rng rng(11);
    int tuned = 0;
    for (int i = 0; i < 60; ++i) {
      const auto program = parse(random_program(rng, 40));
      auto problem = fusion_problem(
          program, i % 2 == 0 ? EvaluatorKind::kSimulator : EvaluatorKind::kAnalytical);
      if (!problem) continue;
      ++tuned;
      check_walk(
          *problem, 12, rng,
          i % 2 == 0 ? &analysis::KernelTimes::simulated : &analysis::KernelTimes::analytical);
    }
    QVERIFY2(tuned > 30, qPrintable(QString::number(tuned)));
  }

  void times_of_a_real_program_are_those_of_the_written_one() {
    const auto file = value_of(hlo::read_file(HLOSCOPE_SOURCE_DIR "/samples/mobilenet_v2.hlo"));
    Problem problem =
        value_of(fusion_problem(file.modules.front().program, EvaluatorKind::kSimulator));
    Rng rng(5);
    check_walk(problem, 12, rng, &analysis::KernelTimes::simulated);
  }

  /// Bit for bit, whatever was asked before: a session that goes on makes the same trials.
  void times_do_not_depend_on_what_was_asked_before() {
    Rng rng(2);
    const auto file =
        value_of(hlo::read_file(HLOSCOPE_SOURCE_DIR "/samples/layer_norm_1x4096x768_bf16.hlo"));
    const auto program = file.modules.front().program;
    Problem first = value_of(fusion_problem(program, EvaluatorKind::kSimulator));
    std::vector<std::pair<Config, double>> walk;
    Config at = first.space->default_config();
    for (int i = 0; i < 40; ++i) {
      walk.emplace_back(at, time_of(*first.search, at));
      at = first.space->neighbour(at, rng).value_or(first.space->random(rng));
    }
    Problem second = value_of(fusion_problem(program, EvaluatorKind::kSimulator));
    shuffle(std::span(walk), rng);
    for (const auto& [config, time_ns] : walk) QCOMPARE(time_of(*second.search, config), time_ns);
  }

  void after_gives_every_valid_configuration_once() {
    const auto program = entry_of(
        "  a = f32[1024,1024] parameter(0)\n  b = f32[1024,1024] tanh(a)\n"
        "  c = f32[1024,1024] negate(b)\n  d = f32[1024,1024] exponential(b)\n"
        "  ROOT e = f32[1024,1024] add(c, d)\n");
    const Problem problem = value_of(fusion_problem(program, EvaluatorKind::kAnalytical));
    const Space& space = *problem.space;
    std::set<Config> seen;
    for (auto at = space.after(nullptr); at; at = space.after(&*at)) {
      QVERIFY(seen.insert(*at).second);
    }
    // All others leave a result outside that the fusion needs again: brute force over the edges.
    const auto clean = value_of(fuse::clean_up(*program));
    const fuse::FusionSpace edges(clean);
    size_t valid = 0;
    for (uint32_t bits = 0; bits < 1U << edges.edge_count(); ++bits) {
      fuse::FusionConfig flags = edges.none();
      for (size_t e = 0; e < flags.size(); ++e) flags[e] = bits >> e & 1;
      fuse::FusionState state(edges);
      state.take(flags);
      valid += state.config() == flags ? 1 : 0;
    }
    QCOMPARE(seen.size(), valid);
    QVERIFY(valid > 1 && valid < 1U << edges.edge_count());
  }

  void moves_are_valid_and_change_a_kernel() {
    Rng rng(8);
    const auto file = value_of(hlo::read_file(HLOSCOPE_SOURCE_DIR "/samples/mobilenet_v2.hlo"));
    const Problem problem =
        value_of(fusion_problem(file.modules.front().program, EvaluatorKind::kAnalytical));
    const Space& space = *problem.space;
    Config at = space.default_config();
    for (int i = 0; i < 60; ++i) {
      const auto next = space.neighbour(at, rng);
      QVERIFY(next && *next != at);
      QCOMPARE(value_of(space.parse(space.text(*next))), *next);
      QVERIFY(hlo::print(*value_of(space.program(*next))) !=
              hlo::print(*value_of(space.program(at))));
      const Config crossed = space.cross(at, *next, rng);
      QCOMPARE(value_of(space.parse(space.text(crossed))), crossed);
      at = *next;
    }
  }

  /// What is tuned computes the same, bit for bit.
  void tuned_programs_compute_the_same() {
    Rng rng(21);
    int compared = 0;
    for (int i = 0; i < 150; ++i) {
      const auto program = parse(random_program(rng));
      const auto problem = fusion_problem(program, EvaluatorKind::kAnalytical);
      if (!problem) continue;
      const auto arguments = value_of(eval::random_arguments(*program, rng));
      const auto expected = value_of(eval::evaluate(*program, arguments));
      Config at = problem->space->random(rng);
      for (int step = 0; step < 6; ++step, ++compared) {
        const auto tuned = value_of(problem->space->program(at));
        const auto actual = value_of(eval::evaluate(*tuned, arguments));
        QCOMPARE(qt(eval::compare(actual, expected).first), QString());
        at = problem->space->neighbour(at, rng).value_or(problem->space->default_config());
      }
    }
    QVERIFY2(compared > 400, qPrintable(QString::number(compared)));
  }

  void compiled_programs_are_refused() {
    const auto file = value_of(
        hlo::read_file(HLOSCOPE_SOURCE_DIR "/samples/control_flow.cpu_after_optimizations.txt"));
    const auto problem = fusion_problem(file.modules.front().program, EvaluatorKind::kAnalytical);
    QVERIFY(!problem);
    QCOMPARE(problem.error().code, ErrorCode::kUnsupported);
    QVERIFY(!problem.error().hint.empty());
  }
};

HLOSCOPE_TEST(TestFusionProblem);
#include "test_fusion_problem.moc"
