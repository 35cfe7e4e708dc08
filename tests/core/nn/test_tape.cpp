#include "core/nn/losses.h"
#include "core/nn/operations.h"
#include "tests/core/nn/operation_cases.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using nn::Var;

namespace {

nn::ParameterSet<double> two_parameters() {
  nn::ParameterSet<double> parameters;
  parameters.value(parameters.add("first", 2, 3)).setConstant(2.0);
  parameters.value(parameters.add("second", 1, 3)).setConstant(5.0);
  return parameters;
}

// All operations of the cases one after the other, as one step.
void run_all_cases(nn::Tape<double>& tape, const nn::ParameterSet<double>& parameters) {
  std::vector<Var> losses;
  tape.reset();
  size_t next = 0;
  for (const auto& c : testing::all_cases<double>()) {
    std::vector<Var> inputs;
    for (size_t k = 0; k < c.inputs.size(); ++k) {
      inputs.push_back(tape.parameter(nn::ParameterId(next++)));
    }
    losses.push_back(total(tape, c.build(tape, inputs)));
  }
  tape.backward(total(tape, concat_columns(tape, std::span<const Var>(losses))));
  QCOMPARE(next, parameters.size());
}

}  // namespace

class TestTape : public QObject {
  Q_OBJECT
 private slots:
  void parameters_keep_their_order_and_alignment() {
    nn::ParameterSet<double> parameters = two_parameters();
    const nn::ParameterId second = parameters.find("second");
    QCOMPARE(second.value, 1U);
    QVERIFY(!parameters.find("third").valid());
    QCOMPARE(parameters.offset(second), size_t{8});
    QCOMPARE(parameters.values().size(), size_t{16});
    QCOMPARE(reinterpret_cast<uintptr_t>(parameters.values().data()) % nn::kAlignmentBytes, 0U);
    QCOMPARE(parameters.values()[6], 0.0);
    QCOMPARE(parameters.values()[8], 5.0);
  }

  void gradients_of_unused_parameters_are_zero() {
    const nn::ParameterSet<double> parameters = two_parameters();
    nn::Tape<double> tape(parameters);
    const Var used = tape.parameter(nn::ParameterId(0));
    const Var not_in_loss = relu(tape, tape.parameter(nn::ParameterId(1)));
    QCOMPARE(tape.value(not_in_loss)(0, 0), 5.0);
    tape.backward(total(tape, multiply(tape, used, used)));
    for (size_t i = 0; i < 6; ++i) QCOMPARE(tape.gradients()[i], 4.0);
    for (size_t i = 6; i < 16; ++i) QCOMPARE(tape.gradients()[i], 0.0);
    // The next step starts anew.
    tape.reset();
    tape.backward(total(tape, tape.parameter(nn::ParameterId(1))));
    QCOMPARE(tape.gradients()[0], 0.0);
    QCOMPARE(tape.gradients()[8], 1.0);
  }

  void seed_scales_gradients() {
    const nn::ParameterSet<double> parameters = two_parameters();
    nn::Tape<double> tape(parameters);
    tape.backward(total(tape, tape.parameter(nn::ParameterId(0))), 3.0);
    QCOMPARE(tape.gradients()[5], 3.0);
  }

  void inputs_are_filled_in_place_and_have_no_gradient() {
    const nn::ParameterSet<double> parameters = two_parameters();
    nn::Tape<double> tape(parameters);
    const Var x = tape.input(2, 3);
    tape.writable(x) << 1, 2, 3, 4, 5, 6;
    const Var product = multiply(tape, x, tape.parameter(nn::ParameterId(0)));
    QVERIFY(!tape.needs_gradient(x));
    QVERIFY(tape.needs_gradient(product));
    tape.backward(total(tape, product));
    QCOMPARE(tape.gradients()[5], 6.0);
  }

  void predictions_note_nothing_and_give_the_same_values() {
    for (const auto& c : testing::all_cases<double>()) {
      nn::ParameterSet<double> parameters;
      for (const auto& [rows, cols] : c.inputs) {
        const auto id = parameters.add(std::to_string(parameters.size()), rows, cols);
        for (size_t i = 0; i < rows * cols; ++i) {
          parameters.value(id).data()[i] = testing::stream(id.value, i);
        }
      }
      nn::Tape<double> tape(parameters);
      const auto result = [&](bool recording) {
        tape.reset();
        tape.set_recording(recording);
        std::vector<Var> inputs;
        for (const auto id : parameters.ids()) inputs.push_back(tape.parameter(id));
        const Var out = c.build(tape, inputs);
        if (tape.needs_gradient(out) != recording) return nn::Matrix<double>();
        return nn::Matrix<double>(tape.value(out));
      };
      const nn::Matrix<double> recorded = result(true);
      const nn::Matrix<double> predicted = result(false);
      QVERIFY2(recorded.rows() == predicted.rows() && recorded.cols() == predicted.cols() &&
                   recorded == predicted && recorded.cols() > 0,
               c.name.c_str());
    }
  }

  void a_warm_tape_keeps_its_memory() {
    nn::ParameterSet<double> parameters;
    for (const auto& c : testing::all_cases<double>()) {
      for (const auto& [rows, cols] : c.inputs) {
        const auto id = parameters.add(std::to_string(parameters.size()), rows, cols);
        parameters.value(id).setConstant(0.5);
      }
    }
    nn::Tape<double> tape(parameters);
    run_all_cases(tape, parameters);
    tape.reset();
    const size_t bytes = tape.capacity_bytes();
    const std::vector<double> first(tape.gradients().begin(), tape.gradients().end());
    for (int step = 0; step < 3; ++step) {
      run_all_cases(tape, parameters);
      QCOMPARE(tape.capacity_bytes(), bytes);
      QVERIFY(std::ranges::equal(tape.gradients(), first));
    }
  }

  void dropout_keeps_the_mean() {
    const nn::ParameterSet<double> parameters;
    nn::Tape<double> tape(parameters);
    const Var x = tape.input(100, 100);
    tape.writable(x).setOnes();
    Rng rng(3);
    const auto y = tape.value(dropout(tape, x, 0.25, rng));
    const double zeros = (y.array() == 0.0).cast<double>().mean();
    QVERIFY(std::abs(zeros - 0.25) < 0.02);  // 4.6 standard deviations
    QCOMPARE(y.maxCoeff(), 1.0 / 0.75);
    QVERIFY(((y.array() == 0.0) || (y.array() == 1.0 / 0.75)).all());
    Rng again(3);
    QVERIFY(tape.value(dropout(tape, x, 0.25, again)) == y);
    Rng other(4);
    QVERIFY(tape.value(dropout(tape, x, 0.25, other)) != y);
    QCOMPARE(dropout(tape, x, 0.0, rng), x);
  }

  void the_first_of_equal_rows_gets_the_gradient() {
    const nn::ParameterSet<double> parameters = two_parameters();
    nn::Tape<double> tape(parameters);
    const std::vector<uint32_t> offsets = {0, 2};
    const Var largest = segment_reduce(tape, tape.parameter(nn::ParameterId(0)),
                                       nn::Segments{offsets}, nn::Reduction::kMax);
    tape.backward(total(tape, largest));
    QCOMPARE(tape.gradients()[0], 1.0);
    QCOMPARE(tape.gradients()[3], 0.0);
  }

  // Scores far apart: exp() of them is infinite or 0 in float.
  void losses_and_softmax_do_not_overflow() {
    nn::ParameterSet<float> parameters;
    const nn::ParameterId id = parameters.add("p", 3, 1);
    parameters.value(id) << 400.0F, -500.0F, 100.0F;
    const std::vector<uint32_t> offsets = {0, 3};
    const nn::Segments segments{offsets};
    const std::vector<float> targets = {1, 2, 3};
    nn::Tape<float> tape(parameters);
    const Var p = tape.parameter(id);
    const nn::RankingTargets<float> ranking{targets, segments};
    // Pairs (1,0), (2,0), (2,1) with z = -900, -300, 600; their mean of max(0, -z).
    const Var logistic = pairwise_loss(tape, p, ranking, nn::PairLoss::kLogistic).loss;
    QCOMPARE(tape.value(logistic)(0, 0), 400.0F);
    // Scores -400, 500, -100: (500 + 400 + 500 - 500 + -100 + 100) / 3.
    const Var list = list_mle_loss(tape, p, ranking).loss;
    QCOMPARE(tape.value(list)(0, 0), 300.0F);
    const Var softmax = segment_softmax(tape, p, segments);
    QCOMPARE(tape.value(softmax)(0, 0), 1.0F);
    tape.backward(total(tape, concat_columns(tape, {logistic, list, total(tape, softmax)})));
    for (const float gradient : tape.gradients()) QVERIFY(std::isfinite(gradient));
    // Logistic: 2/3 for the first, -1/3 for the others; list: 1/3, -1/3 + 0, 0.
    QCOMPARE(tape.gradients()[0], 1.0F);
  }
};

HLOSCOPE_TEST(TestTape);
#include "test_tape.moc"
