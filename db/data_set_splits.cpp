#include <fmt/format.h>
#include <fmt/ranges.h>

#include "db/data_set_rows.h"
#include "db/data_sets.h"
#include "db/sqlite/connection.h"

namespace hloscope::db {
namespace {

constexpr const char* kInsertProgramPart =
    "INSERT INTO data_set_program_parts (split_id, program_id, part) VALUES (?1, ?2, ?3)";
constexpr const char* kInsertGraphPart =
    "INSERT INTO data_set_graph_parts (split_id, graph_id, part) VALUES (?1, ?2, ?3)";
constexpr const char* kSelectProgramParts =
    "SELECT program_id, part FROM data_set_program_parts WHERE split_id = ?1 ORDER BY program_id";
constexpr const char* kSelectGraphParts =
    "SELECT graph_id, part FROM data_set_graph_parts WHERE split_id = ?1 ORDER BY graph_id";

// What is wrong when the split has not a part for each program and each graph; else empty.
Result<std::string> misfit(const Database& database, const data::Split& split) {
  HLOSCOPE_ASSIGN(const int64_t programs, program_count(database));
  HLOSCOPE_ASSIGN(const int64_t graphs, graph_count(database));
  if (std::ssize(split.programs) == programs && std::ssize(split.graphs) == graphs) {
    return std::string();
  }
  return fmt::format("the split {} is of {} programs and {} graphs, the data set of {} and {}",
                     split.name, split.programs.size(), split.graphs.size(), programs, graphs);
}

Status insert_parts(Connection& connection, const char* sql, int64_t split,
                    std::span<const data::Part> parts) {
  HLOSCOPE_ASSIGN(Statement insert, connection.prepare(sql));
  int64_t row = 0;
  for (const data::Part part : parts) HLOSCOPE_TRY(insert.run(split, ++row, data::name(part)));
  return {};
}

Result<std::vector<data::Part>> read_parts(const Database& database, const char* sql, int64_t split,
                                           std::string_view of) {
  HLOSCOPE_ASSIGN(Statement select, database.connection().prepare(sql));
  select.bind(split);
  std::vector<data::Part> parts;
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return parts;
    const auto part = data::find_part(select.text(1));
    if (!part || select.integer(0) != static_cast<int64_t>(parts.size()) + 1) {
      return damaged(database, fmt::format("a split has no part for {} {}", of, parts.size() + 1));
    }
    parts.push_back(*part);
  }
}

}  // namespace

Status DataSets::put_split(const data::Split& split) {
  HLOSCOPE_TRY(check_writable());
  Connection& connection = database_->connection();
  HLOSCOPE_ASSIGN(Transaction transaction, Transaction::begin(connection));
  HLOSCOPE_ASSIGN(std::string wrong, misfit(*database_, split));
  if (!wrong.empty()) return fail(ErrorCode::kInvalidInput, std::move(wrong));
  HLOSCOPE_ASSIGN(Statement clear,
                  connection.prepare("DELETE FROM data_set_splits WHERE name = ?1"));
  HLOSCOPE_TRY(clear.run(split.name));
  HLOSCOPE_ASSIGN(Statement insert,
                  connection.prepare("INSERT INTO data_set_splits (name, settings) "
                                     "VALUES (?1, ?2)"));
  HLOSCOPE_TRY(insert.run(split.name, split.settings));
  const int64_t id = connection.last_insert_row();
  HLOSCOPE_TRY(insert_parts(connection, kInsertProgramPart, id, split.programs));
  HLOSCOPE_TRY(insert_parts(connection, kInsertGraphPart, id, split.graphs));
  return transaction.commit();
}

Result<std::vector<std::string>> DataSets::split_names() const {
  HLOSCOPE_TRY(check_there());
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(
                                        "SELECT name FROM data_set_splits ORDER BY name"));
  std::vector<std::string> names;
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return names;
    names.emplace_back(select.text(0));
  }
}

Result<data::Split> DataSets::split(std::string_view name) const {
  HLOSCOPE_ASSIGN(const auto names, split_names());
  HLOSCOPE_ASSIGN(Statement select,
                  database_->connection().prepare("SELECT id, settings FROM data_set_splits "
                                                  "WHERE name = ?1"));
  select.bind(name);
  HLOSCOPE_ASSIGN(const bool found, select.step());
  if (!found) {
    return fail(ErrorCode::kNotFound, fmt::format("the data set has no split {}", name),
                names.empty() ? std::string("'dataset split' makes one")
                              : fmt::format("it has: {}", fmt::join(names, ", ")));
  }
  const int64_t id = select.integer(0);
  data::Split split;
  split.name = name;
  split.settings = select.text(1);
  HLOSCOPE_ASSIGN(split.programs, read_parts(*database_, kSelectProgramParts, id, "program"));
  HLOSCOPE_ASSIGN(split.graphs, read_parts(*database_, kSelectGraphParts, id, "graph"));
  HLOSCOPE_ASSIGN(std::string wrong, misfit(*database_, split));
  if (!wrong.empty()) return damaged(*database_, std::move(wrong));
  return split;
}

}  // namespace hloscope::db
