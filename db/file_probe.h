#pragma once

#include <filesystem>

#include "core/base/result.h"

namespace hloscope::db {

/// What lies at a path, found without a lock, without SQL and without a file beside it.
struct FileProbe {
  bool exists = false;
  bool is_empty = false;       ///< 0 bytes: a file of ours whose creation was interrupted, or new.
  bool is_in_use = false;      ///< has_log_file()
  bool has_log = false;        ///< That log has content.
  int64_t schema_version = 0;  ///< user_version of the file itself; the log may hold a later one.
};

/// A write-ahead log lies beside the file: it is open somewhere, or was left over by a crash.
[[nodiscard]] bool has_log_file(const std::filesystem::path& path);

/// Errors: kInvalidInput for what is no regular file, no SQLite database, or another program's.
[[nodiscard]] Result<FileProbe> probe_file(const std::filesystem::path& path);

}  // namespace hloscope::db
