#include "db/data_sets.h"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <unordered_set>

#include "db/data_set_rows.h"
#include "db/given_name.h"
#include "db/sqlite/connection.h"

namespace hloscope::db {
namespace {

constexpr std::string_view kSelectInfo = R"sql(
  SELECT name, task, target_kind, device, source_hash, noise, repeats, seed, settings,
         shard_index, shard_count, unit_count
  FROM data_set WHERE id = 1)sql";

constexpr const char* kInsertProgram = R"sql(
    INSERT INTO data_set_programs (content_hash, name, family, file_path, instruction_count)
    VALUES (?1, ?2, ?3, ?4, ?5))sql";

Status insert_info(Connection& connection, const data::DataSetInfo& info) {
  HLOSCOPE_ASSIGN(Statement insert, connection.prepare(R"sql(
    INSERT INTO data_set (id, name, task, target_kind, device, source_hash, noise, repeats, seed,
                          settings, shard_index, shard_count, unit_count, state)
    VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 'unfinished'))sql"));
  return insert.run(info.name, data::name(info.task), data::name(info.target.kind),
                    info.target.device, info.target.source_hash, info.target.noise,
                    info.target.repeats, std::bit_cast<int64_t>(info.seed), info.settings,
                    info.shard_index, info.shard_count, info.unit_count);
}

Status insert_program(Connection& connection, const data::SourceProgram& program) {
  HLOSCOPE_ASSIGN(Statement insert, connection.prepare(kInsertProgram));
  return insert.run(program.hash, program.name, program.family, program.file_path,
                    program.instruction_count);
}

Status check_programs(std::span<const data::SourceProgram> programs) {
  std::unordered_set<Hash128> seen;
  for (const data::SourceProgram& program : programs) {
    if (seen.insert(program.hash).second) continue;
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{} has the content of another program of the data set",
                            program.file_path.empty() ? program.name : program.file_path),
                "give each program once");
  }
  return {};
}

bool are_sound_shards(int64_t index, int64_t count) {
  return index >= 0 && index < count && count <= std::numeric_limits<uint32_t>::max();
}

/// The columns of insert_info() in their order.
Result<data::DataSetInfo> read_info(const Database& database, const Statement& row) {
  const auto task = data::find_task(row.text(1));
  if (!task) {
    return damaged(database, fmt::format("the data set has the task '{}'", row.text(1)));
  }
  const auto kind = data::find_target_kind(row.text(2));
  if (!kind) {
    return damaged(database, fmt::format("the data set has the target '{}'", row.text(2)));
  }
  if (!are_sound_shards(row.integer(9), row.integer(10)) || row.integer(11) < 0) {
    return damaged(database, fmt::format("the data set is shard {} of {} with {} units",
                                         row.integer(9), row.integer(10), row.integer(11)));
  }
  data::DataSetInfo info;
  info.name = row.text(0);
  info.task = *task;
  info.target = {*kind, std::string(row.text(3)), std::string(row.text(4)), row.real(5),
                 row.integer(6)};
  info.seed = std::bit_cast<uint64_t>(row.integer(7));
  info.settings = row.text(8);
  info.shard_index = static_cast<uint32_t>(row.integer(9));
  info.shard_count = static_cast<uint32_t>(row.integer(10));
  info.unit_count = row.integer(11);
  return info;
}

tl::unexpected<Error> no_data_set(const Database& database) {
  Error error;
  error.code = ErrorCode::kNotFound;
  error.message = "this file holds no data set";
  error.file = database.path().string();
  error.hint = "'dataset generate' and 'dataset import' make one";
  return fail(std::move(error));
}

}  // namespace

double DataSetCounts::repeated_share() const {
  if (kernels == 0) return 0;
  return 1 - static_cast<double>(graphs) / static_cast<double>(kernels);
}

Status DataSets::check_there() const {
  if (is_there_) return {};
  HLOSCOPE_ASSIGN(Statement select,
                  database_->connection().prepare("SELECT 1 FROM data_set WHERE id = 1"));
  HLOSCOPE_ASSIGN(is_there_, select.step());
  if (!is_there_) return no_data_set(*database_);
  return {};
}

Status DataSets::check_writable() const {
  HLOSCOPE_TRY(database_->writable());
  return check_there();
}

Status DataSets::create(const data::DataSetInfo& info,
                        std::span<const data::SourceProgram> programs) {
  HLOSCOPE_TRY(database_->writable());
  HLOSCOPE_TRY(check_programs(programs));
  if (!are_sound_shards(info.shard_index, info.shard_count) || info.unit_count < 0) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("there is no shard {} of {}", info.shard_index, info.shard_count));
  }
  Connection& connection = database_->connection();
  HLOSCOPE_ASSIGN(Transaction transaction, Transaction::begin(connection));
  HLOSCOPE_ASSIGN(const auto known, find());
  if (known) {
    return fail(
        ErrorCode::kInvalidInput,
        fmt::format("{} holds a data set already: {}", database_->path().string(), known->name),
        "name another file");
  }
  HLOSCOPE_TRY(insert_info(connection, info));
  for (const data::SourceProgram& program : programs) {
    HLOSCOPE_TRY(insert_program(connection, program));
  }
  return transaction.commit();
}

Status DataSets::finish() {
  HLOSCOPE_TRY(check_writable());
  return database_->connection().execute("UPDATE data_set SET state = 'finished'");
}

Result<std::string> DataSets::rename(std::string_view name) {
  HLOSCOPE_TRY(check_writable());
  if (name.find_first_not_of(" \t\n") == std::string_view::npos) {
    return fail(ErrorCode::kInvalidInput, "a data set must have a name", "type one");
  }
  HLOSCOPE_TRY(check_given_name("data set", name));
  HLOSCOPE_ASSIGN(const data::DataSetInfo before, info());
  HLOSCOPE_ASSIGN(Statement update,
                  database_->connection().prepare("UPDATE data_set SET name = ?1"));
  HLOSCOPE_TRY(update.run(name));
  return before.name;
}

Status DataSets::set_unit_count(int64_t unit_count) {
  HLOSCOPE_TRY(check_writable());
  HLOSCOPE_ASSIGN(Statement update,
                  database_->connection().prepare("UPDATE data_set SET unit_count = ?1"));
  return update.run(unit_count);
}

Result<std::optional<data::DataSetInfo>> DataSets::find() const {
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(kSelectInfo));
  HLOSCOPE_ASSIGN(const bool found, select.step());
  if (!found) return std::nullopt;
  return read_info(*database_, select);
}

Result<data::DataSetInfo> DataSets::info() const {
  HLOSCOPE_ASSIGN(auto info, find());
  if (!info) return no_data_set(*database_);
  return std::move(*info);
}

Result<DataSetState> DataSets::state() const {
  HLOSCOPE_TRY(check_there());
  HLOSCOPE_ASSIGN(const std::string state,
                  database_->connection().text("SELECT state FROM data_set WHERE id = 1"));
  if (state == "unfinished") return DataSetState::kUnfinished;
  if (state == "finished") return DataSetState::kFinished;
  return damaged(*database_, fmt::format("the data set has the state '{}'", state));
}

Result<std::vector<data::SourceProgram>> DataSets::programs() const {
  HLOSCOPE_TRY(check_there());
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(R"sql(
    SELECT id, content_hash, name, family, file_path, instruction_count
    FROM data_set_programs ORDER BY id)sql"));
  std::vector<data::SourceProgram> programs;
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return programs;
    const int64_t id = select.integer(0);
    if (id != static_cast<int64_t>(programs.size()) + 1) {
      return damaged(*database_,
                     fmt::format("program {} of the data set is not there", programs.size() + 1));
    }
    HLOSCOPE_ASSIGN(const Hash128 hash,
                    read_hash(*database_, select, 1, fmt::format("program {}", id)));
    programs.push_back({hash, std::string(select.text(2)), std::string(select.text(3)),
                        std::string(select.text(4)), select.integer(5)});
  }
}

Result<DataSetCounts> DataSets::counts() const {
  HLOSCOPE_TRY(check_there());
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(R"sql(
    SELECT (SELECT count(*) FROM data_set_units),
           (SELECT coalesce(sum(kernel_count), 0) FROM data_set_units),
           (SELECT count(*) FROM data_set_graphs), (SELECT count(*) FROM data_set_samples))sql"));
  HLOSCOPE_TRY(select.step());
  return DataSetCounts{select.integer(0), select.integer(1), select.integer(2), select.integer(3)};
}

Result<uint32_t> DataSets::put_program(const data::SourceProgram& program) {
  HLOSCOPE_TRY(check_writable());
  Connection& connection = database_->connection();
  HLOSCOPE_ASSIGN(Statement select, connection.prepare(R"sql(
    SELECT id - 1 FROM data_set_programs WHERE content_hash = ?1)sql"));
  select.bind(program.hash);
  HLOSCOPE_ASSIGN(const bool found, select.step());
  if (found) return static_cast<uint32_t>(select.integer(0));
  HLOSCOPE_TRY(insert_program(connection, program));
  return static_cast<uint32_t>(connection.last_insert_row() - 1);
}

struct Writing::State {
  Transaction transaction;
};

Writing::Writing(std::unique_ptr<State> state) : state_(std::move(state)) {}
Writing::Writing(Writing&&) noexcept = default;
Writing::~Writing() = default;

Result<Writing> Writing::begin(Database& database) {
  HLOSCOPE_TRY(database.writable());
  HLOSCOPE_ASSIGN(Transaction transaction, Transaction::begin(database.connection()));
  return Writing(std::make_unique<State>(State{std::move(transaction)}));
}

Status Writing::commit() {
  return state_->transaction.commit();
}

}  // namespace hloscope::db
