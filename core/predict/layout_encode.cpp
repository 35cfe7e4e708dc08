#include "core/predict/layout_encode.h"

#include <algorithm>

#include "core/data/layout_content.h"
#include "core/data/packed_graph.h"
#include "core/features/configuration.h"
#include "core/features/graph.h"
#include "core/predict/encode_nodes.h"

namespace hloscope::predict {

namespace {

tl::unexpected<Error> misfit(std::string message) {
  return fail(ErrorCode::kInvalidInput, std::move(message),
              "make the data set again from its files");
}

// All nodes of the program; -> the configurable ones.
Result<std::vector<uint32_t>> encode_program(const data::GraphRecord& record,
                                             const NodeColumns& columns, Example& out) {
  std::vector<uint32_t> configurable;
  if (record.form == data::GraphForm::kTpuGraph) {
    HLOSCOPE_ASSIGN(const data::TpuGraph graph, data::unpack_graph(record.content));
    take_graph(graph, columns, out);
    configurable = graph.configurable_nodes;
  } else {
    HLOSCOPE_ASSIGN(const data::LayoutModule module, data::read_layout_content(record.content));
    const features::Graph graph = features::module_graph(module.program);
    take_graph(graph, columns, out);
    // Nodes of a module stand in the order of its instructions.
    for (const hlo::InstructionId id : module.configurable) configurable.push_back(id.value);
  }
  std::vector<uint32_t> sorted = configurable;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.empty() || sorted.back() >= out.nodes() ||
      std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    return misfit("it has not a list of different configurable nodes");
  }
  return configurable;
}

// A NodeLayout for each configurable node, one after the other.
std::vector<int64_t> layout_values(const data::Configuration& lists, data::GraphForm form) {
  if (form == data::GraphForm::kTpuGraph) {
    return lists.size() == 1 ? lists.front() : std::vector<int64_t>();
  }
  constexpr size_t kListsOfNode = 3;
  if (lists.size() % kListsOfNode != 0) return {};
  std::vector<float> values;
  for (size_t i = 0; i < lists.size(); i += kListsOfNode) {
    const features::ConfigurationView view(
        lists.begin() + static_cast<std::ptrdiff_t>(i),
        lists.begin() + static_cast<std::ptrdiff_t>(i + kListsOfNode));
    features::append_configuration_features(features::Group::kLayout, view, values);
  }
  return {values.begin(), values.end()};
}

// Where nodes of the whole graph stand among those that are kept, ascending.
uint32_t place(std::span<const uint32_t> kept, uint32_t node) {
  return static_cast<uint32_t>(std::lower_bound(kept.begin(), kept.end(), node) - kept.begin());
}

}  // namespace

std::vector<uint32_t> nodes_around(const Example& graph, std::span<const uint32_t> from,
                                   size_t hops) {
  std::vector<bool> is_near(graph.nodes(), false);
  for (const uint32_t node : from) is_near[node] = true;
  for (size_t hop = 0; hop < hops; ++hop) {
    std::vector<bool> next = is_near;
    for (uint32_t node = 0; node < graph.nodes(); ++node) {
      for (uint32_t k = graph.operand_offsets[node]; k < graph.operand_offsets[node + 1]; ++k) {
        const uint32_t operand = graph.operands[k];
        if (is_near[node]) next[operand] = true;
        if (is_near[operand]) next[node] = true;
      }
    }
    is_near = std::move(next);
  }
  std::vector<uint32_t> out;
  for (uint32_t node = 0; node < graph.nodes(); ++node) {
    if (is_near[node]) out.push_back(node);
  }
  return out;
}

Example with_nodes(const Example& graph, std::span<const uint32_t> nodes,
                   const NodeColumns& columns) {
  Example out;
  out.operand_offsets = {0};
  std::vector<float> row(columns.empty.size());
  for (const uint32_t node : nodes) {
    out.opcodes.push_back(graph.opcodes[node]);
    graph.node_features.write_row(node, columns.empty, row);
    out.node_features.add_row(row, columns.empty);
    for (uint32_t k = graph.operand_offsets[node]; k < graph.operand_offsets[node + 1]; ++k) {
      const uint32_t at = place(nodes, graph.operands[k]);
      if (at < nodes.size() && nodes[at] == graph.operands[k]) out.operands.push_back(at);
    }
    out.operand_offsets.push_back(static_cast<uint32_t>(out.operands.size()));
  }
  out.node_features.shrink_to_fit();
  out.operands.shrink_to_fit();
  return out;
}

Status encode_layouts(const GraphSamples& graph, const NodeColumns& columns, Example& out) {
  Example whole;
  HLOSCOPE_ASSIGN(std::vector<uint32_t> configurable, encode_program(graph.record, columns, whole));
  const std::vector<uint32_t> kept = nodes_around(whole, configurable, kLayoutHops);
  Example near = with_nodes(whole, kept, columns);
  out.opcodes = std::move(near.opcodes);
  out.node_features = std::move(near.node_features);
  out.operand_offsets = std::move(near.operand_offsets);
  out.operands = std::move(near.operands);
  for (uint32_t& node : configurable) node = place(kept, node);
  out.layouts = LayoutRows(std::move(configurable));
  for (const data::Sample& sample : graph.samples) {
    if (!out.layouts.add_sample(layout_values(sample.configuration, graph.record.form))) {
      return misfit("a configuration has not 18 numbers from -1 to 5 for each configurable node");
    }
  }
  out.layouts.finish();
  return {};
}

}  // namespace hloscope::predict
