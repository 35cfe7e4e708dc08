#include "app/cli/baseline_options.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "app/cli/commands.h"
#include "core/base/thread_pool.h"
#include "db/run_baseline.h"

namespace hloscope::cli {

namespace {

/// The same kernels on another machine. What was measured there, if anything was, is not known.
Result<ReportPtr> on_machine(const analysis::ModuleReport& report, const sim::Machine& machine,
                             const InputOptions& input, ThreadPool& pool) {
  HLOSCOPE_ASSIGN(ReportPtr other,
                  analysis::analyse(report, report.file_path, report.module_number, machine));
  if (input.predictor) {
    HLOSCOPE_ASSIGN(other, input.predictor->add(std::move(other), pool));
  }
  auto copy = std::make_shared<analysis::ModuleReport>(*other);
  copy->measured_ns = {};
  return copy;
}

Result<analysis::BaselinePtr> of_machine(const std::string& id_or_path, const InputOptions& input,
                                         const std::vector<ReportPtr>& reports) {
  HLOSCOPE_ASSIGN(const sim::Machine machine, sim::find_machine(id_or_path));
  ThreadPool pool(input.predictor ? 0 : 1);
  std::vector<ReportPtr> others;
  others.reserve(reports.size());
  for (const ReportPtr& report : reports) {
    HLOSCOPE_ASSIGN(ReportPtr other, on_machine(*report, machine, input, pool));
    others.push_back(std::move(other));
  }
  return analysis::pinned_times(others, analysis::short_title(machine));
}

Result<analysis::BaselinePtr> of_run(int64_t run, const std::string& db_path) {
  HLOSCOPE_ASSIGN(db::Database database, db::Database::open(db_path, db::OpenMode::kReadOnly));
  return db::run_baseline(database, {run});
}

analysis::KernelTable::Totals all_totals(const analysis::KernelTable& table) {
  std::vector<uint32_t> rows(table.row_count());
  std::iota(rows.begin(), rows.end(), 0U);
  return table.totals(rows);
}

}  // namespace

void add_baseline_options(CLI::App& command, BaselineOptions& options, CLI::Option* db) {
  if (db == nullptr) {
    db = command.add_option("--db", options.db, "database that holds the run of --baseline-run");
  }
  auto* machine = command.add_option("--baseline", options.machine,
                                     "compare with the times on this machine (id or file)");
  command
      .add_option("--baseline-run", options.run,
                  "compare with this run of the --db database ('hloscope-cli runs' lists them)")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 62))
      ->needs(db)
      ->excludes(machine);
}

std::optional<analysis::BaselinePtr> load_baseline(const BaselineOptions& options,
                                                   const InputOptions& input,
                                                   const std::vector<ReportPtr>& reports,
                                                   const std::string& db_path, int& exit_code) {
  if (!options.is_asked_for()) return nullptr;
  const bool is_machine = !options.machine.empty();
  auto baseline =
      is_machine ? of_machine(options.machine, input, reports) : of_run(options.run, db_path);
  if (baseline) return std::move(*baseline);
  print_error(baseline.error());
  exit_code = is_machine && baseline.error().code == ErrorCode::kNotFound ? kUsage : kBadInput;
  return std::nullopt;
}

std::string baseline_text(const analysis::KernelTable& table) {
  if (!table.baseline()) return {};
  const auto totals = all_totals(table);
  std::string changes;
  for (const analysis::TimeSourceInfo& source : analysis::kTimeSources) {
    const double delta = totals.delta[static_cast<size_t>(source.source)];
    if (std::isnan(delta)) continue;
    changes += fmt::format("{}{} {:+.1f} %", changes.empty() ? "" : ", ", source.name, delta * 100);
  }
  if (changes.empty()) {
    return fmt::format("baseline: {}, which has no time of these kernels\n",
                       table.baseline()->label());
  }
  return fmt::format("baseline: {}; against it {} in all\n", table.baseline()->label(), changes);
}

nlohmann::ordered_json baseline_json(const analysis::KernelTable& table) {
  nlohmann::ordered_json out = {{"label", table.baseline()->label()}};
  const auto totals = all_totals(table);
  for (const analysis::TimeSourceInfo& source : analysis::kTimeSources) {
    const double delta = totals.delta[static_cast<size_t>(source.source)];
    if (!std::isnan(delta)) out[std::string(source.id) + "_total_delta"] = delta;
  }
  return out;
}

}  // namespace hloscope::cli
