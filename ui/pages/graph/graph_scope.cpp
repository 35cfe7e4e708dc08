#include "ui/pages/graph/graph_scope.h"

#include <algorithm>

#include "ui/models/kernel_cell_text.h"

namespace hloscope::ui {
namespace {

/// The computation that calls `id` as a loop body, branch or callee; invalid for the entry.
hlo::ComputationId callerOf(const hlo::Program& program, hlo::ComputationId id) {
  const auto callers = program.callers(id);
  return callers.empty() ? hlo::ComputationId() : program[callers.front()].computation;
}

bool isScheduled(const analysis::ModuleReport& report, hlo::ComputationId id) {
  const auto& uses = report.kernels.computations;
  return uses.contains(id) && uses[id].is_scheduled;
}

}  // namespace

std::vector<Crumb> crumbsOf(const analysis::ModuleReport& report, const GraphScope& scope) {
  const hlo::Program& program = *report.module.program;
  std::vector<Crumb> crumbs;
  if (scope.isBody()) {
    const hlo::InstructionId instruction = report.kernels.kernels[scope.kernel].instruction;
    crumbs.push_back({textOf(program[instruction].name), scope});
  }
  hlo::ComputationId id = scope.computation;
  while (id.valid()) {
    crumbs.push_back({textOf(program[id].name), {id, {}}});
    id = id == program.entry() ? hlo::ComputationId() : callerOf(program, id);
  }
  crumbs.push_back({textOf(program.name()), {program.entry(), {}}});
  std::reverse(crumbs.begin(), crumbs.end());
  return crumbs;
}

GraphScope scopeFor(const analysis::ModuleReport& report, graph::KernelId kernel,
                    hlo::InstructionId instruction, const GraphScope& current) {
  const hlo::Program& program = *report.module.program;
  if (kernel.valid()) {
    if (current.kernel == kernel) return current;
    return {report.kernels.kernels[kernel].computation, {}};
  }
  if (instruction.valid() && isScheduled(report, program[instruction].computation)) {
    return {program[instruction].computation, {}};
  }
  return current.computation.valid() ? current : GraphScope{program.entry(), {}};
}

GraphScope scopeInside(const analysis::ModuleReport& report, hlo::InstructionId instruction) {
  const hlo::Program& program = *report.module.program;
  const graph::KernelId kernel = report.kernels.kernel_of.contains(instruction)
                                     ? report.kernels.kernel_of[instruction]
                                     : graph::KernelId();
  if (kernel.valid()) {
    const graph::Kernel& info = report.kernels.kernels[kernel];
    if (!info.body.valid() || info.instruction != instruction) return {};
    return {info.computation, kernel};
  }
  const hlo::ComputationId body = program.computation(instruction, hlo::AttrKey::kBody);
  if (body.valid() && isScheduled(report, body)) return {body, {}};
  for (hlo::ComputationId called : program.called(instruction)) {
    if (isScheduled(report, called)) return {called, {}};
  }
  return {};
}

}  // namespace hloscope::ui
