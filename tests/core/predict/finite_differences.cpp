#include "tests/core/predict/finite_differences.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/rng.h"

namespace hloscope::testing {

namespace {

using predict::Batch;
using predict::Model;

double loss_of(const Model<double>& model, const Batch<double>& batch) {
  nn::Tape<double> tape(model.parameters());
  tape.set_recording(false);
  return tape.value(model.loss(tape, batch).loss)(0, 0);
}

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

// Empty where the gradient is the slope. A step may cross the kink of a ReLU or of a maximum, so
// shorter ones are tried as well.
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

void shake(nn::ParameterSet<double>& parameters) {
  Rng rng(17);
  for (const nn::ParameterId id : parameters.ids()) {
    for (double& x : parameters.value(id).reshaped()) x += 0.2 * (2 * rng.uniform() - 1);
  }
}

}  // namespace

std::string wrong_gradient(Model<double>& model, const Batch<double>& batch) {
  nn::ParameterSet<double>& parameters = model.parameters();
  shake(parameters);
  nn::Tape<double> tape(parameters);
  tape.backward(model.loss(tape, batch).loss);
  std::ranges::copy(tape.gradients(), parameters.gradients().begin());
  const nn::ParameterId embedding = parameters.find("opcode.embedding");
  double size = 0;
  for (const nn::ParameterId id : parameters.ids()) {
    const size_t cols = parameters.cols(id);
    for (size_t i = 0; i < parameters.rows(id) * cols; ++i) {
      const double found = parameters.gradient(id).data()[i];
      size += std::abs(found);
      // Opcodes that are not there take too long to try them all.
      if (id == embedding && std::ranges::count(batch.opcodes, i / cols) == 0) {
        if (found != 0)
          return fmt::format("an opcode that is not there has the gradient {}", found);
        continue;
      }
      if (std::string text = difference(model, batch, id, i); !text.empty()) return text;
    }
  }
  return size > 0 ? "" : "all gradients are 0";
}

}  // namespace hloscope::testing
