#pragma once

#include <filesystem>

#include "core/base/result.h"

struct sqlite3;

namespace hloscope::db {

/// The error of an SQLite result code (extended or not) in the user's words. `handle` may be null.
[[nodiscard]] Error sqlite_error(int code, sqlite3* handle, const std::filesystem::path& path);

/// For files whose content is broken: what is wrong, and what the user can do.
[[nodiscard]] Error damaged_error(std::string what, const std::filesystem::path& path);

}  // namespace hloscope::db
