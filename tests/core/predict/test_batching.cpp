#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/predict/batching.h"
#include "core/predict/sampler.h"
#include "tests/core/predict/example_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;
using predict::Chosen;

namespace {

using Indices = std::vector<uint32_t>;

// A diamond of four nodes, 1 and 2 using 0, 3 using both; and a chain of two.
predict::ExampleSet two_kernels() {
  predict::ExampleSet set = small_set(data::Task::kTile);
  set.examples.push_back(chain(set, {{0, 1, 0}, {1, 1, 0}, {2, 1, 0}, {4, 1, 0}}));
  set.examples[0].operand_offsets = {0, 0, 1, 2, 4};
  set.examples[0].operands = {0, 0, 1, 2};
  set.examples.push_back(chain(set, {{0, 3, 0}, {4, 1, 0}}));
  set.examples[0].static_features = {0, 0, 0, 4};
  set.examples[1].static_features = {0, 0, 0, 0};
  add_tiles(set.examples[0], {1000, 2000, 500});
  add_tiles(set.examples[1], {10, 20});
  return set;
}

// `count` kernels of each family, of 10 nodes and 5 tiles; the third is the fastest.
predict::ExampleSet families_of(data::Task task, const std::vector<size_t>& counts) {
  predict::ExampleSet set = small_set(task);
  for (size_t family = 0; family < counts.size(); ++family) {
    set.families.push_back("f" + std::to_string(family));
    for (size_t i = 0; i < counts[family]; ++i) {
      set.examples.push_back(chain(set, std::vector<std::vector<float>>(10, {0, 1, 0})));
      set.examples.back().family = static_cast<uint32_t>(family);
      add_tiles(set.examples.back(), {50, 40, 10, 30, 20});
      set.examples.back().default_sample = 1;
    }
  }
  return set;
}

Indices all_of(const predict::ExampleSet& set) {
  return set.of(data::Part::kTrain);
}

}  // namespace

class TestBatching : public QObject {
  Q_OBJECT
 private slots:
  void kernels_stand_one_behind_the_other() {
    const predict::ExampleSet set = two_kernels();
    const auto normaliser = fit_normaliser(set, all_of(set), predict::Scaling::kMinMax);
    const Chosen chosen[] = {{1, {0, 1}}, {0, {2, 0}}};
    const auto batch = predict::Batcher(set, normaliser).batch(chosen);
    QCOMPARE(batch.graphs(), size_t{2});
    QCOMPARE(batch.opcodes, (Indices{10, 11, 10, 11, 12, 13}));
    QCOMPARE(batch.node_offsets, (Indices{0, 2, 6}));
    QCOMPARE(batch.sample_offsets, (Indices{0, 2, 4}));
    QCOMPARE(batch.operand_offsets, (Indices{0, 0, 1, 1, 2, 3, 5}));
    QCOMPARE(batch.operands, (Indices{0, 2, 2, 3, 4}));
    QCOMPARE(batch.user_offsets, (Indices{0, 1, 1, 3, 4, 5, 5}));
    QCOMPARE(batch.users, (Indices{1, 3, 4, 5, 5}));
  }
  void features_are_scaled_and_targets_are_logarithms() {
    const predict::ExampleSet set = two_kernels();
    const auto normaliser = fit_normaliser(set, all_of(set), predict::Scaling::kMinMax);
    const Chosen chosen[] = {{1, {0, 1}}, {0, {2, 0}}};
    const auto batch = predict::Batcher(set, normaliser).batch(chosen);
    // Columns 0 (0 to 4) and 1 (1 to 3) are kept, and the last of four static features.
    nn::Matrix<float> nodes(6, 2);
    nodes << 0, 1, 1, 0, 0, 0, 0.25F, 0, 0.5F, 0, 1, 0;
    QVERIFY(batch.node_features.isApprox(nodes));
    QCOMPARE(batch.graph_features.cols(), Eigen::Index{1});
    QCOMPARE(batch.graph_features(0, 0), 0.0F);
    QCOMPARE(batch.graph_features(1, 0), 1.0F);
    nn::Matrix<float> tiles(4, 1);
    tiles << 0, 0.5F, 1, 0;
    QVERIFY(batch.configurations.isApprox(tiles));
    const double times_ns[] = {10, 20, 500, 1000};
    for (size_t i = 0; i < 4; ++i) {
      QCOMPARE(batch.targets[i], static_cast<float>(std::log(times_ns[i])));
    }
  }
  void memory_is_used_again() {
    const predict::ExampleSet set = two_kernels();
    const auto normaliser = fit_normaliser(set, all_of(set));
    const predict::Batcher batcher(set, normaliser);
    const Chosen one[] = {{1, {0}}};
    predict::Batch<float> batch = batcher.batch(std::vector<Chosen>{{0, {0, 1, 2}}, {1, {1}}});
    batcher.fill(one, batch);
    const auto fresh = batcher.batch(one);
    QVERIFY(batch.opcodes == fresh.opcodes && batch.node_features == fresh.node_features &&
            batch.users == fresh.users && batch.user_offsets == fresh.user_offsets &&
            batch.operands == fresh.operands && batch.configurations == fresh.configurations &&
            batch.targets == fresh.targets && batch.sample_offsets == fresh.sample_offsets);
  }

  void the_seed_determines_the_draws() {
    const auto set = families_of(data::Task::kTile, {5, 9});
    const auto draws = [&set](uint64_t seed) {
      predict::BatchSampler sampler(set, all_of(set), {seed, 50, 3});
      std::vector<std::vector<Chosen>> out;
      for (int i = 0; i < 20; ++i) out.push_back(sampler.next());
      return out;
    };
    QVERIFY(draws(7) == draws(7));
    QVERIFY(draws(7) != draws(8));
  }
  void families_count_the_same_and_kernels_within_them() {
    const auto set = families_of(data::Task::kFusion, {2, 30, 6});
    predict::BatchSampler sampler(set, all_of(set), {3, 60, 1});
    std::map<uint32_t, int> families, kernels;
    for (int i = 0; i < 30; ++i) {
      const auto batch = sampler.next();
      QCOMPARE(batch.size(), size_t{6});
      for (const Chosen& chosen : batch) {
        QCOMPARE(chosen.samples, (Indices{1}));
        ++families[set.examples[chosen.example].family];
        ++kernels[chosen.example];
      }
    }
    // 180 draws: 60 of each family, that is 30, 2 and 10 of each kernel.
    QCOMPARE(kernels.size(), size_t{38});
    for (const auto& [family, count] : families) QCOMPARE(count, 60);
    for (const auto& [kernel, count] : kernels) {
      QCOMPARE(count, kernel < 2 ? 30 : kernel < 32 ? 2 : 10);
    }
  }
  void the_fastest_configuration_is_always_there() {
    const auto set = families_of(data::Task::kTile, {4});
    predict::BatchSampler sampler(set, all_of(set), {1, 40, 3});
    std::set<uint32_t> seen;
    for (int i = 0; i < 40; ++i) {
      for (const Chosen& chosen : sampler.next()) {
        QCOMPARE(std::set<uint32_t>(chosen.samples.begin(), chosen.samples.end()).size(),
                 size_t{3});
        QVERIFY(std::binary_search(chosen.samples.begin(), chosen.samples.end(), 2U));
        seen.insert(chosen.samples.begin(), chosen.samples.end());
      }
    }
    QCOMPARE(seen, (std::set<uint32_t>{0, 1, 2, 3, 4}));
  }
  void batches_are_full_and_large_kernels_alone() {
    auto set = families_of(data::Task::kFusion, {20});
    set.examples.push_back(chain(set, std::vector<std::vector<float>>(500, {0, 1, 0})));
    set.examples.back().times_ns = {1};
    predict::BatchSampler sampler(set, all_of(set), {1, 75, 1});
    std::map<uint32_t, int> kernels;
    bool was_alone = false;
    for (int i = 0; i < 12; ++i) {
      const auto batch = sampler.next();
      for (const Chosen& chosen : batch) ++kernels[chosen.example];
      const bool is_large = batch.front().example == 20;
      QVERIFY(is_large ? batch.size() == 1 : batch.size() <= 7);
      was_alone = was_alone || is_large;
    }
    QVERIFY(was_alone);
    QCOMPARE(kernels.size(), size_t{21});
  }
  void without_anything_to_rank_there_are_no_batches() {
    auto set = families_of(data::Task::kTile, {1});
    set.examples[0].times_ns.resize(1);
    predict::BatchSampler sampler(set, all_of(set), {});
    QVERIFY(sampler.empty() && sampler.next().empty());
  }
  void a_full_pass_has_every_sample_once() {
    const auto set = families_of(data::Task::kTile, {7});
    const auto pass = predict::full_pass(set, all_of(set), 25, 3);
    std::vector<std::pair<uint32_t, uint32_t>> seen;
    for (const auto& batch : pass) {
      size_t samples = 0;
      QVERIFY(batch.size() <= 2);
      for (const Chosen& chosen : batch) {
        samples += chosen.samples.size();
        for (const uint32_t sample : chosen.samples) seen.emplace_back(chosen.example, sample);
      }
      QVERIFY(samples <= 3);
    }
    QCOMPARE(seen.size(), size_t{35});
    QVERIFY(std::is_sorted(seen.begin(), seen.end()));
    QVERIFY(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
  }
};

HLOSCOPE_TEST(TestBatching);
#include "test_batching.moc"
