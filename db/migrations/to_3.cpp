#include "db/migrations/migrations.h"

namespace hloscope::db {
namespace {

// A file holds at most one data set. No times of day: the same work gives the same bytes.
constexpr const char* kDataSet = R"sql(
CREATE TABLE data_set (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  name TEXT NOT NULL,
  task TEXT NOT NULL CHECK (task IN ('tile', 'fusion', 'layout')),
  target_kind TEXT NOT NULL CHECK (target_kind IN ('simulated', 'compiler', 'measured')),
  device TEXT NOT NULL,
  source_hash TEXT NOT NULL,
  noise REAL NOT NULL,
  repeats INTEGER NOT NULL,
  seed INTEGER NOT NULL,                       -- the bits of a uint64
  settings TEXT NOT NULL CHECK (settings LIKE '{%}'),
  shard_index INTEGER NOT NULL,
  shard_count INTEGER NOT NULL,
  unit_count INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('unfinished', 'finished'))
) STRICT;

CREATE TABLE data_set_programs (
  id INTEGER PRIMARY KEY,                      -- 1, 2, ... in the order of the data set
  content_hash TEXT NOT NULL UNIQUE CHECK (length(content_hash) = 32),
  name TEXT NOT NULL,
  family TEXT NOT NULL,
  file_path TEXT NOT NULL,
  instruction_count INTEGER NOT NULL
) STRICT;

CREATE TABLE data_set_units (
  unit INTEGER PRIMARY KEY,
  program_id INTEGER NOT NULL REFERENCES data_set_programs (id),
  configuration INTEGER NOT NULL,              -- 0: the default fusion
  kernel_count INTEGER NOT NULL                -- distinct kernels met in it
) STRICT;
)sql";

constexpr const char* kGraphs = R"sql(
CREATE TABLE data_set_graphs (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 32),
  label TEXT NOT NULL,
  op_class TEXT NOT NULL,
  node_count INTEGER NOT NULL,
  form TEXT NOT NULL CHECK (form IN ('hlo', 'tpugraph')),
  content BLOB NOT NULL,                       -- zlib
  first_unit INTEGER NOT NULL
) STRICT;

CREATE TABLE data_set_samples (
  graph_id INTEGER NOT NULL REFERENCES data_set_graphs (id),
  sample_index INTEGER NOT NULL,
  configuration BLOB NOT NULL,
  time_ns REAL NOT NULL,
  normalizer_ns REAL,
  is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
  PRIMARY KEY (graph_id, sample_index)
) STRICT, WITHOUT ROWID;

-- In which programs a graph was met: no split may have one on both sides.
CREATE TABLE data_set_sightings (
  graph_id INTEGER NOT NULL REFERENCES data_set_graphs (id),
  program_id INTEGER NOT NULL REFERENCES data_set_programs (id),
  count INTEGER NOT NULL,                      -- units it was met in
  default_executions REAL NOT NULL,            -- in one run of the program with default fusion
  PRIMARY KEY (graph_id, program_id)
) STRICT, WITHOUT ROWID;
)sql";

constexpr const char* kSplits = R"sql(
CREATE TABLE data_set_splits (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  settings TEXT NOT NULL CHECK (settings LIKE '{%}')
) STRICT;

CREATE TABLE data_set_program_parts (
  split_id INTEGER NOT NULL REFERENCES data_set_splits (id) ON DELETE CASCADE,
  program_id INTEGER NOT NULL REFERENCES data_set_programs (id),
  part TEXT NOT NULL CHECK (part IN ('train', 'valid', 'test')),
  PRIMARY KEY (split_id, program_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE data_set_graph_parts (
  split_id INTEGER NOT NULL REFERENCES data_set_splits (id) ON DELETE CASCADE,
  graph_id INTEGER NOT NULL REFERENCES data_set_graphs (id),
  part TEXT NOT NULL CHECK (part IN ('train', 'valid', 'test')),
  PRIMARY KEY (split_id, graph_id)
) STRICT, WITHOUT ROWID;
)sql";

}  // namespace

Status migrate_to_3(Connection& connection) {
  HLOSCOPE_TRY(connection.execute(kDataSet));
  HLOSCOPE_TRY(connection.execute(kGraphs));
  return connection.execute(kSplits);
}

}  // namespace hloscope::db
