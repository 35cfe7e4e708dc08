#include "db/measured_list.h"

#include "db/sqlite/connection.h"

namespace hloscope::db {

Result<std::vector<MeasuredSourceInfo>> list_measured_sources(const Database& database) {
  HLOSCOPE_ASSIGN(Statement select, database.connection().prepare(R"sql(
    SELECT s.id, s.hash, s.file_path, s.module_number, s.device, s.program_id, coalesce(p.given_name, p.name), p.file_path,
           p.module_number, count(r.run_index), count(r.time_ns), count(DISTINCT r.kernel_id)
    FROM measured_sources s JOIN programs p ON p.id = s.program_id
    LEFT JOIN measured_runs r ON r.source_id = s.id
    GROUP BY s.id ORDER BY s.id DESC)sql"));
  std::vector<MeasuredSourceInfo> out;
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return out;
    MeasuredSourceInfo info;
    info.source.id.value = select.integer(0);
    info.source.hash = select.hash(1);
    info.source.file_path = select.text(2);
    info.source.module_number = static_cast<int>(select.integer(3));
    info.source.device = select.text(4);
    info.source.program.value = select.integer(5);
    info.program_name = select.text(6);
    info.program_file = select.text(7);
    info.program_module = static_cast<int>(select.integer(8));
    info.runs = select.integer(9);
    info.timed = select.integer(10);
    info.kernels = select.integer(11);
    out.push_back(std::move(info));
  }
}

}  // namespace hloscope::db
