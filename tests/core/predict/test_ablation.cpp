#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "core/predict/ablation.h"
#include "core/predict/estimate_features.h"
#include "tests/core/predict/example_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;
using namespace hloscope::predict;

namespace {

using Json = nlohmann::json;

// Names of the options whose values differ.
std::set<std::string> differences(const ModelOptions& a, const ModelOptions& b) {
  const Json left = Json::parse(to_json(a));
  const Json right = Json::parse(to_json(b));
  std::set<std::string> out;
  for (const auto& [name, value] : left.items()) {
    if (value != right.at(name)) out.insert(name);
  }
  return out;
}

std::set<std::string> expected_differences(data::Task task, AblationBase base,
                                           const AblationVariant& variant) {
  if (variant.option.empty()) return {};
  if (variant.option == "preset") return {"network", "readout"};
  // There is nothing but estimates to be joined to a kernel with one configuration.
  const bool has_estimates = base == AblationBase::kResidual;
  const bool wants_estimates = variant.value != "off";
  if (task == data::Task::kFusion && variant.option == "analytical" &&
      has_estimates != wants_estimates) {
    return {"analytical", "join"};
  }
  return {variant.option};
}

InputWidths widths_of(data::Task task, const ModelOptions& model) {
  const size_t tile = task == data::Task::kTile ? 24 : 0;
  const size_t estimates = model.analytical == Analytical::kOff ? 0 : 30;
  return {140, 4, tile + estimates};
}

std::vector<AblationVariant> variants_of(data::Task task, AblationBase base) {
  return ablation_variants(task, base).value();
}

std::set<std::string> rows_of(const std::vector<AblationVariant>& variants) {
  std::set<std::string> out;
  for (const AblationVariant& one : variants) out.insert(one.option + "=" + one.value);
  return out;
}

// Kernels of 12 tiles whose time grows or falls with the tile, by their first feature; the
// analytical model takes all tiles for equal.
ExampleSet ablation_tiles() {
  ExampleSet set = small_set(data::Task::kTile);
  set.machine = "machine";
  set.families = {"f"};
  add_programs(set, {"f", "f", "f"});
  set.program_parts = {data::Part::kTrain, data::Part::kValid, data::Part::kTest};
  for (uint32_t i = 0; i < 12; ++i) {
    const float kind = i % 2 == 0 ? 1.0F : 2.0F;
    set.examples.push_back(chain(set, {{kind, 1, 0}, {kind, 1, static_cast<float>(i)}}));
    Example& example = set.examples.back();
    example.hash = hash128(std::to_string(i));
    const uint32_t program = i < 8 ? 0 : i < 10 ? 1 : 2;
    example.part = set.program_parts[program];
    example.seen_in = {{program, 1}};
    std::vector<double> times;
    for (int tile = 1; tile <= 12; ++tile) {
      times.push_back(100.0 * (kind == 1.0F ? 13 - tile : tile));
    }
    add_tiles(example, times);
    for (uint32_t j = 0; j < 4; ++j) example.static_features.push_back(static_cast<float>(i * j));
    example.analytical_ns.assign(12, 500);
    for (int tile = 0; tile < 12; ++tile) {
      sim::Estimate estimate;
      estimate.time_ns = 500;
      estimate.tiles = tile + static_cast<int>(i);
      append_estimate_features(estimate, example.estimates);
    }
  }
  return set;
}

TrainOptions small_training(ModelOptions model) {
  TrainOptions out;
  out.model = model;
  out.model.hidden_width = 8;
  out.model.opcode_width = 4;
  out.steps = 40;
  out.evaluate_every = 20;
  out.batch_nodes = 20;
  out.learning_rate = 1e-2;
  out.warmup_steps = 5;
  return out;
}

}  // namespace

class TestAblation : public QObject {
  Q_OBJECT
 private slots:
  void variants_differ_in_what_they_say() {
    for (const data::Task task : {data::Task::kTile, data::Task::kFusion}) {
      for (const AblationBase base : {AblationBase::kResidual, AblationBase::kOff}) {
        const auto variants = variants_of(task, base);
        const ModelOptions& first = variants.front().model;
        QVERIFY(first == *preset("sage-columnwise", task, base == AblationBase::kResidual));
        for (const AblationVariant& one : variants) {
          QVERIFY2(differences(first, one.model) == expected_differences(task, base, one),
                   one.option.c_str());
          if (one.option.empty() || one.option == "preset") continue;
          QCOMPARE(Json::parse(to_json(one.model)).at(one.option).get<std::string>(), one.value);
          QCOMPARE(Json::parse(to_json(first)).at(one.option).get<std::string>(), one.base_value);
        }
      }
    }
  }

  void variants_are_valid_for_their_task() {
    for (const data::Task task : {data::Task::kTile, data::Task::kFusion}) {
      for (const AblationBase base : {AblationBase::kResidual, AblationBase::kOff}) {
        for (const AblationVariant& one : variants_of(task, base)) {
          const Status fits = check_model_options(one.model, widths_of(task, one.model));
          QVERIFY2(fits, fits ? "" : fits.error().message.c_str());
          QVERIFY(task == data::Task::kTile || predicts_time(one.model.loss));
        }
      }
    }
  }

  void rows_are_those_of_the_paper_and_ours() {
    const std::set<std::string> fusion = {"=",
                                          "edges=undirected",
                                          "edges=both",
                                          "static_features=off",
                                          "static_features=node",
                                          "loss=mape",
                                          "readout=per_node",
                                          "readout=lstm",
                                          "readout=transformer",
                                          "network=gat",
                                          "network=none",
                                          "analytical=residual",
                                          "analytical=features",
                                          "preset=lstm"};
    QVERIFY(rows_of(variants_of(data::Task::kFusion, AblationBase::kOff)) == fusion);
    std::set<std::string> tile = fusion;
    tile.insert({"loss=mse", "loss=list_mle", "join=early"});
    QVERIFY(rows_of(variants_of(data::Task::kTile, AblationBase::kOff)) == tile);
    tile.erase("loss=mape");
    tile.erase("analytical=residual");
    tile.insert({"loss=pairwise_hinge", "analytical=off"});
    QVERIFY(rows_of(variants_of(data::Task::kTile, AblationBase::kResidual)) == tile);
    const auto layout = ablation_variants(data::Task::kLayout, AblationBase::kOff);
    QVERIFY(!layout.has_value());
    QVERIFY(layout.error().code == ErrorCode::kUnsupported);
  }

  void every_variant_can_be_trained() {
    const ExampleSet set = ablation_tiles();
    ThreadPool pool(1);
    for (const AblationVariant& one : variants_of(data::Task::kTile, AblationBase::kResidual)) {
      TrainOptions options = small_training(one.model);
      options.steps = 2;
      options.evaluate_every = 2;
      const auto run = run_ablation(set, data::Part::kTest, options, pool);
      QVERIFY2(run.has_value(), run ? "" : run.error().message.c_str());
      QCOMPARE(run->metrics.size(), ablation_metrics(data::Task::kTile).size());
      QVERIFY(run->train_s > 0);
    }
  }

  void threads_do_not_change_the_metrics() {
    const ExampleSet set = ablation_tiles();
    const TrainOptions options =
        small_training(variants_of(data::Task::kTile, AblationBase::kOff).front().model);
    ThreadPool one(1);
    ThreadPool two(2);
    const auto a = run_ablation(set, data::Part::kTest, options, one);
    const auto b = run_ablation(set, data::Part::kTest, options, two);
    QVERIFY(a.has_value() && b.has_value());
    QVERIFY(a->metrics == b->metrics);
    QCOMPARE(a->best_step, b->best_step);
    // It has learned: the test kernels are of the two kinds of the training part.
    QVERIFY(a->metrics[0].value() > 0.9);
    QVERIFY(a->metrics[3].has_value());
  }

  // By hand: mean of 1, 2 and 6 is 3; squares 4 + 1 + 9 = 14; 14 / 2 = 7.
  void seeds_are_summarised() {
    const std::vector<std::optional<double>> values{1.0, std::nullopt, 2.0, 6.0};
    const SeedSummary three = summarise_seeds(values);
    QCOMPARE(three.n, size_t{3});
    QCOMPARE(three.mean.value(), 3.0);
    QCOMPARE(three.spread.value(), std::sqrt(7.0));
    const SeedSummary one = summarise_seeds(std::span(values).first(2));
    QCOMPARE(one.mean.value(), 1.0);
    QVERIFY(!one.spread);
    QVERIFY(!summarise_seeds(std::span(values).subspan(1, 1)).mean);
  }

  void bases_have_names() {
    for (const AblationBase base : {AblationBase::kResidual, AblationBase::kOff}) {
      QVERIFY(find_ablation_base(name(base)) == base);
    }
    QVERIFY(!find_ablation_base("features"));
  }
};

HLOSCOPE_TEST(TestAblation);
#include "test_ablation.moc"
