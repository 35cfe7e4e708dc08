#include "app/cli/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
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

}  // namespace

std::string TextTable::text() const {
  std::vector<size_t> widths;
  for (const Column& column : columns_) widths.push_back(characters(column.title));
  std::vector<std::vector<std::string>> rows = rows_;
  for (auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      row[i] = printable(row[i]);
      widths[i] = std::max(widths[i], characters(row[i]));
    }
  }
  std::string out;
  const auto append = [&](const auto& cell_of) {
    std::string line;
    for (size_t i = 0; i < columns_.size(); ++i) {
      const std::string& cell = cell_of(i);
      const std::string blanks(widths[i] - characters(cell), ' ');
      if (i > 0) line += "  ";
      line += columns_[i].align == Align::kLeft ? cell + blanks : blanks + cell;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  };
  append([this](size_t i) -> const std::string& { return columns_[i].title; });
  for (const auto& row : rows) {
    append([&row](size_t i) -> const std::string& { return row[i]; });
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

std::string list_text(std::string_view title, const std::vector<std::string>& items) {
  constexpr size_t kMostCharacters = 100;
  std::string out;
  std::string line(title);
  for (size_t i = 0; i < items.size(); ++i) {
    const std::string word = items[i] + (i + 1 < items.size() ? "," : "");
    if (characters(line) + 1 + characters(word) > kMostCharacters) {
      out += line + "\n";
      line = " ";
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
