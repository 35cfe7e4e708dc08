#include <fmt/format.h>

#include <algorithm>

#include "core/nn/data_parallel.h"
#include "core/predict/model.h"
#include "tests/core/predict/model_batch.h"
#include "tests/core/predict/option_cover.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using predict::Batch;
using predict::ConfigurationJoin;
using predict::Model;
using predict::ModelOptions;
using predict::Readout;

namespace {

std::vector<double> predictions(const Model<double>& model, const Batch<double>& batch) {
  nn::Tape<double> tape(model.parameters());
  tape.set_recording(false);
  const nn::Var y = model.predict(tape, batch);
  if (tape.cols(y) != 1) return {};
  return {tape.value(y).data(), tape.value(y).data() + tape.rows(y)};
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return INFINITY;
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// Parameters after some steps of descent in two parts, with dropout, on that many threads.
std::vector<float> train(const ModelOptions& options, size_t threads) {
  Model<float> model(options, testing::kBatchWidths, 5);
  const Batch<float> batches[] = {testing::random_batch<float>(1), testing::random_batch<float>(2)};
  nn::DataParallel<float> parallel(model.parameters(), 2);
  ThreadPool pool(threads);
  for (uint64_t step = 0; step < 5; ++step) {
    parallel.step(pool, [&](nn::Tape<float>& tape, size_t part) {
      Rng dropout(100 * step + part);
      return model.loss(tape, batches[part], &dropout);
    });
    const auto gradients = model.parameters().gradients();
    for (size_t i = 0; i < gradients.size(); ++i) {
      model.parameters().values()[i] -= 0.01F * gradients[i];
    }
  }
  return {model.parameters().values().begin(), model.parameters().values().end()};
}

// A model whose output layer is not that of the first step, where one that corrects says nothing of
// its own.
Model<double> awake(const ModelOptions& options) {
  Model<double> model(options, testing::kBatchWidths, 3);
  const nn::ParameterId output = model.parameters().find("output.weight");
  Rng rng(29);
  for (double& x : model.parameters().value(output).reshaped()) x = 2 * rng.uniform() - 1;
  return model;
}

}  // namespace

class TestModel : public QObject {
  Q_OBJECT
 private slots:
  void each_sample_has_a_prediction_of_its_own() {
    const auto batch = testing::random_batch<double>(1);
    for (ModelOptions options : testing::covering_options()) {
      options.hidden_width = 16;  // with a few, no unit may be awake
      const Model<double> model = awake(options);
      const auto before = predictions(model, batch);
      QCOMPARE(before.size(), size_t{9});
      auto changed = batch;
      changed.configurations.row(4).array() += 0.5;
      const auto after = predictions(model, changed);
      for (size_t s = 0; s < 9; ++s) {
        const bool moved = s == 4 && options.join != ConfigurationJoin::kNone;
        QVERIFY2((before[s] != after[s]) == moved, to_json(options).c_str());
      }
    }
  }

  void graphs_do_not_see_each_other() {
    const auto batch = testing::random_batch<double>(1);
    for (const ModelOptions& options : testing::covering_options()) {
      const Model<double> model = awake(options);
      std::vector<double> alone;
      for (size_t g = 0; g < 3; ++g) {
        const auto part = predictions(model, testing::only_graph(batch, g));
        alone.insert(alone.end(), part.begin(), part.end());
      }
      QVERIFY2(largest_difference(alone, predictions(model, batch)) < 1e-12,
               to_json(options).c_str());
    }
  }

  void order_of_nodes_matters_to_the_lstm_alone() {
    const auto batch = testing::random_batch<double>(1);
    const auto moved = testing::with_nodes_moved(batch, {2, 0, 3, 1, 4, 9, 6, 5, 8, 7});
    for (const ModelOptions& options : testing::covering_options()) {
      const Model<double> model = awake(options);
      const double difference =
          largest_difference(predictions(model, batch), predictions(model, moved));
      const bool lstm = options.readout == Readout::kLstm;
      QVERIFY2(lstm ? difference > 1e-6 : difference < 1e-12, to_json(options).c_str());
    }
  }

  void threads_do_not_change_a_bit() {
    for (const std::string_view name : predict::preset_names()) {
      auto options = predict::preset(name, data::Task::kTile).value();
      options.hidden_width = 16;
      options.dropout = 0.1;
      const std::vector<float> one = train(options, 1);
      QVERIFY(one == train(options, 2));
      const Model<float> fresh(options, testing::kBatchWidths, 5);
      QVERIFY(!std::ranges::equal(one, fresh.parameters().values()));
    }
  }

  void loss_counts_its_terms() {
    ModelOptions options;
    const auto terms = [&](predict::Loss loss, const Batch<double>& batch) {
      options.loss = loss;
      const Model<double> model = awake(options);
      nn::Tape<double> tape(model.parameters());
      return model.loss(tape, batch).weight;
    };
    auto batch = testing::random_batch<double>(1);
    const double none = std::nan("");
    batch.targets = {2, 2, 1, none, none, none, 4, 5, none};
    using predict::Loss;
    QCOMPARE(terms(Loss::kPairwiseHinge, batch), 1.0);
    QCOMPARE(terms(Loss::kPairwiseLogistic, batch), 1.0);
    QCOMPARE(terms(Loss::kListMle, batch), 2.0);
    QCOMPARE(terms(Loss::kMse, batch), 5.0);
    QCOMPARE(terms(Loss::kMape, batch), 5.0);
    const double weights = 2 * std::exp(1.0) + std::exp(0.5) + std::exp(2.0) + std::exp(2.5);
    QCOMPARE(terms(Loss::kWeightedMse, batch), weights);
  }

  // By hand: with w' = 0 every prediction is b' = 1.
  void losses_of_a_constant_prediction() {
    auto batch = testing::random_batch<double>(1);
    std::ranges::fill(batch.targets, std::nan(""));
    batch.targets[0] = 1;
    batch.targets[1] = 3;
    const auto loss = [&](predict::Loss kind) {
      ModelOptions options;
      options.loss = kind;
      Model<double> model(options, testing::kBatchWidths, 3);
      model.parameters().value(model.parameters().find("output.weight")).setZero();
      model.set_output_bias(1.0);
      nn::Tape<double> tape(model.parameters());
      return tape.value(model.loss(tape, batch).loss)(0, 0);
    };
    using predict::Loss;
    QCOMPARE(loss(Loss::kPairwiseHinge), 1.0);
    QCOMPARE(loss(Loss::kPairwiseLogistic), std::log(2.0));
    QCOMPARE(loss(Loss::kListMle), std::log(2.0) / 2);
    QCOMPARE(loss(Loss::kMse), 2.0);
    QCOMPARE(loss(Loss::kWeightedMse), 4 * std::exp(1.5) / (std::exp(0.5) + std::exp(1.5)));
    QCOMPARE(loss(Loss::kMape), (1 - std::exp(-2.0)) / 2);
  }
};

HLOSCOPE_TEST(TestModel);
#include "test_model.moc"
