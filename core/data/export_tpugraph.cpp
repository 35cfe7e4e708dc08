#include "core/data/export_tpugraph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/data/layout_content.h"
#include "core/data/npz.h"
#include "core/data/packed_graph.h"
#include "core/features/configuration.h"
#include "core/features/graph.h"
#include "core/hlo/read.h"

namespace hloscope::data {

namespace {

tl::unexpected<Error> misfit(const GraphRecord& graph, const std::string& message) {
  return fail(ErrorCode::kInvalidInput, fmt::format("graph {}: {}", graph.label, message),
              "make the data set again from its files");
}

int64_t whole_ns(double time_ns) {
  return std::max<int64_t>(1, std::llround(time_ns));
}

void take_nodes(const features::Graph& graph, TpuGraph& out) {
  constexpr features::Group kGroups[] = {features::Group::kNode};
  out.node_features = features::node_features(graph, kGroups).values;
  out.opcodes = features::opcodes(graph);
  for (const features::Edge& edge : graph.edges)
    out.edges.push_back({edge.consumer, edge.producer});
}

// Everything but configurations and times.
Result<TpuGraph> graph_of(const GraphRecord& record, Task task) {
  if (record.form == GraphForm::kTpuGraph) return unpack_graph(record.content);
  TpuGraph out;
  if (task == Task::kTile) {
    HLOSCOPE_ASSIGN(const hlo::ProgramPtr program,
                    hlo::parse_program(record.content, record.label));
    HLOSCOPE_ASSIGN(const features::Graph graph,
                    features::kernel_graph(*program, (*program)[program->entry()].root));
    take_nodes(graph, out);
    return out;
  }
  out.collection = TpuGraph::Collection::kLayout;
  HLOSCOPE_ASSIGN(const LayoutModule module, read_layout_content(record.content));
  const features::Graph graph = features::module_graph(module.program);
  take_nodes(graph, out);
  out.splits = graph.splits;
  // A node of a whole module has the number of its instruction.
  for (const hlo::InstructionId id : module.configurable)
    out.configurable_nodes.push_back(id.value);
  return out;
}

void append_lists(features::Group group, std::span<const std::vector<int64_t>> lists,
                  std::vector<float>& out) {
  const features::ConfigurationView view(lists.begin(), lists.end());
  features::append_configuration_features(group, view, out);
}

// The row of a configuration; false where it does not fit the graph.
bool append_row(const Configuration& configuration, const GraphRecord& record, TpuGraph& out) {
  constexpr size_t kTileLists = 3;
  constexpr size_t kNodeLists = 3;
  const bool is_tile = out.collection == TpuGraph::Collection::kTile;
  const size_t nodes = out.configurable_nodes.size();
  if (record.form == GraphForm::kTpuGraph) {
    const size_t width = is_tile ? kTpuTileFeatures : nodes * kTpuLayoutFeatures;
    if (configuration.size() != 1 || configuration.front().size() != width) return false;
    for (const int64_t value : configuration.front()) {
      out.configuration_features.push_back(static_cast<float>(value));
    }
    return true;
  }
  const std::span<const std::vector<int64_t>> lists(configuration);
  if (is_tile) {
    if (lists.size() > kTileLists) return false;
    append_lists(features::Group::kTile, lists, out.configuration_features);
    return true;
  }
  if (lists.size() != nodes * kNodeLists) return false;
  for (size_t i = 0; i < nodes; ++i) {
    append_lists(features::Group::kLayout, lists.subspan(i * kNodeLists, kNodeLists),
                 out.configuration_features);
  }
  return true;
}

// For samples that have no normalizer.
double common_normalizer(std::span<const Sample> samples) {
  double least = samples.empty() ? 1 : samples.front().time_ns;
  for (const Sample& sample : samples) {
    if (sample.is_default) return sample.time_ns;
    least = std::min(least, sample.time_ns);
  }
  return least;
}

Array ints_of(Shape shape, std::span<const uint32_t> values) {
  return array_of(std::move(shape), std::vector<int64_t>(values.begin(), values.end()));
}

}  // namespace

Result<TpuGraph> tpugraph_of(const GraphRecord& graph, Task task, std::span<const Sample> samples) {
  if (task == Task::kFusion) {
    return fail(ErrorCode::kUnsupported,
                "a data set of fusion has one time per kernel and no configurations: TpuGraphs has "
                "no place for it",
                "data sets of tiles and layouts can be exported");
  }
  auto out = graph_of(graph, task);
  if (!out) return misfit(graph, out.error().message);
  const bool is_tile = out->collection == TpuGraph::Collection::kTile;
  if (is_tile != (task == Task::kTile))
    return misfit(graph, "is of another task than the data set");
  const double normalizer = common_normalizer(samples);
  for (const Sample& sample : samples) {
    if (!append_row(sample.configuration, graph, *out)) {
      return misfit(graph, "a configuration does not fit it");
    }
    out->runtimes_ns.push_back(whole_ns(sample.time_ns));
    if (is_tile) {
      out->normalizers_ns.push_back(whole_ns(sample.normalizer_ns.value_or(normalizer)));
    }
  }
  return out;
}

Status write_tpugraph(const std::string& path, const TpuGraph& graph) {
  std::vector<int64_t> edges;
  edges.reserve(graph.edges.size() * 2);
  for (const TpuGraph::Edge& edge : graph.edges) {
    edges.push_back(edge.consumer);
    edges.push_back(edge.producer);
  }
  const size_t nodes = graph.nodes();
  const size_t count = graph.configurations();
  std::vector<NamedArray> arrays = {
      {"node_feat", array_of({nodes, kTpuNodeFeatures}, graph.node_features)},
      {"node_opcode", array_of({nodes}, graph.opcodes)},
      {"edge_index", array_of({graph.edges.size(), 2}, edges)}};
  if (graph.collection == TpuGraph::Collection::kTile) {
    arrays.push_back(
        {"config_feat", array_of({count, kTpuTileFeatures}, graph.configuration_features)});
    arrays.push_back({"config_runtime", array_of({count}, graph.runtimes_ns)});
    arrays.push_back({"config_runtime_normalizers", array_of({count}, graph.normalizers_ns)});
    return write_npz(path, arrays);
  }
  const size_t chosen = graph.configurable_nodes.size();
  arrays.push_back({"node_config_feat",
                    array_of({count, chosen, kTpuLayoutFeatures}, graph.configuration_features)});
  arrays.push_back({"node_config_ids", ints_of({chosen}, graph.configurable_nodes)});
  arrays.push_back({"config_runtime", array_of({count}, graph.runtimes_ns)});
  arrays.push_back({"node_splits", ints_of({1, graph.splits.size()}, graph.splits)});
  return write_npz(path, arrays);
}

}  // namespace hloscope::data
