#include "db/run_baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "db/runs.h"
#include "db/sqlite/connection.h"
#include "db/store.h"
#include "db/stored_amount.h"

namespace hloscope::db {
namespace {

// The places of the program's kernels, in program order; those without a time in this run as well,
// so that a total that lacks them is not taken for one of the whole program.
constexpr const char* kSelectPlaces = R"sql(
  SELECT k.hash, p.instruction_name, p.executions, t.time_ns
  FROM program_kernels p JOIN kernels k ON k.id = p.kernel_id
  LEFT JOIN kernel_times t ON t.kernel_id = p.kernel_id AND t.run_id = ?1
  WHERE p.program_id = ?2 ORDER BY p.position)sql";

// Kernels with a time that the program was shown without since.
constexpr const char* kSelectOthers = R"sql(
  SELECT k.hash, t.time_ns FROM kernel_times t JOIN kernels k ON k.id = t.kernel_id
  WHERE t.run_id = ?1 AND t.kernel_id NOT IN
    (SELECT kernel_id FROM program_kernels WHERE program_id = ?2)
  ORDER BY t.kernel_id)sql";

using analysis::BaselineKernel;

Result<std::vector<BaselineKernel>> places_of(Database& database, const RunInfo& run,
                                              size_t source) {
  HLOSCOPE_ASSIGN(Statement select, database.connection().prepare(kSelectPlaces));
  select.bind(run.id, run.key.program);
  std::vector<BaselineKernel> kernels;
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return kernels;
    BaselineKernel kernel{std::string(select.text(1)), select.hash(0), select.real(2), {}};
    HLOSCOPE_TRY(stored_amount(run.id, select, 2));
    if (!select.is_null(3)) {
      HLOSCOPE_ASSIGN(kernel.times_ns[source], stored_amount(run.id, select, 3));
    }
    kernels.push_back(std::move(kernel));
  }
}

Status add_others(Database& database, const RunInfo& run, size_t source,
                  std::vector<BaselineKernel>& kernels) {
  HLOSCOPE_ASSIGN(Statement select, database.connection().prepare(kSelectOthers));
  select.bind(run.id, run.key.program);
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return {};
    BaselineKernel kernel{{}, select.hash(0), std::nullopt, {}};
    HLOSCOPE_ASSIGN(kernel.times_ns[source], stored_amount(run.id, select, 1));
    kernels.push_back(std::move(kernel));
  }
}

/// The program's own name: programs are found by it, whatever the user called them.
Result<std::string> own_name(Database& database, ProgramRow program) {
  HLOSCOPE_ASSIGN(Statement select,
                  database.connection().prepare("SELECT name FROM programs WHERE id = ?1"));
  select.bind(program);
  HLOSCOPE_TRY(select.step());
  return std::string(select.text(0));
}

std::string label_of(const RunInfo& run) {
  const auto& known = sim::builtin_machines();
  const auto machine = std::find_if(known.begin(), known.end(), [&run](const sim::Machine& one) {
    return one.id == run.key.machine_id;
  });
  const std::string title =
      machine == known.end() ? run.key.machine_id : analysis::short_title(*machine);
  const std::string number = fmt::format("run {}, {}", run.id.value, title);
  return run.name.empty() ? number : fmt::format("{} ({})", run.name, number);
}

}  // namespace

Result<analysis::BaselinePtr> run_baseline(Database& database, RunId id) {
  HLOSCOPE_ASSIGN(const RunInfo run, Runs(database).get(id));
  const auto source = time_source(run.key.source_kind);
  if (run.state != RunState::kFinished || !source) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("run {} has no times to compare with: it is {}", id.value,
                            source ? std::string(name(run.state))
                                   : fmt::format("of '{}'", run.key.source_kind)),
                "choose a finished one: hloscope-cli runs lists them");
  }
  const auto at = static_cast<size_t>(*source);
  HLOSCOPE_ASSIGN(std::vector<BaselineKernel> kernels, places_of(database, run, at));
  HLOSCOPE_TRY(add_others(database, run, at, kernels));
  HLOSCOPE_ASSIGN(std::string program_name, own_name(database, run.key.program));
  std::vector<analysis::BaselineProgram> programs;
  programs.push_back(
      {run.program_file, run.module_number, std::move(program_name), std::move(kernels)});
  return std::make_shared<const analysis::Baseline>(label_of(run), std::move(programs));
}

}  // namespace hloscope::db
