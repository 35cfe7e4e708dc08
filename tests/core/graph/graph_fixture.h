#pragma once

#include <QDebug>
#include <QString>
#include <cstdlib>
#include <string>

#include "core/graph/kernels.h"
#include "core/hlo/read.h"

namespace hloscope::testing {

/// The program of a fixture; a fixture that does not parse ends the test run.
inline hlo::ProgramPtr parse(std::string text) {
  auto program = hlo::parse_program(std::move(text));
  if (!program) {
    qCritical("fixture: %s", program.error().format().c_str());
    std::abort();
  }
  return *program;
}

inline QString qt(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// The kernel of the instruction with that name.
inline graph::KernelId kernel_named(const hlo::Program& program, const graph::KernelList& list,
                                    std::string_view name) {
  return list.kernel_of[program.find_instruction(name)];
}

/// The names of all kernels, in order, separated by blanks.
inline QString kernel_names(const hlo::Program& program, const graph::KernelList& list) {
  QStringList names;
  for (const graph::Kernel& kernel : list.kernels) names << qt(program[kernel.instruction].name);
  return names.join(' ');
}

}  // namespace hloscope::testing
