#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/predict/model.h"
#include "tests/core/predict/model_batch.h"
#include "tests/core/predict/option_cover.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using predict::Batch;
using predict::Model;

namespace {

double loss_of(const Model<double>& model, const Batch<double>& batch) {
  nn::Tape<double> tape(model.parameters());
  tape.set_recording(false);
  return tape.value(model.loss(tape, batch).loss)(0, 0);
}

/// Derivative by a number of a parameter: the central difference of fourth order.
double slope(Model<double>& model, const Batch<double>& batch, double& number, double step) {
  const double at = number;
  const auto loss = [&](double steps) {
    number = at + steps * step;
    return loss_of(model, batch);
  };
  const double derivative = (8 * (loss(1) - loss(-1)) - (loss(2) - loss(-2))) / (12 * step);
  number = at;
  return derivative;
}

/// Empty where the gradient is the slope. A step may cross the kink of a ReLU or of a maximum, so
/// shorter ones are tried as well.
std::string difference(Model<double>& model, const Batch<double>& batch, nn::ParameterId id,
                       size_t i) {
  const double found = model.parameters().gradient(id).data()[i];
  double expected = 0;
  for (const double step : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
    expected = slope(model, batch, model.parameters().value(id).data()[i], step);
    if (std::abs(found - expected) <= 1e-6 * std::max(std::abs(expected), 1e-3)) return "";
  }
  return fmt::format("{} number {}: {}, not {}", model.parameters().name(id), i, found, expected);
}

/// Biases and the like away from their first values, where some gradients are special.
void shake(nn::ParameterSet<double>& parameters) {
  Rng rng(17);
  for (const nn::ParameterId id : parameters.ids()) {
    for (double& x : parameters.value(id).reshaped()) x += 0.2 * (2 * rng.uniform() - 1);
  }
}

}  // namespace

class TestModelGradients : public QObject {
  Q_OBJECT
 private slots:
  void options_cover_all_pairs() {
    std::set<std::pair<size_t, size_t>> had;
    for (const auto& options : testing::covering_options()) {
      for (const auto& pair : testing::choice_pairs(options)) had.insert(pair);
    }
    // All pairs of the 3, 3, 2, 3, 4, 3, 3, 6 and 2 choices: (29^2 - sum of the squares) / 2 = 368,
    // without the three ranking losses of models that are not given the configuration.
    QCOMPARE(had.size(), size_t{365});
  }

  void gradients_are_finite_differences_data() {
    QTest::addColumn<int>("index");
    int index = 0;
    for (const auto& o : testing::covering_options()) {
      QTest::newRow(to_json(o).c_str()) << index++;
    }
  }
  void gradients_are_finite_differences() {
    QFETCH(int, index);
    const auto options = testing::covering_options()[static_cast<size_t>(index)];
    const auto batch = testing::random_batch<double>(static_cast<uint64_t>(100 + index));
    Model<double> model(options, testing::kBatchWidths, 7);
    shake(model.parameters());
    nn::Tape<double> tape(model.parameters());
    tape.backward(model.loss(tape, batch).loss);
    std::ranges::copy(tape.gradients(), model.parameters().gradients().begin());
    const nn::ParameterId embedding = model.parameters().find("opcode.embedding");
    double size = 0;
    for (const nn::ParameterId id : model.parameters().ids()) {
      const size_t cols = model.parameters().cols(id);
      for (size_t i = 0; i < model.parameters().rows(id) * cols; ++i) {
        size += std::abs(model.parameters().gradient(id).data()[i]);
        if (id == embedding && std::ranges::count(batch.opcodes, i / cols) == 0) {
          QCOMPARE(model.parameters().gradient(id).data()[i], 0.0);
          continue;
        }
        const std::string text = difference(model, batch, id, i);
        QVERIFY2(text.empty(), text.c_str());
      }
    }
    QVERIFY(size > 0);
  }
};

HLOSCOPE_TEST(TestModelGradients);
#include "test_model_gradients.moc"
