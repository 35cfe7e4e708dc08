#pragma once

#include <string>
#include <vector>

#include "core/base/rng.h"

namespace hloscope::testing {

/// HLO text of a program whose root is one kernel: a fusion of a few random operations, with
/// random sizes, types, layouts and tilings. The text is valid HLO.
struct RandomKernel {
  std::string text;
  bool reads_everything = true;  ///< Every element of every parameter takes part.
  bool has_matrix = false;
};
[[nodiscard]] RandomKernel random_kernel(Rng& rng);

}  // namespace hloscope::testing
