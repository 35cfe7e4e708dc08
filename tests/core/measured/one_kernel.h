#pragma once

#include <QTest>

#include "core/analysis/cost.h"
#include "core/graph/kernels.h"
#include "core/hlo/program_builder.h"
#include "core/measured/workload.h"

namespace hloscope::testing {

/// Why a program is not sound, or not one kernel; empty when it is.
inline QString not_one_kernel(const hlo::Program& program) {
  if (const Status sound = hlo::check_structure(program); !sound) {
    return QString::fromStdString(sound.error().format());
  }
  const graph::KernelList kernels = graph::kernels(program);
  if (!kernels.is_optimized) return "not a program after optimisation";
  if (kernels.kernels.size() == 1) return {};
  return QString("%1 kernels").arg(kernels.kernels.size());
}

/// The first kernel of a workload that is wrong; empty when all are one kernel each.
inline QString wrong_kernel(const measured::Workload& workload) {
  if (workload.kernels.empty()) return "no kernels";
  for (const measured::TimedKernel& kernel : workload.kernels) {
    const QString problem = not_one_kernel(*kernel.program);
    if (!problem.isEmpty()) return QString::fromStdString(kernel.what) + ": " + problem;
  }
  return {};
}

inline double flops(const measured::TimedKernel& kernel) {
  const graph::KernelList kernels = graph::kernels(*kernel.program);
  return analysis::cost(*kernel.program, kernels).total.flops;
}

/// The shape of the kernel's result or of an operand, as HLO text.
inline std::string result_text(const measured::TimedKernel& kernel) {
  const hlo::Program& program = *kernel.program;
  return program.shapes().text(program[program[program.entry()].root].shape);
}
inline std::string operand_text(const measured::TimedKernel& kernel, size_t i) {
  const hlo::Program& program = *kernel.program;
  return program.shapes().text(program[program.parameters(program.entry())[i]].shape);
}

}  // namespace hloscope::testing
