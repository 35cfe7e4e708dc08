#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/base/file_bytes.h"
#include "core/data/import.h"
#include "core/hlo/gunzip.h"
#include "core/measured/hlo_stats.h"

namespace hloscope::data {

namespace {

constexpr size_t kHeadBytes = size_t{1} << 16;

// The beginning of a file, unpacked; of what is no plain file (a pipe) nothing is taken.
Result<std::string> head_of(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::string();
  std::string head(kHeadBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  if (!hlo::is_gzip(head)) return head;
  HLOSCOPE_ASSIGN(const std::string bytes, read_file_bytes(path));
  HLOSCOPE_ASSIGN(std::string unpacked, hlo::gunzip(bytes, {}));
  unpacked.resize(std::min(unpacked.size(), kHeadBytes));
  return unpacked;
}

bool has_ending(const std::string& path, std::string_view ending) {
  if (path.size() < ending.size()) return false;
  return std::equal(ending.begin(), ending.end(), path.end() - static_cast<long>(ending.size()),
                    [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b); });
}

// A header line with the two columns that import_times() needs.
bool looks_like_times(std::string_view head) {
  const std::string_view line = head.substr(0, head.find('\n'));
  return line.find("time_ns") != std::string_view::npos &&
         line.find("program") != std::string_view::npos && line.find(',') != std::string_view::npos;
}

}  // namespace

Result<ImportKind> find_import_kind(const std::string& path) {
  HLOSCOPE_ASSIGN(const std::string head, head_of(path));
  if (head.starts_with("PK") || has_ending(path, ".npz")) return ImportKind::kTpuGraph;
  if (looks_like_times(head)) return ImportKind::kTimes;
  if (measured::looks_like_hlo_stats(head)) return ImportKind::kHloStats;
  return has_ending(path, ".csv") ? ImportKind::kTimes : ImportKind::kHlo;
}

Target measured_target(const std::string& device) {
  Target out;
  out.kind = Target::Kind::kMeasured;
  out.device = device + ", imported";
  return out;
}

}  // namespace hloscope::data
