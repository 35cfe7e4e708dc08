#pragma once

#include <string>
#include <string_view>

#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/data/data_set.h"
#include "db/data_sets.h"
#include "db/database.h"
#include "db/ids.h"
#include "db/sqlite/statement.h"

// What the files of DataSets and the merge share.

namespace hloscope::db {

inline constexpr const char* kSelectGraphs = R"sql(
    SELECT id, hash, label, op_class, node_count, form, content, first_unit
    FROM data_set_graphs ORDER BY id)sql";
inline constexpr const char* kInsertGraph = R"sql(
    INSERT INTO data_set_graphs (hash, label, op_class, node_count, form, content, first_unit)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7))sql";
inline constexpr const char* kInsertSample = R"sql(
    INSERT INTO data_set_samples (graph_id, sample_index, configuration, time_ns, normalizer_ns,
                                  is_default)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6))sql";

/// kInvalidInput: what is wrong in a data set that was read.
[[nodiscard]] tl::unexpected<Error> damaged(const Database& database, std::string what);

/// A column of 32 lower-case hexadecimal digits; kInvalidInput for other texts. `of` stands in the
/// message, e.g. "graph 3".
[[nodiscard]] Result<Hash128> read_hash(const Database& database, const Statement& row, int column,
                                        std::string_view of);

/// Columns configuration, time_ns, normalizer_ns, is_default, from column `first` on.
[[nodiscard]] Result<data::Sample> read_sample(const Database& database, const Statement& row,
                                               int first, GraphRow graph);
/// A row of kSelectGraphs.
[[nodiscard]] Result<StoredGraph> read_graph(const Database& database, const Statement& row);
/// The position of a program from its row; kInvalidInput out of 1..programs.
[[nodiscard]] Result<uint32_t> read_program(const Database& database, int64_t id, int64_t programs);
/// Their rows are 1 to this.
[[nodiscard]] Result<int64_t> program_count(const Database& database);
/// Graphs are never removed: their rows are 1 to this.
[[nodiscard]] Result<int64_t> graph_count(const Database& database);
/// kInvalidInput for a row that refers to a graph out of 1..graphs.
[[nodiscard]] Status check_graph(const Database& database, GraphRow graph, int64_t graphs);
/// Times that can be stored: not negative, not infinite.
[[nodiscard]] bool is_time(double time_ns);

}  // namespace hloscope::db
