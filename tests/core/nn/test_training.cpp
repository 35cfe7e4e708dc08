#include <algorithm>
#include <numbers>

#include "core/nn/adam.h"
#include "core/nn/data_parallel.h"
#include "core/nn/initialise.h"
#include "core/nn/losses.h"
#include "core/nn/operations.h"
#include "core/nn/schedule.h"
#include "tests/core/nn/operation_cases.h"
#include "tests/core/nn/torch_golden.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

/// A batch of sequences, one row of numbers for each step, and a target for each sequence.
struct Batch {
  std::vector<uint32_t> lengths;
  std::vector<float> targets;
};

Batch make_batch() {
  Rng rng(11);
  Batch batch;
  for (int i = 0; i < 37; ++i) {
    batch.lengths.push_back(static_cast<uint32_t>(rng.below(9)));
    batch.targets.push_back(static_cast<float>(rng.uniform()));
  }
  return batch;
}

constexpr size_t kInputs = 5;
constexpr size_t kHidden = 16;

nn::ParameterSet<float> make_parameters() {
  nn::ParameterSet<float> parameters;
  Rng rng(5);
  parameters.add("w", kInputs, 4 * kHidden);
  parameters.add("bias", 1, 4 * kHidden);
  parameters.add("recurrent", kHidden, 4 * kHidden);
  parameters.add("out", kHidden, 1);
  for (const auto id : parameters.ids()) initialise_glorot(parameters, id, rng);
  return parameters;
}

/// What a part of the batch refers to while its tape is used.
struct PartData {
  std::vector<uint32_t> offsets;
  std::vector<float> rows;
};

nn::Var loss_of(nn::Tape<float>& tape, const Batch& batch, nn::Shard part, PartData& data) {
  data.offsets = {0};
  for (size_t i = part.begin; i < part.end; ++i) {
    data.offsets.push_back(data.offsets.back() + batch.lengths[i]);
  }
  const nn::Var x = tape.input(data.offsets.back(), kInputs);
  for (Eigen::Index i = 0; i < tape.writable(x).size(); ++i) {
    tape.writable(x).data()[i] =
        static_cast<float>(testing::stream(part.begin, static_cast<size_t>(i)));
  }
  const auto p = [&](uint32_t i) { return tape.parameter(nn::ParameterId(i)); };
  const nn::Segments segments{data.offsets};
  const nn::Var hidden = lstm(tape, linear(tape, x, p(0), p(1)), p(2), segments);
  const nn::Var out = matmul(tape, last_rows(tape, hidden, segments), p(3));
  const std::span<const float> targets(batch.targets);
  return nn::mse_loss(tape, out, targets.subspan(part.begin, part.end - part.begin)).loss;
}

/// Values after some steps of training, with that many threads.
std::vector<float> train(size_t threads, size_t parts, double* last_loss = nullptr) {
  const Batch batch = make_batch();
  nn::ParameterSet<float> parameters = make_parameters();
  nn::Adam<float> adam(parameters, {});
  nn::DataParallel<float> parallel(parameters, parts);
  ThreadPool pool(threads);
  const std::vector<uint64_t> costs(batch.lengths.begin(), batch.lengths.end());
  const std::vector<nn::Shard> shards = nn::shard(costs, parts);
  std::vector<PartData> data(parts);
  for (int step = 0; step < 20; ++step) {
    const double loss = parallel.step(pool, [&](nn::Tape<float>& tape, size_t part) {
      const nn::Shard items = shards[part];
      const auto weight = static_cast<double>(items.end - items.begin);
      return nn::PartLoss{loss_of(tape, batch, items, data[part]), weight};
    });
    if (last_loss != nullptr) *last_loss = loss;
    clip_gradients(parameters, 1.0);
    adam.step(parameters, 0.01);
  }
  return {parameters.values().begin(), parameters.values().end()};
}

void compare_with_torch(const std::string& name, nn::AdamOptions options, double rate) {
  const auto golden = testing::torch_golden();
  nn::ParameterSet<float> parameters;
  const nn::ParameterId id = parameters.add("p", 2, 3);
  const auto number = [](size_t k, size_t i) { return static_cast<float>(testing::stream(k, i)); };
  for (size_t i = 0; i < 6; ++i) parameters.value(id).data()[i] = number(0, i);
  nn::Adam<float> adam(parameters, options);
  for (size_t step = 0; step < 5; ++step) {
    for (size_t i = 0; i < 6; ++i) parameters.gradient(id).data()[i] = number(step + 1, i);
    adam.step(parameters, rate);
    const auto& expected = golden.at(name + ".step" + std::to_string(step));
    QCOMPARE(expected.size(), size_t{6});
    for (size_t i = 0; i < 6; ++i) {
      const double found = static_cast<double>(parameters.value(id).data()[i]);
      QVERIFY(std::abs(found - expected[i]) < 2e-7);
    }
  }
  QCOMPARE(adam.steps(), uint64_t{5});
}

}  // namespace

class TestTraining : public QObject {
  Q_OBJECT
 private slots:
  void adam_is_that_of_torch() {
    compare_with_torch("adam", {.weight_decay = 0.1, .decoupled = false}, 0.01);
  }
  void adamw_is_that_of_torch() {
    compare_with_torch("adamw", {.beta1 = 0.8, .beta2 = 0.95, .weight_decay = 0.3}, 0.02);
  }

  void clipping_is_that_of_torch() {
    const auto golden = testing::torch_golden();
    nn::ParameterSet<double> parameters;
    const nn::ParameterId id = parameters.add("p", 1, 6);
    const auto set = [&] {
      for (size_t i = 0; i < 6; ++i) parameters.gradient(id).data()[i] = testing::stream(1, i);
    };
    set();
    const double norm = clip_gradients(parameters, 0.5);
    QVERIFY(std::abs(norm - golden.at("clip.norm")[0]) < 1e-13);
    for (size_t i = 0; i < 6; ++i) {
      QVERIFY(std::abs(parameters.gradients()[i] - golden.at("clip.gradients")[i]) < 1e-14);
    }
    set();
    clip_gradients(parameters, 100.0);
    for (size_t i = 0; i < 6; ++i) QCOMPARE(parameters.gradients()[i], testing::stream(1, i));
    parameters.gradients()[2] = std::nan("");
    QVERIFY(std::isnan(clip_gradients(parameters, 0.5)));
    QCOMPARE(parameters.gradients()[1], testing::stream(1, 1));
  }

  void schedules() {
    const nn::Schedule constant{.peak_rate = 0.5};
    QCOMPARE(constant.rate(0), 0.5);
    QCOMPARE(constant.rate(1000000), 0.5);
    nn::Schedule cosine{.peak_rate = 2.0, .warmup_steps = 3, .decay = nn::Decay::kCosine};
    cosine.total_steps = 11;
    cosine.last_fraction = 0.1;
    QCOMPARE(cosine.rate(0), 0.5);
    QCOMPARE(cosine.rate(2), 1.5);
    QCOMPARE(cosine.rate(3), 2.0);
    QCOMPARE(cosine.rate(5), 2.0 * (0.1 + 0.9 * (0.5 + 0.25 * std::numbers::sqrt2)));
    QCOMPARE(cosine.rate(7), 2.0 * 0.55);
    QCOMPARE(cosine.rate(11), 0.2);
    QCOMPARE(cosine.rate(500), 0.2);
    nn::Schedule step{.peak_rate = 1.0, .warmup_steps = 1, .decay = nn::Decay::kStep};
    step.step_every = 10;
    step.step_factor = 0.5;
    QCOMPARE(step.rate(0), 0.5);
    QCOMPARE(step.rate(10), 1.0);
    QCOMPARE(step.rate(11), 0.5);
    QCOMPARE(step.rate(31), 0.125);
  }

  void shards_are_balanced_and_cover_the_batch() {
    const std::vector<uint64_t> costs = {5, 1, 1, 1, 8, 0, 4};
    const auto two = nn::shard(costs, 2);
    QCOMPARE(two.size(), size_t{2});
    QCOMPARE(two[0], (nn::Shard{0, 4}));
    QCOMPARE(two[1], (nn::Shard{4, 7}));
    for (size_t parts = 1; parts < 12; ++parts) {
      size_t next = 0;
      for (const nn::Shard& part : nn::shard(costs, parts)) {
        QCOMPARE(part.begin, next);
        QVERIFY(part.end >= part.begin);
        next = part.end;
      }
      QCOMPARE(next, costs.size());
    }
    QCOMPARE(nn::shard({}, 2)[1], (nn::Shard{0, 0}));
    const std::vector<uint64_t> free = {0, 0};
    QCOMPARE(nn::shard(free, 3).back().end, size_t{2});
  }

  void bits_do_not_depend_on_threads() {
    double loss = 1.0;
    const std::vector<float> one = train(1, 4, &loss);
    QVERIFY(loss < 0.1);  // targets of variance 1/12, mean 1/2: it learns something
    QCOMPARE(train(2, 4), one);
    QCOMPARE(train(2, 4), one);
    QCOMPARE(train(5, 4), one);
  }

  void gradients_of_parts_are_those_of_the_whole() {
    nn::ParameterSet<double> parameters;
    const nn::ParameterId id = parameters.add("p", 1, 1);
    parameters.value(id)(0, 0) = 3.0;
    ThreadPool pool(2);
    const std::vector<double> targets = {1, 2, 4};
    const auto gradient = [&](std::vector<nn::Shard> shards, double* loss) {
      nn::DataParallel<double> parallel(parameters, shards.size());
      const std::vector<uint32_t> zeros(3, 0);
      *loss = parallel.step(pool, [&](nn::Tape<double>& tape, size_t part) {
        const size_t n = shards[part].end - shards[part].begin;
        if (n == 0) return nn::PartLoss{};
        const std::span<const uint32_t> rows(zeros.data(), n);
        const nn::Var p = gather_rows(tape, tape.parameter(id), rows);
        const std::span<const double> mine(targets.data() + shards[part].begin, n);
        return nn::PartLoss{nn::mse_loss(tape, p, mine).loss, static_cast<double>(n)};
      });
      return parameters.gradient(id)(0, 0);
    };
    double loss = 0.0;  // (4 + 1 + 1) / 3; slope (4 + 2 - 2) / 3
    QCOMPARE(gradient({{0, 3}}, &loss), 4.0 / 3.0);
    QCOMPARE(loss, 2.0);
    QCOMPARE(gradient({{0, 1}, {1, 1}, {1, 3}}, &loss), 4.0 / 3.0);
    QCOMPARE(loss, 2.0);
    QCOMPARE(gradient({{0, 0}, {3, 3}}, &loss), 0.0);
    QCOMPARE(loss, 0.0);
  }

  void initial_values_are_within_bounds_and_repeatable() {
    const nn::ParameterSet<float> parameters = make_parameters();
    const auto w = parameters.value(nn::ParameterId(0));
    const auto bound = static_cast<float>(std::sqrt(6.0 / (kInputs + 4 * kHidden)));
    QVERIFY(w.cwiseAbs().maxCoeff() <= bound);
    QVERIFY(w.maxCoeff() > 0.9F * bound && w.minCoeff() < -0.9F * bound);
    const nn::ParameterSet<float> again = make_parameters();
    QVERIFY(std::ranges::equal(parameters.values(), again.values()));
  }
};

HLOSCOPE_TEST(TestTraining);
#include "test_training.moc"
