#pragma once

#include "core/base/progress.h"
#include "core/fuse/fusion_state.h"

namespace hloscope::fuse {

/// The heuristic that stands for a compiler's: an edge is set when it is valid and saves bytes,
/// that is, when FusionState::bytes() gets smaller; the one that saves most bytes first, of equal
/// ones the first in the order of the space. In the end no single edge that is not set is both
/// valid and saving (it is a local optimum, not the best configuration).
///
/// So producers go into their consumers, operations before and behind a dot or convolution into its
/// fusion, consumers of one array become one fusion with several results, and a producer with
/// several users stays with one of them while its result is still written for the others. Cheap
/// producers were duplicated before, by clean_up().
///
/// Starts from what is set in `state`; final as FusionState::commit(). Error: kCancelled, with the
/// state valid but not finished.
[[nodiscard]] Status fuse_by_default(FusionState& state, const Progress& progress = {});

/// The configuration that it gives, from nothing. Error: kCancelled.
[[nodiscard]] Result<FusionConfig> default_config(const FusionSpace& space,
                                                  const Progress& progress = {});

}  // namespace hloscope::fuse
