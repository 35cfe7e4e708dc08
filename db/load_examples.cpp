#include "db/load_examples.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/predict/encode.h"
#include "core/predict/layout_split.h"

namespace hloscope::db {

namespace {

constexpr size_t kGraphsAtOnce = 2048;

/// Everything of the data set but what is encoded.
struct Frame {
  std::vector<std::vector<predict::SeenIn>> seen_in;  ///< By graph.
  std::vector<data::Part> parts;                      ///< By graph.
};

Result<Frame> read_frame(const DataSets& data_sets, const LoadOptions& options,
                         predict::ExampleSet& set) {
  HLOSCOPE_ASSIGN(const int64_t count, data_sets.graph_count());
  const auto graphs = static_cast<size_t>(count);
  Frame out;
  out.seen_in.resize(graphs);
  out.parts.assign(graphs, data::Part::kTrain);
  set.program_parts.assign(set.programs.size(), data::Part::kTrain);
  if (!options.split.empty()) {
    HLOSCOPE_ASSIGN(data::Split split, data_sets.split(options.split));
    set.split = split.name;
    set.program_parts = std::move(split.programs);
    out.parts = std::move(split.graphs);
  }
  HLOSCOPE_TRY(data_sets.each_sighting([&out](const Sighting& sighting) {
    out.seen_in[position(sighting.graph)].push_back(
        {sighting.program, sighting.default_executions});
    return true;
  }));
  return out;
}

/// Graphs as they are read, encoded some at a time.
class Loader {
 public:
  Loader(const DataSets& data_sets, Frame frame, const predict::EncodeOptions& options,
         ThreadPool& pool, const Progress& progress)
      : data_sets_(data_sets),
        frame_(std::move(frame)),
        options_(options),
        pool_(pool),
        progress_(progress) {}

  Status load(predict::ExampleSet& set) {
    set.examples.reserve(frame_.parts.size());
    Status status;
    HLOSCOPE_TRY(data_sets_.each_graph([&](StoredGraph graph) {
      status = take(std::move(graph), set);
      if (status && waiting_.size() == kGraphsAtOnce) status = encode_waiting(set);
      return status.has_value();
    }));
    HLOSCOPE_TRY(status);
    return encode_waiting(set);
  }

 private:
  Status take(StoredGraph graph, predict::ExampleSet& set) {
    HLOSCOPE_ASSIGN(std::vector<data::Sample> samples, data_sets_.samples(graph.id));
    if (samples.empty()) {
      ++set.without_samples;
      return {};
    }
    waiting_.push_back({std::move(graph.record), std::move(samples)});
    positions_.push_back(position(graph.id));
    return {};
  }

  Status encode_waiting(predict::ExampleSet& set) {
    HLOSCOPE_ASSIGN(std::vector<predict::Example> examples,
                    predict::encode_all(waiting_, options_, pool_, progress_));
    for (size_t i = 0; i < examples.size(); ++i) {
      examples[i].part = frame_.parts[positions_[i]];
      examples[i].seen_in = std::move(frame_.seen_in[positions_[i]]);
      set.examples.push_back(std::move(examples[i]));
    }
    waiting_.clear();
    positions_.clear();
    progress_.report(static_cast<double>(set.examples.size()) /
                         static_cast<double>(std::max<size_t>(frame_.parts.size(), 1)),
                     "encoding kernels");
    return {};
  }

  const DataSets& data_sets_;
  Frame frame_;
  const predict::EncodeOptions& options_;
  ThreadPool& pool_;
  const Progress& progress_;
  std::vector<predict::GraphSamples> waiting_;
  std::vector<size_t> positions_;
};

}  // namespace

Result<predict::ExampleSet> load_examples(const DataSets& data_sets, const LoadOptions& options,
                                          ThreadPool& pool, const Progress& progress) {
  HLOSCOPE_ASSIGN(const DataSetState state, data_sets.state());
  if (state != DataSetState::kFinished) {
    return fail(ErrorCode::kInvalidInput, "the data set is not finished",
                "go on generating it to the end");
  }
  predict::ExampleSet set;
  HLOSCOPE_ASSIGN(set.info, data_sets.info());
  HLOSCOPE_ASSIGN(set.programs, data_sets.programs());
  set.columns = predict::node_columns(options.with_extras);
  HLOSCOPE_ASSIGN(Frame frame, read_frame(data_sets, options, set));
  predict::EncodeOptions encoding{set.info.task, options.with_extras, std::nullopt};
  // Nothing is estimated of the layouts of whole programs.
  if (options.machine != nullptr && set.info.task != data::Task::kLayout) {
    encoding.rates.emplace(*options.machine);
    set.machine = fmt::format("{}@{}", options.machine->id, options.machine->hash.hex());
  }
  HLOSCOPE_TRY(Loader(data_sets, std::move(frame), encoding, pool, progress).load(set));
  predict::assign_families(set);
  if (options.hold_out_configurations) HLOSCOPE_TRY(predict::hold_out_configurations(set));
  return set;
}

}  // namespace hloscope::db
