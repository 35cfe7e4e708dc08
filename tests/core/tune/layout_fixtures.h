#pragma once

#include "core/hlo/print.h"
#include "core/tune/layout_space.h"
#include "core/tune/layout_writer.h"
#include "tests/core/fuse/fuse_fixture.h"

namespace hloscope::testing {

/// A program whose kernels stand as they are: every instruction for itself.
inline hlo::ProgramPtr scheduled(const std::string& lines) {
  return parse(
      "HloModule m, is_scheduled=true\nplus {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n"
      "  ROOT s = f32[] add(x, y)\n}\nENTRY main {\n" +
      lines + "}\n");
}

/// 8 lanes of 128 are used between the reshapes as it stands: 1024 of the second dimension would
/// fill them.
inline const char* const kNarrowLanes =
    "  p = f32[64,8192] parameter(0)\n"
    "  narrow = f32[64,1024,8] reshape(p)\n"
    "  t = f32[64,1024,8] tanh(narrow)\n"
    "  ROOT wide = f32[64,8192] reshape(t)\n";

/// A convolution and a product between elementwise operations, a pooling and a sum.
inline const char* const kSmallNetwork =
    "  image = f32[2,6,6,3] parameter(0)\n"
    "  filter = f32[3,3,3,4] parameter(1)\n"
    "  bias = f32[4] parameter(2)\n"
    "  weights = f32[5,36] parameter(3)\n"
    "  conv = f32[2,6,6,4] convolution(image, filter), window={size=3x3 pad=1_1x1_1}, "
    "dim_labels=b01f_01io->b01f\n"
    "  spread = f32[2,6,6,4] broadcast(bias), dimensions={3}\n"
    "  biased = f32[2,6,6,4] add(conv, spread)\n"
    "  zero = f32[] constant(0)\n"
    "  zeros = f32[2,6,6,4] broadcast(zero), dimensions={}\n"
    "  relu = f32[2,6,6,4] maximum(biased, zeros)\n"
    "  pool = f32[2,3,3,4] reduce-window(relu, zero), window={size=1x2x2x1 stride=1x2x2x1}, "
    "to_apply=plus\n"
    "  turned = f32[2,4,3,3] transpose(pool), dimensions={0,3,1,2}\n"
    "  flat = f32[2,36] reshape(turned)\n"
    "  dot = f32[2,5] dot(flat, weights), lhs_contracting_dims={1}, rhs_contracting_dims={1}\n"
    "  t = f32[2,5] tanh(dot)\n"
    "  sums = f32[2,6,6] reduce(relu, zero), dimensions={3}, to_apply=plus\n"
    "  ROOT out = (f32[2,5], f32[2,6,6]) tuple(t, sums)\n";

inline std::unique_ptr<tune::LayoutSpace> layout_space(const hlo::ProgramPtr& program) {
  return value_of(tune::make_layout_space(program));
}

/// How many copies a configuration has, and what does not fit together in it; else empty.
struct Copies {
  size_t count = 0;
  QString problem;
};

inline QString order_of(const hlo::Program& program, hlo::InstructionId id) {
  return qt(tune::order_text(program.shape(id).layout.minor_to_major));
}

/// Copies made for layouts are named after what they copy.
inline Copies copies_in(const hlo::Program& program) {
  Copies out;
  std::set<QString> seen;
  for (hlo::InstructionId id : program.instructions()) {
    const QString name = qt(program[id].name);
    if (program[id].opcode != hlo::Opcode::kCopy || !name.startsWith("copy.")) continue;
    ++out.count;
    const hlo::InstructionId value = program.operands(id)[0];
    if (order_of(program, id) == order_of(program, value)) out.problem = name + " changes nothing";
    const QString what = QString::number(value.value) + " " + order_of(program, id);
    if (!seen.insert(what).second) out.problem = name + " is there twice";
    if (program.users(id).empty() && program[program[id].computation].root != id) {
      out.problem = name + " is not used";
    }
  }
  return out;
}

}  // namespace hloscope::testing
