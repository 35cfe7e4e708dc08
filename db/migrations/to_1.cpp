#include <fmt/format.h>

#include "db/migrations/migrations.h"

namespace hloscope::db {
namespace {

// Hashes are 32 hexadecimal digits, times of day are UTC as 2026-01-31T23:59:59Z, durations are
// nanoseconds. Keys that other tables repeat millions of times are integers.
constexpr const char* kPrograms = R"sql(
CREATE TABLE programs (
  id INTEGER PRIMARY KEY,
  content_hash TEXT NOT NULL UNIQUE CHECK (length(content_hash) = 32),
  name TEXT NOT NULL,
  file_path TEXT NOT NULL,
  module_number INTEGER NOT NULL,
  instruction_count INTEGER NOT NULL,
  computation_count INTEGER NOT NULL,
  kernel_count INTEGER NOT NULL,
  first_opened TEXT NOT NULL,
  last_opened TEXT NOT NULL
) STRICT;
CREATE INDEX programs_by_last_opened ON programs (last_opened);

CREATE TABLE kernels (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 32),
  label TEXT NOT NULL,
  opcode TEXT NOT NULL,
  op_class TEXT NOT NULL,
  instruction_count INTEGER NOT NULL,
  shape TEXT NOT NULL,
  hlo_text TEXT
) STRICT;

CREATE TABLE program_kernels (
  program_id INTEGER NOT NULL REFERENCES programs (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  kernel_id INTEGER NOT NULL REFERENCES kernels (id),
  instruction_name TEXT NOT NULL,
  executions REAL NOT NULL,
  PRIMARY KEY (program_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX program_kernels_by_kernel ON program_kernels (kernel_id, program_id, position);
)sql";

// A run is computed, so its kind can't be called measured; measured times have tables of their own.
constexpr const char* kRuns = R"sql(
CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  program_id INTEGER NOT NULL REFERENCES programs (id) ON DELETE CASCADE,
  source_kind TEXT NOT NULL CHECK (source_kind <> '' AND source_kind NOT LIKE '%measured%'),
  machine_id TEXT NOT NULL,
  machine_hash TEXT NOT NULL CHECK (length(machine_hash) = 32),
  settings TEXT NOT NULL CHECK (settings LIKE '{%}'),
  tool_version TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'finished', 'failed')),
  started TEXT NOT NULL,
  finished TEXT CHECK ((finished IS NULL) = (state = 'running')),
  kernel_count INTEGER NOT NULL DEFAULT 0,
  total_ns REAL NOT NULL DEFAULT 0,
  times_hash TEXT CHECK (times_hash IS NOT NULL OR state <> 'finished')
) STRICT;
CREATE INDEX runs_by_program ON runs (program_id, source_kind, machine_id);

CREATE TABLE kernel_times (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  kernel_id INTEGER NOT NULL REFERENCES kernels (id),
  time_ns REAL NOT NULL,
  compute_ns REAL NOT NULL,
  memory_ns REAL NOT NULL,
  bound TEXT NOT NULL,
  PRIMARY KEY (run_id, kernel_id)
) STRICT, WITHOUT ROWID;
)sql";

constexpr const char* kMeasured = R"sql(
CREATE TABLE measured_sources (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 32),
  file_path TEXT NOT NULL,
  module_number INTEGER NOT NULL,
  device TEXT NOT NULL,
  program_id INTEGER NOT NULL REFERENCES programs (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX measured_sources_by_program ON measured_sources (program_id);

CREATE TABLE measured_runs (
  source_id INTEGER NOT NULL REFERENCES measured_sources (id) ON DELETE CASCADE,
  run_index INTEGER NOT NULL,
  kernel_id INTEGER REFERENCES kernels (id),  -- NULL: the whole program was measured
  is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
  is_reference INTEGER NOT NULL CHECK (is_reference IN (0, 1)),
  time_ns REAL,                               -- NULL: the run failed, or no time given
  bounds TEXT NOT NULL,
  layout_hash INTEGER NOT NULL,
  PRIMARY KEY (source_id, run_index),
  CHECK (is_reference = 0 OR time_ns IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX measured_references ON measured_runs (source_id) WHERE is_reference = 1;
)sql";

}  // namespace

Status migrate_to_1(Connection& connection) {
  HLOSCOPE_TRY(connection.execute(fmt::format("PRAGMA application_id = {}", kApplicationId)));
  HLOSCOPE_TRY(connection.execute(kPrograms));
  HLOSCOPE_TRY(connection.execute(kRuns));
  return connection.execute(kMeasured);
}

}  // namespace hloscope::db
