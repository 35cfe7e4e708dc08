#include "core/measured/tables.h"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "core/measured/csv.h"

namespace hloscope::measured {

namespace {

template <size_t N>
Result<std::array<size_t, N>> columns_of(const CsvTable& table,
                                         const std::array<std::string_view, N>& names) {
  std::array<size_t, N> columns{};
  for (size_t i = 0; i < N; ++i) {
    HLOSCOPE_ASSIGN(columns[i], column_of(table, names[i]));
  }
  return columns;
}

Result<int64_t> integer_or_zero(const CsvTable& table, const CsvField& field,
                                std::string_view name) {
  if (field.text.empty()) return 0;
  return integer_at(table, field, name, 1);
}

Result<bool> flag_at(const CsvTable& table, const CsvField& field, std::string_view name) {
  if (field.text == "0" || field.text == "1") return field.text == "1";
  return fail(
      field_error(table, field, fmt::format("{} is \"{}\"", name, field.text), "write 0 or 1"));
}

// "m=256 k=256" -> {{m, 256}, {k, 256}}.
Result<std::map<std::string, int64_t>> params_at(const CsvTable& table, const CsvField& field) {
  std::map<std::string, int64_t> params;
  std::string_view rest = field.text;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (word.empty()) continue;
    const size_t equals = word.find('=');
    const auto value = equals == std::string_view::npos ? std::optional<int64_t>(1)
                                                        : whole_number(word.substr(equals + 1));
    if (!value || equals == 0) {
      return fail(field_error(table, field, fmt::format("params holds no number: \"{}\"", word),
                              "write them like m=256 k=256 n=256"));
    }
    params[std::string(word.substr(0, equals))] = *value;
  }
  return params;
}

}  // namespace

Result<std::vector<TileRow>> read_tile_rows(const std::string& path) {
  HLOSCOPE_ASSIGN(const CsvTable table, read_csv(path));
  constexpr std::array<std::string_view, 6> kNames = {"module_name",   "run_index", "output_bounds",
                                                      "kernel_bounds", "time_ns",   "is_default"};
  HLOSCOPE_ASSIGN(const auto columns, columns_of(table, kNames));
  std::vector<TileRow> rows;
  for (const auto& fields : table.rows) {
    TileRow row;
    row.module_name = fields[columns[0]].text;
    HLOSCOPE_ASSIGN(const int64_t run, integer_at(table, fields[columns[1]], kNames[1], 0));
    if (run > std::numeric_limits<uint32_t>::max()) {
      return fail(field_error(table, fields[columns[1]], "run_index is too large",
                              "it is the position among the runs of one module"));
    }
    row.run_index = static_cast<uint32_t>(run);
    HLOSCOPE_ASSIGN(row.output_bounds, extents_at(table, fields[columns[2]], kNames[2]));
    HLOSCOPE_ASSIGN(row.kernel_bounds, extents_at(table, fields[columns[3]], kNames[3]));
    HLOSCOPE_ASSIGN(row.time_ns, positive_at(table, fields[columns[4]], kNames[4]));
    HLOSCOPE_ASSIGN(row.is_default, flag_at(table, fields[columns[5]], kNames[5]));
    rows.push_back(std::move(row));
  }
  return rows;
}

Result<std::vector<WorkloadRow>> read_workload_rows(const std::string& path) {
  HLOSCOPE_ASSIGN(const CsvTable table, read_csv(path));
  constexpr std::array<std::string_view, 4> kNames = {"workload", "kind", "params", "tpuv3_us"};
  HLOSCOPE_ASSIGN(const auto columns, columns_of(table, kNames));
  std::vector<WorkloadRow> rows;
  for (const auto& fields : table.rows) {
    WorkloadRow row;
    row.name = fields[columns[0]].text;
    row.kind = fields[columns[1]].text;
    HLOSCOPE_ASSIGN(row.params, params_at(table, fields[columns[2]]));
    if (!fields[columns[3]].text.empty()) {
      HLOSCOPE_ASSIGN(row.time_us, positive_at(table, fields[columns[3]], kNames[3]));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Result<std::vector<OpRow>> read_op_rows(const std::string& path) {
  HLOSCOPE_ASSIGN(const CsvTable table, read_csv(path));
  constexpr std::array<std::string_view, 8> kNames = {"op", "shape", "m",     "n",
                                                      "k",  "dtype", "event", "min_us"};
  HLOSCOPE_ASSIGN(const auto columns, columns_of(table, kNames));
  std::vector<OpRow> rows;
  for (const auto& fields : table.rows) {
    OpRow row;
    row.op = fields[columns[0]].text;
    HLOSCOPE_ASSIGN(row.shape, extents_at(table, fields[columns[1]], kNames[1]));
    HLOSCOPE_ASSIGN(row.m, integer_or_zero(table, fields[columns[2]], kNames[2]));
    HLOSCOPE_ASSIGN(row.n, integer_or_zero(table, fields[columns[3]], kNames[3]));
    HLOSCOPE_ASSIGN(row.k, integer_or_zero(table, fields[columns[4]], kNames[4]));
    row.dtype = fields[columns[5]].text;
    row.event = fields[columns[6]].text;
    HLOSCOPE_ASSIGN(row.min_us, positive_at(table, fields[columns[7]], kNames[7]));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace hloscope::measured
