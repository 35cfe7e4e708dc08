#include "core/measured/hlo_stats.h"

#include <fmt/format.h>

#include <charconv>

#include "core/base/file_bytes.h"
#include "core/hlo/gunzip.h"
#include "core/measured/stats_columns.h"
#include "core/measured/stats_table.h"

namespace hloscope::measured {

namespace {

constexpr size_t kMaxStatsBytes = size_t{1} << 30;
constexpr size_t kSniffedBytes = size_t{64} << 10;
constexpr size_t kRowsPerReport = 4096;
// Longer than any profile, in ns.
constexpr double kMostStatsTime = 1e18;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

class RowReader {
 public:
  RowReader(const StatsTable& table, const StatsColumns& columns)
      : table_(table), columns_(columns), time_field_(*columns.time_field()) {}

  Result<HloStat> read(size_t row) const {
    HloStat stat;
    stat.program = text(row, StatsField::kProgram);
    stat.name = text(row, StatsField::kName);
    if (stat.name.starts_with('%')) stat.name.erase(0, 1);
    if (stat.name.empty()) {
      return fail(problem(row, StatsField::kName, "the name of the instruction is missing",
                          "every row names one instruction, like fusion.12"));
    }
    stat.category = text(row, StatsField::kCategory);
    stat.expression = text(row, StatsField::kExpression);
    HLOSCOPE_ASSIGN(stat.occurrences, occurrences(row));
    if (stat.occurrences > 0) HLOSCOPE_TRY(read_times(row, stat));
    return stat;
  }

 private:
  [[nodiscard]] std::string text(size_t row, StatsField field) const {
    const auto& column = columns_[field];
    return column ? table_.rows[row][column->index].text : std::string();
  }

  [[nodiscard]] Error problem(size_t row, StatsField field, std::string message,
                              std::string hint) const {
    return cell_error(table_, row, columns_[field]->index, std::move(message), std::move(hint));
  }

  // The whole cell as a number from 0 to `most`; neither NaN nor infinite.
  [[nodiscard]] Result<double> number(size_t row, StatsField field, double most) const {
    const std::string text = this->text(row, field);
    double value = -1;
    const char* end = text.data() + text.size();
    const auto [stop, status] = std::from_chars(text.data(), end, value);
    if (status == std::errc() && stop == end && value >= 0 && value <= most) return value;
    return fail(problem(row, field, fmt::format("this is no number from 0 up: \"{}\"", text),
                        "write it like 12.5 or 1.25e1"));
  }

  [[nodiscard]] Result<int64_t> occurrences(size_t row) const {
    constexpr double kMost = 1e15;
    HLOSCOPE_ASSIGN(const double value, number(row, StatsField::kOccurrences, kMost));
    const auto count = static_cast<int64_t>(value);
    if (static_cast<double>(count) == value) return count;
    return fail(problem(row, StatsField::kOccurrences,
                        fmt::format("this is no whole number: {}", value),
                        "write how often the instruction ran, like 512"));
  }

  Status read_times(size_t row, HloStat& stat) const {
    const double to_ns = columns_[time_field_]->to_ns;
    HLOSCOPE_ASSIGN(double time, number(row, time_field_, kMostStatsTime / to_ns));
    time *= to_ns;
    const auto count = static_cast<double>(stat.occurrences);
    const bool is_total =
        time_field_ == StatsField::kTotalSelfTime || time_field_ == StatsField::kTotalTime;
    stat.time_ns = is_total ? time / count : time;
    stat.total_ns = is_total ? time : time * count;
    return {};
  }

  const StatsTable& table_;
  const StatsColumns& columns_;
  StatsField time_field_;
};

// The first table of HLO ops; the error is that of the first table.
Result<StatsTable> ops_table(std::string_view text, const std::string& file) {
  if (!begins_as_json(text)) return parse_stats_csv(text, file);
  HLOSCOPE_ASSIGN(std::vector<StatsTable> tables, parse_data_tables(text, file));
  for (StatsTable& table : tables) {
    if (find_columns(table)) return std::move(table);
  }
  return std::move(tables.front());
}

}  // namespace

bool looks_like_hlo_stats(std::string_view bytes) {
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  const std::string_view beginning = bytes.substr(0, kSniffedBytes);
  if (begins_as_json(beginning)) {
    // Google's tables come with either list first.
    return beginning.find("\"cols\"") != std::string_view::npos ||
           beginning.find("\"rows\"") != std::string_view::npos;
  }
  const size_t line_end = beginning.find('\n');
  if (line_end == std::string_view::npos) return false;
  const auto header = parse_stats_csv(beginning.substr(0, line_end + 1), {});
  return header && find_columns(*header).has_value();
}

Result<HloStats> parse_hlo_stats(std::string_view bytes, const std::string& file,
                                 const Progress& progress) {
  std::string unpacked;
  if (hlo::is_gzip(bytes)) {
    auto result = hlo::gunzip(bytes, progress.part(0, 0.3));
    if (!result) {
      result.error().file = file;
      return fail(std::move(result).error());
    }
    unpacked = std::move(*result);
    bytes = unpacked;
  }
  HloStats stats{file, hash128(bytes), {}};
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  progress.report(0.3, "reading measured times");
  HLOSCOPE_ASSIGN(const StatsTable table, ops_table(bytes, file));
  HLOSCOPE_ASSIGN(const StatsColumns columns, find_columns(table));
  const RowReader reader(table, columns);
  stats.rows.reserve(table.rows.size());
  for (size_t row = 0; row < table.rows.size(); ++row) {
    if (row % kRowsPerReport == 0 && progress.stop_requested()) {
      return fail(ErrorCode::kCancelled, "cancelled");
    }
    HLOSCOPE_ASSIGN(HloStat stat, reader.read(row));
    if (stat.occurrences > 0) stats.rows.push_back(std::move(stat));
  }
  if (!stats.rows.empty()) return stats;
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.file = file;
  error.message = "the table has no row of an instruction that ran";
  error.hint = "profile at least one step of the program";
  return fail(error);
}

Result<HloStats> read_hlo_stats(const std::string& path, const Progress& progress) {
  HLOSCOPE_ASSIGN(const std::string bytes, read_file_bytes(path, kMaxStatsBytes));
  return parse_hlo_stats(bytes, path, progress);
}

}  // namespace hloscope::measured
