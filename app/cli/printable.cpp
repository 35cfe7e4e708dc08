#include "app/cli/printable.h"

#include "core/hlo/quote.h"

namespace hloscope::cli {

namespace {

// Bytes of the control character that the text begins with; 0: none. U+0080 to U+009F are two.
size_t control_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x20 || first == 0x7f) return 1;
  if (first != 0xc2 || text.size() < 2) return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  return second >= 0x80 && second < 0xa0 ? 2 : 0;
}

std::string escaped_controls(std::string_view text, bool keep_lines) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const bool is_kept = keep_lines && text.front() == '\n';
    const size_t length = is_kept ? 0 : control_length(text);
    if (length == 0) {
      out += text.front();
    } else {
      out += hlo::escaped(text.substr(0, length));
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) {
  return escaped_controls(text, false);
}

std::string printable_lines(std::string_view text) {
  return escaped_controls(text, true);
}

}  // namespace hloscope::cli
