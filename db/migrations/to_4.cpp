#include "db/migrations/migrations.h"

namespace hloscope::db {
namespace {

// What a running session writes all the time stands in a short row; what it is made from, which may
// be megabytes, in one of its own. `token` is that of the process which has the lease.
constexpr const char* kSessions = R"sql(
CREATE TABLE tune_sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE CHECK (name <> ''),
  program TEXT NOT NULL,
  file_path TEXT NOT NULL,
  program_hash TEXT NOT NULL CHECK (length(program_hash) = 32),
  settings TEXT NOT NULL CHECK (settings LIKE '{%}'),
  created TEXT NOT NULL,
  updated TEXT NOT NULL,
  status TEXT NOT NULL
    CHECK (status IN ('queued', 'running', 'paused', 'finished', 'stopped', 'failed')),
  message TEXT NOT NULL DEFAULT '',
  request TEXT NOT NULL DEFAULT 'none' CHECK (request IN ('none', 'pause', 'stop', 'reload')),
  search_source TEXT NOT NULL DEFAULT '',
  measure_source TEXT NOT NULL DEFAULT '',
  space_count REAL,                            -- NULL: not known

  token TEXT CHECK (token IS NULL OR status = 'running'),
  owner_pid INTEGER,
  owner_start INTEGER,                         -- in clock ticks since the system started
  owner_host TEXT,
  owner_place TEXT,                            -- where the number of a process means something
  heartbeat_s INTEGER NOT NULL DEFAULT 0,      -- since 1970

  phase TEXT NOT NULL DEFAULT 'search' CHECK (phase IN ('search', 'measure', 'done')),
  trials INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  measured INTEGER NOT NULL DEFAULT 0,
  active_s REAL NOT NULL DEFAULT 0,
  booked_ns REAL NOT NULL DEFAULT 0,
  best INTEGER,
  best_ns REAL,
  best_is_hardware INTEGER NOT NULL DEFAULT 0 CHECK (best_is_hardware IN (0, 1)),
  baseline_ns REAL,
  strategy BLOB NOT NULL DEFAULT x''
) STRICT;

CREATE TABLE tune_inputs (
  session_id INTEGER PRIMARY KEY REFERENCES tune_sessions (id) ON DELETE CASCADE,
  hlo BLOB NOT NULL,                           -- zlib
  recorded BLOB NOT NULL,                      -- zlib of JSON
  dimensions INTEGER,                          -- NULL: nothing tried yet
  base BLOB CHECK ((base IS NULL) = (dimensions IS NULL))
) STRICT;
)sql";

// A configuration is stored as its difference to the base of its session.
constexpr const char* kTrials = R"sql(
CREATE TABLE tune_trials (
  session_id INTEGER NOT NULL REFERENCES tune_sessions (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  config BLOB NOT NULL,
  predicted_ns REAL,
  hardware_ns REAL,
  measured_as INTEGER NOT NULL,                -- 0: not measured
  booked_ns REAL NOT NULL,
  error TEXT NOT NULL,
  accepted INTEGER NOT NULL CHECK (accepted IN (0, 1)),
  temperature REAL NOT NULL,
  at_s REAL NOT NULL,
  PRIMARY KEY (session_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX tune_trials_by_prediction ON tune_trials (session_id, predicted_ns)
  WHERE predicted_ns IS NOT NULL;
CREATE INDEX tune_trials_measured ON tune_trials (session_id, measured_as) WHERE measured_as > 0;
)sql";

}  // namespace

Status migrate_to_4(Connection& connection) {
  HLOSCOPE_TRY(connection.execute(kSessions));
  return connection.execute(kTrials);
}

}  // namespace hloscope::db
