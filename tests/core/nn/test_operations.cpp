#include <fmt/format.h>

#include <algorithm>

#include "tests/core/nn/operation_cases.h"
#include "tests/core/nn/torch_golden.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using testing::OperationCase;
using testing::stream;
using testing::torch_golden;

namespace {

/// A case on a tape of its own: loss = sum of the result times stream(100, i).
template <typename T>
class Run {
 public:
  explicit Run(const OperationCase<T>& c) : case_(c) {
    for (size_t k = 0; k < c.inputs.size(); ++k) {
      const auto [rows, cols] = c.inputs[k];
      const nn::ParameterId id = parameters.add(std::to_string(k), rows, cols);
      for (size_t i = 0; i < rows * cols; ++i) number(id, i) = static_cast<T>(stream(k, i));
    }
  }

  T& number(nn::ParameterId id, size_t i) { return parameters.value(id).data()[i]; }

  T loss(bool backward) {
    nn::Tape<T> tape(parameters);
    std::vector<nn::Var> inputs;
    for (const nn::ParameterId id : parameters.ids()) inputs.push_back(tape.parameter(id));
    const nn::Var out = case_.build(tape, inputs);
    result.assign(tape.value(out).data(), tape.value(out).data() + tape.value(out).size());
    std::vector<T> weights(result.size());
    for (size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<T>(stream(100, i));
    const nn::Var weight = tape.constant(weights.data(), tape.rows(out), tape.cols(out));
    const nn::Var sum = total(tape, multiply(tape, out, weight));
    if (backward) {
      tape.backward(sum);
      std::ranges::copy(tape.gradients(), parameters.gradients().begin());
    }
    return tape.value(sum)(0, 0);
  }

  nn::ParameterSet<T> parameters;
  std::vector<T> result;

 private:
  const OperationCase<T>& case_;
};

/// Derivative by the central difference of fourth order.
double slope(Run<double>& run, nn::ParameterId id, size_t i) {
  constexpr double kStep = 1e-3;
  const double at = run.number(id, i);
  const auto loss = [&](double steps) {
    run.number(id, i) = at + steps * kStep;
    return run.loss(false);
  };
  const double derivative = (8 * (loss(1) - loss(-1)) - (loss(2) - loss(-2))) / (12 * kStep);
  run.number(id, i) = at;
  return derivative;
}

/// The first number whose gradient is not the slope to 1e-6 of it (below 1e-3: to 1e-9).
std::string gradient_difference(Run<double>& run) {
  run.loss(true);
  for (const nn::ParameterId id : run.parameters.ids()) {
    for (size_t i = 0; i < run.parameters.rows(id) * run.parameters.cols(id); ++i) {
      const double found = run.parameters.gradient(id).data()[i];
      const double expected = slope(run, id, i);
      if (std::abs(found - expected) <= 1e-6 * std::max(std::abs(expected), 1e-3)) continue;
      return fmt::format("input {} number {}: {}, not {}", id.value, i, found, expected);
    }
  }
  return "";
}

template <typename T>
std::string difference(const std::vector<double>& expected, std::span<const T> found,
                       double tolerance) {
  if (expected.size() != found.size()) {
    return fmt::format("{} numbers, not {}", found.size(), expected.size());
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    const auto number = static_cast<double>(found[i]);
    if (!(std::abs(number - expected[i]) <= tolerance * std::max(1.0, std::abs(expected[i])))) {
      return fmt::format("number {} is {}, not {}", i, number, expected[i]);
    }
  }
  return "";
}

/// Compares the cases that the table has, and returns how many those are.
template <typename T>
size_t compare_with_torch(double tolerance, std::vector<std::string>& differences) {
  const auto golden = torch_golden();
  size_t compared = 0;
  for (const OperationCase<T>& c : testing::all_cases<T>()) {
    if (!golden.contains(c.name + ".out")) continue;
    ++compared;
    Run<T> run(c);
    run.loss(true);
    const auto check = [&](const std::string& name, std::span<const T> found) {
      const std::string text = difference(golden.at(name), found, tolerance);
      if (!text.empty()) differences.push_back(fmt::format("{}: {}", name, text));
    };
    check(c.name + ".out", run.result);
    for (const nn::ParameterId id : run.parameters.ids()) {
      const auto gradient = run.parameters.gradient(id);
      check(fmt::format("{}.{}", c.name, id.value),
            {gradient.data(), static_cast<size_t>(gradient.size())});
    }
  }
  return compared;
}

}  // namespace

class TestOperations : public QObject {
  Q_OBJECT
 private slots:
  void gradients_are_finite_differences_data() {
    QTest::addColumn<int>("index");
    int index = 0;
    for (const auto& c : testing::all_cases<double>()) QTest::newRow(c.name.c_str()) << index++;
  }
  void gradients_are_finite_differences() {
    QFETCH(int, index);
    const auto c = testing::all_cases<double>()[static_cast<size_t>(index)];
    Run<double> run(c);
    const std::string text = gradient_difference(run);
    QVERIFY2(text.empty(), text.c_str());
  }

  // torch_golden.txt is what torch_golden.py prints: PyTorch 1.13 in float64.
  void values_and_gradients_are_those_of_torch() {
    const auto golden = torch_golden();
    const auto cases = std::ranges::count_if(
        golden, [](const auto& entry) { return entry.first.ends_with(".out"); });
    std::vector<std::string> differences;
    const size_t doubles = compare_with_torch<double>(1e-11, differences);
    const size_t floats = compare_with_torch<float>(1e-5, differences);
    QVERIFY2(differences.empty(), fmt::format("{}", fmt::join(differences, "\n")).c_str());
    QCOMPARE(doubles, static_cast<size_t>(cases));
    QCOMPARE(floats, static_cast<size_t>(cases));
    QVERIFY(doubles > 30);
  }

  void empty_segments_give_zero() {
    for (const auto& c : testing::all_cases<double>()) {
      if (!c.name.starts_with("segment_") || c.inputs[0].first != 7) continue;
      if (c.name == "segment_softmax") continue;
      Run<double> run(c);
      run.loss(false);
      const size_t columns = run.result.size() / testing::four_segments().count();
      for (size_t i = 0; i < columns; ++i) QCOMPARE(run.result[columns + i], 0.0);
    }
  }

  void no_target_no_loss() {
    nn::ParameterSet<double> parameters;
    const nn::ParameterId id = parameters.add("p", 7, 1);
    const std::vector<double> none(7, std::nan(""));
    const nn::RankingTargets<double> ranking{none, testing::four_segments()};
    const auto value = [&](auto loss_of) {
      nn::Tape<double> tape(parameters);
      const nn::Var loss = loss_of(tape, tape.parameter(id));
      tape.backward(loss);
      double sum = std::abs(tape.value(loss)(0, 0));
      for (const double gradient : tape.gradients()) sum += std::abs(gradient);
      return sum;
    };
    using Tape = nn::Tape<double>;
    QCOMPARE(value([&](Tape& t, nn::Var p) { return nn::mse_loss<double>(t, p, none).loss; }), 0.0);
    QCOMPARE(value([&](Tape& t, nn::Var p) { return nn::mape_loss<double>(t, p, none).loss; }),
             0.0);
    QCOMPARE(value([&](Tape& t, nn::Var p) { return nn::list_mle_loss(t, p, ranking).loss; }), 0.0);
    QCOMPARE(value([&](Tape& t, nn::Var p) {
               return nn::pairwise_loss(t, p, ranking, nn::PairLoss::kHinge).loss;
             }),
             0.0);
  }
};

HLOSCOPE_TEST(TestOperations);
#include "test_operations.moc"
