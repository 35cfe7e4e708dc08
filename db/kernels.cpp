#include "db/kernels.h"

#include "db/sqlite/connection.h"
#include "db/sqlite/statement.h"

namespace hloscope::db {
Result<KernelRow> Kernels::put(const KernelInfo& info) {
  HLOSCOPE_TRY(database_->writable());
  Connection& connection = database_->connection();
  HLOSCOPE_ASSIGN(Statement select,
                  connection.prepare("SELECT id, label FROM kernels WHERE hash = ?1"));
  select.bind(info.hash);
  HLOSCOPE_ASSIGN(const bool found, select.step());
  if (!found) {
    HLOSCOPE_ASSIGN(Statement insert, connection.prepare(R"sql(
      INSERT INTO kernels (hash, label, opcode, op_class, instruction_count, shape, hlo_text)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7))sql"));
    HLOSCOPE_TRY(insert.run(info.hash, info.label, info.opcode, info.op_class,
                            info.instruction_count, info.shape, null_if_empty(info.hlo_text)));
    return KernelRow{connection.last_insert_row()};
  }
  const KernelRow kernel{select.integer(0)};
  if (select.text(1) != info.label) {
    // An older version of this program wrote the label in other words.
    HLOSCOPE_ASSIGN(Statement update,
                    connection.prepare("UPDATE kernels SET label = ?2 WHERE id = ?1"));
    HLOSCOPE_TRY(update.run(kernel, info.label));
  }
  return kernel;
}

Result<std::optional<KernelInfo>> Kernels::find(const Hash128& hash) const {
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(R"sql(
    SELECT id, hash, label, opcode, op_class, instruction_count, shape, hlo_text
    FROM kernels WHERE hash = ?1)sql"));
  select.bind(hash);
  HLOSCOPE_ASSIGN(const bool found, select.step());
  if (!found) return std::nullopt;
  KernelInfo info;
  info.id.value = select.integer(0);
  info.hash = select.hash(1);
  info.label = select.text(2);
  info.opcode = select.text(3);
  info.op_class = select.text(4);
  info.instruction_count = select.integer(5);
  info.shape = select.text(6);
  info.hlo_text = select.text(7);
  return info;
}

}  // namespace hloscope::db
