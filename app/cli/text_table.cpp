#include "app/cli/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>

#include "app/cli/printable.h"

namespace hloscope::cli {

namespace {

size_t characters(std::string_view text) {
  // Continuation bytes of UTF-8 look like 10xxxxxx.
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string csv_cell(const std::string& cell) {
  if (cell.find_first_of(",\"\n\r") == std::string::npos) return cell;
  std::string out = "\"";
  for (char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

constexpr size_t kMostOfList = 100;  // Characters of a line.
constexpr size_t kGap = 2;           // Between columns.
constexpr size_t kShortestCut = 12;  // Less of a text says nothing.
constexpr size_t kMostTitleLines = 3;

using Rows = std::vector<std::vector<std::string>>;

size_t line_width(const std::vector<size_t>& widths) {
  return std::accumulate(widths.begin(), widths.end(), kGap * (widths.size() - 1));
}

/// In lines of at most so many characters, or of one word that is longer.
std::vector<std::string> broken(const std::string& title, size_t width) {
  std::vector<std::string> lines(1);
  for (size_t at = 0; at < title.size();) {
    const size_t end = std::min(title.find(' ', at), title.size());
    const std::string word = title.substr(at, end - at);
    if (lines.back().empty()) {
      lines.back() = word;
    } else if (characters(lines.back()) + 1 + characters(word) <= width) {
      lines.back() += " " + word;
    } else {
      lines.push_back(word);
    }
    at = end + 1;
  }
  return lines;
}

/// In at most so many lines, as narrow as that allows but no narrower than `width`.
std::vector<std::string> broken_into(const std::string& title, size_t lines, size_t width) {
  std::vector<std::string> out = broken(title, width);
  while (out.size() > lines) out = broken(title, ++width);
  return out;
}

/// The titles of all columns as rows of a table; short ones stand next to the numbers.
Rows heads_of(const std::vector<std::vector<std::string>>& titles) {
  size_t lines = 1;
  for (const auto& title : titles) lines = std::max(lines, title.size());
  Rows out(lines, std::vector<std::string>(titles.size()));
  for (size_t i = 0; i < titles.size(); ++i) {
    for (size_t l = 0; l < titles[i].size(); ++l) {
      out[lines - titles[i].size() + l][i] = titles[i][l];
    }
  }
  return out;
}

size_t widest(const std::vector<std::string>& texts) {
  size_t out = 0;
  for (const std::string& text : texts) out = std::max(out, characters(text));
  return out;
}

}  // namespace

// The widest of those that may be cut loses most.
void TextTable::cut(std::vector<size_t>& widths, const std::vector<size_t>& least,
                    size_t most_characters) const {
  while (line_width(widths) > most_characters) {
    std::optional<size_t> longest;
    for (size_t i = 0; i < columns_.size(); ++i) {
      const bool may_go =
          columns_[i].align == Align::kElided && widths[i] > std::max(kShortestCut, least[i]);
      if (may_go && (!longest || widths[i] > widths[*longest])) longest = i;
    }
    if (!longest) return;
    --widths[*longest];
  }
}

std::string TextTable::text(size_t most_characters) const {
  Rows rows = rows_;
  std::vector<size_t> of_cells(columns_.size(), 0);
  for (auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      row[i] = printable(row[i]);
      of_cells[i] = std::max(of_cells[i], characters(row[i]));
    }
  }
  const auto titles_in = [&](size_t lines) {
    std::vector<std::vector<std::string>> titles;
    for (size_t i = 0; i < columns_.size(); ++i) {
      titles.push_back(broken_into(columns_[i].title, lines, of_cells[i]));
    }
    return titles;
  };
  const auto widths_with = [&](const std::vector<std::vector<std::string>>& titles) {
    std::vector<size_t> widths = of_cells;
    for (size_t i = 0; i < titles.size(); ++i) widths[i] = std::max(widths[i], widest(titles[i]));
    return widths;
  };
  auto titles = titles_in(1);
  std::vector<size_t> widths = widths_with(titles);
  for (size_t lines = 2; lines <= kMostTitleLines && line_width(widths) > most_characters;
       ++lines) {
    titles = titles_in(lines);
    widths = widths_with(titles);
  }
  std::vector<size_t> least;
  for (const auto& title : titles) least.push_back(widest(title));
  cut(widths, least, most_characters);
  return lines(heads_of(titles), widths) + lines(rows, widths);
}

std::string TextTable::lines(const Rows& rows, const std::vector<size_t>& widths) const {
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < columns_.size(); ++i) {
      const std::string cell = i < row.size() ? shortened(row[i], widths[i]) : "";
      const std::string blanks(widths[i] - characters(cell), ' ');
      if (i > 0) line.append(kGap, ' ');
      line += columns_[i].align == Align::kRight ? blanks + cell : cell + blanks;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string TextTable::csv() const {
  std::string out;
  for (size_t i = 0; i < columns_.size(); ++i) {
    out += fmt::format("{}{}", i > 0 ? "," : "", csv_cell(columns_[i].title));
  }
  out += "\n";
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i)
      out += fmt::format("{}{}", i > 0 ? "," : "", csv_cell(row[i]));
    out += "\n";
  }
  return out;
}

std::string grouped(double value) {
  std::string digits = fmt::format("{:.0f}", std::abs(value));
  for (size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return fmt::format("{}{}", value < 0 ? "-" : "", digits);
}

std::string counted(int64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(count), count == 1 ? one : many);
}

size_t width_of(std::string_view lines) {
  size_t out = 0;
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    out = std::max(out, characters(lines.substr(0, end)));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return out;
}

std::string shortened(const std::string& text, size_t most_characters) {
  if (characters(text) <= most_characters) return text;
  std::string out = text;
  do {
    // A character goes with its continuation bytes.
    while ((static_cast<unsigned char>(out.back()) & 0xC0) == 0x80) out.pop_back();
    out.pop_back();
  } while (characters(out) >= most_characters);
  return out + "…";
}

std::string kind_of(const std::string& source) {
  return source.substr(0, source.find(" ("));
}

std::string list_text(std::string_view title, const std::vector<std::string>& items,
                      size_t indent) {
  std::string out;
  std::string line(title);
  for (size_t i = 0; i < items.size(); ++i) {
    const std::string word = items[i] + (i + 1 < items.size() ? "," : "");
    if (characters(line) + 1 + characters(word) > kMostOfList) {
      out += line + "\n";
      line.assign(indent - 1, ' ');
    }
    line += " " + word;
  }
  return out + line + "\n";
}

std::string with_prefix(double value) {
  constexpr std::array<const char*, 6> kPrefixes = {"", "k", "M", "G", "T", "P"};
  size_t i = 0;
  double scaled = value;
  while (std::abs(scaled) >= 999.5 && i + 1 < kPrefixes.size()) {
    scaled /= 1000;
    ++i;
  }
  if (i == 0) return fmt::format("{:.0f} ", scaled);
  const int decimals = std::abs(scaled) < 9.995 ? 2 : std::abs(scaled) < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", scaled, decimals, kPrefixes[i]);
}

std::string percent(std::optional<double> fraction) {
  if (!fraction) return "-";
  return fmt::format("{:.1f} %", *fraction * 100);
}

std::string tau_text(std::optional<double> tau) {
  return tau ? fmt::format("{:.2f}", *tau) : "-";
}

std::string microseconds(double time_ns) {
  const double us = time_ns / 1000;
  return fmt::format("{:.{}f}", us, std::abs(us) < 9.995 ? 2 : 1);
}

}  // namespace hloscope::cli
