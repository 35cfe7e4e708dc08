#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/data/data_set.h"

namespace hloscope::data {

enum class Part : uint8_t { kTrain, kValid, kTest };
inline constexpr size_t kPartCount = 3;
[[nodiscard]] std::string_view name(Part part);  ///< "train", "valid", "test".
[[nodiscard]] std::optional<Part> find_part(std::string_view name);

/// A data set cut in parts. No program and no graph is in two of them.
struct Split {
  std::string name;
  std::string settings = "{}";  ///< JSON: method, seed, fractions.
  std::vector<Part> programs;   ///< By position of the program.
  std::vector<Part> graphs;     ///< By position of the graph.
};

}  // namespace hloscope::data
