#include "db/file_probe.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <system_error>

#include "db/migrations/migrations.h"
#include "db/sqlite/connection.h"
#include "db/sqlite/error.h"

namespace hloscope::db {
namespace {

// The header of an SQLite file (sqlite.org/fileformat.html, section 1.3).
constexpr size_t kHeaderSize = 100;
constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr size_t kUserVersionAt = 60;
constexpr size_t kApplicationIdAt = 68;

uint32_t big_endian(std::string_view bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

tl::unexpected<Error> refuse(const std::filesystem::path& path, std::string message) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = std::move(message);
  error.file = path.string();
  error.hint = "it was left as it is; name another file";
  return fail(std::move(error));
}

std::filesystem::path log_path(std::filesystem::path path) {
  return path += "-wal";
}

Result<FileProbe> probe_header(const std::filesystem::path& path, uintmax_t size, FileProbe probe) {
  // Read through SQLite: closing a descriptor of our own would drop the locks that other
  // connections of this process hold on the file (sqlite.org/howtocorrupt.html, section 2.2).
  HLOSCOPE_ASSIGN(const auto connection,
                  Connection::open(path, Access::kImmutable, std::chrono::milliseconds(0)));
  HLOSCOPE_ASSIGN(const std::string header, connection->raw_bytes(kHeaderSize));
  if (size < kHeaderSize || !header.starts_with(kMagic)) {
    return refuse(path, "not a hloscope results file, nor any SQLite database");
  }
  if (big_endian(header, kApplicationIdAt) != kApplicationId) {
    return refuse(path, "an SQLite database of another program, not a hloscope results file");
  }
  probe.schema_version = static_cast<int32_t>(big_endian(header, kUserVersionAt));
  if (probe.schema_version < 1) {
    return fail(damaged_error(
        fmt::format("its header claims schema version {}", probe.schema_version), path));
  }
  return probe;
}

}  // namespace

bool has_log_file(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(log_path(path), ignored);
}

Result<FileProbe> probe_file(const std::filesystem::path& path) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  FileProbe probe;
  if (status.type() == std::filesystem::file_type::not_found) return probe;
  if (status.type() == std::filesystem::file_type::directory) {
    return refuse(path, "a folder, not a results file");
  }
  if (status.type() != std::filesystem::file_type::regular) {
    return refuse(path, code ? "can't look at the file (" + code.message() + ")"
                             : std::string("not a regular file"));
  }
  probe.exists = true;
  const auto size = std::filesystem::file_size(path, code);
  if (code) return refuse(path, "can't look at the file (" + code.message() + ")");
  probe.is_empty = size == 0;
  probe.is_in_use = has_log_file(path);
  const auto log_size = std::filesystem::file_size(log_path(path), code);
  probe.has_log = !code && log_size > 0;
  if (probe.is_empty) return probe;
  return probe_header(path, size, probe);
}

}  // namespace hloscope::db
