#pragma once

#include <QString>

namespace hloscope::testing {

/// A product, a transpose and a tanh, for data sets to train with: programs of other `rows` have
/// other kernels.
inline QByteArray trainingProgram(int rows) {
  return QString(R"(HloModule step
ENTRY main {
  a = f32[%1,512]{1,0} parameter(0)
  b = f32[512,256]{1,0} parameter(1)
  d = f32[%1,256]{1,0} dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  t = f32[256,%1]{1,0} transpose(d), dimensions={1,0}
  ROOT e = f32[256,%1]{1,0} tanh(t)
}
)")
      .arg(rows)
      .toUtf8();
}

}  // namespace hloscope::testing
