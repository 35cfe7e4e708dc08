#include <fmt/format.h>

#include "core/hlo/program_builder.h"

namespace hloscope::hlo {

Status check_structure(const Program& program) {
  if (program.computation_count() == 0) {
    return fail(ErrorCode::kInvalidInput, "the module has no computations");
  }
  return {};
}

}  // namespace hloscope::hlo
