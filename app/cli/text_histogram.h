#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hloscope::cli {

/// A bar of blocks for a share of 0..1; the full width is 40 characters. Anything above 0 shows.
[[nodiscard]] std::string bar(double share);

struct HistogramRow {
  std::string label;
  int64_t count = 0;
};
/// A line per row, labels to the right, then the count, its share of `total` and a bar; the largest
/// count has the full width. Indented by two.
[[nodiscard]] std::string histogram_text(const std::vector<HistogramRow>& rows, int64_t total);

}  // namespace hloscope::cli
