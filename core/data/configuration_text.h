#pragma once

#include <string>

#include "core/data/data_set.h"

namespace hloscope::data {

/// A configuration of a graph of this form, as it is written on one line: `out=4x2,kernel=1x1`, the
/// number of nodes with a layout, "-" for none.
[[nodiscard]] std::string configuration_text(const Configuration& configuration, Task task,
                                             GraphForm form);

/// The same beside the fastest configuration of the graph: layouts of many nodes are told by the
/// nodes that differ from it, "4 of 62 nodes differ from the fastest".
[[nodiscard]] std::string configuration_text(const Configuration& configuration,
                                             const Configuration& fastest, Task task,
                                             GraphForm form);

}  // namespace hloscope::data
