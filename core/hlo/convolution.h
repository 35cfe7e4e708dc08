#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/hlo/program.h"

namespace hloscope::hlo {

/// Sizes of a convolution, read from its dim_labels, window and group counts.
struct Convolution {
  static constexpr size_t kMaxSpatial = 10;
  struct Spatial {
    int64_t input = 1;
    int64_t kernel = 1;
    int64_t output = 1;
    int64_t stride = 1;
    int64_t pad_low = 0;
    int64_t pad_high = 0;
    int64_t base_dilation = 1;
    int64_t window_dilation = 1;
    bool is_reversed = false;
    int input_dim = -1;  ///< Position in the shapes; -1 when the labels have none.
    int kernel_dim = -1;
    int output_dim = -1;
  };
  /// Positions of batch and feature (input, output), or of input and output feature (kernel).
  struct Pair {
    int first = -1;
    int second = -1;
  };
  std::array<Spatial, kMaxSpatial> spatial;
  size_t spatial_count = 0;
  int64_t batch = 1;          ///< Of the input.
  int64_t input_feature = 1;  ///< Of the input, all groups.
  int64_t output_feature = 1;
  int64_t feature_groups = 1;
  int64_t batch_groups = 1;
  Pair input_dims;   ///< Batch, feature.
  Pair kernel_dims;  ///< Input feature, output feature.
  Pair output_dims;  ///< Batch, feature.
};

/// Null when the labels do not fit the shapes.
[[nodiscard]] std::optional<Convolution> convolution(const Program& program, InstructionId id);

/// Pairs of (output position, kernel position) along one dimension that meet a real input element:
/// padding and the holes of a dilated input are left out.
[[nodiscard]] double valid_positions(const Convolution::Spatial& dimension);

/// Twice the multiply-adds that are not with padding or holes, as XLA counts.
[[nodiscard]] double convolution_flops(const Convolution& convolution);

}  // namespace hloscope::hlo
