#include "ui/models/program_text.h"

#include <limits>

#include "ui/models/kernel_cell_text.h"
#include "ui/theme/format.h"

namespace hloscope::ui {
namespace {

/// In what role a computation is called: "while body", "branch 1", ...; empty for a plain call.
QString callRole(const hlo::Program& program, hlo::ComputationId id) {
  for (hlo::InstructionId caller : program.callers(id)) {
    if (program[caller].opcode == hlo::Opcode::kWhile) {
      const bool is_body = program.computation(caller, hlo::AttrKey::kBody) == id;
      return is_body ? QStringLiteral("while body") : QStringLiteral("while condition");
    }
    if (program[caller].opcode == hlo::Opcode::kConditional) return QStringLiteral("branch");
  }
  return {};
}

}  // namespace

QString computationTitle(const analysis::ModuleReport& report, hlo::ComputationId id) {
  const hlo::Program& program = *report.module.program;
  const QString name = textOf(program[id].name);
  if (id == program.entry()) return QStringLiteral("ENTRY ") + name;
  const QString role = callRole(program, id);
  return role.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, role);
}

QString executionsNote(const analysis::ModuleReport& report, hlo::ComputationId id) {
  const auto& uses = report.kernels.computations;
  if (!uses.contains(id) || id == report.module.program->entry()) return {};
  const graph::ComputationUse& use = uses[id];
  const double count = use.executions;
  const QString times =
      QChar(0xD7) + formatNumber(count, count < 1e6 && count != int(count) ? 2 : 0);
  if (!use.known) return times + QStringLiteral(", trip count unknown");
  return count == 1 ? QString() : times;
}

double computationTime(const analysis::KernelTable& table, std::span<const uint32_t> rows) {
  double sum = 0;
  bool any = false;
  for (uint32_t row : rows) {
    const auto time = time_ns(table.report(), table.share_source(), graph::KernelId(row));
    if (!time) continue;
    sum += *time * table.kernel(row).executions;
    any = true;
  }
  return any ? sum : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace hloscope::ui
