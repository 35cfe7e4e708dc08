#include <fmt/format.h>

#include "db/measured.h"
#include "db/sqlite/connection.h"
#include "db/tuning.h"

namespace hloscope::db {
namespace {

struct Source {
  int64_t id = 0;
  std::string device;
  std::string file;
};

Result<Source> newest_source(Connection& connection, const Hash128& kernel_hash) {
  HLOSCOPE_ASSIGN(Statement select, connection.prepare(R"sql(
    SELECT s.id, s.device, s.file_path, s.module_number
    FROM measured_sources s JOIN measured_runs r ON r.source_id = s.id
    WHERE r.kernel_id = (SELECT id FROM kernels WHERE hash = ?1) AND r.bounds <> ''
    ORDER BY s.id DESC LIMIT 1)sql"));
  select.bind(kernel_hash);
  HLOSCOPE_ASSIGN(const bool found, select.step());
  if (!found) {
    return fail(
        ErrorCode::kNotFound, "the database holds no measured tiles of this kernel",
        "open a tuning file with runs of its tiles ('hloscope-cli kernels FILE --db' stores "
        "them as well), or measure with the simulator");
  }
  Source out{select.integer(0), std::string(select.text(1)), std::string(select.text(2))};
  if (const int64_t number = select.integer(3); number != 1) out.file += fmt::format("#{}", number);
  return out;
}

}  // namespace

Result<tune::Recorded> recorded_tiles(Database& database, const Hash128& kernel_hash) {
  Connection& connection = database.connection();
  HLOSCOPE_ASSIGN(const Source source, newest_source(connection, kernel_hash));
  HLOSCOPE_ASSIGN(Statement select, connection.prepare(R"sql(
    SELECT bounds, time_ns, is_default FROM measured_runs
    WHERE source_id = ?1 AND bounds <> ''
      AND kernel_id = (SELECT id FROM kernels WHERE hash = ?2)
    ORDER BY run_index)sql"));
  select.bind(source.id, kernel_hash);
  const bool is_stated = source.device != kDeviceNotStated;
  tune::Recorded out{
      is_stated ? source.device : fmt::format("device {}", source.device), source.file, {}};
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return out;
    tune::Recorded::Run& run = out.runs.emplace_back();
    run.config = select.text(0);
    if (!select.is_null(1)) run.time_ns = select.real(1);
    run.is_default = select.integer(2) != 0;
  }
}

}  // namespace hloscope::db
