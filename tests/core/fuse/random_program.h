#pragma once

#include <string>

#include "core/base/rng.h"

namespace hloscope::testing {

/// HLO text of a random valid program before optimisation: elementwise operations, broadcasts,
/// moves, reductions, products, updates in place, calls, tuples and loops on arrays of 1 to 6
/// elements a side, times `scale`. Deterministic for the state of `rng`.
[[nodiscard]] std::string random_program(Rng& rng, int64_t scale = 1);

/// How many random programs a test takes: 500, or what HLOSCOPE_RANDOM_PROGRAMS says (10,000 in a
/// run by hand before the rules of fusion are changed).
[[nodiscard]] int random_program_count();

}  // namespace hloscope::testing
