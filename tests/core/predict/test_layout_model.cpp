#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/predict/baselines.h"
#include "core/predict/layout_batch.h"
#include "core/predict/layout_split.h"
#include "core/predict/learned.h"
#include "core/predict/ridge.h"
#include "core/predict/train.h"
#include "tests/core/predict/finite_differences.h"
#include "tests/core/predict/layout_fixtures.h"
#include "tests/core/predict/model_batch.h"
#include "tests/core/predict/model_bytes.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;
using namespace hloscope::predict;

namespace {

// random_batch() with three layouts of nodes. Of each graph one node in two is configurable.
template <typename T>
Batch<T> layout_batch(uint64_t seed) {
  Batch<T> batch = random_batch<T>(seed);
  batch.configurations.row(0).setZero();
  batch.configurations.conservativeResize(4, Eigen::NoChange);
  Rng rng(seed);
  for (size_t g = 0; g < batch.graphs(); ++g) {
    for (size_t s = batch.sample_offsets[g]; s < batch.sample_offsets[g + 1]; ++s) {
      for (size_t i = batch.node_offsets[g]; i < batch.node_offsets[g + 1]; ++i) {
        const bool has_choice = (i - batch.node_offsets[g]) % 2 == 0;
        batch.node_configurations.push_back(has_choice ? 1 + static_cast<uint32_t>(rng.below(3))
                                                       : 0);
      }
    }
  }
  return batch;
}

ModelOptions small_model(Network network) {
  ModelOptions out =
      *preset(network == Network::kGat ? "gat" : "sage-columnwise", data::Task::kLayout);
  out.hidden_width = 8;
  out.opcode_width = 4;
  out.layers = 2;
  out.heads = 2;
  return out;
}

TrainOptions layout_options() {
  TrainOptions options;
  options.model = small_model(Network::kSage);
  options.model.hidden_width = 16;
  options.steps = 300;
  options.batch_nodes = 50;
  options.learning_rate = 1e-2;
  options.warmup_steps = 5;
  options.evaluate_every = 50;
  options.patience = 0;
  return options;
}

double tau(const ExampleSet& set, const Predictions& predictions) {
  return ranking_metrics(set, predictions).kendall_tau.mean;
}

double tau_of(const StoredModel& stored, const ExampleSet& set, data::Part part) {
  ThreadPool pool(1);
  const Normaliser normaliser = *Normaliser::from_json(stored.normaliser);
  return tau(set, *predict_learned(set, set.of(part), {stored.model, normaliser}, pool));
}

}  // namespace

class TestLayoutModel : public QObject {
  Q_OBJECT
 private slots:
  void gradients_are_finite_differences_data() {
    QTest::addColumn<int>("network");
    QTest::addColumn<int>("loss");
    QTest::newRow("sage, hinge") << int(Network::kSage) << int(Loss::kPairwiseHinge);
    QTest::newRow("sage, list") << int(Network::kSage) << int(Loss::kListMle);
    QTest::newRow("gat, logistic") << int(Network::kGat) << int(Loss::kPairwiseLogistic);
  }
  void gradients_are_finite_differences() {
    QFETCH(int, network);
    QFETCH(int, loss);
    ModelOptions options = small_model(static_cast<Network>(network));
    options.loss = static_cast<Loss>(loss);
    const Batch<double> batch = layout_batch<double>(5);
    Model<double> model(options, kBatchWidths, 7);
    const std::string text = wrong_gradient(model, batch);
    QVERIFY2(text.empty(), text.c_str());
  }

  // Each sample is predicted as if it were alone, by the layouts of its own nodes.
  void samples_do_not_know_each_other() {
    const Batch<double> batch = layout_batch<double>(6);
    const Model<double> model(small_model(Network::kSage), kBatchWidths, 3);
    nn::Tape<double> tape(model.parameters());
    const auto all = tape.value(model.predict(tape, batch));
    const nn::Matrix<double> together = all;
    // Graph 2 with its last sample, and with the layout of one of its nodes changed.
    Batch<double> one = only_graph(random_batch<double>(6), 2);
    const auto begin = batch.node_configurations.end() - 5;
    one.sample_offsets = {0, 1};
    one.configurations = batch.configurations;
    one.node_configurations.assign(begin, batch.node_configurations.end());
    tape.reset();
    QVERIFY(std::abs(tape.value(model.predict(tape, one))(0, 0) - together(8, 0)) < 1e-12);
    one.node_configurations[2] = one.node_configurations[2] % 3 + 1;
    tape.reset();
    QVERIFY(std::abs(tape.value(model.predict(tape, one))(0, 0) - together(8, 0)) > 1e-6);
  }

  void batches_have_each_layout_once() {
    const ExampleSet set = layout_programs(2);
    const std::vector<uint32_t> all = {0, 1};
    const Normaliser normaliser = fit_normaliser(set, all);
    QVERIFY(normaliser.task() == data::Task::kLayout);
    // Two places of the order differ, each in two of their seven columns.
    QCOMPARE(normaliser.configuration.columns.size(), size_t{4});
    const std::vector<Chosen> chosen = {{1, {3, 5}}, {0, {6}}};
    const Batch<float> batch = Batcher(set, normaliser).batch(chosen);
    QCOMPARE(batch.configurations.rows(), Eigen::Index{5});  // Two of each program, and row 0.
    QVERIFY(batch.configurations.row(0).isZero());
    QCOMPARE(batch.configurations.row(1).sum(), 2.0F);
    QCOMPARE(batch.node_configurations.size(), size_t{3 * 24});
    for (size_t i = 0; i < batch.node_configurations.size(); ++i) {
      QCOMPARE(batch.node_configurations[i] > 0, i % 3 == 0);
    }
    // Times as parts of the least one.
    const Example& example = set.examples[0];
    const double ratio = example.times_ns[6] / example.times_ns[example.fastest()];
    QVERIFY(std::abs(static_cast<double>(batch.targets[2]) - std::log(ratio)) < 1e-9);
    // All nodes of these programs are dots: each sample has 8 of them.
    const nn::Matrix<double> counts = layout_counts(batch);
    QCOMPARE(counts.cols(), Eigen::Index{12});
    QVERIFY(std::abs(counts.row(0).sum() - 16) < 1e-6);
    QVERIFY(std::abs(counts.row(0).segment(4, 4).sum() - 16) < 1e-6);
  }

  // The time of a layout depends on the node that has it, so that nothing but both together tell
  // it: counts of layouts, which the linear model has, do not.
  void layouts_of_unseen_programs_are_ranked() {
    const ExampleSet set = layout_programs(24);
    ThreadPool pool(1);
    const auto trained = train(set, layout_options(), pool);
    QVERIFY2(trained.has_value(), trained ? "" : trained.error().message.c_str());
    const auto record = nlohmann::json::parse(trained->training);
    QCOMPARE(record["task"].get<std::string>(), std::string("layout"));
    QCOMPARE(record["validation"]["metric"].get<std::string>(), std::string("kendall_tau"));
    const double learned = tau_of(*trained, set, data::Part::kValid);
    QCOMPARE(learned, record["validation"]["value"].get<double>());
    const std::vector<uint32_t> valid = set.of(data::Part::kValid);
    const Normaliser normaliser = *Normaliser::from_json(trained->normaliser);
    const RidgeModel ridge = *fit_ridge(set, set.of(data::Part::kTrain), normaliser);
    const double linear = tau(set, *predict_ridge(set, valid, normaliser, ridge));
    // Many samples have equal times: 0.9 is the most that tau-b can be.
    QVERIFY2(learned > 0.8, qPrintable(QString::number(learned)));
    QVERIFY2(linear < 0.5, qPrintable(QString::number(linear)));
  }

  void held_out_configurations_of_one_program_are_ranked() {
    ExampleSet set = small_set(data::Task::kLayout);
    set.families = {"f0"};
    set.examples.push_back(layout_program(set, {1, 2, 2, 1, 2, 1, 1, 2, 2, 1}, 200, 9));
    QVERIFY(hold_out_configurations(set).has_value());
    ThreadPool pool(1);
    const auto trained = train(set, layout_options(), pool);
    QVERIFY2(trained.has_value(), trained ? "" : trained.error().message.c_str());
    QVERIFY(tau_of(*trained, set, data::Part::kTest) > 0.8);
    QVERIFY(trained->training.find("held-out configurations of known graphs") != std::string::npos);
  }

  void threads_and_stops_do_not_change_the_bytes() {
    const ExampleSet set = layout_programs(8);
    TrainOptions options = layout_options();
    options.steps = 40;
    options.evaluate_every = 10;
    options.model.dropout = 0.1;
    ThreadPool one(1);
    ThreadPool two(2);
    const std::string expected = bytes_of(*train(set, options, one));
    QVERIFY(bytes_of(*train(set, options, two)) == expected);
    nn::SafeTensors checkpoint;
    std::stop_source stop;
    TrainHooks hooks;
    hooks.progress = Progress(stop.get_token(), [&](double, std::string_view what) {
      if (what.starts_with("step 17 of")) stop.request_stop();
    });
    hooks.checkpoint = [&](const nn::SafeTensors& content) -> Status {
      checkpoint = *nn::parse_safetensors(*nn::format_safetensors(content));
      return {};
    };
    QVERIFY(!train(set, options, two, hooks).has_value());
    TrainHooks resume;
    resume.resume = &checkpoint;
    QVERIFY(bytes_of(*train(set, options, one, resume)) == expected);
    const StoredModel back = *model_from(checkpoint);
    QVERIFY(back.model.options().join == ConfigurationJoin::kNode);
  }

  void a_guess_needs_no_training() {
    ExampleSet set = small_set(data::Task::kLayout);
    set.examples.push_back(layout_program(set, {1, 1}, 0, 1));
    Example& example = set.examples[0];
    std::vector<int64_t> none(2 * data::kTpuLayoutFeatures, -1);
    std::vector<int64_t> one = none;
    one[data::kTpuLayoutFeatures] = 0;
    QVERIFY(example.layouts.add_sample(none) && example.layouts.add_sample(one));
    example.times_ns = {5, 6};
    const std::vector<uint32_t> all = {0};
    QCOMPARE(predict_given_layouts(set, all).scores[0], (std::vector<double>{0, 1}));
  }

  void what_does_not_fit_is_refused() {
    const ExampleSet set = layout_programs(4);
    ThreadPool pool(1);
    const auto message = [&](const ExampleSet& on, const TrainOptions& options) {
      const auto trained = train(on, options, pool);
      return trained ? std::string("trained") : trained.error().message;
    };
    TrainOptions options = layout_options();
    options.model.loss = Loss::kMse;
    QCOMPARE(message(set, options),
             std::string("layouts are ranked, their times are not predicted"));
    options = layout_options();
    options.model.join = ConfigurationJoin::kEarly;
    QCOMPARE(message(set, options), std::string("layouts, and nothing else, are joined at nodes"));
    QCOMPARE(preset("sage-lstm", data::Task::kLayout).error().code, ErrorCode::kUnsupported);
    // A single configuration, as one of the published files has.
    ExampleSet alike = layout_programs(1);
    alike.examples[0].layouts = alike.examples[0].layouts.only(std::vector<uint32_t>{0});
    alike.examples[0].times_ns.resize(1);
    QVERIFY(message(alike, layout_options()).starts_with("the training part has no"));

    options = layout_options();
    options.steps = 2;
    const auto trained = train(set, options, pool);
    QVERIFY(trained.has_value());
    const Normaliser normaliser = *Normaliser::from_json(trained->normaliser);
    const Status fits = check_fits(small_set(data::Task::kTile), {trained->model, normaliser});
    QCOMPARE(fits.error().message,
             std::string("the model was trained for layouts of programs, but the data set is of "
                         "task tile"));
    QVERIFY(check_fits(set, {trained->model, normaliser}).has_value());
  }
};

HLOSCOPE_TEST(TestLayoutModel);
#include "test_layout_model.moc"
