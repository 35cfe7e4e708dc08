#include <algorithm>
#include <cmath>
#include <set>

#include "core/predict/estimate_features.h"
#include "core/predict/model.h"
#include "tests/core/predict/model_batch.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::predict;

namespace {

float feature(const sim::Estimate& estimate, std::string_view name) {
  std::vector<float> row;
  append_estimate_features(estimate, row);
  const auto names = estimate_feature_names();
  const auto at = std::ranges::find(names, name);
  return at == names.end() ? NAN : row[static_cast<size_t>(at - names.begin())];
}

sim::Estimate by_hand() {
  sim::Estimate out;
  out.time_ns = 1000;
  out.compute_ns = 300;
  out.transfer_ns = 500;
  out.exposed_ns = 250;
  out.tiles = 4;
  out.read.total_ns = 450;
  out.read.transfers = 4;
  out.write.total_ns = 150;
  out.write.transfers = 2;
  out.tile.busy_ns[static_cast<size_t>(sim::Unit::kMxu)] = 60;
  return out;
}

}  // namespace

class TestEstimateFeatures : public QObject {
  Q_OBJECT
 private slots:
  void every_name_has_one_number() {
    const auto names = estimate_feature_names();
    QCOMPARE(std::set<std::string_view>(names.begin(), names.end()).size(), names.size());
    std::vector<float> known;
    append_estimate_features(by_hand(), known);
    QCOMPARE(known.size(), names.size());
    QVERIFY(std::ranges::all_of(known, [](float x) { return std::isfinite(x); }));
    std::vector<float> unknown;
    append_unknown_estimate(unknown);
    QCOMPARE(unknown.size(), names.size());
    QVERIFY(std::ranges::all_of(unknown, [](float x) { return std::isnan(x); }));
  }

  void terms_and_shares() {
    const sim::Estimate estimate = by_hand();
    QCOMPARE(feature(estimate, "time_ns"), 1000.0F);
    QCOMPARE(feature(estimate, "tile_compute_ns"), 75.0F);
    QCOMPARE(feature(estimate, "tile_mxu_ns"), 60.0F);
    QCOMPARE(feature(estimate, "compute_share"), 0.375F);
    QCOMPARE(feature(estimate, "exposed_share"), 0.25F);
    QCOMPARE(feature(estimate, "read_share"), 0.75F);
    QCOMPARE(feature(estimate, "read_repeats"), 1.0F);
    QCOMPARE(feature(estimate, "write_repeats"), 0.5F);
    // Nothing is divided by zero.
    QCOMPARE(feature(sim::Estimate{}, "compute_share"), 0.0F);
  }

  // Whatever its seed and its inputs.
  void a_model_that_corrects_starts_as_the_analytical_model() {
    ModelOptions options;
    options.analytical = Analytical::kResidual;
    options.loss = Loss::kMape;
    const Model<double> model(options, testing::kBatchWidths, 11);
    const auto batch = testing::random_batch<double>(5);
    nn::Tape<double> tape(model.parameters());
    const auto scores = tape.value(model.predict(tape, batch));
    for (Eigen::Index s = 0; s < scores.rows(); ++s) {
      QCOMPARE(scores(s, 0), batch.analytical(s, 0));
    }
  }
};

HLOSCOPE_TEST(TestEstimateFeatures);
#include "test_estimate_features.moc"
