#pragma once

#include <map>
#include <string>
#include <vector>

namespace hloscope::testing {

/// A file of numbers that an oracle printed, a name and its numbers a line; empty where there is
/// none.
[[nodiscard]] std::map<std::string, std::vector<double>> read_golden(const std::string& path);

}  // namespace hloscope::testing
