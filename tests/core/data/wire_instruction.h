#pragma once

#include <vector>

#include "tests/core/hlo/wire_writer.h"

namespace hloscope::testing {

// Field numbers: xla/service/hlo.proto.
inline Wire f32_4() {
  return Wire().number(2, 11).packed(3, {4}).message(5, Wire().packed(1, {0}));
}

inline Wire instruction(const char* name, const char* opcode, int64_t id,
                        const std::vector<int64_t>& operands) {
  Wire out;
  out.text(1, name).text(2, opcode).message(3, f32_4()).number(35, id);
  return operands.empty() ? out : out.packed(36, operands);
}

}  // namespace hloscope::testing
