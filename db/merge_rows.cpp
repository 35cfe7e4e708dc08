#include "db/merge_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "db/data_set_rows.h"
#include "db/sqlite/connection.h"

namespace hloscope::db {
namespace {

/// The graphs of a shard, one after the other.
class GraphCursor {
 public:
  static Result<GraphCursor> open(Shard& shard) {
    HLOSCOPE_ASSIGN(Statement rows, shard.database.connection().prepare(kSelectGraphs));
    GraphCursor cursor(shard, std::move(rows));
    HLOSCOPE_TRY(cursor.advance());
    return cursor;
  }

  [[nodiscard]] bool at_end() const { return at_end_; }
  [[nodiscard]] Shard& shard() const { return *shard_; }
  [[nodiscard]] const Statement& row() const { return rows_; }
  [[nodiscard]] const StoredGraph& graph() const { return graph_; }

  /// Checks the next graph as well: a graph belongs to the unit it was met in first.
  Status advance() {
    HLOSCOPE_ASSIGN(const bool has_row, rows_.step());
    at_end_ = !has_row;
    if (at_end_) return {};
    const int64_t unit_before = graph_.first_unit;
    HLOSCOPE_ASSIGN(graph_, read_graph(shard_->database, rows_));
    const data::DataSetInfo& info = shard_->info;
    const bool is_of_shard =
        graph_.first_unit >= 0 && graph_.first_unit % info.shard_count == info.shard_index;
    if (is_of_shard && graph_.first_unit >= unit_before) return {};
    return damaged(
        shard_->database,
        fmt::format("graph {} is of unit {}, which is {}", graph_.id.value, graph_.first_unit,
                    is_of_shard ? "before that of the one before" : "of another shard"));
  }

 private:
  GraphCursor(Shard& shard, Statement rows) : shard_(&shard), rows_(std::move(rows)) {}

  Shard* shard_;
  Statement rows_;
  StoredGraph graph_;
  bool at_end_ = false;
};

// Graphs come in the order of the target, their sightings in other shards later: they are gathered
// in a table on disk. Rows added in order give the same pages, whatever order they came in.
constexpr const char* kMakeGathered = R"sql(
    CREATE TEMP TABLE gathered (
      graph_id INTEGER NOT NULL,
      program_id INTEGER NOT NULL,
      count INTEGER NOT NULL,
      default_executions REAL NOT NULL,
      PRIMARY KEY (graph_id, program_id)
    ) WITHOUT ROWID;
    PRAGMA temp.cache_size = -65536)sql";
constexpr const char* kGather = R"sql(
    INSERT INTO temp.gathered VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (graph_id, program_id) DO UPDATE SET
      count = count + excluded.count,
      default_executions = default_executions + excluded.default_executions)sql";
constexpr const char* kPutGathered = R"sql(
    INSERT INTO data_set_sightings (graph_id, program_id, count, default_executions)
    SELECT graph_id, program_id, count, default_executions FROM temp.gathered
    WHERE graph_id BETWEEN ?1 AND ?2 ORDER BY graph_id, program_id)sql";
constexpr int64_t kGraphsPerStep = 4096;

Status cancelled_if_asked(const Progress& progress) {
  if (!progress.stop_requested()) return {};
  return fail(ErrorCode::kCancelled, "cancelled");
}

class Merge {
 public:
  Merge(std::vector<Shard>& shards, Database& target, const Progress& progress)
      : shards_(shards), target_(target), data_set_(target), progress_(progress) {}

  Status run(const std::string& name) {
    HLOSCOPE_TRY(begin(name));
    HLOSCOPE_TRY(merge_units());
    HLOSCOPE_TRY(target_.connection().execute(kMakeGathered));
    HLOSCOPE_TRY(merge_graphs());
    HLOSCOPE_TRY(merge_sightings());
    return data_set_.finish();
  }

 private:
  Status begin(const std::string& name) {
    HLOSCOPE_ASSIGN(const auto programs, DataSets(shards_.front().database).programs());
    program_count_ = static_cast<int64_t>(programs.size());
    data::DataSetInfo info = shards_.front().info;
    info.name = name;
    info.shard_index = 0;
    info.shard_count = 1;
    for (const Shard& shard : shards_) {
      HLOSCOPE_ASSIGN(const int64_t graphs, graph_count(shard.database));
      graphs_to_read_ += graphs;
    }
    return data_set_.create(info, programs);
  }

  /// Unit u stands in shard u % n.
  Status merge_units() {
    std::vector<Statement> rows;
    for (Shard& shard : shards_) {
      HLOSCOPE_ASSIGN(Statement select, shard.database.connection().prepare(R"sql(
        SELECT unit, program_id, configuration, kernel_count
        FROM data_set_units ORDER BY unit)sql"));
      rows.push_back(std::move(select));
    }
    const int64_t count = shards_.front().info.unit_count;
    for (int64_t unit = 0; unit < count; ++unit) {
      HLOSCOPE_TRY(cancelled_if_asked(progress_));
      const size_t index = static_cast<size_t>(unit) % shards_.size();
      HLOSCOPE_TRY(merge_unit(unit, shards_[index], rows[index]));
    }
    for (size_t i = 0; i < rows.size(); ++i) {
      HLOSCOPE_ASSIGN(const bool has_row, rows[i].step());
      if (!has_row) continue;
      return shard_error(shards_[i], fmt::format("it has a unit {}, and the data set has {} units",
                                                 rows[i].integer(0), count));
    }
    return {};
  }

  Status merge_unit(int64_t unit, const Shard& shard, Statement& rows) {
    HLOSCOPE_ASSIGN(const bool has_row, rows.step());
    if (!has_row || rows.integer(0) > unit) {
      return shard_error(shard, fmt::format("unit {} is missing", unit));
    }
    if (rows.integer(0) < unit) {
      return shard_error(shard,
                         fmt::format("it has unit {}, which is not of shard {}/{}", rows.integer(0),
                                     shard.info.shard_index, shard.info.shard_count));
    }
    HLOSCOPE_ASSIGN(const uint32_t program,
                    read_program(shard.database, rows.integer(1), program_count_));
    return data_set_.add_unit({unit, program, rows.integer(2), rows.integer(3)});
  }

  /// Of all shards always the graph of the lowest unit: a unit is in one shard only.
  Status merge_graphs() {
    std::vector<GraphCursor> cursors;
    for (Shard& shard : shards_) {
      HLOSCOPE_ASSIGN(GraphCursor cursor, GraphCursor::open(shard));
      cursors.push_back(std::move(cursor));
    }
    for (int64_t read = 0;; ++read) {
      HLOSCOPE_TRY(cancelled_if_asked(progress_));
      if (read % kGraphsPerStep == 0) {
        progress_.report(0.9 * static_cast<double>(read) / static_cast<double>(graphs_to_read_ + 1),
                         "merging graphs");
      }
      const auto next = std::ranges::min_element(cursors, [](const auto& a, const auto& b) {
        if (a.at_end() || b.at_end()) return !a.at_end();
        return a.graph().first_unit < b.graph().first_unit;
      });
      if (next->at_end()) return {};
      HLOSCOPE_TRY(merge_graph(*next));
      HLOSCOPE_TRY(next->advance());
    }
  }

  Status merge_graph(const GraphCursor& cursor) {
    HLOSCOPE_ASSIGN(std::optional<GraphRow> row, data_set_.find_graph(cursor.graph().record.hash));
    if (!row) {
      const Statement& from = cursor.row();
      HLOSCOPE_ASSIGN(Statement insert, target_.connection().prepare(kInsertGraph));
      HLOSCOPE_TRY(insert.run(from.text(1), from.text(2), from.text(3), from.integer(4),
                              from.text(5), Blob{from.blob(6)}, from.integer(7)));
      row = GraphRow{target_.connection().last_insert_row()};
      HLOSCOPE_TRY(copy_samples(cursor, *row));
    }
    return gather_sightings(cursor, *row);
  }

  Status copy_samples(const GraphCursor& cursor, GraphRow row) {
    HLOSCOPE_ASSIGN(Statement select, cursor.shard().database.connection().prepare(R"sql(
      SELECT configuration, time_ns, normalizer_ns, is_default
      FROM data_set_samples WHERE graph_id = ?1 ORDER BY sample_index)sql"));
    HLOSCOPE_ASSIGN(Statement insert, target_.connection().prepare(kInsertSample));
    select.bind(cursor.graph().id);
    for (int64_t index = 0;; ++index) {
      HLOSCOPE_ASSIGN(const bool has_row, select.step());
      if (!has_row) return {};
      HLOSCOPE_ASSIGN(const data::Sample sample,
                      read_sample(cursor.shard().database, select, 0, cursor.graph().id));
      HLOSCOPE_TRY(insert.run(row, index, Blob{select.blob(0)}, sample.time_ns,
                              sample.normalizer_ns, sample.is_default));
    }
  }

  Status gather_sightings(const GraphCursor& cursor, GraphRow row) {
    Database& database = cursor.shard().database;
    HLOSCOPE_ASSIGN(Statement select, database.connection().prepare(R"sql(
      SELECT program_id, count, default_executions
      FROM data_set_sightings WHERE graph_id = ?1)sql"));
    HLOSCOPE_ASSIGN(Statement gather, target_.connection().prepare(kGather));
    select.bind(cursor.graph().id);
    while (true) {
      HLOSCOPE_ASSIGN(const bool has_row, select.step());
      if (!has_row) return {};
      HLOSCOPE_TRY(read_program(database, select.integer(0), program_count_));
      HLOSCOPE_TRY(gather.run(row, select.integer(0), select.integer(1), select.real(2)));
    }
  }

  Status merge_sightings() {
    HLOSCOPE_ASSIGN(const int64_t graphs, graph_count(target_));
    HLOSCOPE_ASSIGN(Statement put, target_.connection().prepare(kPutGathered));
    for (int64_t first = 1; first <= graphs; first += kGraphsPerStep) {
      HLOSCOPE_TRY(cancelled_if_asked(progress_));
      progress_.report(0.9 + 0.1 * static_cast<double>(first) / static_cast<double>(graphs),
                       "merging sightings");
      HLOSCOPE_TRY(put.run(first, first + kGraphsPerStep - 1));
    }
    return {};
  }

  std::vector<Shard>& shards_;
  Database& target_;
  DataSets data_set_;
  const Progress& progress_;
  int64_t program_count_ = 0;
  int64_t graphs_to_read_ = 0;
};

}  // namespace

Status merge_rows(std::vector<Shard>& shards, Database& target, const std::string& name,
                  const Progress& progress) {
  return Merge(shards, target, progress).run(name);
}

}  // namespace hloscope::db
