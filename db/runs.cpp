#include "db/runs.h"

#include <fmt/format.h>

#include "db/given_name.h"
#include "db/sqlite/connection.h"
#include "db/sqlite/statement.h"
#include "db/stored_amount.h"

namespace hloscope::db {
namespace {

constexpr const char* kSelectRuns = R"sql(
  SELECT r.id, r.program_id, r.source_kind, r.machine_id, r.machine_hash, r.settings,
         r.tool_version, coalesce(p.given_name, p.name), p.file_path, p.module_number, r.state, r.started, r.finished,
         r.kernel_count, r.total_ns, r.given_name
  FROM runs r JOIN programs p ON p.id = r.program_id )sql";

RunState state_by_name(std::string_view text) {
  for (const RunState state : {RunState::kRunning, RunState::kFinished}) {
    if (text == name(state)) return state;
  }
  return RunState::kFailed;
}

RunInfo read_run_row(const Statement& row) {
  RunInfo info;
  info.id.value = row.integer(0);
  info.key.program.value = row.integer(1);
  info.key.source_kind = row.text(2);
  info.key.machine_id = row.text(3);
  info.key.machine_hash = row.hash(4);
  info.key.settings = row.text(5);
  info.key.tool_version = row.text(6);
  info.program_name = row.text(7);
  info.program_file = row.text(8);
  info.module_number = static_cast<int>(row.integer(9));
  info.state = state_by_name(row.text(10));
  info.started = row.text(11);
  info.finished = row.text(12);
  info.kernel_count = row.integer(13);
  info.total_ns = row.real(14);
  info.name = row.text(15);
  return info;
}

tl::unexpected<Error> unknown_run(RunId run, std::string_view which) {
  return fail(ErrorCode::kNotFound, fmt::format("there is no {}run {}", which, run.value));
}

}  // namespace

std::string_view name(RunState state) {
  switch (state) {
    case RunState::kRunning:
      return "running";
    case RunState::kFinished:
      return "finished";
    case RunState::kFailed:
      break;
  }
  return "failed";
}

Result<RunId> Runs::start(const RunKey& key) {
  HLOSCOPE_TRY(database_->writable());
  HLOSCOPE_ASSIGN(Statement insert, database_->connection().prepare(R"sql(
    INSERT INTO runs (program_id, source_kind, machine_id, machine_hash, settings, tool_version,
                      state, started)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'running', strftime('%Y-%m-%dT%H:%M:%SZ', 'now')))sql"));
  HLOSCOPE_TRY(insert.run(key.program, key.source_kind, key.machine_id, key.machine_hash,
                          key.settings, key.tool_version));
  return RunId{database_->connection().last_insert_row()};
}

Status Runs::add_times(RunId run, std::span<const KernelTime> times) {
  HLOSCOPE_TRY(database_->writable());
  Connection& connection = database_->connection();
  HLOSCOPE_ASSIGN(Transaction transaction, Transaction::begin(connection));
  HLOSCOPE_ASSIGN(Statement insert, connection.prepare(R"sql(
    INSERT INTO kernel_times (run_id, kernel_id, time_ns, compute_ns, memory_ns, bound, tile,
                              vmem_bytes)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8))sql"));
  for (const KernelTime& time : times) {
    HLOSCOPE_TRY(insert.run(run, time.kernel, time.time_ns, time.compute_ns, time.memory_ns,
                            time.bound, null_if_empty(time.tile), time.vmem_bytes));
  }
  return transaction.commit();
}

Status Runs::finish(RunId run, double total_ns, const Hash128& times_hash) {
  HLOSCOPE_TRY(database_->writable());
  HLOSCOPE_ASSIGN(Statement update, database_->connection().prepare(R"sql(
    UPDATE runs SET state = 'finished', finished = strftime('%Y-%m-%dT%H:%M:%SZ', 'now'),
      total_ns = ?2, times_hash = ?3,
      kernel_count = (SELECT count(*) FROM kernel_times WHERE run_id = ?1)
    WHERE id = ?1 AND state = 'running')sql"));
  HLOSCOPE_TRY(update.run(run, total_ns, times_hash));
  if (database_->connection().changes() == 0) return unknown_run(run, "running ");
  return {};
}

Status Runs::fail(RunId run) {
  HLOSCOPE_TRY(database_->writable());
  HLOSCOPE_ASSIGN(Statement update, database_->connection().prepare(R"sql(
    UPDATE runs SET state = 'failed', finished = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    WHERE id = ?1 AND state = 'running')sql"));
  HLOSCOPE_TRY(update.run(run));
  if (database_->connection().changes() == 0) return unknown_run(run, "running ");
  return {};
}

Status Runs::remove(RunId run) {
  HLOSCOPE_TRY(database_->writable());
  HLOSCOPE_ASSIGN(Statement erase,
                  database_->connection().prepare("DELETE FROM runs WHERE id = ?1"));
  HLOSCOPE_TRY(erase.run(run));
  if (database_->connection().changes() == 0) return unknown_run(run, "");
  return {};
}

Result<std::string> Runs::rename(RunId run, std::string_view name) {
  HLOSCOPE_TRY(database_->writable());
  HLOSCOPE_TRY(check_given_name("run", name));
  HLOSCOPE_ASSIGN(const RunInfo before, get(run));
  HLOSCOPE_ASSIGN(Statement update,
                  database_->connection().prepare("UPDATE runs SET given_name = ?2 WHERE id = ?1"));
  HLOSCOPE_TRY(update.run(run, null_if_empty(name)));
  return before.name;
}

Result<std::optional<RunId>> Runs::find(const RunKey& key, const Hash128& times_hash) const {
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(R"sql(
    SELECT max(id) FROM runs
    WHERE program_id = ?1 AND source_kind = ?2 AND machine_id = ?3 AND machine_hash = ?4
      AND settings = ?5 AND tool_version = ?6 AND times_hash = ?7 AND state = 'finished')sql"));
  select.bind(key.program, key.source_kind, key.machine_id, key.machine_hash, key.settings,
              key.tool_version, times_hash);
  HLOSCOPE_TRY(select.step());
  if (select.is_null(0)) return std::nullopt;
  return RunId{select.integer(0)};
}

Result<RunInfo> Runs::get(RunId run) const {
  HLOSCOPE_ASSIGN(Statement select,
                  database_->connection().prepare(std::string(kSelectRuns) + "WHERE r.id = ?1"));
  select.bind(run);
  HLOSCOPE_ASSIGN(const bool found, select.step());
  if (!found) return unknown_run(run, "");
  HLOSCOPE_TRY(stored_amount(run, select, 14));
  return read_run_row(select);
}

Result<std::vector<RunInfo>> Runs::list(const Page& page) const {
  HLOSCOPE_ASSIGN(Statement select,
                  database_->connection().prepare(std::string(kSelectRuns) +
                                                  "ORDER BY r.id DESC LIMIT ?1 OFFSET ?2"));
  select.bind(page.count, page.skip);
  std::vector<RunInfo> runs;
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return runs;
    runs.push_back(read_run_row(select));
  }
}

Status Runs::each_time(RunId run, const std::function<bool(const KernelTime&)>& callback) const {
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(R"sql(
    SELECT kernel_id, time_ns, compute_ns, memory_ns, bound, tile, vmem_bytes FROM kernel_times
    WHERE run_id = ?1 ORDER BY kernel_id)sql"));
  select.bind(run);
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return {};
    KernelTime time{{select.integer(0)}, select.real(1), select.real(2),
                    select.real(3),      select.text(4), select.text(5)};
    if (!select.is_null(6)) time.vmem_bytes = select.real(6);
    if (!callback(time)) return {};
  }
}

}  // namespace hloscope::db
