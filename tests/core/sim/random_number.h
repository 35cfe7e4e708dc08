#pragma once

#include <cstdint>

#include "core/base/rng.h"

namespace hloscope::testing {

/// From low to high, both included.
inline int64_t between(Rng& rng, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(rng.below(static_cast<uint64_t>(high - low + 1)));
}

}  // namespace hloscope::testing
