#include "core/predict/encode_nodes.h"

#include <algorithm>

#include "core/features/node_table.h"

namespace hloscope::predict {

namespace {

constexpr int64_t kLanes = 128;

// Edges: of a consumer and its producer, by consumer.
template <typename Edges>
void take_edges(const Edges& edges, Example& out) {
  const size_t nodes = out.nodes();
  out.operand_offsets.assign(nodes + 1, 0);
  out.operands.reserve(edges.size());
  for (const auto& [consumer, producer] : edges) {
    out.operands.push_back(producer);
    ++out.operand_offsets[consumer + 1];
  }
  for (size_t i = 0; i < nodes; ++i) out.operand_offsets[i + 1] += out.operand_offsets[i];
}

// Where a feature stands in its group.
size_t offset_of(features::Group group, std::string_view name) {
  size_t offset = 0;
  for (const features::NodeFeature& row : features::node_table()) {
    if (row.feature.group != group) continue;
    if (row.feature.name == name) break;
    offset += features::width(row.feature);
  }
  return offset;
}

/// Where the extra features that follow from those of TpuGraphs stand in a row.
struct DerivedColumns {
  size_t sizes = offset_of(features::Group::kNode, "shape_dimensions");
  size_t remainders = features::width(features::Group::kNode) +
                      offset_of(features::Group::kExtra, "shape_dimensions_mod_128");
  size_t quotients = features::width(features::Group::kNode) +
                     offset_of(features::Group::kExtra, "shape_dimensions_div_128");
  size_t layout = offset_of(features::Group::kNode, "layout_minor_to_major");
  size_t layout_or_absent = features::width(features::Group::kNode) +
                            offset_of(features::Group::kExtra, "layout_minor_to_major_or_absent");
};

// A row of 140 features does not tell the rank; dimensions of size 0 are as good as none.
void derive_extras(std::span<float> row) {
  static const DerivedColumns columns;
  constexpr size_t kSizes = 6;
  for (size_t i = 0; i < kSizes; ++i) {
    const auto size = static_cast<int64_t>(row[columns.sizes + i]);
    if (size <= 0) continue;
    row[columns.remainders + i] = static_cast<float>(size % kLanes);
    row[columns.quotients + i] = static_cast<float>(size / kLanes);
    row[columns.layout_or_absent + i] = row[columns.layout + i];
  }
}

}  // namespace

void take_graph(const features::Graph& graph, const NodeColumns& columns, Example& out) {
  out.opcodes = features::opcodes(graph);
  const features::NodeMatrix matrix = features::node_features(graph, columns.groups);
  for (size_t i = 0; i < out.nodes(); ++i) {
    out.node_features.add_row(std::span(matrix.values).subspan(i * matrix.width, matrix.width),
                              columns.empty);
  }
  out.node_features.shrink_to_fit();
  take_edges(graph.edges, out);
}

void take_graph(const data::TpuGraph& graph, const NodeColumns& columns, Example& out) {
  out.opcodes = graph.opcodes;
  std::vector<float> row(columns.empty.size());
  for (size_t i = 0; i < graph.nodes(); ++i) {
    std::copy(columns.empty.begin(), columns.empty.end(), row.begin());
    std::copy_n(graph.node_features.data() + i * data::kTpuNodeFeatures, data::kTpuNodeFeatures,
                row.data());
    if (row.size() > data::kTpuNodeFeatures) derive_extras(row);
    out.node_features.add_row(row, columns.empty);
  }
  out.node_features.shrink_to_fit();
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  for (const data::TpuGraph::Edge& edge : graph.edges) {
    edges.emplace_back(edge.consumer, edge.producer);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  take_edges(edges, out);
}

}  // namespace hloscope::predict
