#pragma once

#include <cstdint>
#include <span>

#include "core/sim/kernel_model.h"
#include "core/sim/rates.h"

namespace hloscope::sim {

/// Moving one block of a stream.
struct BlockCost {
  double bytes = 0;        ///< Whole tiles of the layout.
  double runs = 0;         ///< Contiguous runs that cost time.
  double descriptors = 0;  ///< DMA descriptors: a descriptor holds one stride.
  double time_ns = 0;      ///< bytes / bandwidth + runs x cost of a run.
};

/// `units`: size of the block along each dimension of the stream, in its units. Dimensions that the
/// block covers whole merge with their neighbour into one run; strided levels merge where one
/// continues the other. Runs of whole tiles that follow each other closely cost no more.
[[nodiscard]] BlockCost block_cost(const Stream& stream, std::span<const int64_t> units,
                                   const Rates& rates);

}  // namespace hloscope::sim
