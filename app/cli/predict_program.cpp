#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/json_rows.h"
#include "app/cli/json_text.h"
#include "app/cli/predict.h"
#include "app/cli/printable.h"
#include "app/cli/store.h"
#include "app/cli/text_table.h"
#include "core/analysis/kernel_table.h"

namespace hloscope::cli {

namespace {

using Json = nlohmann::ordered_json;
using analysis::KernelTable;
using graph::KernelId;

constexpr size_t kPredictedShown = 20;

const std::optional<analysis::PredictedTime>& predicted(const KernelTable& table, uint32_t row) {
  return table.report().predicted.of_kernels[KernelId(row)];
}

double all_ns(const KernelTable& table, uint32_t row) {
  const auto& time = predicted(table, row);
  return time ? time->time_ns * table.kernel(row).executions : 0;
}

double share(const KernelTable& table, uint32_t row) {
  const double total_ns = table.report().predicted.total_ns;
  return total_ns > 0 ? all_ns(table, row) / total_ns : 0;
}

bool is_called(const KernelTable& table, uint32_t row, std::string_view wanted) {
  if (wanted.starts_with('%')) wanted.remove_prefix(1);
  const hlo::Program& program = *table.report().module.program;
  return wanted.empty() || table.name(row) == wanted ||
         fmt::format("{}/{}", program[table.kernel(row).computation].name, table.name(row)) ==
             wanted;
}

/// The kernels that are asked for, those with the largest share of the predicted time first.
std::vector<uint32_t> chosen_rows(const KernelTable& table, const analysis::KernelQuery& query,
                                  const std::string& kernel) {
  std::vector<uint32_t> rows = table.filtered(query);
  std::erase_if(rows, [&](uint32_t row) { return !is_called(table, row, kernel); });
  std::stable_sort(rows.begin(), rows.end(), [&table](uint32_t a, uint32_t b) {
    return all_ns(table, a) > all_ns(table, b);
  });
  return rows;
}

size_t kernels_with_time(const analysis::ModuleReport& report) {
  return static_cast<size_t>(std::ranges::count_if(
      report.predicted.of_kernels, [](const auto& time) { return time.has_value(); }));
}

// A total of nothing is none: only a program without kernels takes no time.
bool has_total(const analysis::ModuleReport& report) {
  return report.kernels.kernels.empty() || kernels_with_time(report) > 0;
}

std::string untimed_text(const analysis::ModuleReport& report) {
  const size_t kernels = report.kernels.kernels.size();
  const size_t untimed = kernels - kernels_with_time(report);
  if (untimed == 0) return "";
  return fmt::format("{} no predicted time: it is not finite, or the model cannot take them\n",
                     untimed == kernels
                         ? "the kernels have"
                         : counted(static_cast<int64_t>(untimed), "kernel has", "kernels have"));
}

std::string far_text(const analysis::ModuleReport& report) {
  if (!has_total(report)) return "";
  if (!report.predicted.by.knows_far) {
    return "the model does not say which kernels are far from those it learned from\n";
  }
  const auto& times = report.predicted.of_kernels;
  const auto far = std::ranges::count_if(times, [](const auto& t) { return t && t->is_far; });
  return fmt::format("{} far from those that the model learned from, {} of the predicted time\n",
                     counted(far, "kernel", "kernels"), percent(report.predicted.far_share));
}

std::string spread_text(const analysis::PredictedBy& by) {
  if (!by.has_spread) return "one model alone has no spread\n";
  return by.is_calibrated ? "±: two thirds of the true times should lie within\n"
                          : "±: what the models differ by; not compared with true times\n";
}

std::string head_text(const analysis::ModuleReport& report, const predict::Ensemble& ensemble) {
  std::string out = printable_lines(fmt::format("{}: {}\npredicted, not measured; {}\n{}\n",
                                                display_name(report), report.module.program->name(),
                                                report.machine.title, ensemble_text(ensemble)));
  out += origin_text(report.origin) + "\n";
  out +=
      fmt::format("predicted {} µs in all (simulated {}, analytical {}): {} ({} distinct)\n",
                  has_total(report) ? microseconds(report.predicted.total_ns) : "-",
                  microseconds(report.simulated_total_ns), microseconds(report.analytical_total_ns),
                  counted(static_cast<int64_t>(report.kernels.kernels.size()), "kernel", "kernels"),
                  report.kernels.distinct.size());
  return out + untimed_text(report) + far_text(report) + spread_text(report.predicted.by);
}

std::string to_text(const KernelTable& table, std::span<const uint32_t> rows, size_t limit) {
  using enum TextTable::Align;
  const analysis::ModuleReport& report = table.report();
  const bool measured =
      std::ranges::any_of(report.measured_ns, [](const auto& time) { return time.has_value(); });
  std::vector<TextTable::Column> columns{
      {"Kernel", kElided}, {"Executions"},   {"Predicted µs"}, {"± %"},
      {"Far", kLeft},      {"Simulated µs"}, {"Analytical µs"}};
  if (measured) columns.push_back({"Measured µs"});
  columns.push_back({"Share %"});
  columns.push_back({"What", kElided});
  TextTable text(columns);
  for (const uint32_t row : rows.first(std::min(limit, rows.size()))) {
    const KernelId id(row);
    const auto& time = predicted(table, row);
    const bool has_spread = time && report.predicted.by.has_spread;
    std::vector<std::string> cells{std::string(table.name(row)),
                                   fmt::format("{:g}", table.kernel(row).executions),
                                   time ? microseconds(time->time_ns) : "-",
                                   has_spread ? fmt::format("{:.1f}", 100 * time->spread()) : "-",
                                   time && time->is_far ? "far" : "",
                                   microseconds(report.times.simulated[id].time_ns),
                                   microseconds(report.times.analytical[id].time_ns)};
    if (measured) {
      cells.push_back(report.measured_ns[id] ? microseconds(*report.measured_ns[id]) : "-");
    }
    cells.push_back(time ? fmt::format("{:.1f}", 100 * share(table, row)) : "-");
    cells.emplace_back(table.label(row));
    text.add_row(std::move(cells));
  }
  std::string out = text.text();
  if (rows.size() > limit) {
    out += fmt::format("... {} more; --top N shows N\n", rows.size() - limit);
  }
  return out;
}

Json kernel_json(const KernelTable& table, uint32_t row) {
  const analysis::ModuleReport& report = table.report();
  const hlo::Program& program = *report.module.program;
  const KernelId id(row);
  const graph::Kernel& kernel = table.kernel(row);
  const auto& time = predicted(table, row);
  const bool has_spread = time && report.predicted.by.has_spread;
  const bool knows_far = time && report.predicted.by.knows_far;
  return {{"kernel", table.name(row)},
          {"computation", program[kernel.computation].name},
          {"class", hlo::name(kernel.op_class)},
          {"executions", kernel.executions},
          {"predicted_ns", time ? Json(time->time_ns) : Json()},
          {"low_ns", has_spread ? Json(time->low_ns) : Json()},
          {"high_ns", has_spread ? Json(time->high_ns) : Json()},
          {"is_far", knows_far ? Json(time->is_far) : Json()},
          {"simulated_ns", report.times.simulated[id].time_ns},
          {"analytical_ns", report.times.analytical[id].time_ns},
          {"measured_ns", or_null(report.measured_ns[id])},
          {"share", time ? Json(share(table, row)) : Json()},
          {"label", table.label(row)},
          {"kernel_hash", kernel.hash.hex()}};
}

Json kernels_json(const KernelTable& table, std::span<const uint32_t> rows, size_t limit) {
  auto out = Json::array();
  for (const uint32_t row : rows.first(std::min(limit, rows.size()))) {
    out.push_back(kernel_json(table, row));
  }
  return out;
}

Json head_json(const analysis::ModuleReport& report, const predict::Ensemble& ensemble) {
  Json out = {{"file", report.file_path},
              {"module_number", report.module_number},
              {"name", report.module.program->name()},
              {"source", "predicted"},
              {"machine", report.machine.id},
              {"machine_hash", report.machine.hash.hex()},
              {"kernels_from", analysis::name(report.origin)}};
  out.update(ensemble_json(ensemble));
  out["is_calibrated"] = report.predicted.by.is_calibrated;
  return out;
}

Json to_json(const KernelTable& table, const predict::Ensemble& ensemble,
             std::span<const uint32_t> rows, size_t limit) {
  const analysis::ModuleReport& report = table.report();
  Json out = head_json(report, ensemble);
  const bool is_known = has_total(report);
  out["predicted_total_ns"] = is_known ? Json(report.predicted.total_ns) : Json();
  out["simulated_total_ns"] = report.simulated_total_ns;
  out["analytical_total_ns"] = report.analytical_total_ns;
  out["far_share"] =
      is_known && report.predicted.by.knows_far ? Json(report.predicted.far_share) : Json();
  out["kernel_count"] = report.kernels.kernels.size();
  out["distinct_kernels"] = report.kernels.distinct.size();
  out["kernels"] = kernels_json(table, rows, limit);
  return out;
}

std::string to_csv(const KernelTable& table, const predict::Ensemble& ensemble, const Json& kernels,
                   bool with_header) {
  auto rows = Json::array();
  for (const Json& kernel : kernels) {
    Json row = head_json(table.report(), ensemble);
    row.update(kernel);
    rows.push_back(std::move(row));
  }
  return json_rows_csv(rows, with_header);
}

Error no_kernel(const std::string& name) {
  Error error;
  error.code = ErrorCode::kNotFound;
  error.message = fmt::format("no kernel is called '{}'", name);
  error.hint = "'hloscope-cli kernels FILE' lists the kernels";
  return error;
}

}  // namespace

void predict_programs(const PredictOptions& asked, int& exit_code) {
  PredictOptions options = asked;
  const auto fail_with = [&exit_code](const Error& error, int code) {
    print_error(error);
    exit_code = code;
  };
  const auto machine = load_machine(options.machine, exit_code);
  if (!machine) return;
  const auto query = analysis::KernelQuery::parse(options.filter);
  if (!query) return fail_with(query.error(), kUsage);
  const auto ensemble = chosen_ensemble(options, *machine, data::Task::kFusion);
  if (!ensemble) return fail_with(ensemble.error(), kBadInput);
  options.predictor = predict::TimePredictor{*ensemble};
  auto list = Json::array();
  size_t found = 0;
  bool is_first = true;
  const std::vector<ReportPtr> reports = load_reports(options, exit_code);
  for (const ReportPtr& report : reports) {
    if (!store_if_asked(options.db, *report)) exit_code = kBadInput;
    const KernelTable table(report);
    const std::vector<uint32_t> rows = chosen_rows(table, *query, options.kernel);
    found += rows.size();
    const size_t limit = options.top > 0 ? options.top : rows.size();
    if (options.json) {
      list.push_back(to_json(table, **ensemble, rows, limit));
    } else if (options.csv) {
      std::cout << to_csv(table, **ensemble, kernels_json(table, rows, limit), is_first);
    } else {
      std::cout << (is_first ? "" : "\n") << head_text(*report, **ensemble)
                << to_text(table, rows, options.top > 0 ? options.top : kPredictedShown);
    }
    is_first = false;
  }
  if (options.json) std::cout << json_text(list) << "\n";
  if (found == 0 && !options.kernel.empty() && !reports.empty()) {
    fail_with(no_kernel(options.kernel), kBadInput);
  }
}

}  // namespace hloscope::cli
