#include "core/features/configuration.h"

#include "tests/support/test_registry.h"

using namespace hloscope;
using features::Group;

namespace {

std::vector<float> tail(const std::vector<float>& values, size_t begin, size_t count) {
  const auto first = values.begin() + static_cast<std::ptrdiff_t>(begin);
  return {first, first + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

class TestConfiguration : public QObject {
  Q_OBJECT
 private slots:
  // Row 0 of config_feat of inception_v3_batch_128_train_426e203f19335d17 (TpuGraphs, tile, xla,
  // valid).
  void tile_row_of_the_data_set() {
    const std::vector<int64_t> output = {1, 1, 20, 10};
    const std::vector<float> expected = {0, 0, 0,  0,   0, 0, 0, 0, 1, 1, 20, 10,
                                         0, 0, 32, 200, 0, 0, 0, 0, 0, 0, 0,  0};
    QVERIFY(configuration_features(Group::kTile, {{}, output, {}}) == expected);
    QVERIFY(configuration_features(Group::kTile, {{}, output}) == expected);
  }
  void tile_with_kernel_bounds() {
    const std::vector<int64_t> kernel = {3, 1, 24, 3};
    const auto all = configuration_features(Group::kTile, {kernel});
    const std::vector<float> expected = {3, 1, 24, 3, 0, 0, 31, 216};
    QVERIFY(tail(all, 0, 8) == expected);
  }
  void layouts_are_filled_with_minus_one() {
    const std::vector<int64_t> output = {1, 0};
    const std::vector<int64_t> kernel = {5, 4, 3, 2, 1, 0};
    const auto all = configuration_features(Group::kLayout, {output, {}, kernel});
    const std::vector<float> expected = {1,  0,  -1, -1, -1, -1, -1, -1, -1,
                                         -1, -1, -1, 5,  4,  3,  2,  1,  0};
    QVERIFY(all == expected);
  }
  void fusion_and_dot() {
    const std::vector<int64_t> fused = {1};
    const std::vector<int64_t> dot = {7, 8, 9};
    QVERIFY(configuration_features(Group::kFusion, {fused}) == std::vector<float>{1});
    QVERIFY(configuration_features(Group::kFusion, {}) == std::vector<float>{0});
    QVERIFY((configuration_features(Group::kDot, {dot}) == std::vector<float>{7, 8, 9}));
  }
  void append_keeps_what_is_there() {
    std::vector<float> out = {42};
    append_configuration_features(Group::kFusion, {}, out);
    QVERIFY((out == std::vector<float>{42, 0}));
  }
};

HLOSCOPE_TEST(TestConfiguration);
#include "test_configuration.moc"
