#include "core/hlo/address.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

namespace hloscope::hlo {

FileAddress parse_address(const std::string& text) {
  const size_t hash = text.rfind('#');
  std::error_code ignored;
  if (hash == std::string::npos || std::filesystem::exists(text, ignored)) {
    return {text, std::nullopt};
  }
  size_t number = 0;
  const char* first = text.data() + hash + 1;
  const char* last = text.data() + text.size();
  const auto [end, code] = std::from_chars(first, last, number);
  if (first == last || code != std::errc() || end != last) return {text, std::nullopt};
  return {text.substr(0, hash), number};
}

Status check_address(const FileAddress& address, size_t module_count) {
  if (!address.module || (*address.module >= 1 && *address.module <= module_count)) return {};
  Error error;
  error.code = ErrorCode::kNotFound;
  error.message =
      fmt::format("there is no module {}: the file holds {}", *address.module, module_count);
  error.file = address.path;
  error.hint = module_count == 1 ? "leave out the number"
                                 : fmt::format("modules are numbered from 1 to {}", module_count);
  return fail(std::move(error));
}

}  // namespace hloscope::hlo
