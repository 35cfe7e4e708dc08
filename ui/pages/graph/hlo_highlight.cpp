#include "ui/pages/graph/hlo_highlight.h"

#include <algorithm>

#include "core/hlo/opcode.h"
#include "core/hlo/shape.h"

namespace hloscope::ui {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

size_t end_of_text(std::string_view line, size_t at) {
  for (size_t i = at + 1; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      return i + 1;
    }
  }
  return line.size();
}

/// End of `f32[8,128]{1,0:T(8,128)}` whose type ends at `at`.
size_t end_of_shape(std::string_view line, size_t at) {
  const size_t bracket = line.find(']', at);
  if (bracket == std::string_view::npos) return at;
  const bool layout = bracket + 1 < line.size() && line[bracket + 1] == '{';
  const size_t brace = layout ? line.find('}', bracket) : std::string_view::npos;
  return brace == std::string_view::npos ? bracket + 1 : brace + 1;
}

HloSpan word_span(std::string_view line, size_t at) {
  size_t end = at;
  while (end < line.size() && is_word(line[end])) ++end;
  const std::string_view word = line.substr(at, end - at);
  const char next = end < line.size() ? line[end] : ' ';
  HloToken token = HloToken::kPlain;
  if (next == '[' && hlo::type_by_name(word)) {
    token = HloToken::kShape;
    end = end_of_shape(line, end);
  } else if (next == '(' && hlo::opcode_by_name(word)) {
    token = HloToken::kOpcode;
  } else if (is_digit(word.front()) || (word.front() == '-' && word.size() > 1)) {
    token = HloToken::kNumber;
  }
  return {static_cast<uint32_t>(at), static_cast<uint32_t>(end - at), token};
}

HloSpan span_at(std::string_view line, size_t at) {
  const auto make = [at](size_t end, HloToken token) {
    return HloSpan{static_cast<uint32_t>(at), static_cast<uint32_t>(end - at), token};
  };
  const char c = line[at];
  if (c == '"') return make(end_of_text(line, at), HloToken::kText);
  if (line.substr(at, 2) == "/*") {
    const size_t end = line.find("*/", at);
    return make(end == std::string_view::npos ? line.size() : end + 2, HloToken::kComment);
  }
  if (line.substr(at, 2) == "//") return make(line.size(), HloToken::kComment);
  if (c == '%') {
    size_t end = at + 1;
    while (end < line.size() && is_word(line[end])) ++end;
    return make(end, HloToken::kName);
  }
  if (is_word(c)) return word_span(line, at);
  size_t end = at + 1;
  while (end < line.size() && !is_word(line[end]) && line[end] != '"' && line[end] != '%' &&
         line[end] != '/') {
    ++end;
  }
  return make(end, HloToken::kPlain);
}

}  // namespace

std::vector<HloSpan> highlight(std::string_view line) {
  std::vector<HloSpan> spans;
  for (size_t at = 0; at < line.size();) {
    const HloSpan span = span_at(line, at);
    spans.push_back(span);
    at += span.length;
  }
  return spans;
}

}  // namespace hloscope::ui
