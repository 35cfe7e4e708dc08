#include "core/hlo/similar.h"

#include <algorithm>
#include <array>

namespace hloscope::hlo {

namespace {

constexpr size_t kLongest = 40;  // No opcode or attribute is longer.

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Optimal string alignment distance: letters to insert, drop, change or swap with the next.
size_t edits(std::string_view a, std::string_view b) {
  using Row = std::array<size_t, kLongest + 1>;
  Row before{};
  Row above{};
  Row row{};
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  const auto same = [&](size_t i, size_t j) { return lower(a[i]) == lower(b[j]); };
  for (size_t i = 1; i <= a.size(); ++i) {
    before = above;
    above = row;
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t changed = above[j - 1] + (same(i - 1, j - 1) ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, changed});
      const bool swapped = i > 1 && j > 1 && same(i - 1, j - 2) && same(i - 2, j - 1);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string_view> most_similar(std::string_view word,
                                             std::span<const std::string_view> candidates) {
  std::optional<std::string_view> best;
  if (word.size() > kLongest) return best;
  size_t fewest = word.size() / 3 + 1;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kLongest) continue;
    const size_t count = edits(word, candidate);
    if (count >= fewest) continue;
    fewest = count;
    best = candidate;
  }
  return best;
}

}  // namespace hloscope::hlo
