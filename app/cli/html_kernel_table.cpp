#include "app/cli/html_kernel_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "app/cli/json_text.h"
#include "app/cli/text_table.h"
#include "core/analysis/svg.h"

namespace hloscope::cli {

namespace {

using analysis::ColumnKind;
using analysis::KernelColumn;
using analysis::KernelTable;
using analysis::svg::escaped;
using Json = nlohmann::ordered_json;

constexpr size_t kRowsPerPage = 100;

/// How the script writes the numbers of a column.
std::string_view column_kind_name(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kTime:
      return "time";
    case ColumnKind::kError:
      return "error";
    case ColumnKind::kDelta:
      return "change";
    case ColumnKind::kSpread:
    case ColumnKind::kShare:
      return "percent";
    case ColumnKind::kCount:
      return "count";
    case ColumnKind::kIntensity:
      return "intensity";
    case ColumnKind::kFlag:
      return "flag";
    case ColumnKind::kFlops:
    case ColumnKind::kBytes:
    case ColumnKind::kVmem:
      return "prefix";
    default:
      return "text";
  }
}

std::string html_cell(const KernelTable& table, uint32_t row, size_t index) {
  const KernelColumn& column = analysis::kernel_columns()[index];
  if (!column.is_number()) {
    const std::string_view text = table.text(row, index);
    return text.empty() ? "–" : std::string(text);
  }
  const double value = table.number(row, index);
  if (value != value) return "–";
  const std::string_view kind = column_kind_name(column.kind);
  if (kind == "time") return microseconds(value);
  if (kind == "error" || kind == "change") return fmt::format("{:+.1f}", value * 100);
  if (kind == "percent") return fmt::format("{:.1f}", value * 100);
  if (kind == "count") return fmt::format("{:g}", value);
  if (kind == "intensity") return fmt::format("{:.1f}", value);
  if (kind == "flag") return value > 0 ? "yes" : "no";
  return with_prefix(value);
}

/// Kernels repeat: each value once, and which of them a row has.
Json packed(const std::vector<Json>& values) {
  std::map<std::string, size_t> known;
  Json distinct = Json::array();
  Json rows = Json::array();
  for (const Json& value : values) {
    const auto [at, is_new] = known.emplace(json_text(value, -1), distinct.size());
    if (is_new) distinct.push_back(value);
    rows.push_back(at->second);
  }
  return {{"values", std::move(distinct)}, {"rows", std::move(rows)}};
}

Json value_of(const KernelTable& table, uint32_t row, size_t index) {
  const KernelColumn& column = analysis::kernel_columns()[index];
  if (!column.is_number()) return table.text(row, index);
  const double value = table.number(row, index);
  if (value != value) return nullptr;
  if (column.kind == ColumnKind::kFlag) return value > 0;
  return value;
}

Json column_json(const KernelTable& table, size_t index) {
  const KernelColumn& column = analysis::kernel_columns()[index];
  std::vector<Json> values;
  values.reserve(table.row_count());
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    values.push_back(value_of(table, row, index));
  }
  Json out = packed(values);
  out["key"] = column.key;
  out["name"] = column.csv_name;
  out["title"] = column.title;
  out["kind"] = column_kind_name(column.kind);
  out["unit"] = column.filter_unit;
  return out;
}

Json label_json(const KernelTable& table) {
  std::vector<Json> values;
  values.reserve(table.row_count());
  for (uint32_t row = 0; row < table.row_count(); ++row) values.emplace_back(table.label(row));
  Json out = packed(values);
  out["key"] = "label";
  out["name"] = "label";
  out["title"] = "What";
  out["kind"] = "text";
  out["unit"] = 1;
  return out;
}

/// Nothing in it can end the script element or begin a comment.
std::string script_text(const Json& value) {
  std::string out;
  for (const char c : json_text(value, -1)) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

/// Errors where nothing was measured: in the data, for filters, but not shown.
bool is_empty(const KernelTable& table, size_t index) {
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    if (html_cell(table, row, index) != "–") return false;
  }
  return true;
}

std::vector<size_t> columns_of(const KernelTable& table) {
  std::vector<size_t> columns;
  for (size_t i = 0; i < analysis::kernel_columns().size(); ++i) {
    if (table.has_column(i)) columns.push_back(i);
  }
  return columns;
}

/// The table as it stands without scripts: the same columns in the same order.
std::string first_rows(const KernelTable& table, const std::vector<size_t>& shown) {
  std::vector<uint32_t> rows(table.row_count());
  std::iota(rows.begin(), rows.end(), 0U);
  if (const auto share = analysis::column_by_key("share")) table.sort(rows, *share, true);
  rows.resize(std::min(rows.size(), kRowsPerPage));
  std::string out;
  for (const uint32_t row : rows) {
    out += "<tr>";
    for (const size_t i : shown) {
      const bool is_number = analysis::kernel_columns()[i].is_number();
      out += fmt::format("<td{}>{}</td>", is_number ? " class=\"n\"" : "",
                         escaped(html_cell(table, row, i)));
    }
    out += fmt::format("<td>{}</td></tr>\n", escaped(table.label(row)));
  }
  return out;
}

std::string controls(size_t number, const KernelTable& table) {
  return fmt::format(
      "<div class=\"controls\" hidden><label for=\"filter{0}\">Filter</label> "
      "<input id=\"filter{0}\" type=\"search\" size=\"40\" spellcheck=\"false\" "
      "placeholder=\"words, class:matmul, simulated&gt;100\" aria-describedby=\"count{0}\">\n"
      "<button type=\"button\" class=\"first\">First</button>"
      "<button type=\"button\" class=\"back\">Back</button>"
      "<button type=\"button\" class=\"next\">Next</button>"
      "<button type=\"button\" class=\"last\">Last</button>\n"
      "<output id=\"count{0}\" class=\"count\" for=\"filter{0}\"></output></div>\n"
      "<noscript><p class=\"note\">Without scripts: the {1} of {2} kernels with the largest "
      "share.</p></noscript>\n",
      number, std::min(table.row_count(), kRowsPerPage), table.row_count());
}

}  // namespace

std::string html_kernel_table(const KernelTable& table, size_t number) {
  const std::vector<size_t> columns = columns_of(table);
  Json data = {{"per_page", kRowsPerPage}, {"columns", Json::array()}};
  std::string heads;
  std::vector<size_t> shown;
  for (const size_t i : columns) {
    data["columns"].push_back(column_json(table, i));
    const bool is_shown = !is_empty(table, i);
    data["columns"].back()["shown"] = is_shown;
    if (!is_shown) continue;
    shown.push_back(i);
    heads += fmt::format("<th scope=\"col\">{}</th>", escaped(analysis::kernel_columns()[i].title));
  }
  data["columns"].push_back(label_json(table));
  data["columns"].back()["shown"] = true;
  heads += "<th scope=\"col\">What</th>";
  return fmt::format(
      "<div class=\"kernels\" data-number=\"{0}\">\n{1}"
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Kernel table\">"
      "<table><caption>Kernels; times of one execution</caption>"
      "<thead><tr>{2}</tr></thead>\n<tbody>\n{3}</tbody></table></div>\n"
      "<script type=\"application/json\" class=\"data\">{4}</script>\n</div>\n",
      number, controls(number, table), heads, first_rows(table, shown), script_text(data));
}

}  // namespace hloscope::cli
