#include <algorithm>
#include <cmath>
#include <limits>

#include "core/predict/normaliser.h"
#include "tests/core/predict/example_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;
using predict::Normaliser;
using predict::Scaling;

namespace {

// Nodes (0 1 5), (3 1 5) of one kernel and (0 1 5), (7 1 5) of another; a third is not trained on.
predict::ExampleSet three_kernels() {
  predict::ExampleSet set = small_set(data::Task::kTile);
  set.examples.push_back(chain(set, {{0, 1, 5}, {3, 1, 5}}));
  set.examples.push_back(chain(set, {{0, 1, 5}, {7, 1, 5}}));
  set.examples.push_back(chain(set, {{1000, 1000, 1000}}));
  set.examples[0].static_features = {0, 10, 20, 1};
  set.examples[1].static_features = {1, 10, 20, 1};
  add_tiles(set.examples[0], {10, 20});
  add_tiles(set.examples[1], {10, 20, 30});
  return set;
}

constexpr uint32_t kTraining[] = {0, 1};

bool near_float(double a, double b) {
  return std::abs(a - b) < 1e-6;
}

}  // namespace

class TestNormaliser : public QObject {
  Q_OBJECT
 private slots:
  // log1p of 0, 3, 0, 7 is 0, 2, 0, 3 times ln 2: mean 5/4, variance 13/4 - 25/16 = 27/16 of it.
  void logarithms_get_mean_0_and_deviation_1() {
    const Normaliser normaliser = fit_normaliser(three_kernels(), kTraining);
    QCOMPARE(normaliser.node.width, 3U);
    QCOMPARE(normaliser.node.columns, (std::vector<uint32_t>{0}));
    const double deviation = std::sqrt(27.0 / 16);
    const std::pair<float, double> cases[] = {{0.0F, 0}, {3.0F, 2}, {7.0F, 3}, {-3.0F, -2}};
    for (const auto& [value, log2] : cases) {
      QVERIFY(near_float(normaliser.scaled(normaliser.node, 0, value), (log2 - 1.25) / deviation));
    }
  }
  void columns_that_are_constant_in_training_are_dropped() {
    const Normaliser normaliser = fit_normaliser(three_kernels(), kTraining);
    QCOMPARE(normaliser.graph.columns, (std::vector<uint32_t>{0}));
    QCOMPARE(normaliser.configuration.columns, (std::vector<uint32_t>{0}));
    QVERIFY((normaliser.widths() == predict::InputWidths{1, 1, 1}));
    // Values 0 and 1: half way between, one deviation from either.
    QVERIFY(near_float(normaliser.scaled(normaliser.graph, 0, 0), -1));
    QVERIFY(near_float(normaliser.scaled(normaliser.graph, 0, 1), 1));
  }
  void the_least_and_the_greatest_become_0_and_1() {
    const Normaliser normaliser = fit_normaliser(three_kernels(), kTraining, Scaling::kMinMax);
    QVERIFY(near_float(normaliser.scaled(normaliser.node, 0, 0), 0));
    QVERIFY(near_float(normaliser.scaled(normaliser.node, 0, 7), 1));
    QVERIFY(near_float(normaliser.scaled(normaliser.node, 0, 3), 3.0 / 7));
    QVERIFY(near_float(normaliser.scaled(normaliser.configuration, 0, 2), 0.5));
  }
  void what_it_gives_is_finite_and_bounded() {
    using Limits = std::numeric_limits<float>;
    for (const Scaling scaling : {Scaling::kLogStandard, Scaling::kMinMax}) {
      const Normaliser normaliser = fit_normaliser(three_kernels(), kTraining, scaling);
      for (const float value : {Limits::max(), -Limits::max(), Limits::infinity(),
                                -Limits::infinity(), Limits::quiet_NaN(), Limits::denorm_min()}) {
        const float scaled = normaliser.scaled(normaliser.node, 0, value);
        QVERIFY(std::isfinite(scaled) && std::abs(scaled) <= Normaliser::kLimit);
      }
      QCOMPARE(normaliser.scaled(normaliser.node, 0, Limits::max()), 10.0F);
    }
  }
  void a_row_that_is_not_known_becomes_zeros() {
    const Normaliser normaliser = fit_normaliser(three_kernels(), kTraining);
    float out[] = {5};
    normaliser.apply(normaliser.graph, {}, out);
    QCOMPARE(out[0], 0.0F);
  }
  void json_gives_back_every_bit() {
    for (const Scaling scaling : {Scaling::kLogStandard, Scaling::kMinMax}) {
      Normaliser normaliser = fit_normaliser(three_kernels(), kTraining, scaling);
      normaliser.node.shift[0] = 0.1 + 0.2;
      normaliser.node.factor[0] = std::numeric_limits<double>::denorm_min();
      const auto read = Normaliser::from_json(normaliser.to_json());
      QVERIFY(read && *read == normaliser);
      QCOMPARE(read->to_json(), normaliser.to_json());
    }
  }
  void json_that_is_wrong_is_refused() {
    const std::string good = fit_normaliser(three_kernels(), kTraining).to_json();
    const std::pair<const char*, const char*> damages[] = {
        {"log_standard", "other"},
        {"\"width\":3", "\"width\":0"},
        {"\"width\":3", "\"width\":-1"},
        {"\"columns\":[0]", "\"columns\":[0,0]"},
        {"\"columns\":[0]", "\"columns\":[\"a\"]"},
        {"\"shift\":[", "\"shift\":[1,"},
        {"\"factor\":[", "\"factor\":[1e999,"},
        {"\"graph\"", "\"other\""}};
    for (const auto& [from, to] : damages) {
      std::string bad = good;
      const size_t at = bad.find(from);
      QVERIFY2(at != std::string::npos, from);
      bad.replace(at, std::string(from).size(), to);
      const auto read = Normaliser::from_json(bad);
      QVERIFY2(!read && read.error().code == ErrorCode::kInvalidInput, to);
    }
    QVERIFY(!Normaliser::from_json("[]") && !Normaliser::from_json("{"));
  }
};

HLOSCOPE_TEST(TestNormaliser);
#include "test_normaliser.moc"
