#pragma once

#include <string>
#include <string_view>

#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/data/data_set.h"
#include "core/data/tpugraphs.h"

namespace hloscope::data {

/// The graph alone (opcodes, node features, edges, configurable nodes, splits) as bytes for
/// storage: the content of a GraphRecord in the form kTpuGraph. Bit for bit; features that are 0
/// take no space. Configurations and runtimes are left out.
[[nodiscard]] std::string pack_graph(const TpuGraph& graph);
/// Error: kInvalidInput for bytes that pack_graph() does not write.
[[nodiscard]] Result<TpuGraph> unpack_graph(std::string_view bytes);

/// Row `index` of the configuration features as one list: 24 numbers of a tile, 18 of each
/// configurable node of a layout. Error: kInvalidInput for a number that is not whole; it names the
/// array and the row.
[[nodiscard]] Result<Configuration> configuration_of(const TpuGraph& graph, size_t index);

}  // namespace hloscope::data
