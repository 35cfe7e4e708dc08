#pragma once

#include <map>
#include <string>
#include <vector>

namespace hloscope::testing {

/// The lines of torch_golden.txt: what torch_golden.py prints with PyTorch 1.13.
[[nodiscard]] std::map<std::string, std::vector<double>> read_golden();

}  // namespace hloscope::testing
