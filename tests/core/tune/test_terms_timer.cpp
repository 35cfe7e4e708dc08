#include "core/predict/program_examples.h"
#include "core/tune/terms_timer.h"
#include "tests/core/tune/problem_fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;
using namespace hloscope::tune;

/// The fast model, where it is built in.
class TestTermsTimer : public QObject {
  Q_OBJECT

 private slots:
  void searches_of_fusions_take_it_by_themselves() {
    const auto names = predict::builtin_ensembles();
    if (std::ranges::count(names, "tpu_v3_fusion_fast") == 0) QSKIP("built without models");
    const auto file = value_of(hlo::read_file(HLOSCOPE_SOURCE_DIR "/samples/mobilenet_v2.hlo"));
    const auto program = file.modules.front().program;
    Settings settings = settings_for(SpaceKind::kFusion, EvaluatorKind::kModel);
    Problem fast = value_of(make_problem(program, settings));
    QVERIFY(fast.search->source().starts_with("predicted (tpu_v3_fusion_fast@"));
    settings.search.models = {"tpu_v3_fusion"};
    Problem accurate = value_of(make_problem(program, settings));
    QVERIFY(accurate.search->source().starts_with("predicted (tpu_v3_fusion@"));
    settings.search = {EvaluatorKind::kSimulator, {}, 1, 3};
    Problem simulated = value_of(make_problem(program, settings));
    const Config config = simulated.space->default_config();
    const double simulated_ns = time_of(*simulated.search, config);
    // They imitate the simulator: see their cards.
    QVERIFY(std::abs(time_of(*fast.search, config) / simulated_ns - 1) < 0.2);
    QVERIFY(std::abs(time_of(*accurate.search, config) / simulated_ns - 1) < 0.05);
  }

  /// What it says without encoding anything is what the model says of encoded kernels.
  void equal_to_the_encoded_way() {
    const auto names = predict::builtin_ensembles();
    if (std::ranges::count(names, "tpu_v3_fusion_fast") == 0) QSKIP("built without models");
    const auto ensemble = std::make_shared<const predict::Ensemble>(
        value_of(predict::Ensemble::builtin("tpu_v3_fusion_fast")));
    QVERIFY(sees_terms_only(*ensemble));
    const sim::Machine machine = value_of(sim::find_machine("tpu_v3"));
    const auto timer = make_terms_timer(machine, ensemble);
    const auto program = parse(
        "HloModule m, is_scheduled=true\nENTRY e {\n  a = f32[512,1024]{1,0:T(8,128)} "
        "parameter(0)\n  ROOT n = f32[512,1024]{1,0:T(8,128)} exponential(a)\n}\n");
    const auto kernel = (*program)[program->entry()].root;
    const sim::KernelModel model = sim::kernel_model(*program, kernel);
    const predict::AskedKernel asked{program.get(), kernel, {data::Sample{}}};
    ThreadPool pool(1);
    const auto encoded =
        value_of(predict::encode_kernels({&asked, 1}, *ensemble, sim::Rates(machine), pool));
    const auto scores =
        value_of(predict::predict_ensemble(encoded.set, encoded.all(), *ensemble, pool));
    const double time_ns =
        value_of(timer->time_ns({*program, kernel, model}, timer->choose_bounds(model)));
    QVERIFY(std::abs(time_ns / std::exp(scores.front().mean.front()) - 1) < 1e-5);
  }
};

HLOSCOPE_TEST(TestTermsTimer);
#include "test_terms_timer.moc"
