#include "db/programs.h"

#include <fmt/format.h>

#include "db/given_name.h"
#include "db/sqlite/connection.h"

namespace hloscope::db {
namespace {

constexpr const char* kColumns =
    "id, content_hash, name, file_path, module_number, instruction_count, computation_count, "
    "kernel_count, first_opened, last_opened, given_name";

ProgramInfo read_program_row(const Statement& row) {
  ProgramInfo info;
  info.id.value = row.integer(0);
  info.content_hash = row.hash(1);
  info.name = row.text(2);
  info.file_path = row.text(3);
  info.module_number = static_cast<int>(row.integer(4));
  info.instruction_count = row.integer(5);
  info.computation_count = row.integer(6);
  info.kernel_count = row.integer(7);
  info.first_opened = row.text(8);
  info.last_opened = row.text(9);
  info.given_name = row.text(10);
  return info;
}

}  // namespace

Result<ProgramRow> Programs::put(const ProgramInfo& info) {
  HLOSCOPE_TRY(database_->writable());
  HLOSCOPE_ASSIGN(Statement insert, database_->connection().prepare(R"sql(
    INSERT INTO programs (content_hash, name, file_path, module_number, instruction_count,
                          computation_count, kernel_count, first_opened, last_opened)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'),
            strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
    ON CONFLICT (content_hash) DO UPDATE SET
      name = excluded.name, file_path = excluded.file_path,
      module_number = excluded.module_number, instruction_count = excluded.instruction_count,
      computation_count = excluded.computation_count, kernel_count = excluded.kernel_count,
      last_opened = excluded.last_opened
    RETURNING id)sql"));
  insert.bind(info.content_hash, info.name, info.file_path, info.module_number,
              info.instruction_count, info.computation_count, info.kernel_count);
  HLOSCOPE_TRY(insert.step());
  const ProgramRow program{insert.integer(0)};
  HLOSCOPE_TRY(insert.step());
  return program;
}

Status Programs::set_kernels(ProgramRow program, const std::vector<ProgramKernel>& kernels) {
  HLOSCOPE_TRY(database_->writable());
  Connection& connection = database_->connection();
  HLOSCOPE_ASSIGN(Transaction transaction, Transaction::begin(connection));
  HLOSCOPE_ASSIGN(const auto known, this->kernels(program));
  if (known == kernels) return transaction.commit();
  HLOSCOPE_ASSIGN(Statement clear,
                  connection.prepare("DELETE FROM program_kernels WHERE program_id = ?1"));
  HLOSCOPE_TRY(clear.run(program));
  HLOSCOPE_ASSIGN(Statement insert, connection.prepare(R"sql(
    INSERT INTO program_kernels (program_id, position, kernel_id, instruction_name, executions)
    VALUES (?1, ?2, ?3, ?4, ?5))sql"));
  int64_t position = 0;
  for (const ProgramKernel& kernel : kernels) {
    HLOSCOPE_TRY(
        insert.run(program, position++, kernel.kernel, kernel.instruction_name, kernel.executions));
  }
  return transaction.commit();
}

Result<std::optional<ProgramInfo>> Programs::find(const Hash128& content_hash) const {
  HLOSCOPE_ASSIGN(Statement select,
                  database_->connection().prepare(std::string("SELECT ") + kColumns +
                                                  " FROM programs WHERE content_hash = ?1"));
  select.bind(content_hash);
  HLOSCOPE_ASSIGN(const bool found, select.step());
  if (!found) return std::nullopt;
  return read_program_row(select);
}

Result<std::string> Programs::rename(ProgramRow program, std::string_view name) {
  HLOSCOPE_TRY(database_->writable());
  HLOSCOPE_TRY(check_given_name("program", name));
  Connection& connection = database_->connection();
  HLOSCOPE_ASSIGN(Statement select,
                  connection.prepare("SELECT given_name FROM programs WHERE id = ?1"));
  select.bind(program);
  HLOSCOPE_ASSIGN(const bool found, select.step());
  if (!found) {
    return fail(ErrorCode::kNotFound, fmt::format("there is no program {}", program.value));
  }
  std::string before(select.text(0));
  select.reset();
  HLOSCOPE_ASSIGN(Statement update,
                  connection.prepare("UPDATE programs SET given_name = ?2 WHERE id = ?1"));
  const auto given = name.empty() ? std::nullopt : std::optional(name);
  HLOSCOPE_TRY(update.run(program, given));
  return before;
}

Result<std::vector<ProgramKernel>> Programs::kernels(ProgramRow program) const {
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(R"sql(
    SELECT kernel_id, instruction_name, executions FROM program_kernels
    WHERE program_id = ?1 ORDER BY position)sql"));
  select.bind(program);
  std::vector<ProgramKernel> kernels;
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return kernels;
    kernels.push_back({{select.integer(0)}, std::string(select.text(1)), select.real(2)});
  }
}

Result<std::vector<ProgramInfo>> Programs::list(const Page& page) const {
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(
                                        std::string("SELECT ") + kColumns +
                                        " FROM programs ORDER BY last_opened DESC, id DESC "
                                        "LIMIT ?1 OFFSET ?2"));
  select.bind(page.count, page.skip);
  std::vector<ProgramInfo> programs;
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return programs;
    programs.push_back(read_program_row(select));
  }
}

}  // namespace hloscope::db
