#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/sim/kernel_model.h"
#include "core/sim/rates.h"

namespace hloscope::sim {

/// What a stretch of a kernel's simulated time is spent on: what the kernel waits for then.
enum class TimePart : uint8_t {
  kMatrix,     ///< The matrix unit.
  kVector,     ///< Vector ALU, transcendental and cross-lane unit, vector loads and stores.
  kTraffic,    ///< HBM: iterations whose transfers take longer than their computation.
  kFillDrain,  ///< The first read and the last write, which nothing hides.
  kLoop,       ///< Loop over tiles, issue of DMAs, tails of the units.
  kLaunch,
  kLink,  ///< Between chips, or to the host.
};
inline constexpr size_t kTimePartCount = 7;
using TimeParts = std::array<double, kTimePartCount>;  ///< ns, by TimePart.

/// On screen and in files: "MXU", "vector units", "HBM traffic" ...
[[nodiscard]] std::string_view name(TimePart part);

/// Where the time of simulate() goes: the parts add up to its time_ns. Of an iteration all time
/// counts for what limits it.
[[nodiscard]] TimeParts time_parts(const KernelModel& model, const std::vector<int64_t>& bounds,
                                   const Rates& rates);

}  // namespace hloscope::sim
