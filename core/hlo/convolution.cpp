#include "core/hlo/convolution.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

namespace hloscope::hlo {

namespace {

// Beyond this many kernel positions the count ignores padding: no real program comes near.
constexpr int64_t kMaxPositions = 1 << 24;
// Sizes and window values are cut here, so that products of two of them do not overflow.
constexpr int64_t kMaxSize = int64_t{1} << 31;

// Where a label stands in one part of dim_labels, e.g. 'f' in "b01f" is 3; -1 without it.
int position(std::string_view part, char label) {
  const size_t found = part.find(label);
  return found == std::string_view::npos ? -1 : static_cast<int>(found);
}

int64_t size_at(const Shape& shape, int dimension) {
  if (dimension < 0 || static_cast<size_t>(dimension) >= shape.rank()) return 1;
  return std::clamp<int64_t>(shape.dimensions[static_cast<size_t>(dimension)], 0, kMaxSize);
}

int64_t positive(int64_t value) {
  return std::clamp<int64_t>(value, 1, kMaxSize);
}

int64_t either_sign(int64_t value) {
  return std::clamp(value, -kMaxSize, kMaxSize);
}

struct Labels {
  std::string_view input;
  std::string_view kernel;
  std::string_view output;
};

std::optional<Labels> split_labels(std::string_view text) {
  const size_t underscore = text.find('_');
  const size_t arrow = text.find("->");
  if (underscore == std::string_view::npos || arrow == std::string_view::npos) return std::nullopt;
  if (arrow < underscore) return std::nullopt;
  return Labels{text.substr(0, underscore), text.substr(underscore + 1, arrow - underscore - 1),
                text.substr(arrow + 2)};
}

// x with (stride * x + offset) a multiple of `dilation`: x = first (mod period); no such x gives
// period 0.
struct Congruence {
  int64_t stride;
  int64_t dilation;
  int64_t divisor;  // gcd(stride, dilation)
  int64_t inverse;  // Of stride / divisor modulo dilation / divisor.

  Congruence(int64_t stride_in, int64_t dilation_in)
      : stride(stride_in), dilation(dilation_in), divisor(std::gcd(stride_in, dilation_in)) {
    const int64_t modulus = dilation / divisor;
    int64_t r0 = modulus, r1 = stride / divisor % modulus, s0 = 0, s1 = 1;
    while (r1 != 0) {
      const int64_t q = r0 / r1;
      r0 = std::exchange(r1, r0 - q * r1);
      s0 = std::exchange(s1, s0 - q * s1);
    }
    inverse = (s0 % modulus + modulus) % modulus;
  }

  // How many x in [low, high] satisfy it.
  [[nodiscard]] int64_t count(int64_t offset, int64_t low, int64_t high) const {
    if (low > high || offset % divisor != 0) return 0;
    const int64_t modulus = dilation / divisor;
    const int64_t residue = (-offset / divisor % modulus + modulus) % modulus;
    const auto first = static_cast<int64_t>(static_cast<__int128>(residue) * inverse % modulus);
    const int64_t start = low + ((first - low) % modulus + modulus) % modulus;
    return start > high ? 0 : (high - start) / modulus + 1;
  }
};

int64_t floor_div(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0);
}

}  // namespace

std::optional<Convolution> convolution(const Program& program, InstructionId id) {
  const auto operands = program.operands(id);
  const auto labels = split_labels(program.text(id, AttrKey::kDimLabels));
  if (!labels || operands.size() < 2) return std::nullopt;
  const Shape& input = program.shape(operands[0]);
  const Shape& kernel = program.shape(operands[1]);
  const Shape& output = program.shape(id);
  Convolution c;
  c.batch = size_at(input, position(labels->input, 'b'));
  c.input_feature = size_at(input, position(labels->input, 'f'));
  c.output_feature = size_at(output, position(labels->output, 'f'));
  c.feature_groups = positive(program.integer(id, AttrKey::kFeatureGroupCount).value_or(1));
  c.batch_groups = positive(program.integer(id, AttrKey::kBatchGroupCount).value_or(1));
  const auto window = program.ints(id, AttrKey::kWindow);
  c.input_dims = {position(labels->input, 'b'), position(labels->input, 'f')};
  c.kernel_dims = {position(labels->kernel, 'i'), position(labels->kernel, 'o')};
  c.output_dims = {position(labels->output, 'b'), position(labels->output, 'f')};
  c.spatial_count = std::min(window.size() / kWindowInts, Convolution::kMaxSpatial);
  for (size_t i = 0; i < c.spatial_count; ++i) {
    const char digit = static_cast<char>('0' + i);
    const int64_t* w = &window[kWindowInts * i];
    c.spatial[i] = {.input = size_at(input, position(labels->input, digit)),
                    .kernel = size_at(kernel, position(labels->kernel, digit)),
                    .output = size_at(output, position(labels->output, digit)),
                    .stride = positive(w[1]),
                    .pad_low = either_sign(w[2]),
                    .pad_high = either_sign(w[3]),
                    .base_dilation = positive(w[4]),
                    .window_dilation = positive(w[5]),
                    .is_reversed = w[6] != 0,
                    .input_dim = position(labels->input, digit),
                    .kernel_dim = position(labels->kernel, digit),
                    .output_dim = position(labels->output, digit)};
  }
  return c;
}

double valid_positions(const Convolution::Spatial& d) {
  if (d.input <= 0 || d.output <= 0 || d.kernel <= 0) return 0;
  if (d.kernel > kMaxPositions) {
    return static_cast<double>(d.kernel) * static_cast<double>(d.output);
  }
  const Congruence holes(d.stride, d.base_dilation);
  const int64_t last = (d.input - 1) * d.base_dilation;
  int64_t count = 0;
  for (int64_t k = 0; k < d.kernel; ++k) {
    // Output o reads dilated input position o * stride + offset.
    const int64_t offset = k * d.window_dilation - d.pad_low;
    const int64_t low = std::max<int64_t>(0, -floor_div(offset, d.stride));
    const int64_t high = std::min(d.output - 1, floor_div(last - offset, d.stride));
    count += holes.count(offset, low, high);
  }
  return static_cast<double>(count);
}

double convolution_flops(const Convolution& c) {
  const int64_t group_features = c.input_feature / c.feature_groups;
  const int64_t group_batch = c.batch / c.batch_groups;
  double multiply_adds = static_cast<double>(group_features) *
                         static_cast<double>(c.output_feature) * static_cast<double>(group_batch);
  for (size_t i = 0; i < c.spatial_count; ++i) multiply_adds *= valid_positions(c.spatial[i]);
  return 2 * multiply_adds;
}

}  // namespace hloscope::hlo
