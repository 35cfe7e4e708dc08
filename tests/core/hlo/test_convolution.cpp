#include "core/hlo/convolution.h"

#include "core/base/rng.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

using Spatial = hlo::Convolution::Spatial;

// The definition: every pair of output and kernel position that meets a real input element.
double count_one_by_one(const Spatial& d) {
  int64_t count = 0;
  for (int64_t k = 0; k < d.kernel; ++k) {
    for (int64_t o = 0; o < d.output; ++o) {
      const int64_t at = o * d.stride - d.pad_low + k * d.window_dilation;
      const bool in_hole = at % d.base_dilation != 0;
      if (!in_hole && at >= 0 && at / d.base_dilation < d.input) ++count;
    }
  }
  return static_cast<double>(count);
}

}  // namespace

class TestConvolution : public QObject {
  Q_OBJECT
 private slots:
  void positions_as_counted_one_by_one() {
    Rng rng(11);
    const auto draw = [&rng](int64_t low, int64_t high) {
      return low + static_cast<int64_t>(rng.below(static_cast<uint64_t>(high - low + 1)));
    };
    for (int round = 0; round < 2000; ++round) {
      const Spatial d{.input = draw(1, 20),
                      .kernel = draw(1, 9),
                      .output = draw(1, 20),
                      .stride = draw(1, 6),
                      .pad_low = draw(-5, 9),
                      .pad_high = draw(-5, 9),
                      .base_dilation = draw(1, 6),
                      .window_dilation = draw(1, 5)};
      QCOMPARE(hlo::valid_positions(d), count_one_by_one(d));
    }
  }
  void nothing_in_empty_dimensions() {
    QCOMPARE(hlo::valid_positions({.input = 0, .kernel = 3, .output = 3}), 0.0);
    QCOMPARE(hlo::valid_positions({.input = 3, .kernel = 0, .output = 3}), 0.0);
  }
  // No padding: each of 10^9 outputs meets each of the 5 kernel positions.
  void long_dimensions_take_no_time() {
    QCOMPARE(hlo::valid_positions({.input = 1'000'000'004, .kernel = 5, .output = 1'000'000'000}),
             5e9);
  }
  void groups_divide_the_work() {
    hlo::Convolution c;
    c.batch = 4;
    c.input_feature = 6;
    c.output_feature = 10;
    QCOMPARE(hlo::convolution_flops(c), 2.0 * 4 * 6 * 10);
    c.feature_groups = 2;
    QCOMPARE(hlo::convolution_flops(c), 2.0 * 4 * 3 * 10);
    c.batch_groups = 2;
    QCOMPARE(hlo::convolution_flops(c), 2.0 * 2 * 3 * 10);
  }
};

HLOSCOPE_TEST(TestConvolution);
#include "test_convolution.moc"
