#include "core/measured/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>

#include "core/base/file_bytes.h"

namespace hloscope::measured {

namespace {

// No kernel takes less, in ns, or more, in us.
constexpr double kLeastTime = 1e-6;
constexpr double kMostTime = 1e15;

constexpr size_t kMaxCsvBytes = size_t{256} << 20;

Error error_at(const std::string& file, int line, int column, std::string message,
               std::string hint) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = std::move(message);
  error.file = file;
  error.line = line;
  error.column = column;
  error.hint = std::move(hint);
  return error;
}

class CsvReader {
 public:
  CsvReader(std::string_view text, const std::string& file) : text_(text), file_(file) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = line_start_ = 3;
  }

  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }

  // One record; an empty vector for a blank line.
  Result<std::vector<CsvField>> record() {
    std::vector<CsvField> fields;
    if (line_end()) return fields;
    while (true) {
      HLOSCOPE_ASSIGN(CsvField field, this->field());
      fields.push_back(std::move(field));
      if (at_end() || line_end()) return fields;
      ++at_;  // the comma
    }
  }

 private:
  [[nodiscard]] int column() const { return static_cast<int>(at_ - line_start_) + 1; }

  bool line_end() {
    if (text_.substr(at_).starts_with("\r\n")) ++at_;
    if (at_end() || text_[at_] != '\n') return false;
    next_line();
    return true;
  }

  void next_line() {
    ++at_;
    ++line_;
    line_start_ = at_;
  }

  Result<CsvField> field() {
    CsvField field{{}, column(), line_};
    if (!at_end() && text_[at_] == '"') {
      HLOSCOPE_TRY(quoted(field));
      return field;
    }
    size_t end = std::min(text_.find_first_of(",\n", at_), text_.size());
    if (end < text_.size() && text_[end] == '\n' && end > at_ && text_[end - 1] == '\r') --end;
    field.text = text_.substr(at_, end - at_);
    at_ = end;
    return field;
  }

  Status quoted(CsvField& field) {
    ++at_;
    while (!at_end()) {
      const char c = text_[at_];
      if (c == '"' && text_.substr(at_).starts_with("\"\"")) {
        field.text += '"';
        at_ += 2;
      } else if (c == '"') {
        ++at_;
        return after_quote();
      } else {
        field.text += c;
        if (c == '\n') {
          next_line();
        } else {
          ++at_;
        }
      }
    }
    return fail(error_at(file_, field.line, field.column, "this quote is not closed",
                         "write a quote inside a quoted field twice (\"\")"));
  }

  Status after_quote() {
    const std::string_view rest = text_.substr(at_);
    if (rest.empty() || rest.starts_with(',') || rest.starts_with('\n') || rest.starts_with("\r\n"))
      return {};
    return fail(error_at(file_, line_, column(), "text after the closing quote of a field",
                         "a comma or the end of the line comes here; write a quote inside a quoted "
                         "field twice (\"\")"));
  }

  std::string_view text_;
  const std::string& file_;
  size_t at_ = 0;
  size_t line_start_ = 0;
  int line_ = 1;
};

}  // namespace

Result<CsvTable> parse_csv(std::string_view text, std::string file) {
  CsvTable table{std::move(file), {}, {}};
  CsvReader reader(text, table.file);
  while (!reader.at_end()) {
    HLOSCOPE_ASSIGN(std::vector<CsvField> fields, reader.record());
    if (fields.empty()) continue;
    if (table.header.empty()) {
      table.header = std::move(fields);
      continue;
    }
    if (fields.size() != table.header.size()) {
      return fail(
          error_at(table.file, fields.front().line, 1,
                   fmt::format("this row has {} field{}, but the header has {}", fields.size(),
                               fields.size() == 1 ? "" : "s", table.header.size()),
                   "put a field that holds a comma in quotes"));
    }
    table.rows.push_back(std::move(fields));
  }
  if (table.header.empty()) {
    return fail(error_at(table.file, 1, 1, "the file has no header line",
                         "the first line of a CSV file names its columns"));
  }
  return table;
}

Result<CsvTable> read_csv(const std::string& path) {
  HLOSCOPE_ASSIGN(const std::string bytes, read_file_bytes(path, kMaxCsvBytes));
  return parse_csv(bytes, path);
}

Result<size_t> column_of(const CsvTable& table, std::string_view name) {
  std::vector<std::string_view> names;
  for (size_t i = 0; i < table.header.size(); ++i) {
    if (table.header[i].text == name) return i;
    names.emplace_back(table.header[i].text);
  }
  return fail(error_at(table.file, table.header.front().line, 1,
                       fmt::format("there is no column \"{}\"", name),
                       fmt::format("the columns are: {}", fmt::join(names, ", "))));
}

Error field_error(const CsvTable& table, const CsvField& field, std::string message,
                  std::string hint) {
  return error_at(table.file, field.line, field.column, std::move(message), std::move(hint));
}

std::optional<int64_t> whole_number(std::string_view text) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc() || stop != end) return std::nullopt;
  return value;
}

Result<int64_t> integer_at(const CsvTable& table, const CsvField& field, std::string_view name,
                           int64_t least) {
  const auto value = whole_number(field.text);
  if (value && *value >= least) return *value;
  return fail(field_error(table, field,
                          fmt::format("{} is no whole number: \"{}\"", name, field.text),
                          fmt::format("write digits only, at least {}", least)));
}

Result<double> positive_at(const CsvTable& table, const CsvField& field, std::string_view name) {
  double value = 0;
  const char* end = field.text.data() + field.text.size();
  const auto [stop, problem] = std::from_chars(field.text.data(), end, value);
  const bool is_time = value >= kLeastTime && value <= kMostTime;
  if (problem == std::errc() && stop == end && is_time) return value;
  return fail(field_error(table, field,
                          fmt::format("{} is no number above zero: \"{}\"", name, field.text),
                          "write it like 12.5 or 1.25e1"));
}

Result<std::vector<int64_t>> extents_at(const CsvTable& table, const CsvField& field,
                                        std::string_view name) {
  std::vector<int64_t> extents;
  std::string_view rest = field.text;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('x'), rest.size());
    const auto value = whole_number(rest.substr(0, end));
    if (!value || *value < 1 || end + 1 == rest.size()) {
      return fail(field_error(table, field,
                              fmt::format("{} is no list of sizes: \"{}\"", name, field.text),
                              "write whole numbers above zero joined by x, like 2x26x4x2"));
    }
    extents.push_back(*value);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return extents;
}

}  // namespace hloscope::measured
