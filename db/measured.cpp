#include "db/measured.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <vector>

#include "db/sqlite/connection.h"

namespace hloscope::db {
namespace {

Status insert_times(Connection& connection, MeasuredSourceRow source,
                    std::span<const MeasuredTime> times) {
  HLOSCOPE_ASSIGN(Statement insert, connection.prepare(R"sql(
    INSERT INTO measured_runs (source_id, run_index, kernel_id, is_default, is_reference, time_ns,
                               bounds, layout_hash)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8))sql"));
  for (const MeasuredTime& time : times) {
    HLOSCOPE_TRY(insert.run(source, time.run_index, time.kernel, time.is_default, time.is_reference,
                            time.time_ns, time.bounds, std::bit_cast<int64_t>(time.layout_hash)));
  }
  return {};
}

}  // namespace

std::string bounds_text(const hlo::MeasuredRun& run) {
  std::string text;
  const auto append = [&text](std::string_view what, const std::vector<int64_t>& bounds) {
    if (bounds.empty()) return;
    if (!text.empty()) text += ',';
    text += fmt::format("{}={}", what, fmt::join(bounds, "x"));
  };
  append("out", run.output_bounds);
  append("kernel", run.kernel_bounds);
  append("in", run.input_bounds);
  append("iterations", run.iteration_bounds);
  return text;
}

Hash128 measured_hash(const hlo::Module& module) {
  Hasher hasher;
  hasher.add(module.content_hash.high).add(module.content_hash.low);
  for (const hlo::MeasuredRun& run : module.runs) {
    hasher.add(run.run_index).add(run.is_default).add(run.failed).add(run.layout_hash);
    hasher.add(std::bit_cast<uint64_t>(run.time_ns)).add(bounds_text(run));
  }
  return hasher.digest();
}

Hash128 measured_hash(const hlo::Module& module, const Hash128& file) {
  Hasher hasher;
  hasher.add(module.content_hash.high).add(module.content_hash.low);
  return hasher.add(file.high).add(file.low).digest();
}

Result<MeasuredSourceRow> Measured::put(const MeasuredSource& source,
                                        std::span<const MeasuredTime> times) {
  HLOSCOPE_TRY(database_->writable());
  Connection& connection = database_->connection();
  HLOSCOPE_ASSIGN(Transaction transaction, Transaction::begin(connection));
  HLOSCOPE_ASSIGN(const auto known, find(source.hash));
  MeasuredSourceRow row;
  if (known) {
    row = known->id;
    HLOSCOPE_ASSIGN(Statement update, connection.prepare(R"sql(
      UPDATE measured_sources SET file_path = ?2, module_number = ?3, device = ?4
      WHERE id = ?1)sql"));
    const std::string& device = source.device == kDeviceNotStated ? known->device : source.device;
    HLOSCOPE_TRY(update.run(row, source.file_path, source.module_number, device));
  } else {
    HLOSCOPE_ASSIGN(Statement insert, connection.prepare(R"sql(
      INSERT INTO measured_sources (hash, file_path, module_number, device, program_id)
      VALUES (?1, ?2, ?3, ?4, ?5))sql"));
    HLOSCOPE_TRY(insert.run(source.hash, source.file_path, source.module_number, source.device,
                            source.program));
    row.value = connection.last_insert_row();
    HLOSCOPE_TRY(insert_times(connection, row, times));
  }
  HLOSCOPE_TRY(transaction.commit());
  return row;
}

Result<std::optional<MeasuredSource>> Measured::find(const Hash128& hash) const {
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(R"sql(
    SELECT id, hash, file_path, module_number, device, program_id
    FROM measured_sources WHERE hash = ?1)sql"));
  select.bind(hash);
  HLOSCOPE_ASSIGN(const bool found, select.step());
  if (!found) return std::nullopt;
  MeasuredSource source;
  source.id.value = select.integer(0);
  source.hash = select.hash(1);
  source.file_path = select.text(2);
  source.module_number = static_cast<int>(select.integer(3));
  source.device = select.text(4);
  source.program.value = select.integer(5);
  return source;
}

Status Measured::each_time(MeasuredSourceRow source,
                           const std::function<bool(const MeasuredTime&)>& callback) const {
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(R"sql(
    SELECT kernel_id, run_index, is_default, is_reference, time_ns, bounds, layout_hash
    FROM measured_runs WHERE source_id = ?1 ORDER BY run_index)sql"));
  select.bind(source);
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return {};
    MeasuredTime time;
    time.kernel.value = select.integer(0);
    time.run_index = static_cast<uint32_t>(select.integer(1));
    time.is_default = select.integer(2) != 0;
    time.is_reference = select.integer(3) != 0;
    if (!select.is_null(4)) time.time_ns = select.real(4);
    time.bounds = select.text(5);
    time.layout_hash = std::bit_cast<uint64_t>(select.integer(6));
    if (!callback(time)) return {};
  }
}

Result<int64_t> Measured::count() const {
  return database_->connection().integer("SELECT count(*) FROM measured_runs");
}

}  // namespace hloscope::db
