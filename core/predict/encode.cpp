#include "core/predict/encode.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/data/packed_graph.h"
#include "core/features/configuration.h"
#include "core/features/graph.h"
#include "core/graph/kernels.h"
#include "core/hlo/read.h"
#include "core/predict/encode_nodes.h"
#include "core/predict/estimate_features.h"
#include "core/predict/layout_encode.h"
#include "core/sim/estimate.h"
#include "core/sim/tile_space.h"

namespace hloscope::predict {

namespace {

constexpr size_t kTileLists = 3;

tl::unexpected<Error> misfit(const data::GraphRecord& graph, const std::string& message) {
  return fail(ErrorCode::kInvalidInput, fmt::format("graph {}: {}", graph.label, message),
              "make the data set again from its files");
}

Status encode_nodes(const hlo::Program& program, hlo::InstructionId kernel,
                    const NodeColumns& columns, Example& out) {
  HLOSCOPE_ASSIGN(const features::Graph graph, features::kernel_graph(program, kernel));
  take_graph(graph, columns, out);
  out.static_features = features::kernel_static_features(program, kernel);
  return {};
}

Status encode_features(const data::GraphRecord& record, const NodeColumns& columns, Example& out) {
  HLOSCOPE_ASSIGN(const data::TpuGraph graph, data::unpack_graph(record.content));
  take_graph(graph, columns, out);
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

Status encode_samples(std::span<const data::Sample> samples, const data::GraphRecord& record,
                      data::Task task, Example& out) {
  std::vector<double> factors(samples.size(), 1);
  if (task == data::Task::kTile) factors = host_factors(samples);
  out.times_ns.reserve(samples.size());
  if (task == data::Task::kTile) {
    out.tile_features.reserve(samples.size() * features::width(features::Group::kTile));
  }
  std::optional<size_t> default_sample;
  for (size_t i = 0; i < samples.size(); ++i) {
    const data::Sample& sample = samples[i];
    out.times_ns.push_back(sample.time_ns * factors[i]);
    if (sample.is_default && !default_sample) default_sample = i;
    if (task == data::Task::kTile) {
      HLOSCOPE_TRY(append_tile(sample, record, out.tile_features));
    }
  }
  if (!out.times_ns.empty()) {
    out.default_sample = static_cast<uint32_t>(default_sample.value_or(out.fastest()));
  }
  return {};
}

// None: the kernel does not have this tile. A configuration without bounds is the default tile.
std::optional<sim::Estimate> estimate_at(const sim::KernelModel& model,
                                         const data::Configuration& lists,
                                         const sim::Rates& rates) {
  if (model.kind != sim::KernelKind::kTiled) return sim::estimate(model, {}, rates);
  if (lists.size() < 2) return sim::estimate(model, sim::default_bounds(model, rates), rates);
  const auto bounds = sim::loop_bounds(model, {.output = lists[1], .kernel = lists[0]});
  if (!bounds) return std::nullopt;
  return sim::estimate(model, *bounds, rates);
}

void encode_estimates(const sim::KernelModel& model, std::span<const data::Sample> samples,
                      const sim::Rates& rates, Example& out) {
  out.analytical_ns.reserve(samples.size());
  out.estimates.reserve(samples.size() * estimate_feature_names().size());
  for (const data::Sample& sample : samples) {
    if (const auto estimate = estimate_at(model, sample.configuration, rates)) {
      out.analytical_ns.push_back(estimate->time_ns);
      append_estimate_features(*estimate, out.estimates);
    } else {
      out.analytical_ns.push_back(std::numeric_limits<double>::quiet_NaN());
      append_unknown_estimate(out.estimates);
    }
  }
}

Status encode_hlo(const KernelSamples& kernel, const EncodeOptions& options,
                  const NodeColumns& columns, Example& out) {
  HLOSCOPE_TRY(encode_nodes(kernel.program, kernel.kernel, columns, out));
  if (options.rates) {
    encode_estimates(sim::kernel_model(kernel.program, kernel.kernel), kernel.samples,
                     *options.rates, out);
  }
  return {};
}

Status encode_text(const GraphSamples& graph, const EncodeOptions& options,
                   const NodeColumns& columns, Example& out) {
  HLOSCOPE_ASSIGN(const hlo::ProgramPtr program,
                  hlo::parse_program(graph.record.content, graph.record.label));
  const hlo::InstructionId root = (*program)[program->entry()].root;
  return encode_hlo({*program, root, graph.samples}, options, columns, out);
}

Status encode_content(const GraphSamples& graph, const EncodeOptions& options,
                      const NodeColumns& columns, Example& out) {
  if (options.task == data::Task::kLayout) return encode_layouts(graph, columns, out);
  return graph.record.form == data::GraphForm::kHlo ? encode_text(graph, options, columns, out)
                                                    : encode_features(graph.record, columns, out);
}

Result<Example> encode_with(const GraphSamples& graph, const EncodeOptions& options,
                            const NodeColumns& columns) {
  Example out;
  out.hash = graph.record.hash;
  out.label = graph.record.label;
  out.op_class = graph.record.op_class;
  Status status = encode_content(graph, options, columns, out);
  if (!status) {
    Error error = std::move(status).error();
    error.message = fmt::format("graph {}: {}", graph.record.label, error.message);
    return fail(std::move(error));
  }
  HLOSCOPE_TRY(encode_samples(graph.samples, graph.record, options.task, out));
  return out;
}

}  // namespace

Result<Example> encode(const GraphSamples& graph, const EncodeOptions& options) {
  return encode_with(graph, options, node_columns(options.with_extras));
}

Result<Example> encode_kernel(const KernelSamples& kernel, const EncodeOptions& options,
                              const NodeColumns& columns) {
  if (options.task == data::Task::kLayout) {
    return fail(ErrorCode::kUnsupported, "a kernel alone has no layouts of task layout",
                "take a model of task tile or fusion");
  }
  data::GraphRecord record;
  record.label = kernel.program[kernel.kernel].name;
  Example out;
  out.label = record.label;
  // Taken out of a large program first: some features look at the whole program.
  HLOSCOPE_ASSIGN(const hlo::ProgramPtr alone, graph::extract(kernel.program, kernel.kernel));
  const hlo::InstructionId root = (*alone)[alone->entry()].root;
  HLOSCOPE_TRY(encode_hlo({*alone, root, kernel.samples}, options, columns, out));
  HLOSCOPE_TRY(encode_samples(kernel.samples, record, options.task, out));
  return out;
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
