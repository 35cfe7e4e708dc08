#include <fmt/format.h>

#include "db/data_set_rows.h"
#include "db/data_sets.h"
#include "db/sqlite/connection.h"

namespace hloscope::db {
namespace {

// Columns graph_id, program_id, count, default_executions.
Result<Sighting> read_sighting(const Database& database, const Statement& row, int64_t programs) {
  HLOSCOPE_ASSIGN(const uint32_t program, read_program(database, row.integer(1), programs));
  return Sighting{GraphRow{row.integer(0)}, program, row.integer(2), row.real(3)};
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
  HLOSCOPE_ASSIGN(const int64_t graphs, db::graph_count(*database_));
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(R"sql(
    SELECT graph_id, program_id, count, default_executions
    FROM data_set_sightings ORDER BY graph_id, program_id)sql"));
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return {};
    HLOSCOPE_TRY(check_graph(*database_, GraphRow{select.integer(0)}, graphs));
    HLOSCOPE_ASSIGN(const Sighting sighting, read_sighting(*database_, select, programs));
    if (!callback(sighting)) return {};
  }
}

Result<std::vector<Sighting>> DataSets::sightings(GraphRow graph) const {
  HLOSCOPE_TRY(check_there());
  HLOSCOPE_ASSIGN(const int64_t programs, program_count(*database_));
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(R"sql(
    SELECT graph_id, program_id, count, default_executions
    FROM data_set_sightings WHERE graph_id = ?1 ORDER BY program_id)sql"));
  select.bind(graph);
  std::vector<Sighting> sightings;
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return sightings;
    HLOSCOPE_ASSIGN(const Sighting sighting, read_sighting(*database_, select, programs));
    sightings.push_back(sighting);
  }
}

}  // namespace hloscope::db
