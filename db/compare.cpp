#include "db/compare.h"

#include <fmt/format.h>

#include "db/sqlite/connection.h"

namespace hloscope::db {
namespace {

// The newest finished run of every program and asked kind; where there are runs with own fusion,
// of those: raw kernels say little about the time of a whole program. ?1 machine or '', ?2 kinds as
// JSON.
constexpr const char* kNewest = R"sql(
  WITH newest AS (
    SELECT program_id, source_kind,
           coalesce(max(CASE json_extract(settings, '$.kernels') WHEN 'own fusion' THEN id END),
                    max(id)) AS run_id
    FROM runs
    WHERE state = 'finished' AND ?1 IN ('', machine_id)
      AND source_kind IN (SELECT value FROM json_each(?2))
    GROUP BY program_id, source_kind)
  SELECT p.name, p.file_path, p.module_number, n.source_kind, m.time_ns, m.bounds, m.is_default,
         s.file_path, s.hash, s.device, )sql";

constexpr const char* kKernelTail = R"sql( t.time_ns, k.hash, k.label, k.op_class,
         (SELECT instruction_name FROM program_kernels
          WHERE kernel_id = k.id AND program_id = p.id ORDER BY position LIMIT 1)
  FROM newest n
    JOIN programs p ON p.id = n.program_id
    JOIN measured_sources s ON s.program_id = p.id
    JOIN measured_runs m ON m.source_id = s.id
    JOIN kernels k ON k.id = m.kernel_id
    JOIN kernel_times t ON t.run_id = n.run_id AND t.kernel_id = k.id )sql";

constexpr const char* kProgramTail = R"sql( r.total_ns
  FROM newest n
    JOIN runs r ON r.id = n.run_id
    JOIN programs p ON p.id = n.program_id
    JOIN measured_sources s ON s.program_id = p.id
    JOIN measured_runs m ON m.source_id = s.id AND m.kernel_id IS NULL )sql";

// ?3 is the limit. The references have an index of their own, hence two texts.
constexpr const char* kAllRows = "WHERE m.time_ns IS NOT NULL ";
constexpr const char* kReferenceRows = "WHERE m.is_reference = 1 ";
constexpr const char* kOrder = "ORDER BY p.name, s.hash, m.run_index, n.source_kind LIMIT ?3";

std::string sql_of(const CompareQuery& query) {
  std::string sql = kNewest;
  sql += query.whole_programs ? kProgramTail : kKernelTail;
  sql += query.all_configurations ? kAllRows : kReferenceRows;
  return sql += kOrder;
}

/// Kinds are our own short names; anything that would need escaping can't be one of them.
std::string json_of(const std::vector<std::string>& kinds) {
  std::string json = "[";
  for (const std::string& kind : kinds) {
    if (kind.find_first_of("\"\\") != std::string::npos) continue;
    json += fmt::format("{}\"{}\"", json.size() > 1 ? "," : "", kind);
  }
  return json += ']';
}

ComparePoint read_point_row(const Statement& row, bool is_whole_program) {
  ComparePoint point;
  point.program_name = row.text(0);
  point.program_file = row.text(1);
  point.module_number = static_cast<int>(row.integer(2));
  point.source_kind = row.text(3);
  point.measured_ns = row.real(4);
  point.bounds = row.text(5);
  point.is_default = row.integer(6) != 0;
  point.measured_file = row.text(7);
  point.measured_source = row.hash(8);
  point.device = row.text(9);
  point.estimated_ns = row.real(10);
  point.is_whole_program = is_whole_program;
  if (is_whole_program) return point;
  point.kernel_hash = row.hash(11);
  point.label = row.text(12);
  point.op_class = row.text(13);
  point.instruction_name = row.text(14);
  return point;
}

}  // namespace

Status each_compare_point(const Database& database, const CompareQuery& query,
                          const std::function<bool(ComparePoint)>& callback) {
  HLOSCOPE_ASSIGN(Statement select, database.connection().prepare(sql_of(query)));
  select.bind(query.machine_id, json_of(query.source_kinds), query.limit);
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return {};
    if (!callback(read_point_row(select, query.whole_programs))) return {};
  }
}

Result<std::vector<ComparePoint>> compare_points(const Database& database,
                                                 const CompareQuery& query) {
  std::vector<ComparePoint> points;
  HLOSCOPE_TRY(each_compare_point(database, query, [&points](ComparePoint point) {
    points.push_back(std::move(point));
    return true;
  }));
  return points;
}

}  // namespace hloscope::db
