#pragma once

#include <QDebug>
#include <QString>
#include <cstdlib>

#include "core/fuse/apply.h"
#include "core/fuse/clean_up.h"
#include "core/fuse/default_fusion.h"
#include "core/fuse/traffic.h"
#include "core/hlo/print.h"
#include "core/hlo/read.h"

namespace hloscope::testing {

/// The value of a Result; an error ends the test run.
template <typename T>
T value_of(Result<T> result) {
  if (!result) {
    qCritical("%s", result.error().format().c_str());
    std::exit(1);  // Not abort(): there is nothing to see in a stack trace.
  }
  return std::move(*result);
}

inline hlo::ProgramPtr parse(std::string text) {
  return value_of(hlo::parse_program(std::move(text)));
}

inline QString qt(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// A program whose entry has these lines, with a reducer `plus`.
inline hlo::ProgramPtr entry_of(const std::string& lines) {
  return parse(
      "HloModule m\nplus {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n"
      "  ROOT s = f32[] add(x, y)\n}\nENTRY main {\n" +
      lines + "}\n");
}

/// Opcodes of a computation in program order, parameters and constants left out.
inline QString opcodes(const hlo::Program& program, hlo::ComputationId id) {
  QStringList names;
  for (hlo::InstructionId instruction : program[id].instructions) {
    const hlo::Opcode opcode = program[instruction].opcode;
    if (opcode == hlo::Opcode::kParameter || opcode == hlo::Opcode::kConstant) continue;
    names << qt(hlo::name(opcode));
  }
  return names.join(' ');
}

/// The instructions of the entry: a fusion as kind{opcodes of its body}.
inline QString kernels_text(const hlo::Program& program) {
  QStringList out;
  for (hlo::InstructionId id : program[program.entry()].instructions) {
    const hlo::Opcode opcode = program[id].opcode;
    if (opcode == hlo::Opcode::kParameter || opcode == hlo::Opcode::kConstant ||
        opcode == hlo::Opcode::kTuple || opcode == hlo::Opcode::kGetTupleElement) {
      continue;
    }
    if (opcode == hlo::Opcode::kFusion) {
      const auto body = program.computation(id, hlo::AttrKey::kCalls);
      out << qt(program.text(id, hlo::AttrKey::kKind)) + "{" + opcodes(program, body) + "}";
    } else {
      out << qt(hlo::name(opcode));
    }
  }
  return out.join(' ');
}

/// Everything of a state that can be seen.
inline QString state_text(const fuse::FusionState& state) {
  QString out = qt(fuse::config_text(state.config())) + QString::number(state.bytes(), 'g', 17);
  for (hlo::InstructionId id : state.space().program().instructions()) {
    const fuse::GroupId group = state.group_of(id);
    out += QString(" %1").arg(group.value);
    if (state.group(group).members.front() != id) continue;
    out += QString(":%1/%2").arg(state.group(group).members.size()).arg(state.group(group).bytes());
  }
  return out;
}

}  // namespace hloscope::testing
