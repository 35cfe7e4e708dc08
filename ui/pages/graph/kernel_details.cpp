#include "ui/pages/graph/kernel_details.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/report.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/theme/format.h"

namespace hloscope::ui {
namespace {

constexpr size_t kMostLayouts = 3;

QString joined(const std::vector<int64_t>& values) {
  QStringList parts;
  for (int64_t value : values) {
    parts += value == hlo::kCombineDimension ? QStringLiteral("*") : QString::number(value);
  }
  return parts.join(',');
}

void collectLayouts(const hlo::Program& program, hlo::ShapeId id, QStringList& out) {
  const hlo::Shape& shape = program.shape(id);
  for (hlo::ShapeId element : shape.elements) collectLayouts(program, element, out);
  if (!shape.is_array() || !shape.has_layout) return;
  QString text = '{' + joined(shape.layout.minor_to_major) + '}';
  for (const auto& tile : shape.layout.tiles) text += QStringLiteral(" T(%1)").arg(joined(tile));
  out += text;
}

QString layoutText(const hlo::Program& program, hlo::ShapeId id) {
  QStringList layouts;
  collectLayouts(program, id, layouts);
  if (layouts.isEmpty()) return QStringLiteral("not given: row-major");
  const bool cut = layouts.size() > static_cast<qsizetype>(kMostLayouts);
  if (cut) layouts.resize(kMostLayouts);
  return layouts.join(QStringLiteral(", ")) + (cut ? QStringLiteral(", …") : QString());
}

void addWork(const analysis::Cost& cost, std::vector<Property>& rows) {
  if (cost.flops < 0) {
    rows.push_back({QStringLiteral("FLOPs"), noValue(), QStringLiteral("custom call: unknown")});
  } else {
    const QString note =
        cost.transcendentals > 0
            ? QStringLiteral("%1 transcendental").arg(formatFlops(cost.transcendentals))
            : QString();
    rows.push_back({QStringLiteral("FLOPs"), formatFlops(cost.flops), note});
  }
  rows.push_back({QStringLiteral("Bytes"), formatBytes(cost.bytes_accessed),
                  QStringLiteral("in %1 · out %2")
                      .arg(formatBytes(cost.bytes_read), formatBytes(cost.bytes_written))});
  const bool grows = cost.bytes_accessed > 0 && cost.padded_bytes > 0;
  rows.push_back({QStringLiteral("Bytes padded"), formatBytes(cost.padded_bytes),
                  grows ? QStringLiteral("%1 of unpadded")
                              .arg(formatPercent(cost.padded_bytes / cost.bytes_accessed, 0))
                        : QString()});
}

void addTile(const analysis::TileChoice& choice, std::vector<Property>& rows) {
  const std::string tile = sim::tile_text(choice.tile);
  if (!tile.empty()) {
    const QString note = choice.is_written ? QStringLiteral("as the program says") : QString();
    rows.push_back({QStringLiteral("Tile"), textOf(tile), note, true});
  }
  if (choice.footprint_bytes > 0) {
    const auto iterations = formatNumber(choice.tiles, 0);
    rows.push_back({QStringLiteral("VMEM"), formatBytes(choice.footprint_bytes),
                    choice.tiles == 1 ? QStringLiteral("1 iteration")
                                      : QStringLiteral("%1 iterations").arg(iterations)});
  }
  if (choice.has_fallback) {
    rows.push_back({QStringLiteral("Fall-back"), QStringLiteral("yes"),
                    QStringLiteral("an opcode in it has no rule of its own")});
  }
}

void addPredicted(const analysis::PredictedTimes& times, graph::KernelId id,
                  std::vector<Property>& rows) {
  if (!times.of_kernels.contains(id) || !times.of_kernels[id]) return;
  const analysis::PredictedTime& time = *times.of_kernels[id];
  rows.push_back({QStringLiteral("Predicted"), predictedText(times, time), modelText(times.by)});
  if (!times.by.knows_far) return;
  rows.push_back({QStringLiteral("Training data"),
                  time.is_far ? QStringLiteral("⚠ far") : QStringLiteral("near"),
                  time.is_far ? QStringLiteral("unlike the kernels that the model learned from")
                              : QStringLiteral("like kernels that the model learned from")});
}

/// Three digits are enough beside another number.
QString shortUs(double time_ns) {
  return time_ns < 1e5 ? formatTimeUs(time_ns) : formatNumber(time_ns / 1e3, 0);
}

/// Of own fusion the program is not that of the file, which has fewer.
QString instructionsNote(const analysis::ModuleReport& report) {
  const auto count = [](size_t n) { return formatCount(static_cast<int64_t>(n)); };
  QString note =
      QStringLiteral("%1 computations").arg(count(report.module.program->computation_count()));
  if (report.original && report.original != report.module.program) {
    note += QStringLiteral(" · %1 in the file").arg(count(report.original->instruction_count()));
  }
  return note;
}

QString runsNote(const std::vector<hlo::MeasuredRun>& runs) {
  const auto failed = std::count_if(runs.begin(), runs.end(), [](const hlo::MeasuredRun& run) {
    return run.failed || run.time_ns <= 0;
  });
  return failed == 0 ? QStringLiteral("in the file")
                     : QStringLiteral("in the file, %1 without a time").arg(formatCount(failed));
}

QString executionsText(const graph::Kernel& kernel) {
  const double n = kernel.executions;
  return formatNumber(n, n == std::floor(n) ? 0 : 2);
}

}  // namespace

std::vector<Property> kernelProperties(const analysis::KernelTable& table, graph::KernelId id) {
  const analysis::ModuleReport& report = table.report();
  const hlo::Program& program = *report.module.program;
  const graph::Kernel& kernel = report.kernels.kernels[id];
  const hlo::Instruction& instruction = program[kernel.instruction];
  const QString what = textOf(hlo::name(instruction.opcode));
  const QString kind = textOf(program.text(kernel.instruction, hlo::AttrKey::kKind));
  std::vector<Property> rows;
  rows.push_back({QStringLiteral("Class"), textOf(hlo::name(kernel.op_class)),
                  kind.isEmpty() ? what : what + ' ' + kind, false, kernel.op_class});
  rows.push_back({QStringLiteral("Does"), textOf(table.label(id.value)), {}});
  rows.push_back(
      {QStringLiteral("Shape"), textOf(program.shapes().text(instruction.shape, false)), {}, true});
  rows.push_back({QStringLiteral("Layout"), layoutText(program, instruction.shape), {}, true});
  const analysis::Cost& cost = report.cost.kernels[id];
  addWork(cost, rows);
  if (cost.flops >= 0 && cost.bytes_accessed > 0) {
    rows.push_back({QStringLiteral("Intensity"),
                    formatNumber(cost.flops / cost.bytes_accessed, 1) + QStringLiteral(" FLOP/B"),
                    {}});
  }
  const analysis::ModelTime& time = report.times.simulated[id];
  rows.push_back({QStringLiteral("Bound by"), textOf(analysis::name(time.bound)),
                  QStringLiteral("core %1 · HBM %2 µs")
                      .arg(shortUs(time.compute_ns), shortUs(time.memory_ns))});
  addPredicted(report.predicted, id, rows);
  addTile(report.times.tiles[report.kernels.distinct_of[id]], rows);
  QString note = countOf(kernel.instruction_count, QStringLiteral("instruction"));
  if (!kernel.executions_known) note += QStringLiteral(" · trip count of a loop unknown");
  rows.push_back({QStringLiteral("Executions"), executionsText(kernel), note});
  return rows;
}

std::vector<Property> instructionProperties(const hlo::Program& program, hlo::InstructionId id) {
  const hlo::Instruction& instruction = program[id];
  const hlo::OpClass op_class = hlo::info(instruction.opcode).op_class;
  return {
      {QStringLiteral("Opcode"), textOf(hlo::name(instruction.opcode)), textOf(hlo::name(op_class)),
       false, op_class},
      {QStringLiteral("Shape"), textOf(program.shapes().text(instruction.shape, false)), {}, true},
      {QStringLiteral("Layout"), layoutText(program, instruction.shape), {}, true},
      {QStringLiteral("Computation"), textOf(program[instruction.computation].name), {}, true},
      {QStringLiteral("Operands"), formatCount(static_cast<int64_t>(program.operands(id).size())),
       QStringLiteral("%1 uses").arg(formatCount(static_cast<int64_t>(program.users(id).size())))}};
}

std::vector<Property> moduleProperties(const analysis::KernelTable& table) {
  const analysis::ModuleReport& report = table.report();
  const hlo::Program& program = *report.module.program;
  const auto count = [](size_t n) { return formatCount(static_cast<int64_t>(n)); };
  std::vector<Property> rows{
      {QStringLiteral("Instructions"), count(program.instruction_count()),
       instructionsNote(report)},
      {QStringLiteral("Kernels"), count(table.row_count()),
       QStringLiteral("%1 distinct").arg(count(report.kernels.distinct.size()))},
      {QStringLiteral("FLOPs"), formatFlops(report.cost.weighted.flops),
       QStringLiteral("each loop by its trips")},
      {QStringLiteral("Bytes"), formatBytes(report.cost.weighted.bytes_accessed), {}},
      {QStringLiteral("Simulated"), formatTime(report.simulated_total_ns),
       QStringLiteral("not measured · %1").arg(textOf(report.machine.title))},
      {QStringLiteral("Analytical"), formatTime(report.analytical_total_ns),
       QStringLiteral("not measured · %1").arg(textOf(report.machine.title))},
      {QStringLiteral("Rules"), textOf(analysis::rule_share_text(report.rule_share)), {}},
  };
  const analysis::PredictedTimes& predicted = report.predicted;
  if (!predicted.absence.empty()) {
    rows.push_back(
        {QStringLiteral("Predicted"), noValue(), QString::fromStdString(predicted.absence)});
  }
  if (!predicted.of_kernels.empty()) {
    rows.push_back({QStringLiteral("Predicted"), formatTime(predicted.total_ns),
                    QStringLiteral("not measured · ") + modelText(predicted.by)});
    if (predicted.by.knows_far) {
      rows.push_back({QStringLiteral("Far"), formatPercent(predicted.far_share),
                      QStringLiteral("of it unlike the training data")});
    }
  }
  if (report.program_measured_ns) {
    rows.push_back({QStringLiteral("Measured"), formatTime(*report.program_measured_ns),
                    QStringLiteral("whole program, default configuration")});
  }
  if (!report.module.runs.empty()) {
    rows.push_back({QStringLiteral("Measured runs"), count(report.module.runs.size()),
                    runsNote(report.module.runs)});
  }
  return rows;
}

}  // namespace hloscope::ui
