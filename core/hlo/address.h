#pragma once

#include <optional>
#include <string>

#include "core/base/result.h"

namespace hloscope::hlo {

/// What a user types to name a file or one of its modules: FILE or FILE#N.
struct FileAddress {
  std::string path;
  std::optional<size_t> module;  ///< From 1.
};
/// Splits "FILE#3"; a file whose own name ends in "#3" is taken whole.
[[nodiscard]] FileAddress parse_address(const std::string& text);

/// kNotFound unless the file has that module (or the address names none).
[[nodiscard]] Status check_address(const FileAddress& address, size_t module_count);

}  // namespace hloscope::hlo
