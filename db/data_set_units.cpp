#include <fmt/format.h>

#include "db/data_set_rows.h"
#include "db/data_sets.h"
#include "db/sqlite/connection.h"

namespace hloscope::db {
namespace {

Result<int64_t> program_count(const Database& database) {
  return database.connection().integer("SELECT count(*) FROM data_set_programs");
}

}  // namespace

Status DataSets::add_unit(const Unit& unit) {
  HLOSCOPE_TRY(check_writable());
  HLOSCOPE_ASSIGN(Statement insert, database_->connection().prepare(R"sql(
    INSERT INTO data_set_units (unit, program_id, configuration, kernel_count)
    VALUES (?1, ?2, ?3, ?4))sql"));
  return insert.run(unit.number, int64_t{unit.program} + 1, unit.configuration, unit.kernel_count);
}

Status DataSets::add_sighting(const Sighting& sighting) {
  HLOSCOPE_TRY(check_writable());
  HLOSCOPE_ASSIGN(Statement insert, database_->connection().prepare(R"sql(
    INSERT INTO data_set_sightings (graph_id, program_id, count, default_executions)
    VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (graph_id, program_id) DO UPDATE SET
      count = count + excluded.count,
      default_executions = default_executions + excluded.default_executions)sql"));
  return insert.run(sighting.graph, int64_t{sighting.program} + 1, sighting.count,
                    sighting.default_executions);
}

Result<int64_t> DataSets::last_unit() const {
  return database_->connection().integer("SELECT coalesce(max(unit), -1) FROM data_set_units");
}

Status DataSets::each_unit(const std::function<bool(const Unit&)>& callback) const {
  HLOSCOPE_TRY(check_there());
  HLOSCOPE_ASSIGN(const int64_t programs, program_count(*database_));
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(R"sql(
    SELECT unit, program_id, configuration, kernel_count FROM data_set_units ORDER BY unit)sql"));
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return {};
    HLOSCOPE_ASSIGN(const uint32_t program, read_program(*database_, select.integer(1), programs));
    if (!callback({select.integer(0), program, select.integer(2), select.integer(3)})) return {};
  }
}

Status DataSets::each_sighting(const std::function<bool(const Sighting&)>& callback) const {
  HLOSCOPE_TRY(check_there());
  HLOSCOPE_ASSIGN(const int64_t programs, program_count(*database_));
  HLOSCOPE_ASSIGN(const int64_t graphs, graph_count(*database_));
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(R"sql(
    SELECT graph_id, program_id, count, default_executions
    FROM data_set_sightings ORDER BY graph_id, program_id)sql"));
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return {};
    const GraphRow graph{select.integer(0)};
    HLOSCOPE_TRY(check_graph(*database_, graph, graphs));
    HLOSCOPE_ASSIGN(const uint32_t program, read_program(*database_, select.integer(1), programs));
    if (!callback({graph, program, select.integer(2), select.real(3)})) return {};
  }
}

}  // namespace hloscope::db
