#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "app/cli/terminal.h"

namespace hloscope::cli {

/// Rows of text in aligned columns for a terminal, or as CSV.
class TextTable {
 public:
  /// kElided: left, and the first to be cut where a line is longer than a terminal's.
  enum class Align { kLeft, kRight, kElided };
  struct Column {
    std::string title;
    Align align = Align::kRight;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  [[nodiscard]] size_t rows() const { return rows_.size(); }

  /// Two blanks between columns; widths count characters, not bytes. What would be wider than
  /// `most_characters` has its titles on several lines; where that does not do, columns of kElided
  /// are cut until it fits or they are short. JSON and CSV have the whole texts.
  [[nodiscard]] std::string text(size_t most_characters) const;
  /// As wide as the output has room for: nothing is cut in files and pipes.
  [[nodiscard]] std::string text() const { return text(output_columns()); }
  /// RFC 4180.
  [[nodiscard]] std::string csv() const;

 private:
  void cut(std::vector<size_t>& widths, const std::vector<size_t>& least,
           size_t most_characters) const;
  [[nodiscard]] std::string lines(const std::vector<std::vector<std::string>>& rows,
                                  const std::vector<size_t>& widths) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// 1234567 -> "1,234,567".
[[nodiscard]] std::string grouped(double value);
template <typename Count, typename = std::enable_if_t<std::is_integral_v<Count>>>
[[nodiscard]] std::string grouped(Count count) {
  return grouped(static_cast<double>(count));
}
/// "1 kernel", "2,000 kernels".
[[nodiscard]] std::string counted(int64_t count, std::string_view one, std::string_view many);
/// Characters of the longest line.
[[nodiscard]] size_t width_of(std::string_view lines);
/// At most so many characters; "…" stands for what is cut off.
[[nodiscard]] std::string shortened(const std::string& text, size_t most_characters);
/// "simulated" of "simulated (tpu_v3@312e3e3a)".
[[nodiscard]] std::string kind_of(const std::string& source);
/// The title and the items with commas, in lines of at most 100 characters that end in a newline;
/// all but the first are indented by so many blanks.
[[nodiscard]] std::string list_text(std::string_view title, const std::vector<std::string>& items,
                                    size_t indent = 2);
/// 6.12e9 -> "6.12 G"; used with a unit behind.
[[nodiscard]] std::string with_prefix(double value);
/// 0.043 -> "4.3 %"; "-" for none.
[[nodiscard]] std::string percent(std::optional<double> fraction);
/// Kendall's tau: "0.87", "-" for none.
[[nodiscard]] std::string tau_text(std::optional<double> tau);
/// Microseconds: one decimal from 10 up, two below, whatever the sign; as the window shows them.
[[nodiscard]] std::string microseconds(double time_ns);

}  // namespace hloscope::cli
