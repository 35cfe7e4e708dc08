#include "db/compare.h"

#include <fmt/format.h>

#include "db/sqlite/connection.h"

namespace hloscope::db {
namespace {

// Sources are read one after the other, each with a query of its own: so points come at once, a
// stop is heard, and nothing large is sorted.
constexpr const char* kSources = R"sql(
  SELECT s.id, p.id, coalesce(p.given_name, p.name) AS program, p.file_path, p.module_number, s.file_path, s.hash, s.device
  FROM measured_sources s JOIN programs p ON p.id = s.program_id
  ORDER BY program, s.hash)sql";

// The newest finished run of the program and every asked kind; where there are runs with own
// fusion, of those: raw kernels say little about the time of a whole program. ?1 machine or '', ?2
// kinds as JSON, ?3 the program.
constexpr const char* kNewest = R"sql(
  WITH newest AS (
    SELECT source_kind,
           coalesce(max(CASE json_extract(settings, '$.kernels') WHEN 'own fusion' THEN id END),
                    max(id)) AS run_id
    FROM runs
    WHERE program_id = ?3 AND state = 'finished' AND ?1 IN ('', machine_id)
      AND source_kind IN (SELECT value FROM json_each(?2))
    GROUP BY source_kind)
  SELECT n.source_kind, m.time_ns, m.bounds, m.is_default, )sql";

// A kernel of many places has the name of the first. The index is named since SQLite would read all
// places of the program for each kernel.
constexpr const char* kKernelTail = R"sql( t.time_ns, k.hash, k.label, k.op_class,
         (SELECT instruction_name FROM program_kernels INDEXED BY program_kernels_by_kernel
          WHERE kernel_id = k.id AND program_id = ?3 ORDER BY position LIMIT 1)
  FROM newest n
    JOIN measured_runs m ON m.source_id = ?4
    JOIN kernels k ON k.id = m.kernel_id
    JOIN kernel_times t ON t.run_id = n.run_id AND t.kernel_id = k.id )sql";

constexpr const char* kProgramTail = R"sql( r.total_ns
  FROM newest n
    JOIN runs r ON r.id = n.run_id
    JOIN measured_runs m ON m.source_id = ?4 AND m.kernel_id IS NULL )sql";

// The references have an index of their own, hence two texts.
constexpr const char* kAllRows = "WHERE m.time_ns IS NOT NULL ";
constexpr const char* kReferenceRows = "WHERE m.is_reference = 1 ";
constexpr const char* kOrder = "ORDER BY m.run_index, n.source_kind";

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

/// What all points of a source have in common.
ComparePoint read_source(const Statement& row, bool is_whole_program) {
  ComparePoint point;
  point.program_name = row.text(2);
  point.program_file = row.text(3);
  point.module_number = static_cast<int>(row.integer(4));
  point.measured_file = row.text(5);
  point.measured_source = row.hash(6);
  point.device = row.text(7);
  point.is_whole_program = is_whole_program;
  return point;
}

ComparePoint read_point_row(const Statement& row, const ComparePoint& source) {
  ComparePoint point = source;
  point.source_kind = row.text(0);
  point.measured_ns = row.real(1);
  point.bounds = row.text(2);
  point.is_default = row.integer(3) != 0;
  point.estimated_ns = row.real(4);
  if (point.is_whole_program) return point;
  point.kernel_hash = row.hash(5);
  point.label = row.text(6);
  point.op_class = row.text(7);
  point.instruction_name = row.text(8);
  return point;
}

}  // namespace

Status each_compare_point(const Database& database, const CompareQuery& query,
                          const std::function<bool(ComparePoint)>& callback) {
  HLOSCOPE_ASSIGN(Statement sources, database.connection().prepare(kSources));
  HLOSCOPE_ASSIGN(Statement select, database.connection().prepare(sql_of(query)));
  const std::string kinds = json_of(query.source_kinds);
  int64_t left = query.limit;
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_source, sources.step());
    if (!has_source) return {};
    const ComparePoint source = read_source(sources, query.whole_programs);
    select.bind(query.machine_id, kinds, sources.integer(1), sources.integer(0));
    while (true) {
      HLOSCOPE_ASSIGN(const bool has_row, select.step());
      if (!has_row) break;
      if (left-- <= 0 || !callback(read_point_row(select, source))) return {};
    }
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
