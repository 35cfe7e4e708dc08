#include "db/ranked_samples.h"

#include <algorithm>
#include <numeric>

#include "core/data/configuration_text.h"
#include "core/predict/encode.h"
#include "core/sim/machine.h"
#include "db/model_predictions.h"
#include "db/open_data_set.h"

namespace hloscope::db {
namespace {

// A data set of this graph alone.
Result<predict::ExampleSet> set_of(const data::DataSetInfo& info, predict::GraphSamples graph,
                                   ThreadPool& pool) {
  constexpr bool kWithExtras = true;
  predict::ExampleSet set;
  set.info = info;
  set.columns = predict::node_columns(kWithExtras);
  predict::EncodeOptions options{info.task, kWithExtras, std::nullopt};
  if (info.task != data::Task::kLayout) {
    const bool is_simulated = info.target.kind == data::Target::Kind::kSimulated;
    HLOSCOPE_ASSIGN(const sim::Machine machine,
                    sim::find_machine(is_simulated ? info.target.device : "tpu_v3"));
    options.rates.emplace(machine);
  }
  HLOSCOPE_ASSIGN(set.examples, predict::encode_all({&graph, 1}, options, pool));
  return set;
}

// From 1, by position.
std::vector<size_t> score_ranks(const std::vector<double>& scores) {
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&scores](size_t at) { return scores[at]; });
  std::vector<size_t> ranks(scores.size());
  for (size_t i = 0; i < order.size(); ++i) ranks[order[i]] = i + 1;
  return ranks;
}

Status add_ranks(RankedSamples& out, predict::GraphSamples graph, const Progress& progress) {
  if (out.models.empty() || out.samples.empty()) return {};
  ThreadPool pool;
  HLOSCOPE_ASSIGN(const predict::ExampleSet set, set_of(out.info, std::move(graph), pool));
  constexpr uint32_t kOnlyExample = 0;
  for (const std::string& model : out.models) {
    HLOSCOPE_ASSIGN(const ModelPredictions said,
                    model_predictions(set, {&kOnlyExample, 1}, model, pool, progress));
    const std::vector<size_t> ranks = score_ranks(said.predictions.scores.front());
    for (size_t i = 0; i < out.samples.size(); ++i) out.samples[i].ranks.push_back(ranks[i]);
  }
  return {};
}

}  // namespace

Result<RankedSamples> ranked_samples(const RankingOrder& order, const Progress& progress) {
  HLOSCOPE_ASSIGN(Database database, open_data_set(order.file, OpenMode::kReadOnly));
  const DataSets data_sets(database);
  RankedSamples out;
  out.graph = order.graph;
  out.models = order.models;
  HLOSCOPE_ASSIGN(out.info, data_sets.info());
  HLOSCOPE_ASSIGN(StoredGraph graph, data_sets.graph(order.graph));
  HLOSCOPE_ASSIGN(std::vector<data::Sample> samples, data_sets.samples(order.graph));
  std::ranges::stable_sort(samples, {}, &data::Sample::time_ns);
  for (const data::Sample& sample : samples) {
    const data::Sample& fastest = samples.front();
    out.samples.push_back({sample,
                           data::configuration_text(sample.configuration, fastest.configuration,
                                                    out.info.task, graph.record.form),
                           fastest.time_ns > 0 ? sample.time_ns / fastest.time_ns : 1,
                           {}});
  }
  out.record = graph.record;
  out.record.content = {};
  HLOSCOPE_TRY(add_ranks(out, {std::move(graph.record), std::move(samples)}, progress));
  return out;
}

}  // namespace hloscope::db
