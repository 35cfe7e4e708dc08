#include "db/data_set_rows.h"

#include <fmt/format.h>

#include <cmath>

#include "db/deflate.h"
#include "db/sqlite/connection.h"
#include "db/sqlite/error.h"

namespace hloscope::db {

tl::unexpected<Error> damaged(const Database& database, std::string what) {
  return fail(damaged_error(std::move(what), database.path()));
}

Result<Hash128> read_hash(const Database& database, const Statement& row, int column,
                          std::string_view of) {
  const Hash128 hash = row.hash(column);
  if (hash.hex() == row.text(column)) return hash;
  return damaged(database,
                 fmt::format("{} of the data set has the hash '{}'", of, row.text(column)));
}

Result<StoredGraph> read_graph(const Database& database, const Statement& row) {
  StoredGraph graph;
  graph.id.value = row.integer(0);
  const std::string name = fmt::format("graph {}", graph.id.value);
  HLOSCOPE_ASSIGN(graph.record.hash, read_hash(database, row, 1, name));
  graph.record.label = row.text(2);
  graph.record.op_class = row.text(3);
  graph.record.node_count = row.integer(4);
  const auto form = data::find_graph_form(row.text(5));
  if (!form) return damaged(database, fmt::format("{} has the form '{}'", name, row.text(5)));
  graph.record.form = *form;
  auto content = inflated(row.blob(6));
  if (!content) {
    return damaged(database, fmt::format("content of {}: {}", name, content.error().message));
  }
  graph.record.content = std::move(*content);
  graph.first_unit = row.integer(7);
  return graph;
}

Result<uint32_t> read_program(const Database& database, int64_t id, int64_t programs) {
  if (id >= 1 && id <= programs) return static_cast<uint32_t>(id - 1);
  return damaged(database,
                 fmt::format("the data set refers to its program {}, and has {}", id, programs));
}

Result<int64_t> program_count(const Database& database) {
  return database.connection().integer("SELECT count(*) FROM data_set_programs");
}

Result<int64_t> graph_count(const Database& database) {
  return database.connection().integer("SELECT coalesce(max(id), 0) FROM data_set_graphs");
}

Status check_graph(const Database& database, GraphRow graph, int64_t graphs) {
  if (graph.value >= 1 && graph.value <= graphs) return {};
  return damaged(database, fmt::format("the data set refers to its graph {}, and has {}",
                                       graph.value, graphs));
}

bool is_time(double time_ns) {
  return std::isfinite(time_ns) && time_ns >= 0;
}

Result<data::Sample> read_sample(const Database& database, const Statement& row, int first,
                                 GraphRow graph) {
  auto configuration = data::unpack_configuration(row.blob(first));
  if (!configuration) {
    return damaged(database, fmt::format("a configuration of graph {} of the data set cannot be "
                                         "unpacked",
                                         graph.value));
  }
  data::Sample sample;
  sample.configuration = std::move(*configuration);
  sample.time_ns = row.real(first + 1);
  if (!row.is_null(first + 2)) sample.normalizer_ns = row.real(first + 2);
  sample.is_default = row.integer(first + 3) != 0;
  if (is_time(sample.time_ns) && is_time(sample.normalizer_ns.value_or(0))) return sample;
  return damaged(database,
                 fmt::format("graph {} of the data set has a time of {} ns", graph.value,
                             is_time(sample.time_ns) ? *sample.normalizer_ns : sample.time_ns));
}

}  // namespace hloscope::db
