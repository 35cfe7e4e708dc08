#include "core/base/file_stamp.h"

#include <fcntl.h>
#include <sys/stat.h>

namespace hloscope {

namespace {

int64_t nanoseconds(const struct statx_timestamp& time) {
  constexpr int64_t kSecond = 1'000'000'000;
  return time.tv_sec * kSecond + time.tv_nsec;
}

}  // namespace

std::optional<FileStamp> file_stamp(const std::filesystem::path& path) {
  struct statx found = {};
  constexpr unsigned kWanted = STATX_BASIC_STATS | STATX_BTIME;
  if (statx(AT_FDCWD, path.c_str(), 0, kWanted, &found) != 0) return std::nullopt;
  FileStamp out;
  out.device = (uint64_t{found.stx_dev_major} << 32U) | found.stx_dev_minor;
  out.number = found.stx_ino;
  if ((found.stx_mask & STATX_BTIME) != 0) out.born_ns = nanoseconds(found.stx_btime);
  out.written_ns = nanoseconds(found.stx_mtime);
  out.bytes = found.stx_size;
  return out;
}

}  // namespace hloscope
