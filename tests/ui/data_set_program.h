#pragma once

#include <QByteArray>
#include <QString>

namespace hloscope::testing {

/// A program of which data sets are generated in tests: four elementwise instructions, another one
/// for each number of rows.
inline QByteArray data_set_program(int rows) {
  return QStringLiteral(
             "HloModule m%1\nENTRY e {\n  x = f32[%1,256]{1,0} parameter(0)\n"
             "  a = f32[%1,256]{1,0} negate(x)\n  b = f32[%1,256]{1,0} exponential(a)\n"
             "  c = f32[%1,256]{1,0} add(b, x)\n  ROOT d = f32[%1,256]{1,0} multiply(c, b)\n}\n")
      .arg(rows)
      .toUtf8();
}

}  // namespace hloscope::testing
