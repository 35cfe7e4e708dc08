#pragma once

#include "tests/support/golden_table.h"

namespace hloscope::testing {

/// The lines of torch_golden.txt: what torch_golden.py prints with PyTorch 1.13.
[[nodiscard]] inline std::map<std::string, std::vector<double>> torch_golden() {
  return read_golden(HLOSCOPE_SOURCE_DIR "/tests/core/nn/torch_golden.txt");
}

}  // namespace hloscope::testing
