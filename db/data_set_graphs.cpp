#include <fmt/format.h>

#include <string>
#include <unordered_map>

#include "db/data_set_rows.h"
#include "db/data_sets.h"
#include "db/deflate.h"
#include "db/sqlite/connection.h"

namespace hloscope::db {
namespace {

Status check_times(const data::GraphRecord& graph, std::span<const data::Sample> samples) {
  for (const data::Sample& sample : samples) {
    if (is_time(sample.time_ns) && is_time(sample.normalizer_ns.value_or(0))) continue;
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{} has a time of {} ns", graph.label,
                            is_time(sample.time_ns) ? *sample.normalizer_ns : sample.time_ns));
  }
  return {};
}

Result<GraphRow> insert_graph(Connection& connection, const data::GraphRecord& graph,
                              int64_t first_unit) {
  HLOSCOPE_ASSIGN(const std::string content, deflated(graph.content));
  HLOSCOPE_ASSIGN(Statement insert, connection.prepare(kInsertGraph));
  HLOSCOPE_TRY(insert.run(graph.hash, graph.label, graph.op_class, graph.node_count,
                          data::name(graph.form), Blob{content}, first_unit));
  return GraphRow{connection.last_insert_row()};
}

Status insert_samples(Connection& connection, GraphRow graph,
                      std::span<const data::Sample> samples) {
  HLOSCOPE_ASSIGN(Statement insert, connection.prepare(kInsertSample));
  int64_t index = 0;
  for (const data::Sample& sample : samples) {
    HLOSCOPE_TRY(insert.run(graph, index++, Blob{data::pack_configuration(sample.configuration)},
                            sample.time_ns, sample.normalizer_ns, sample.is_default));
  }
  return {};
}

/// Where the configurations of one graph stand, packed.
struct KnownSamples {
  std::unordered_map<std::string, int64_t> indices;
  int64_t next_index = 0;
};

Result<KnownSamples> known_samples(Connection& connection, GraphRow graph) {
  HLOSCOPE_ASSIGN(Statement select, connection.prepare(R"sql(
    SELECT configuration, sample_index FROM data_set_samples
    WHERE graph_id = ?1 ORDER BY sample_index)sql"));
  select.bind(graph);
  KnownSamples known;
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return known;
    known.indices.try_emplace(std::string(select.blob(0)), select.integer(1));
    known.next_index = select.integer(1) + 1;
  }
}

// A time goes with its normalizer: both were taken on one host.
constexpr const char* kKeepFaster = R"sql(
    UPDATE data_set_samples SET
      normalizer_ns = CASE WHEN ?3 < time_ns THEN ?4 ELSE normalizer_ns END,
      time_ns = min(time_ns, ?3), is_default = max(is_default, ?5)
    WHERE graph_id = ?1 AND sample_index = ?2)sql";

Status merge_samples(Connection& connection, GraphRow graph,
                     std::span<const data::Sample> samples) {
  if (samples.empty()) return {};
  HLOSCOPE_ASSIGN(KnownSamples known, known_samples(connection, graph));
  HLOSCOPE_ASSIGN(Statement insert, connection.prepare(kInsertSample));
  HLOSCOPE_ASSIGN(Statement keep_faster, connection.prepare(kKeepFaster));
  for (const data::Sample& sample : samples) {
    const auto [place, is_new] =
        known.indices.try_emplace(data::pack_configuration(sample.configuration), known.next_index);
    if (is_new) {
      HLOSCOPE_TRY(insert.run(graph, known.next_index++, Blob{place->first}, sample.time_ns,
                              sample.normalizer_ns, sample.is_default));
    } else {
      HLOSCOPE_TRY(keep_faster.run(graph, place->second, sample.time_ns, sample.normalizer_ns,
                                   sample.is_default));
    }
  }
  return {};
}

// The columns of kSelectGraphs.
constexpr const char* kSelectGraph = R"sql(
    SELECT id, hash, label, op_class, node_count, form, content, first_unit
    FROM data_set_graphs WHERE id = ?1)sql";

/// Graphs are never removed, so that their rows are 1, 2, ...
Status check_position(const Database& database, int64_t id, int64_t expected) {
  if (id == expected) return {};
  return damaged(database, fmt::format("graph {} of the data set is not there", expected));
}

}  // namespace

Result<int64_t> DataSets::graph_count() const {
  HLOSCOPE_TRY(check_there());
  HLOSCOPE_ASSIGN(const int64_t last, db::graph_count(*database_));
  HLOSCOPE_ASSIGN(const int64_t count,
                  database_->connection().integer("SELECT count(*) FROM data_set_graphs"));
  // So that nobody makes room for a number out of a damaged file.
  if (count == last) return count;
  return damaged(*database_, fmt::format("the last graph of the data set is {}, and there are {}",
                                         last, count));
}

Result<GraphRow> DataSets::put_graph(const data::GraphRecord& graph, int64_t first_unit,
                                     std::span<const data::Sample> samples) {
  HLOSCOPE_TRY(database_->writable());
  HLOSCOPE_TRY(check_times(graph, samples));
  HLOSCOPE_ASSIGN(const auto known, find_graph(graph.hash));
  Connection& connection = database_->connection();
  if (known) {
    HLOSCOPE_TRY(merge_samples(connection, *known, samples));
    return *known;
  }
  HLOSCOPE_ASSIGN(const GraphRow row, insert_graph(connection, graph, first_unit));
  HLOSCOPE_TRY(insert_samples(connection, row, samples));
  return row;
}

Result<std::optional<GraphRow>> DataSets::find_graph(const Hash128& hash) const {
  HLOSCOPE_TRY(check_there());
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(
                                        "SELECT id FROM data_set_graphs WHERE hash = ?1"));
  select.bind(hash);
  HLOSCOPE_ASSIGN(const bool found, select.step());
  if (!found) return std::nullopt;
  return GraphRow{select.integer(0)};
}

Result<StoredGraph> DataSets::graph(GraphRow row) const {
  HLOSCOPE_TRY(check_there());
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(kSelectGraph));
  select.bind(row);
  HLOSCOPE_ASSIGN(const bool found, select.step());
  if (!found) {
    return fail(ErrorCode::kNotFound, fmt::format("the data set has no graph {}", row.value));
  }
  return read_graph(*database_, select);
}

Status DataSets::each_graph(const std::function<bool(StoredGraph)>& callback) const {
  HLOSCOPE_TRY(check_there());
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(kSelectGraphs));
  for (int64_t position = 1;; ++position) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return {};
    HLOSCOPE_TRY(check_position(*database_, select.integer(0), position));
    HLOSCOPE_ASSIGN(StoredGraph graph, read_graph(*database_, select));
    if (!callback(std::move(graph))) return {};
  }
}

Status DataSets::each_hash(const std::function<bool(GraphRow, const Hash128&)>& callback) const {
  HLOSCOPE_TRY(check_there());
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(
                                        "SELECT id, hash FROM data_set_graphs ORDER BY id"));
  for (int64_t position = 1;; ++position) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return {};
    HLOSCOPE_TRY(check_position(*database_, select.integer(0), position));
    HLOSCOPE_ASSIGN(const Hash128 hash,
                    read_hash(*database_, select, 1, fmt::format("graph {}", position)));
    if (!callback({position}, hash)) return {};
  }
}

Status DataSets::each_sample(
    const std::function<bool(GraphRow, const data::Sample&)>& callback) const {
  HLOSCOPE_TRY(check_there());
  HLOSCOPE_ASSIGN(const int64_t graphs, db::graph_count(*database_));
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(R"sql(
    SELECT graph_id, configuration, time_ns, normalizer_ns, is_default
    FROM data_set_samples ORDER BY graph_id, sample_index)sql"));
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return {};
    const GraphRow graph{select.integer(0)};
    HLOSCOPE_TRY(check_graph(*database_, graph, graphs));
    HLOSCOPE_ASSIGN(const data::Sample sample, read_sample(*database_, select, 1, graph));
    if (!callback(graph, sample)) return {};
  }
}

Result<std::vector<data::Sample>> DataSets::samples(GraphRow graph) const {
  HLOSCOPE_TRY(check_there());
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(R"sql(
    SELECT configuration, time_ns, normalizer_ns, is_default
    FROM data_set_samples WHERE graph_id = ?1 ORDER BY sample_index)sql"));
  select.bind(graph);
  std::vector<data::Sample> samples;
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return samples;
    HLOSCOPE_ASSIGN(data::Sample sample, read_sample(*database_, select, 0, graph));
    samples.push_back(std::move(sample));
  }
}

}  // namespace hloscope::db
