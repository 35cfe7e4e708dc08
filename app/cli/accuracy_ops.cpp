#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <iostream>

#include "app/cli/accuracy.h"
#include "app/cli/json_text.h"
#include "app/cli/terminal.h"
#include "core/accuracy/op_accuracy.h"
#include "core/base/units.h"
#include "core/base/write_file.h"

namespace hloscope::cli {

namespace {

using accuracy::ErrorSummary;
using accuracy::OpsAccuracy;
using measured::OpRow;

std::string shape_text(const OpRow& row) {
  if (row.m > 0) return fmt::format("{}x{}x{}", row.m, row.k, row.n);
  return fmt::format("{}", fmt::join(row.shape, "x"));
}

nlohmann::ordered_json errors_json(const ErrorSummary& errors) {
  return {{"n", errors.n},
          {"median_ape", errors.median},
          {"mean_ape", errors.mean},
          {"p90_ape", errors.p90}};
}

nlohmann::ordered_json to_json(const OpsAccuracy& result, const std::vector<OpRow>& rows) {
  auto classes = nlohmann::ordered_json::array();
  for (const accuracy::OpClassAccuracy& one : result.classes) {
    nlohmann::ordered_json entry = {{"class", one.op_class}};
    entry.update(errors_json(one.errors));
    classes.push_back(std::move(entry));
  }
  auto skipped = nlohmann::ordered_json::array();
  for (const accuracy::SkippedOp& op : result.skipped) {
    skipped.push_back(
        {{"op", rows[op.row].op}, {"shape", shape_text(rows[op.row])}, {"reason", op.reason}});
  }
  return {{"classes", std::move(classes)},
          {"total", errors_json(result.total)},
          {"skipped", std::move(skipped)},
          {"distinct_kernels", result.distinct_kernels}};
}

TextTable row_table(const OpsAccuracy& result, const std::vector<OpRow>& rows) {
  using enum TextTable::Align;
  TextTable table({{"op", kLeft},
                   {"shape", kLeft},
                   {"dtype", kLeft},
                   {"event", kLeft},
                   {"class", kLeft},
                   {"measured_us"},
                   {"time_us"},
                   {"error"}});
  for (const accuracy::OpTime& time : result.rows) {
    const OpRow& row = rows[time.row];
    table.add_row({row.op, shape_text(row), row.dtype, row.event, std::string(time.op_class),
                   fmt::format("{}", row.min_us), fmt::format("{}", time.time_ns / kNsPerUs),
                   fmt::format("{}", time.time_ns / time.measured_ns - 1)});
  }
  return table;
}

void print_text(const OpsAccuracy& result, const AccuracyOptions& options,
                const sim::Machine& machine) {
  using enum TextTable::Align;
  std::cout << fmt::format("{} of {} ({:.0f} of them, as one) against measured times\n\n",
                           accuracy::name(options.model), machine.title, machine["cores_per_chip"]);
  TextTable table({{"class", kLeft}, {"rows"}, {"median error"}, {"mean"}, {"90th percentile"}});
  const auto add = [&table](std::string_view name, const ErrorSummary& errors) {
    table.add_row({std::string(name), fmt::format("{}", errors.n), percent(errors.median),
                   percent(errors.mean), percent(errors.p90)});
  };
  for (const accuracy::OpClassAccuracy& one : result.classes) add(one.op_class, one.errors);
  add("all", result.total);
  std::cout << table.text()
            << fmt::format("\n{} distinct kernels; rows skipped: {}\n", result.distinct_kernels,
                           result.skipped.size());
}

// The rows were measured with all cores of a chip; files of users may not tell how many.
Status check_cores(const sim::Machine& machine, const std::string& file) {
  const auto found = machine.constants.find("cores_per_chip");
  if (found != machine.constants.end() && found->second.value > 0) return {};
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = "constant \"cores_per_chip\" is missing";
  error.file = file;
  error.hint = "operators are timed on all cores of a chip; add the constant to the machine file";
  return fail(std::move(error));
}

void warn_of_skipped(const OpsAccuracy& result, const std::vector<OpRow>& rows,
                     const std::string& file) {
  for (size_t i = 0; i < std::min(result.skipped.size(), kShownProblems); ++i) {
    const accuracy::SkippedOp& op = result.skipped[i];
    std::fprintf(stderr, "warning: %s: %s %s: %s; the row is left out\n", file.c_str(),
                 rows[op.row].op.c_str(), shape_text(rows[op.row]).c_str(), op.reason.c_str());
  }
  if (result.skipped.size() > kShownProblems) {
    std::fprintf(stderr, "warning: %s: %zu more rows are left out\n", file.c_str(),
                 result.skipped.size() - kShownProblems);
  }
}

}  // namespace

Status run_op_accuracy(const AccuracyOptions& options, const sim::Machine& machine) {
  HLOSCOPE_TRY(check_cores(machine, options.machine));
  HLOSCOPE_ASSIGN(const std::vector<OpRow> rows, measured::read_op_rows(options.ops));
  HLOSCOPE_ASSIGN(
      const OpsAccuracy result,
      accuracy::op_accuracy(rows, sim::Rates::chip(machine), options.model, terminal_progress()));
  warn_of_skipped(result, rows, options.ops);
  if (!options.rows.empty()) {
    HLOSCOPE_TRY(write_file(options.rows, row_table(result, rows).csv()));
  }
  if (!options.json) {
    print_text(result, options, machine);
    return {};
  }
  nlohmann::ordered_json out = to_json(result, rows);
  out["cores"] = machine["cores_per_chip"];
  add_origin(out, options, machine);
  std::cout << json_text(out) << "\n";
  return {};
}

}  // namespace hloscope::cli
