#include "db/run_kernels.h"

#include <utility>

#include "db/sqlite/connection.h"
#include "db/stored_amount.h"

namespace hloscope::db {
namespace {

// Of the places of a kernel in the program, SQLite takes the other columns from the row of min().
constexpr const char* kSelectKernels = R"sql(
  SELECT t.kernel_id, t.time_ns, t.compute_ns, t.memory_ns, t.bound, t.tile, k.label, k.op_class,
         p.instruction_name, p.executions
  FROM kernel_times t JOIN kernels k ON k.id = t.kernel_id
  LEFT JOIN (SELECT kernel_id, instruction_name, min(position), sum(executions) AS executions
             FROM program_kernels WHERE program_id = ?2 GROUP BY kernel_id) p
    ON p.kernel_id = t.kernel_id
  WHERE t.run_id = ?1 ORDER BY t.kernel_id)sql";

Result<RunKernel> read_kernel_row(RunId run, const Statement& row) {
  RunKernel out;
  out.kernel.value = row.integer(0);
  RunTime& time = out.first.emplace();
  HLOSCOPE_ASSIGN(time.time_ns, stored_amount(run, row, 1));
  HLOSCOPE_ASSIGN(time.compute_ns, stored_amount(run, row, 2));
  HLOSCOPE_ASSIGN(time.memory_ns, stored_amount(run, row, 3));
  time.bound = row.text(4);
  time.tile = row.text(5);
  out.label = row.text(6);
  out.op_class = row.text(7);
  out.instruction_name = row.text(8);
  if (!row.is_null(9)) {
    HLOSCOPE_ASSIGN(out.executions, stored_amount(run, row, 9));
  }
  return out;
}

Result<std::vector<RunKernel>> of_one_run(const Database& database, RunId run) {
  HLOSCOPE_ASSIGN(Statement program,
                  database.connection().prepare("SELECT program_id FROM runs WHERE id = ?1"));
  program.bind(run);
  HLOSCOPE_ASSIGN(const bool found, program.step());
  if (!found) {
    return fail(ErrorCode::kNotFound, "there is no run " + std::to_string(run.value),
                "it was deleted since: read the list again");
  }
  HLOSCOPE_ASSIGN(Statement select, database.connection().prepare(kSelectKernels));
  select.bind(run, program.integer(0));
  std::vector<RunKernel> out;
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return out;
    HLOSCOPE_ASSIGN(RunKernel kernel, read_kernel_row(run, select));
    out.push_back(std::move(kernel));
  }
}

RunKernel as_second(RunKernel kernel) {
  kernel.second = std::exchange(kernel.first, std::nullopt);
  return kernel;
}

/// Both are in order of kernel row.
std::vector<RunKernel> merged(std::vector<RunKernel> first, std::vector<RunKernel> second) {
  std::vector<RunKernel> out;
  size_t next = 0;
  for (RunKernel& kernel : first) {
    while (next < second.size() && second[next].kernel < kernel.kernel) {
      out.push_back(as_second(std::move(second[next++])));
    }
    if (next < second.size() && second[next].kernel == kernel.kernel) {
      RunKernel& other = second[next++];
      kernel.second = std::move(other.first);
      if (kernel.instruction_name.empty()) kernel.instruction_name = other.instruction_name;
      if (kernel.executions == 0) kernel.executions = other.executions;
    }
    out.push_back(std::move(kernel));
  }
  while (next < second.size()) out.push_back(as_second(std::move(second[next++])));
  return out;
}

}  // namespace

Result<std::vector<RunKernel>> run_kernels(const Database& database, RunId first, RunId second) {
  HLOSCOPE_ASSIGN(std::vector<RunKernel> kernels, of_one_run(database, first));
  if (!second.valid()) return kernels;
  HLOSCOPE_ASSIGN(std::vector<RunKernel> others, of_one_run(database, second));
  return merged(std::move(kernels), std::move(others));
}

}  // namespace hloscope::db
