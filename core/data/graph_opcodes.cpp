#include "core/data/graph_opcodes.h"

#include <map>
#include <optional>

#include "core/data/packed_graph.h"
#include "core/hlo/opcode.h"
#include "core/hlo/read.h"

namespace hloscope::data {

namespace {

// Empty: not known.
using Counts = std::map<std::optional<hlo::Opcode>, uint32_t>;

Result<Counts> counts_of(const GraphRecord& graph) {
  Counts out;
  if (graph.form == GraphForm::kTpuGraph) {
    HLOSCOPE_ASSIGN(const TpuGraph unpacked, unpack_graph(graph.content));
    for (const uint8_t id : unpacked.opcodes) ++out[hlo::opcode_by_tpugraphs_id(id)];
    return out;
  }
  HLOSCOPE_ASSIGN(const hlo::ProgramPtr program, hlo::parse_program(graph.content, graph.label));
  for (const hlo::InstructionId id : program->instructions()) ++out[(*program)[id].opcode];
  return out;
}

}  // namespace

Result<std::vector<OpcodeCount>> graph_opcodes(const GraphRecord& graph) {
  HLOSCOPE_ASSIGN(const Counts counts, counts_of(graph));
  std::vector<OpcodeCount> out;
  for (const auto& [opcode, count] : counts) {
    out.push_back({opcode ? hlo::name(*opcode) : "unknown", count});
  }
  return out;
}

}  // namespace hloscope::data
