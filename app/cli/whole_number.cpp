#include "app/cli/whole_number.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

namespace hloscope::cli {

CLI::Validator whole_number() {
  const auto check = [](const std::string& text) -> std::string {
    uint64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_good = code == std::errc() && end == text.data() + text.size();
    return is_good ? std::string()
                   : fmt::format("'{}' is no whole number from 0 to {}", text, UINT64_MAX);
  };
  return {check, ""};
}

}  // namespace hloscope::cli
