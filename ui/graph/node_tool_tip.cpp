#include "ui/graph/node_tool_tip.h"

#include <QObject>

#include "ui/graph/graph_builder.h"
#include "ui/theme/format.h"

namespace hloscope::ui {

namespace {

/// The value of `key="..."` or `key=number` in a metadata attribute.
QString metadataField(std::string_view metadata, std::string_view key) {
  const size_t at = metadata.find(std::string(key) + '=');
  if (at == std::string_view::npos) return {};
  std::string_view value = metadata.substr(at + key.size() + 1);
  if (value.starts_with('"')) {
    value.remove_prefix(1);
    return toQString(value.substr(0, value.find('"')));
  }
  return toQString(value.substr(0, value.find_first_of(" }")));
}

QString row(const QString& label, const QString& value) {
  if (value.isEmpty()) return {};
  return QStringLiteral("<tr><td>%1&nbsp;</td><td>%2</td></tr>").arg(label, value.toHtmlEscaped());
}

QString sourceLine(const hlo::Program& program, hlo::InstructionId instruction) {
  const std::string_view metadata = program.text(instruction, hlo::AttrKey::kMetadata);
  const QString file = metadataField(metadata, "source_file");
  if (file.isEmpty()) return {};
  return file + u':' + metadataField(metadata, "source_line");
}

/// Estimates and the tile they hold for.
QString timeRows(const analysis::ModuleReport& report, graph::KernelId kernel) {
  const analysis::ModelTime& simulated = report.times.simulated[kernel];
  const auto bound = toQString(analysis::name(simulated.bound));
  QString rows = row(QObject::tr("simulated"),
                     QObject::tr("%1, bound by %2").arg(formatTime(simulated.time_ns), bound));
  rows += row(QObject::tr("analytical"), formatTime(report.times.analytical[kernel].time_ns));
  const analysis::TileChoice& choice = report.times.tiles[report.kernels.distinct_of[kernel]];
  rows += row(QObject::tr("tile"), QString::fromStdString(sim::tile_text(choice.tile)));
  if (choice.footprint_bytes > 0) {
    rows += row(QObject::tr("VMEM"), formatBytes(choice.footprint_bytes));
    rows += row(QObject::tr("iterations"), formatNumber(choice.tiles, 0));
  }
  if (choice.has_fallback) {
    rows += row(QObject::tr("note"), QObject::tr("an opcode in it has no rule of its own"));
  }
  return rows;
}

}  // namespace

QString nodeToolTip(const analysis::ModuleReport& report, hlo::InstructionId instruction,
                    graph::KernelId kernel) {
  const hlo::Program& program = *report.module.program;
  const hlo::Instruction& i = program[instruction];
  QString rows = row(QObject::tr("opcode"), toQString(hlo::name(i.opcode))) +
                 row(QObject::tr("shape"), shapeText(program, i.shape));
  if (kernel.valid()) {
    const auto& cost = report.cost.kernels[kernel];
    if (const auto measured = report.measured_ns[kernel]) {
      rows += row(QObject::tr("measured"), formatTime(*measured));
    }
    rows += timeRows(report, kernel);
    rows += row(QObject::tr("FLOPs"), formatFlops(cost.flops));
    rows += row(QObject::tr("bytes"), formatBytes(cost.bytes_accessed));
  }
  rows += row(QObject::tr("op name"),
              metadataField(program.text(instruction, hlo::AttrKey::kMetadata), "op_name"));
  rows += row(QObject::tr("source"), sourceLine(program, instruction));
  return QStringLiteral("<b>%1</b><table>%2</table>").arg(toQString(i.name).toHtmlEscaped(), rows);
}

}  // namespace hloscope::ui
