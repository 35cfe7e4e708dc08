#include <set>

#include "core/analysis/kernel_times.h"
#include "core/tune/layout_evaluator.h"
#include "core/tune/strategy.h"
#include "tests/core/fuse/random_program.h"
#include "tests/core/tune/layout_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;
using tune::Config;

class TestLayoutEvaluator : public QObject {
  Q_OBJECT

  static sim::Machine machine() { return value_of(sim::find_machine("tpu_v3")); }

  static std::unique_ptr<tune::Evaluator> evaluator(const tune::LayoutSpace& space,
                                                    tune::EvaluatorKind kind,
                                                    tune::HardwareCost cost = {}) {
    tune::EvaluatorSettings settings;
    settings.kind = kind;
    return tune::make_layout_evaluator(
        space, value_of(tune::make_timer(settings, machine(), false)), cost);
  }
  static tune::Evaluation evaluate(tune::Evaluator& evaluator, const Config& config) {
    return value_of(evaluator.evaluate({&config, 1}, {}))[0];
  }

  /// Of the whole program, as its report has it.
  static double report_ns(const hlo::Program& program, tune::EvaluatorKind kind) {
    const graph::KernelList kernels = graph::kernels(program);
    const auto times = value_of(analysis::kernel_times(program, kernels, machine()));
    return analysis::total_ns(
        kernels, kind == tune::EvaluatorKind::kSimulator ? times.simulated : times.analytical);
  }

  static void compare_with_reports(const tune::LayoutSpace& space, Rng& rng, int count) {
    for (const auto kind : {tune::EvaluatorKind::kSimulator, tune::EvaluatorKind::kAnalytical}) {
      const auto timer = evaluator(space, kind);
      Config config = space.default_config();
      for (int i = 0; i < count; ++i) {
        const double actual = *evaluate(*timer, config).time_ns;
        const double expected = report_ns(*value_of(space.program(config)), kind);
        QVERIFY2(std::abs(actual - expected) <= 1e-9 * expected,
                 qPrintable(QString("%1 %2").arg(actual).arg(expected)));
        config = i % 2 == 0 ? space.random(rng) : *space.neighbour(config, rng);
      }
    }
  }

  /// Computations may stand in another order.
  static QStringList sorted_lines(const hlo::Program& program) {
    QStringList lines = qt(hlo::print(program)).split('\n');
    lines.sort();
    return lines;
  }

  /// The best of `trials` that a strategy tries.
  static double search(const tune::LayoutSpace& space, tune::StrategyKind kind, int trials) {
    const auto timer = evaluator(space, tune::EvaluatorKind::kSimulator);
    tune::StrategySettings settings;
    settings.kind = kind;
    tune::TrialMemory memory;
    const auto strategy = tune::make_strategy(settings, space, memory);
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < trials; ++i) {
      const auto config = strategy->ask();
      if (!config) break;
      tune::Trial trial;
      trial.number = static_cast<uint64_t>(i);
      trial.config = *config;
      trial.predicted_ns = evaluate(*timer, *config).time_ns;
      best = std::min(best, *trial.predicted_ns);
      memory.add(trial);
      strategy->tell(trial);
    }
    return best;
  }

 private slots:
  void times_are_those_of_the_written_program() {
    Rng rng(1);
    compare_with_reports(*layout_space(entry_of(kSmallNetwork)), rng, 20);
    compare_with_reports(*layout_space(scheduled(kSmallNetwork)), rng, 20);
  }
  void times_are_those_of_written_random_programs() {
    Rng rng(8);
    for (int i = 0; i < 40; ++i) {
      const auto space = tune::make_layout_space(parse(random_program(rng, 16)));
      if (space) compare_with_reports(**space, rng, 3);
    }
  }
  /// Before optimisation and compiled, with loops, branches and fusions of several results.
  void times_are_those_of_written_real_programs_data() {
    QTest::addColumn<QString>("file");
    for (const char* file : {"unet_3d_layout_tuning.pb", "control_flow.cpu_after_optimizations.txt",
                             "gpt2_scan_remat_train.cpu_after_optimizations.txt"}) {
      QTest::newRow(file) << file;
    }
  }
  void times_are_those_of_written_real_programs() {
    QFETCH(QString, file);
    Rng rng(9);
    const QString path = QStringLiteral(HLOSCOPE_SOURCE_DIR "/samples/") + file;
    const auto program = value_of(hlo::read_file(path.toStdString())).modules[0].program;
    const auto space = layout_space(program);
    const auto same = value_of(space->program(space->default_config()));
    QCOMPARE(sorted_lines(*same), sorted_lines(space->groups().program()));
    compare_with_reports(*space, rng, 2);
  }
  void times_do_not_depend_on_what_was_asked_before() {
    Rng rng(2);
    const auto space = layout_space(entry_of(kSmallNetwork));
    std::vector<Config> configs;
    for (int i = 0; i < 30; ++i) configs.push_back(space->random(rng));
    const auto all = evaluator(*space, tune::EvaluatorKind::kSimulator);
    const auto first = value_of(all->evaluate(configs, {}));
    for (size_t i = configs.size(); i-- > 0;) {
      const auto fresh = evaluator(*space, tune::EvaluatorKind::kSimulator);
      QCOMPARE(*evaluate(*fresh, configs[i]).time_ns, *first[i].time_ns);
      QCOMPARE(*evaluate(*all, configs[i]).time_ns, *first[i].time_ns);
    }
  }
  void the_model_times_programs() {
    const auto space = layout_space(scheduled(kNarrowLanes));
    const auto timer = evaluator(*space, tune::EvaluatorKind::kModel);
    QVERIFY(qt(timer->source()).startsWith("predicted (tpu_v3_fusion@"));
    QVERIFY(*evaluate(*timer, space->default_config()).time_ns > 0);
  }

  /// Padded to 128 lanes of which 8 are used, the program moves 16 times the bytes.
  void lanes_that_are_used_save_time() {
    const auto space = layout_space(scheduled(kNarrowLanes));
    const auto timer = evaluator(*space, tune::EvaluatorKind::kSimulator);
    const double before = *evaluate(*timer, space->default_config()).time_ns;
    const Config better = value_of(space->parse("narrow/out:1.2.0;wide/in0:1.2.0"));
    QVERIFY(*evaluate(*timer, better).time_ns < 0.5 * before);
    // A copy behind t costs more than nothing.
    const Config half = value_of(space->parse("narrow/out:1.2.0"));
    QVERIFY(*evaluate(*timer, half).time_ns > *evaluate(*timer, better).time_ns);
  }
  void searches_find_the_better_layout() {
    const auto space = layout_space(scheduled(kNarrowLanes));
    const double best = search(*space, tune::StrategyKind::kExhaustive, 1000);
    QCOMPARE(search(*space, tune::StrategyKind::kRandom, 144), best);  // Without repeats: all.
    QCOMPARE(search(*space, tune::StrategyKind::kAnnealing, 100), best);
  }

  void hardware_is_booked() {
    const auto space = layout_space(scheduled(kNarrowLanes));
    const auto timer = evaluator(*space, tune::EvaluatorKind::kSimulator, {true, 1e9, 3});
    const auto one = evaluate(*timer, space->default_config());
    QVERIFY(timer->is_hardware());
    QCOMPARE(one.hardware_ns, 1e9 + 3 * *one.time_ns);
  }
  void stop_is_heard() {
    const auto space = layout_space(scheduled(kNarrowLanes));
    std::stop_source stop;
    stop.request_stop();
    const Config config = space->default_config();
    const auto result = evaluator(*space, tune::EvaluatorKind::kSimulator)
                            ->evaluate({&config, 1}, Progress(stop.get_token()));
    QCOMPARE(result.error().code, ErrorCode::kCancelled);
  }
};

HLOSCOPE_TEST(TestLayoutEvaluator);
#include "test_layout_evaluator.moc"
