#include "app/cli/text_histogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "app/cli/text_table.h"

namespace hloscope::cli {

namespace {

constexpr int kWidth = 40;
constexpr int kSteps = 8;  // A character is drawn in eighths.
constexpr std::array<const char*, kSteps + 1> kBlocks{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

std::string percent_of(int64_t count, int64_t total) {
  if (total == 0) return "";
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(count) / static_cast<double>(total));
}

}  // namespace

std::string bar(double share) {
  const double clamped = std::clamp(share, 0.0, 1.0);
  int steps = static_cast<int>(std::lround(clamped * kWidth * kSteps));
  if (clamped > 0) steps = std::max(steps, 1);
  std::string out;
  for (; steps > 0; steps -= kSteps) out += kBlocks[static_cast<size_t>(std::min(steps, kSteps))];
  return out;
}

std::string histogram_text(const std::vector<HistogramRow>& rows, int64_t total) {
  if (rows.empty()) return {};
  const int64_t most = std::ranges::max_element(rows, {}, &HistogramRow::count)->count;
  TextTable table({{""}, {""}, {""}, {"", TextTable::Align::kLeft}});
  for (const HistogramRow& row : rows) {
    const double share = most > 0 ? static_cast<double>(row.count) / static_cast<double>(most) : 0;
    table.add_row({row.label, grouped(static_cast<double>(row.count)), percent_of(row.count, total),
                   bar(share)});
  }
  std::string out;
  std::istringstream lines(table.text());
  std::string line;
  std::getline(lines, line);  // The titles, which are empty.
  while (std::getline(lines, line)) out += "  " + line + "\n";
  return out;
}

}  // namespace hloscope::cli
