#include "core/predict/encode.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/data/packed_graph.h"
#include "core/features/configuration.h"
#include "core/features/graph.h"
#include "core/features/node_table.h"
#include "core/hlo/read.h"
#include "core/sim/estimate.h"
#include "core/sim/tile_space.h"

namespace hloscope::predict {

namespace {

constexpr size_t kTileLists = 3;
constexpr int64_t kLanes = 128;

tl::unexpected<Error> misfit(const data::GraphRecord& graph, const std::string& message) {
  return fail(ErrorCode::kInvalidInput, fmt::format("graph {}: {}", graph.label, message),
              "make the data set again from its files");
}

// Edges: of a consumer and its producer, by consumer.
template <typename Edges>
void take_edges(size_t nodes, const Edges& edges, Example& out) {
  out.operand_offsets.assign(nodes + 1, 0);
  out.operands.reserve(edges.size());
  for (const auto& [consumer, producer] : edges) {
    out.operands.push_back(producer);
    ++out.operand_offsets[consumer + 1];
  }
  for (size_t i = 0; i < nodes; ++i) out.operand_offsets[i + 1] += out.operand_offsets[i];
}

void take_rows(std::span<const float> values, const NodeColumns& columns, Example& out) {
  const size_t width = columns.empty.size();
  for (size_t i = 0; i < out.nodes(); ++i) {
    out.node_features.add_row(values.subspan(i * width, width), columns.empty);
  }
  out.node_features.shrink_to_fit();
}

Status encode_nodes(const hlo::Program& program, hlo::InstructionId kernel,
                    const NodeColumns& columns, Example& out) {
  HLOSCOPE_ASSIGN(const features::Graph graph, features::kernel_graph(program, kernel));
  out.opcodes = features::opcodes(graph);
  take_rows(features::node_features(graph, columns.groups).values, columns, out);
  take_edges(out.nodes(), graph.edges, out);
  out.static_features = features::kernel_static_features(program, kernel);
  return {};
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

Status encode_features(const data::GraphRecord& record, const NodeColumns& columns, Example& out) {
  HLOSCOPE_ASSIGN(const data::TpuGraph graph, data::unpack_graph(record.content));
  out.opcodes = graph.opcodes;
  const size_t width = columns.empty.size();
  std::vector<float> row(width);
  for (size_t i = 0; i < graph.nodes(); ++i) {
    std::copy(columns.empty.begin(), columns.empty.end(), row.begin());
    std::copy_n(graph.node_features.data() + i * data::kTpuNodeFeatures, data::kTpuNodeFeatures,
                row.data());
    if (width > data::kTpuNodeFeatures) derive_extras(row);
    out.node_features.add_row(row, columns.empty);
  }
  out.node_features.shrink_to_fit();
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  for (const data::TpuGraph::Edge& edge : graph.edges) {
    edges.emplace_back(edge.consumer, edge.producer);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  take_edges(graph.nodes(), edges, out);
  return {};
}

Status append_tile(const data::Sample& sample, const data::GraphRecord& record,
                   std::vector<float>& out) {
  const data::Configuration& lists = sample.configuration;
  if (record.form == data::GraphForm::kHlo) {
    if (lists.size() > kTileLists) return misfit(record, "a tile has more than three lists");
    const features::ConfigurationView view(lists.begin(), lists.end());
    features::append_configuration_features(features::Group::kTile, view, out);
    return {};
  }
  if (lists.size() != 1 || lists.front().size() != data::kTpuTileFeatures) {
    return misfit(record, "a tile has not 24 features");
  }
  for (const int64_t value : lists.front()) out.push_back(static_cast<float>(value));
  return {};
}

// The factor that brings times of different hosts to one.
std::vector<double> host_factors(std::span<const data::Sample> samples) {
  std::vector<double> factors(samples.size(), 1);
  double sum = 0;
  bool differ = false;
  for (const data::Sample& sample : samples) {
    if (sample.normalizer_ns.value_or(0) <= 0) return factors;
    differ = differ || sample.normalizer_ns != samples.front().normalizer_ns;
    sum += *sample.normalizer_ns;
  }
  if (!differ) return factors;
  const double mean_ns = sum / static_cast<double>(samples.size());
  for (size_t i = 0; i < samples.size(); ++i) factors[i] = mean_ns / *samples[i].normalizer_ns;
  return factors;
}

Status encode_samples(const GraphSamples& graph, data::Task task, Example& out) {
  std::vector<double> factors(graph.samples.size(), 1);
  if (task == data::Task::kTile) factors = host_factors(graph.samples);
  out.times_ns.reserve(graph.samples.size());
  if (task == data::Task::kTile) {
    out.tile_features.reserve(graph.samples.size() * features::width(features::Group::kTile));
  }
  std::optional<size_t> default_sample;
  for (size_t i = 0; i < graph.samples.size(); ++i) {
    const data::Sample& sample = graph.samples[i];
    out.times_ns.push_back(sample.time_ns * factors[i]);
    if (sample.is_default && !default_sample) default_sample = i;
    if (task == data::Task::kTile) {
      HLOSCOPE_TRY(append_tile(sample, graph.record, out.tile_features));
    }
  }
  if (!out.times_ns.empty()) {
    out.default_sample = static_cast<uint32_t>(default_sample.value_or(out.fastest()));
  }
  return {};
}

std::vector<double> analytical_times(const hlo::Program& program, hlo::InstructionId kernel,
                                     std::span<const data::Sample> samples,
                                     const sim::Rates& rates) {
  const sim::KernelModel model = sim::kernel_model(program, kernel);
  std::vector<double> out;
  out.reserve(samples.size());
  for (const data::Sample& sample : samples) {
    const data::Configuration& lists = sample.configuration;
    if (model.kind != sim::KernelKind::kTiled) {
      out.push_back(sim::estimate(model, {}, rates).time_ns);
      continue;
    }
    if (lists.size() < 2) {
      out.push_back(sim::estimate(model, sim::default_bounds(model, rates), rates).time_ns);
      continue;
    }
    const auto bounds = sim::loop_bounds(model, {.output = lists[1], .kernel = lists[0]});
    out.push_back(bounds ? sim::estimate(model, *bounds, rates).time_ns
                         : std::numeric_limits<double>::quiet_NaN());
  }
  return out;
}

Status encode_hlo(const GraphSamples& graph, const EncodeOptions& options,
                  const NodeColumns& columns, Example& out) {
  HLOSCOPE_ASSIGN(const hlo::ProgramPtr program,
                  hlo::parse_program(graph.record.content, graph.record.label));
  const hlo::InstructionId kernel = (*program)[program->entry()].root;
  HLOSCOPE_TRY(encode_nodes(*program, kernel, columns, out));
  if (options.rates) {
    out.analytical_ns = analytical_times(*program, kernel, graph.samples, *options.rates);
  }
  return {};
}

Result<Example> encode_with(const GraphSamples& graph, const EncodeOptions& options,
                            const NodeColumns& columns) {
  if (options.task == data::Task::kLayout) {
    return fail(ErrorCode::kUnsupported, "layouts of whole programs cannot be encoded as examples",
                "take a data set of task tile or fusion");
  }
  Example out;
  out.hash = graph.record.hash;
  out.label = graph.record.label;
  out.op_class = graph.record.op_class;
  Status status = graph.record.form == data::GraphForm::kHlo
                      ? encode_hlo(graph, options, columns, out)
                      : encode_features(graph.record, columns, out);
  if (!status) {
    Error error = std::move(status).error();
    error.message = fmt::format("graph {}: {}", graph.record.label, error.message);
    return fail(std::move(error));
  }
  HLOSCOPE_TRY(encode_samples(graph, options.task, out));
  return out;
}

}  // namespace

Result<Example> encode(const GraphSamples& graph, const EncodeOptions& options) {
  return encode_with(graph, options, node_columns(options.with_extras));
}

Result<std::vector<Example>> encode_all(std::span<const GraphSamples> graphs,
                                        const EncodeOptions& options, ThreadPool& pool,
                                        const Progress& progress) {
  const NodeColumns columns = node_columns(options.with_extras);
  std::vector<Result<Example>> results(graphs.size());
  pool.parallel_for(graphs.size(), [&](size_t i) {
    if (!progress.stop_requested()) results[i] = encode_with(graphs[i], options, columns);
  });
  if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "stopped while encoding");
  std::vector<Example> out;
  out.reserve(graphs.size());
  for (Result<Example>& result : results) {
    if (!result) return fail(std::move(result).error());
    out.push_back(std::move(*result));
  }
  return out;
}

}  // namespace hloscope::predict
