#include "core/measured/stats_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace hloscope::measured {

namespace {

struct KnownNames {
  StatsField field;
  bool is_time;
  /// As plain() leaves them; the first one that a table has is taken.
  std::array<std::string_view, 6> names;
};

// Ids and labels of XProf's hlo_stats, older ones included.
constexpr std::array<KnownNames, kStatsFieldCount> kKnown{{
    {StatsField::kProgram,
     false,
     {"programid", "program", "programname", "hlomodulename", "hlomodule", "modulename"}},
    {StatsField::kCategory, false, {"category", "hloopcategory", "hlocategory"}},
    {StatsField::kName, false, {"hloopname", "hloname", "hloinstruction", "instructionname"}},
    {StatsField::kExpression,
     false,
     {"hloopexpression", "hlooptext", "hloexpression", "hlooplongname", "longname"}},
    {StatsField::kOccurrences, false, {"occurrences", "numoccurrences", "numberofoccurrences"}},
    {StatsField::kAvgSelfTime, true, {"avgselftime", "averageselftime", "meanselftime"}},
    {StatsField::kTotalSelfTime, true, {"totalselftime"}},
    {StatsField::kAvgTime, true, {"avgtime", "averagetime", "meantime"}},
    {StatsField::kTotalTime, true, {"totaltime"}},
}};

constexpr std::array<std::pair<std::string_view, double>, 6> kUnits{
    {{"ps", 1e-3}, {"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
constexpr double kUsualUnit = 1e3;

std::optional<double> unit_of(std::string_view text) {
  for (const auto& [name, to_ns] : kUnits) {
    if (text == name) return to_ns;
  }
  return std::nullopt;
}

struct ParsedName {
  std::string plain;            // Lower-case letters and digits; % as a word.
  std::optional<double> to_ns;  // Of the unit behind the name.
};

std::string lowered(std::string_view name) {
  std::string out(name);
  std::ranges::transform(out, out.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  return out;
}

std::string plain(std::string_view name) {
  std::string out;
  for (char c : name) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out += c;
    if (c == '%') out += "percent";
  }
  return out;
}

// "Avg. self time (us)" -> avgselftime, 1000; "total_time_ms" -> totaltime, 1e6.
ParsedName parsed(std::string_view name) {
  const std::string text = lowered(name);
  const size_t open = text.rfind('(');
  if (open != std::string::npos && text.ends_with(')')) {
    const auto unit = unit_of(std::string_view(text).substr(open + 1, text.size() - open - 2));
    if (unit) return {plain(std::string_view(text).substr(0, open)), unit};
  }
  const size_t last = text.find_last_of("_ ");
  if (last != std::string::npos) {
    const auto unit = unit_of(std::string_view(text).substr(last + 1));
    if (unit) return {plain(std::string_view(text).substr(0, last)), unit};
  }
  return {plain(text), std::nullopt};
}

using ParsedColumns = std::vector<std::vector<ParsedName>>;

std::optional<StatsColumn> find(const ParsedColumns& columns, const KnownNames& known) {
  for (std::string_view wanted : known.names) {
    if (wanted.empty()) break;
    for (size_t i = 0; i < columns.size(); ++i) {
      const auto found = std::ranges::find(columns[i], wanted, &ParsedName::plain);
      if (found == columns[i].end()) continue;
      if (!known.is_time) return StatsColumn{i, 1};
      // The id has no unit, the label beside it has.
      for (const ParsedName& name : columns[i]) {
        if (name.to_ns) return StatsColumn{i, *name.to_ns};
      }
      return StatsColumn{i, kUsualUnit};
    }
  }
  return std::nullopt;
}

std::string names_of(const StatsTable& table) {
  std::vector<std::string_view> names;
  for (const auto& column : table.columns) {
    names.push_back(column.empty() ? std::string_view("?") : std::string_view(column.front()));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::optional<StatsField> StatsColumns::time_field() const {
  for (StatsField field : {StatsField::kAvgSelfTime, StatsField::kTotalSelfTime,
                           StatsField::kAvgTime, StatsField::kTotalTime}) {
    if ((*this)[field]) return field;
  }
  return std::nullopt;
}

Result<StatsColumns> find_columns(const StatsTable& table) {
  ParsedColumns names;
  for (const auto& column : table.columns) {
    std::vector<ParsedName>& parsed_names = names.emplace_back();
    for (const std::string& name : column) parsed_names.push_back(parsed(name));
  }
  StatsColumns columns;
  for (const KnownNames& known : kKnown) {
    columns.of_field[static_cast<size_t>(known.field)] = find(names, known);
  }
  std::vector<std::string_view> missing;
  if (!columns[StatsField::kName]) missing.emplace_back("hlo_op_name");
  if (!columns[StatsField::kOccurrences]) missing.emplace_back("occurrences");
  if (!columns.time_field()) {
    missing.emplace_back("one of avg_self_time, total_self_time, avg_time, total_time");
  }
  if (missing.empty()) return columns;
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.file = table.file;
  error.message = fmt::format("this is no table of HLO ops: looked for the columns {}",
                              fmt::join(missing, ", "));
  error.hint = fmt::format("found the columns {}; export \"HLO Op Stats\" (hlo_stats) of XProf",
                           names_of(table));
  return fail(error);
}

}  // namespace hloscope::measured
