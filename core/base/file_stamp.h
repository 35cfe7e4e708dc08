#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace hloscope {

/// Which file lies at a path, and when it was written: another stamp, other content (or the same,
/// written again).
struct FileStamp {
  uint64_t device = 0;
  uint64_t number = 0;
  int64_t born_ns = 0;     ///< The number of a deleted file is given to the next one.
  int64_t written_ns = 0;  ///< Since 1970.
  uint64_t bytes = 0;
  bool operator==(const FileStamp&) const = default;

  /// Written to, but no other file in its place.
  [[nodiscard]] bool is_same_file(const FileStamp& other) const {
    return device == other.device && number == other.number && born_ns == other.born_ns;
  }
};

/// Empty: there is no file, or it cannot be looked at.
[[nodiscard]] std::optional<FileStamp> file_stamp(const std::filesystem::path& path);

}  // namespace hloscope
