#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/data/data_set.h"

namespace hloscope::data {

struct OpcodeCount {
  std::string_view opcode;  ///< Name in HLO; "unknown" for numbers that no opcode has.
  uint32_t count = 0;
  bool operator==(const OpcodeCount&) const = default;
};

/// How often each opcode stands in the content of a graph, bodies included; in the order of the
/// opcodes. Error: kInvalidInput for content that cannot be read.
[[nodiscard]] Result<std::vector<OpcodeCount>> graph_opcodes(const GraphRecord& graph);

}  // namespace hloscope::data
