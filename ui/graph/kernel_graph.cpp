#include "ui/graph/kernel_graph.h"

#include <QObject>
#include <algorithm>

#include "core/graph/async_pairs.h"
#include "ui/graph/graph_builder.h"
#include "ui/theme/format.h"

namespace hloscope::ui {

namespace {

using analysis::ModuleReport;
using hlo::InstructionId;
using hlo::Opcode;

/// Measured where there is a measurement, else simulated, marked as an estimate.
QString timeText(const ModuleReport& report, graph::KernelId kernel) {
  if (const auto measured = report.measured_ns[kernel]) return formatTime(*measured);
  return QStringLiteral("≈ ") + formatTime(report.times.simulated[kernel].time_ns);
}

GraphNode kernelNode(const ModuleReport& report, graph::KernelId id) {
  const graph::Kernel& kernel = report.kernels.kernels[id];
  const hlo::Program& program = *report.module.program;
  GraphNode node;
  node.title = toQString(program[kernel.instruction].name);
  node.subtitle = QString::fromStdString(analysis::kernel_label(program, kernel));
  node.right = timeText(report, id);
  node.op_class = kernel.op_class;
  node.expandable = kernel.body.valid();
  return node;
}

QString loopText(const ModuleReport& report, InstructionId instruction) {
  const auto loop = std::ranges::find(report.kernels.loops, instruction, &graph::Loop::instruction);
  if (loop == report.kernels.loops.end() || !loop->known) return QObject::tr("loop");
  return QStringLiteral("× ") + formatCount(loop->trip_count);
}

/// A while, conditional or call: what is inside has times of its own.
GraphNode controlNode(const ModuleReport& report, InstructionId id) {
  const hlo::Program& program = *report.module.program;
  const hlo::Instruction& instruction = program[id];
  GraphNode node;
  node.title = toQString(instruction.name);
  node.op_class = hlo::OpClass::kControlFlow;
  node.expandable = !program.called(id).empty();
  if (instruction.opcode == Opcode::kWhile) {
    node.right = loopText(report, id);
    const hlo::ComputationId body = program.computation(id, hlo::AttrKey::kBody);
    if (body.valid()) node.subtitle = QStringLiteral("while ") + toQString(program[body].name);
    return node;
  }
  node.subtitle = toQString(hlo::name(instruction.opcode));
  if (!program.called(id).empty()) {
    node.subtitle += u' ' + toQString(program[program.called(id)[0]].name);
  }
  return node;
}

GraphNode opNode(const hlo::Program& program, InstructionId id) {
  const hlo::Instruction& instruction = program[id];
  GraphNode node;
  node.look = GraphNode::Look::kOp;
  node.title = toQString(instruction.name);
  node.right = shapeText(program, instruction.shape);
  node.op_class = hlo::info(instruction.opcode).op_class;
  return node;
}

bool isPillOpcode(Opcode opcode) {
  return opcode == Opcode::kParameter || opcode == Opcode::kConstant;
}

}  // namespace

QString name(ColourMode mode) {
  switch (mode) {
    case ColourMode::kOpClass:
      return QObject::tr("Op class");
    case ColourMode::kSimulatedTime:
      return QObject::tr("Simulated time");
    case ColourMode::kAnalyticalTime:
      return QObject::tr("Analytical time");
    case ColourMode::kMeasuredTime:
      return QObject::tr("Measured time");
    case ColourMode::kError:
      return QObject::tr("Error of simulated time");
    case ColourMode::kFlops:
      return QObject::tr("FLOPs");
    case ColourMode::kBytes:
      return QObject::tr("Bytes");
    case ColourMode::kIntensity:
      return QObject::tr("Arithmetic intensity");
    case ColourMode::kChange:
      return QObject::tr("Change to baseline");
  }
  return {};
}

layout::NodeId KernelGraph::find(InstructionId instruction) const {
  const auto at = std::ranges::find(instructions, instruction);
  return at == instructions.end() ? layout::NodeId()
                                  : layout::NodeId(static_cast<size_t>(at - instructions.begin()));
}

layout::NodeId KernelGraph::find(graph::KernelId kernel) const {
  if (!kernel.valid()) return {};
  const auto at = std::ranges::find(kernels, kernel);
  return at == kernels.end() ? layout::NodeId()
                             : layout::NodeId(static_cast<size_t>(at - kernels.begin()));
}

KernelGraph computationGraph(const ReportPtr& report, hlo::ComputationId computation) {
  const hlo::Program& program = *report->module.program;
  const graph::KernelList& list = report->kernels;
  GraphBuilder builder(report);
  std::vector<std::pair<layout::NodeId, InstructionId>> readers;
  for (const InstructionId id : program[computation].instructions) {
    const graph::KernelId kernel = list.kernel_of[id];
    if (kernel.valid() && list.kernels[kernel].instruction == id) {
      readers.emplace_back(builder.add(id, kernelNode(*report, kernel)), id);
      // What the end of an async pair reads besides its start.
      const InstructionId done = list.kernels[kernel].async_done;
      if (done.valid()) readers.emplace_back(readers.back().first, done);
    } else if (!kernel.valid() && !graph::is_free(program[id].opcode)) {
      readers.emplace_back(builder.add(id, controlNode(*report, id)), id);
    }
  }
  for (const auto& [node, reader] : readers) builder.connect(node, reader);
  return builder.finish();
}

KernelGraph bodyGraph(const ReportPtr& report, graph::KernelId id) {
  const hlo::Program& program = *report->module.program;
  const graph::Kernel& kernel = report->kernels.kernels[id];
  GraphBuilder builder(report);
  if (!kernel.body.valid()) {
    const layout::NodeId node = builder.add(kernel.instruction, kernelNode(*report, id));
    builder.setAlone();
    builder.connect(node, kernel.instruction);
    return builder.finish();
  }
  std::vector<std::pair<layout::NodeId, InstructionId>> readers;
  for (const InstructionId inner : program[kernel.body].instructions) {
    if (isPillOpcode(program[inner].opcode)) continue;
    readers.emplace_back(builder.add(inner, opNode(program, inner)), inner);
  }
  for (const auto& [node, reader] : readers) builder.connect(node, reader);
  return builder.finish();
}

}  // namespace hloscope::ui
