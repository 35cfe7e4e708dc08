#pragma once

#include <span>
#include <string>

#include "core/base/result.h"
#include "core/data/data_set.h"
#include "core/data/tpugraphs.h"

namespace hloscope::data {

/// A graph with its samples as TpuGraphs has them. Times are whole ns, 1 at least; the normalizer
/// of a tile is that of the sample, else the time of the default tile, else the least time.
/// `task`: kTile or kLayout. Errors: kInvalidInput for content that cannot be read and for
/// configurations that do not fit the graph; kUnsupported for kFusion, which has no configurations.
[[nodiscard]] Result<TpuGraph> tpugraph_of(const GraphRecord& graph, Task task,
                                           std::span<const Sample> samples);

/// Writes an .npz file with the arrays, types and shapes of TpuGraphs; read_tpugraph() reads it
/// back. Errors: those of write_npz().
[[nodiscard]] Status write_tpugraph(const std::string& path, const TpuGraph& graph);

}  // namespace hloscope::data
