#include <nlohmann/json.hpp>
#include <stop_token>

#include "core/nn/safetensors.h"
#include "core/predict/estimate_features.h"
#include "core/predict/learned.h"
#include "core/predict/train.h"
#include "tests/core/predict/example_fixtures.h"
#include "tests/core/predict/model_bytes.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;
using namespace hloscope::predict;

namespace {

// 24 kernels of 12 tiles in two families. The time falls with the tile where the kernel's first
// feature is 1 and grows with it where that is 2; every sixth kernel is for validation.
ExampleSet tiles() {
  ExampleSet set = small_set(data::Task::kTile);
  set.families = {"f0", "f1"};
  for (uint32_t i = 0; i < 24; ++i) {
    const float kind = i % 2 == 0 ? 1.0F : 2.0F;
    set.examples.push_back(chain(set, {{kind, 1, 0}, {kind, 1, static_cast<float>(i)}}));
    Example& example = set.examples.back();
    example.hash = hash128(std::to_string(i));
    example.family = i / 2 % 2;
    example.part = i % 6 >= 4 ? data::Part::kValid : data::Part::kTrain;
    std::vector<double> times;
    for (int tile = 1; tile <= 12; ++tile) {
      times.push_back(1000.0 * (kind == 1.0F ? 13 - tile : tile) + 10.0 * i);
    }
    add_tiles(example, times);
    example.static_features.assign(4, 0);
  }
  return set;
}

// The time of a kernel is 1000 ns x its first feature.
ExampleSet times() {
  ExampleSet set = tiles();
  set.info.task = data::Task::kFusion;
  for (uint32_t i = 0; i < set.examples.size(); ++i) {
    Example& example = set.examples[i];
    const auto size = static_cast<float>(1 + i % 8);
    const Example nodes = chain(set, {{size, 1, 0}, {size, 1, 1}});
    example.node_features = nodes.node_features;
    example.tile_features.clear();
    example.times_ns = {1000.0 * static_cast<double>(size)};
  }
  return set;
}

// The analytical model takes all kernels for equal; the time is half as long or as long again.
ExampleSet times_to_correct() {
  ExampleSet set = times();
  set.machine = "machine";
  for (uint32_t i = 0; i < set.examples.size(); ++i) {
    Example& example = set.examples[i];
    const auto kind = static_cast<float>(1 + i % 2);
    example.node_features =
        chain(set, {{kind, 1, 0}, {kind, 1, static_cast<float>(i)}}).node_features;
    example.analytical_ns = {1000};
    example.times_ns = {kind == 1.0F ? 500.0 : 2000.0};
    sim::Estimate estimate;
    estimate.time_ns = 1000;
    estimate.tiles = i;  // estimates that are all equal would be left out
    append_estimate_features(estimate, example.estimates);
  }
  return set;
}

TrainOptions small_options(data::Task task = data::Task::kTile) {
  TrainOptions options;
  options.model = *preset("sage-columnwise", task, false);
  options.model.static_features = StaticFeatures::kOff;
  options.model.hidden_width = 16;
  options.model.opcode_width = 8;
  options.model.layers = 1;
  options.model.dropout = 0.1;
  options.steps = 60;
  options.batch_nodes = 20;
  options.configurations = 8;
  options.learning_rate = 1e-2;
  options.warmup_steps = 5;
  options.evaluate_every = 10;
  return options;
}

struct Stopped {
  nn::SafeTensors checkpoint;
  ErrorCode code = ErrorCode::kInternal;
};
// Asks to stop as soon as `step` steps are done.
Stopped stop_after(uint64_t step, const ExampleSet& set, const TrainOptions& options,
                   const nn::SafeTensors* from = nullptr) {
  ThreadPool pool(1);
  std::stop_source stop;
  const std::string text = "step " + std::to_string(step) + " of";
  Stopped out;
  TrainHooks hooks;
  hooks.progress = Progress(stop.get_token(), [&](double, std::string_view what) {
    if (what.starts_with(text)) stop.request_stop();
  });
  hooks.checkpoint = [&out](const nn::SafeTensors& content) -> Status {
    // Through bytes, as a file keeps it.
    out.checkpoint = *nn::parse_safetensors(*nn::format_safetensors(content));
    return {};
  };
  hooks.resume = from;
  const auto trained = train(set, options, pool, hooks);
  if (!trained) out.code = trained.error().code;
  return out;
}

}  // namespace

class TestTrain : public QObject {
  Q_OBJECT
 private slots:
  void tiles_are_ranked_after_some_steps() {
    const ExampleSet set = tiles();
    ThreadPool pool(1);
    std::vector<TrainPoint> points;
    TrainHooks hooks;
    hooks.evaluated = [&points](const TrainPoint& point) { points.push_back(point); };
    TrainOptions options = small_options();
    options.steps = 200;
    options.patience = 0;
    const auto trained = train(set, options, pool, hooks);
    QVERIFY(trained.has_value());
    QCOMPARE(points.size(), size_t{20});
    QVERIFY(points.back().loss < 0.5 * points.front().loss);
    const auto record = nlohmann::json::parse(trained->training);
    QCOMPARE(record["validation"]["metric"].get<std::string>(), std::string("kendall_tau"));
    QVERIFY(record["validation"]["value"].get<double>() > 0.9);
    // What is stored is the best one, and its figure is that of the stored parameters.
    const Normaliser normaliser = *Normaliser::from_json(trained->normaliser);
    const auto predictions =
        predict_learned(set, set.of(data::Part::kValid), {trained->model, normaliser}, pool);
    QVERIFY(predictions.has_value());
    QCOMPARE(ranking_metrics(set, *predictions).kendall_tau.mean,
             record["validation"]["value"].get<double>());
  }

  void times_are_learned() {
    const ExampleSet set = times();
    ThreadPool pool(1);
    TrainOptions options = small_options(data::Task::kFusion);
    options.steps = 300;
    options.patience = 0;
    options.model.dropout = 0;
    const auto trained = train(set, options, pool);
    QVERIFY2(trained.has_value(), trained ? "" : trained.error().message.c_str());
    const auto record = nlohmann::json::parse(trained->training);
    QCOMPARE(record["validation"]["metric"].get<std::string>(), std::string("mape"));
    QVERIFY(record["validation"]["value"].get<double>() < 0.2);
  }

  void the_analytical_model_is_corrected() {
    const ExampleSet set = times_to_correct();
    ThreadPool pool(1);
    TrainOptions options = small_options(data::Task::kFusion);
    options.model = *preset("sage-columnwise", data::Task::kFusion);
    options.model.static_features = StaticFeatures::kOff;
    options.model.hidden_width = 16;
    options.steps = 200;
    options.patience = 0;
    const auto trained = train(set, options, pool);
    QVERIFY2(trained.has_value(), trained ? "" : trained.error().message.c_str());
    const auto record = nlohmann::json::parse(trained->training);
    QCOMPARE(record["machine"].get<std::string>(), std::string("machine"));
    QVERIFY(record["validation"]["value"].get<double>() < 0.1);
  }

  void threads_do_not_change_the_bytes() {
    const ExampleSet set = tiles();
    ThreadPool one(1);
    ThreadPool two(2);
    const auto a = train(set, small_options(), one);
    const auto b = train(set, small_options(), two);
    QVERIFY(a.has_value() && b.has_value());
    QVERIFY(bytes_of(*a) == bytes_of(*b));
    TrainOptions other = small_options();
    other.seed = 2;
    QVERIFY(bytes_of(*train(set, other, two)) != bytes_of(*a));
  }

  void stopped_training_goes_on_with_the_same_bytes() {
    const ExampleSet set = tiles();
    const TrainOptions options = small_options();
    ThreadPool pool(1);
    const std::string expected = bytes_of(*train(set, options, pool));
    // In the middle, and before and after an evaluation; the last one twice.
    for (const uint64_t step : {1, 10, 17, 60}) {
      const Stopped stopped = stop_after(step, set, options);
      QCOMPARE(stopped.code, ErrorCode::kCancelled);
      TrainHooks hooks;
      hooks.resume = &stopped.checkpoint;
      const auto trained = train(set, options, pool, hooks);
      QVERIFY2(trained.has_value(), trained ? "" : trained.error().message.c_str());
      QVERIFY(bytes_of(*trained) == expected);
    }
    const Stopped first = stop_after(8, set, options);
    const Stopped second = stop_after(31, set, options, &first.checkpoint);
    TrainHooks hooks;
    hooks.resume = &second.checkpoint;
    QVERIFY(bytes_of(*train(set, options, pool, hooks)) == expected);
  }

  void a_checkpoint_is_a_model_and_only_for_its_own_training() {
    const ExampleSet set = tiles();
    const Stopped stopped = stop_after(17, set, small_options());
    QVERIFY(model_from(stopped.checkpoint).has_value());
    ThreadPool pool(1);
    TrainHooks hooks;
    hooks.resume = &stopped.checkpoint;
    TrainOptions other = small_options();
    other.learning_rate = 0.5;
    const auto refused = train(set, other, pool, hooks);
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().code, ErrorCode::kInvalidInput);
    QVERIFY(refused.error().message.ends_with("different are: learning_rate"));
    nn::SafeTensors damaged = stopped.checkpoint;
    std::erase_if(damaged.tensors, [](const nn::Tensor& t) { return t.name == "adam.steps"; });
    hooks.resume = &damaged;
    QVERIFY(!train(set, small_options(), pool, hooks).has_value());
    damaged.metadata["checkpoint"] = "{";
    QVERIFY(!train(set, small_options(), pool, hooks).has_value());
  }

  // The steps of a checkpoint are gone through again when a training goes on.
  void counts_that_no_training_has_are_refused() {
    const ExampleSet set = tiles();
    const Stopped stopped = stop_after(17, set, small_options());
    ThreadPool pool(1);
    const auto refusal = [&](const char* key, uint64_t value) {
      nn::SafeTensors changed = stopped.checkpoint;
      auto json = nlohmann::ordered_json::parse(changed.metadata["checkpoint"]);
      json[key] = value;
      changed.metadata["checkpoint"] = json.dump();
      TrainHooks hooks;
      hooks.resume = &changed;
      const auto trained = train(set, small_options(), pool, hooks);
      return trained ? "trained" : trained.error().message;
    };
    QCOMPARE(refusal("step", 17), std::string("trained"));
    QCOMPARE(
        refusal("step", uint64_t{1} << 60),
        std::string("the checkpoint is damaged: its step is 1152921504606846976, at most 60 is "
                    "possible"));
    QCOMPARE(refusal("step", 61),
             std::string("the checkpoint is damaged: its step is 61, at most 60 is possible"));
    QCOMPARE(refusal("evaluated", 20),
             std::string("the checkpoint is damaged: its evaluated is 20, at most 17 is possible"));
    QCOMPARE(refusal("best_step", 11),
             std::string("the checkpoint is damaged: its best_step is 11, at most 10 is possible"));
    QCOMPARE(refusal("loss_count", 8),
             std::string("the checkpoint is damaged: its loss_count is 8, at most 7 is possible"));
  }

  void training_ends_early_when_nothing_gets_better() {
    const ExampleSet set = tiles();
    ThreadPool pool(1);
    TrainOptions options = small_options();
    options.learning_rate = 0;  // The first evaluation stays the best one.
    options.weight_decay = 0;
    options.patience = 3;
    const auto trained = train(set, options, pool);
    QVERIFY(trained.has_value());
    const auto record = nlohmann::json::parse(trained->training);
    QCOMPARE(record["best_step"].get<int>(), 10);
    QCOMPARE(record["steps_done"].get<int>(), 40);
  }

  void what_cannot_be_trained_is_refused() {
    ThreadPool pool(1);
    ExampleSet set = tiles();
    set.split = "random";
    for (Example& example : set.examples) example.part = data::Part::kTest;
    const auto nothing = train(set, small_options(), pool);
    QVERIFY(!nothing.has_value());
    QCOMPARE(nothing.error().code, ErrorCode::kInvalidInput);
    QCOMPARE(nothing.error().message, std::string("part train of split 'random' has no kernels"));
    const auto ranking = train(times(), small_options(), pool);  // A ranking loss.
    QVERIFY(!ranking.has_value());
    QCOMPARE(ranking.error().code, ErrorCode::kInvalidInput);
    TrainOptions corrects = small_options(data::Task::kFusion);
    corrects.model = *preset("sage-columnwise", data::Task::kFusion);
    const auto unknown = train(times(), corrects, pool);
    QVERIFY(!unknown.has_value());
    QVERIFY(unknown.error().message.starts_with("the model uses the analytical model, which"));
  }

  void a_model_of_tiles_says_nothing_of_times() {
    ThreadPool pool(1);
    const auto trained = train(tiles(), small_options(), pool);
    QVERIFY(trained.has_value());
    const Normaliser normaliser = *Normaliser::from_json(trained->normaliser);
    QVERIFY(!check_fits(times(), {trained->model, normaliser}).has_value());
    QVERIFY(check_fits(tiles(), {trained->model, normaliser}).has_value());
  }
};

HLOSCOPE_TEST(TestTrain);
#include "test_train.moc"
