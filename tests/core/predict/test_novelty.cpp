// Before Qt, which makes a macro of `slots`.
#include "core/predict/novelty.h"

#include <cmath>
#include <numeric>

#include "core/nn/safetensors.h"
#include "tests/core/predict/example_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::predict;

namespace {

// 100 kernels of two nodes; two features that vary together and one by itself.
ExampleSet kernels() {
  ExampleSet set = testing::small_set(data::Task::kFusion);
  for (int i = 0; i < 100; ++i) {
    const auto size = static_cast<float>(1 + i % 10);
    const auto other = static_cast<float>(i / 10);
    set.examples.push_back(testing::chain(set, {{size, 2 * size, other}, {size, 1, 0}}));
    set.examples.back().times_ns = {1000};
  }
  return set;
}

std::vector<uint32_t> first(uint32_t count) {
  std::vector<uint32_t> out(count);
  std::iota(out.begin(), out.end(), 0U);
  return out;
}

}  // namespace

class TestNovelty : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    set_ = kernels();
    normaliser_ = fit_normaliser(set_, first(100));
    novelty_ = fit_novelty(set_, first(100), normaliser_, pool_);
  }
  // By its definition: the mean over training kernels of the squared distance is 1 for the
  // directions, and at most 1 more for what lies across them.
  void distances_are_in_units_of_the_training_kernels() {
    const std::vector<double> distances = novelty_.distances(set_, first(100), normaliser_, pool_);
    double sum = 0;
    for (const double distance : distances) sum += distance * distance;
    QVERIFY2(sum / 100 > 0.999 && sum / 100 < 2.001, std::to_string(sum / 100).c_str());
    const auto above = std::ranges::count_if(
        distances, [&](double distance) { return distance > novelty_.threshold(); });
    QVERIFY(above <= 1);
  }
  void strange_kernels_are_far() {
    set_.examples.push_back(testing::chain(set_, {{5, 10, 5}, {5, 1, 0}}));       // Known.
    set_.examples.push_back(testing::chain(set_, {{5000, 1, 5}, {5000, 1, 0}}));  // Large.
    set_.examples.push_back(testing::chain(set_, {{5, 10, 5}, {5, 1, 0}}));
    set_.examples.back().opcodes.back() = 200;
    for (size_t i = 100; i < 103; ++i) set_.examples[i].times_ns = {0};
    const std::vector<uint32_t> asked{100, 101, 102};
    QCOMPARE(novelty_.are_far(set_, asked, normaliser_, pool_), (std::vector<uint8_t>{0, 1, 1}));
    QVERIFY(std::isinf(novelty_.distances(set_, asked, normaliser_, pool_)[2]));
  }
  void threads_do_not_change_it() {
    ThreadPool three(3);
    const auto bytes = [](const Novelty& novelty) {
      nn::SafeTensors content;
      novelty.save(content);
      return *nn::format_safetensors(content);
    };
    QVERIFY(bytes(fit_novelty(set_, first(100), normaliser_, three)) == bytes(novelty_));
  }
  void a_file_keeps_it() {
    nn::SafeTensors content;
    QVERIFY(!Novelty::load(content)->has_value());
    novelty_.save(content);
    const auto back = *Novelty::load(content);
    QCOMPARE(back->threshold(), novelty_.threshold());
    QCOMPARE(back->distances(set_, first(100), normaliser_, pool_),
             novelty_.distances(set_, first(100), normaliser_, pool_));
  }
  void damaged_files_are_refused() {
    nn::SafeTensors good;
    novelty_.save(good);
    for (size_t i = 0; i < good.tensors.size(); ++i) {
      nn::SafeTensors bad = good;
      bad.tensors.erase(bad.tensors.begin() + static_cast<std::ptrdiff_t>(i));
      QCOMPARE(Novelty::load(bad).error().code, ErrorCode::kInvalidInput);
      bad = good;
      bad.tensors[i].bytes.replace(0, 4, "\xff\xff\xff\x7f");  // NaN
      QCOMPARE(Novelty::load(bad).error().code, ErrorCode::kInvalidInput);
    }
    for (const char* json :
         {"", "[]", "{}", R"({"threshold":1})", R"({"threshold":-1,"rest_scale":1})"}) {
      nn::SafeTensors bad = good;
      bad.metadata["novelty"] = json;
      QVERIFY2(!Novelty::load(bad), json);
    }
  }

 private:
  ThreadPool pool_{1};
  ExampleSet set_;
  Normaliser normaliser_;
  Novelty novelty_;
};
HLOSCOPE_TEST(TestNovelty);

#include "test_novelty.moc"
