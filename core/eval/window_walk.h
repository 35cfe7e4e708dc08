#pragma once

#include <optional>

#include "core/eval/op_call.h"

namespace hloscope::eval {

/// One dimension of a window attribute.
struct WindowDim {
  int64_t size = 1;
  int64_t stride = 1;
  int64_t pad_low = 0;
  int64_t pad_high = 0;
  int64_t base_dilation = 1;
  int64_t window_dilation = 1;
  bool is_reversed = false;

  /// The input position that element `inside` of the window at `output` meets; nothing for padding
  /// and the holes of a dilated input.
  [[nodiscard]] std::optional<int64_t> input_position(int64_t output, int64_t inside,
                                                      int64_t input_size) const {
    const int64_t element = is_reversed ? size - 1 - inside : inside;
    const int64_t place = output * stride + element * window_dilation - pad_low;
    if (place < 0 || place % base_dilation != 0) return std::nullopt;
    const int64_t position = place / base_dilation;
    return position < input_size ? std::optional(position) : std::nullopt;
  }
  /// How many windows there are over an input.
  [[nodiscard]] int64_t output_size(int64_t input_size) const {
    const int64_t dilated = input_size > 0 ? (input_size - 1) * base_dilation + 1 : 0;
    const int64_t room = dilated + pad_low + pad_high - ((size - 1) * window_dilation + 1);
    return room < 0 ? 0 : room / stride + 1;
  }
};

/// The window of an instruction; kInvalidInput for sizes and steps below 1 or without measure.
[[nodiscard]] Result<std::vector<WindowDim>> window_of(const OpCall& call);

}  // namespace hloscope::eval
