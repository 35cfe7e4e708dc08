#pragma once

#include "core/data/data_set.h"
#include "core/graph/kernels.h"
#include "core/hlo/print.h"

namespace hloscope::data {

/// How the text of contents in the form kHlo is printed: what features are made of, no more.
[[nodiscard]] hlo::PrintOptions content_options();

/// The record of `kernel` of `program` in the form kHlo. `alone` is the program that has this
/// kernel only, as graph::extract() gives it; its text is the content.
[[nodiscard]] GraphRecord graph_record(const hlo::Program& program, const graph::Kernel& kernel,
                                       const hlo::Program& alone);

}  // namespace hloscope::data
