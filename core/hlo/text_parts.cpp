#include "core/hlo/text_parts.h"

#include <algorithm>
#include <cstring>

#include "core/hlo/lexer.h"

namespace hloscope::hlo {

namespace {

constexpr auto kNone = std::string_view::npos;

size_t skip_digits(std::string_view line, size_t at) {
  while (at < line.size() && lex::is(line[at], lex::kDigit)) ++at;
  return at;
}

// Length of `[IWEF]dddd dd:dd:dd.d+ blanks d+ blanks FILE:d+] [blank]`, 0 if the line has none.
// The same lines as XLA's file loader takes (xla/tools/hlo_module_loader.cc).
size_t log_prefix_length(std::string_view line) {
  if (line.size() < 20 || std::string_view("IWEF").find(line[0]) == kNone) return 0;
  constexpr std::string_view kShape = "0000 00:00:00.0";
  for (size_t i = 0; i < kShape.size(); ++i) {
    const char c = line[i + 1];
    if (kShape[i] == '0' ? !lex::is(c, lex::kDigit) : c != kShape[i]) return 0;
  }
  size_t at = skip_digits(line, 1 + kShape.size());
  size_t next = std::min(line.find_first_not_of(" \t", at), line.size());
  if (next == at) return 0;
  at = skip_digits(line, next);
  if (at == next) return 0;
  next = std::min(line.find_first_not_of(" \t", at), line.size());
  if (next == at) return 0;
  const size_t bracket = line.find(']', next);
  const size_t colon = bracket == kNone ? kNone : line.rfind(':', bracket);
  if (colon == kNone || colon <= next || skip_digits(line, colon + 1) != bracket ||
      bracket == colon + 1 || line.substr(next, colon - next).find(' ') != kNone) {
    return 0;
  }
  const size_t length = bracket + 1;
  return length < line.size() && line[length] == ' ' ? length + 1 : length;
}

bool is_divider(std::string_view line) {
  constexpr std::string_view kDivider = "// -----";
  return line.starts_with(kDivider) && line.find_first_not_of(" \t\r", kDivider.size()) == kNone;
}

class Splitter {
 public:
  explicit Splitter(std::string& text) : text_(text) { parts_.push_back({0, text.size(), {}}); }

  std::vector<TextPart> run() {
    for (size_t begin = 0; begin < text_.size();) {
      const size_t end = std::min(text_.find('\n', begin), text_.size());
      const char first = text_[begin];
      if (first == '/' || first == '*' || (first >= 'E' && first <= 'W')) look_at(begin, end);
      begin = end + 1;
    }
    if (marked_ && inside_) parts_.back().end = text_.size();
    if (marked_ && !inside_) parts_.pop_back();
    for (const TextPart& part : parts_) {
      if (part.end < text_.size()) text_[part.end] = '\0';
    }
    return std::move(parts_);
  }

 private:
  void look_at(size_t begin, size_t end) {
    std::string_view line = std::string_view(text_).substr(begin, end - begin);
    if (is_divider(line)) {
      cut(begin, end, {});
      return;
    }
    const size_t prefix = log_prefix_length(line);
    std::fill_n(text_.begin() + static_cast<std::ptrdiff_t>(begin), prefix, ' ');
    line.remove_prefix(prefix);
    constexpr std::string_view kBegin = "*** Begin ";
    if (line.starts_with(kBegin)) {
      const std::string_view rest = line.substr(kBegin.size());
      if (!marked_) parts_.assign(1, {});
      if (inside_) cut(begin, end, {});  // the last one has no end mark
      marked_ = inside_ = true;
      parts_.back() = {end, text_.size(), rest.substr(0, rest.find(" ***"))};
    } else if (line.starts_with("*** End") && inside_) {
      cut(begin, end, {});
      inside_ = false;
    }
  }

  void cut(size_t begin, size_t end, std::string_view name) {
    parts_.back().end = begin;
    parts_.push_back({end, text_.size(), name});
  }

  std::string& text_;
  std::vector<TextPart> parts_;
  bool marked_ = false;
  bool inside_ = false;
};

}  // namespace

std::vector<TextPart> split_text(std::string& text) {
  return Splitter(text).run();
}

}  // namespace hloscope::hlo
