#include <fmt/format.h>

#include "core/base/result.h"

namespace hloscope {

namespace {

// Very long source lines (a constant, a tuple shape) are cut to a window around the column.
constexpr size_t kShownBytes = 120;

std::string caret_block(const Error& error) {
  const size_t column = error.column > 0 ? static_cast<size_t>(error.column) - 1 : 0;
  size_t begin = 0;
  if (error.source_line.size() > kShownBytes && column > kShownBytes / 2) {
    begin = column - kShownBytes / 2;
  }
  std::string shown =
      error.source_line.substr(std::min(begin, error.source_line.size()), kShownBytes);
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  const size_t caret = std::min(column - std::min(begin, column), shown.size());
  return fmt::format("  {}\n  {}^", shown, std::string(caret, ' '));
}

}  // namespace

std::string Error::headline() const {
  if (file.empty()) {
    return line > 0 ? fmt::format("{}:{}: {}", line, column, message) : message;
  }
  if (line > 0) return fmt::format("{}:{}:{}: {}", file, line, column, message);
  return fmt::format("{}: {}", file, message);
}

std::string Error::format() const {
  std::string out = headline();
  if (line > 0 && !source_line.empty()) out += fmt::format("\n{}", caret_block(*this));
  if (!hint.empty()) out += fmt::format("\n  hint: {}", hint);
  return out;
}

}  // namespace hloscope
