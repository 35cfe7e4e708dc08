#include "app/cli/ablation_file.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "app/cli/text_table.h"
#include "core/base/write_file.h"
#include "core/measured/csv.h"

namespace hloscope::cli {

namespace {

constexpr auto kHint = "give another --output: the file may be of another task or version";

std::string csv_number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

template <typename Number>
Result<std::optional<Number>> number_at(const measured::CsvTable& table,
                                        const measured::CsvField& field) {
  if (field.text.empty()) return std::optional<Number>();
  Number out{};
  const char* end = field.text.data() + field.text.size();
  const auto read = std::from_chars(field.text.data(), end, out);
  if (read.ec != std::errc() || read.ptr != end) {
    return fail(measured::field_error(table, field, fmt::format("'{}' is not a number", field.text),
                                      kHint));
  }
  return std::optional<Number>(out);
}

// Cells in the order of AblationFile::columns().
Result<AblationRow> read_row(const measured::CsvTable& table,
                             const std::vector<measured::CsvField>& fields, size_t metrics) {
  AblationRow out;
  auto field = fields.begin();
  for (size_t i = 0; i < AblationFile::key_columns().size(); ++i)
    out.key.push_back((field++)->text);
  for (size_t i = 0; i < metrics; ++i) {
    HLOSCOPE_ASSIGN(auto value, number_at<double>(table, *field++));
    out.run.metrics.push_back(value);
  }
  HLOSCOPE_ASSIGN(const auto best_step, number_at<uint64_t>(table, *field++));
  HLOSCOPE_ASSIGN(const auto train_s, number_at<double>(table, *field++));
  out.run.best_step = best_step.value_or(0);
  out.run.train_s = train_s.value_or(0);
  return out;
}

}  // namespace

const std::vector<std::string>& AblationFile::key_columns() {
  static const std::vector<std::string> kColumns = {"data_set_hash", "target", "machine", "split",
                                                    "part",          "base",   "option",  "value",
                                                    "seed",          "steps",  "model"};
  return kColumns;
}

std::vector<std::string> AblationFile::columns() const {
  std::vector<std::string> out = key_columns();
  for (const auto& metric : predict::ablation_metrics(task_)) out.emplace_back(metric.name);
  out.insert(out.end(), {"best_step", "train_s"});
  return out;
}

Result<AblationFile> AblationFile::open(const std::string& path, data::Task task) {
  AblationFile out(path, task);
  std::error_code error;
  if (path.empty()) return out;
  if (std::filesystem::exists(path, error)) {
    HLOSCOPE_TRY(out.read());
  } else {
    // What can not be written is better known before hours of training.
    HLOSCOPE_TRY(write_file(path, out.csv()));
  }
  return out;
}

Status AblationFile::read() {
  HLOSCOPE_ASSIGN(const measured::CsvTable table, measured::read_csv(path_));
  std::vector<std::string> found;
  for (const measured::CsvField& field : table.header) found.push_back(field.text);
  if (found != columns()) {
    Error error;
    error.code = ErrorCode::kInvalidInput;
    error.message = "the file does not hold results of this experiment";
    error.file = path_;
    error.hint = kHint;
    return fail(std::move(error));
  }
  const size_t metrics = predict::ablation_metrics(task_).size();
  for (const auto& fields : table.rows) {
    HLOSCOPE_ASSIGN(AblationRow row, read_row(table, fields, metrics));
    rows_.push_back(std::move(row));
  }
  return {};
}

const predict::AblationRun* AblationFile::find(const std::vector<std::string>& key) const {
  for (const AblationRow& row : rows_) {
    if (row.key == key) return &row.run;
  }
  return nullptr;
}

Status AblationFile::add(AblationRow row) {
  rows_.push_back(std::move(row));
  return path_.empty() ? Status() : write_file(path_, csv());
}

std::string AblationFile::csv() const {
  std::vector<TextTable::Column> titles;
  for (const std::string& name : columns()) titles.push_back({name});
  TextTable table(titles);
  for (const AblationRow& row : rows_) {
    std::vector<std::string> cells = row.key;
    for (const auto& value : row.run.metrics) cells.push_back(csv_number(value));
    cells.push_back(fmt::format("{}", row.run.best_step));
    cells.push_back(fmt::format("{}", row.run.train_s));
    table.add_row(std::move(cells));
  }
  return table.csv();
}

}  // namespace hloscope::cli
