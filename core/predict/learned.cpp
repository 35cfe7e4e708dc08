#include "core/predict/learned.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "core/predict/batching.h"
#include "core/predict/estimate_features.h"
#include "core/predict/sampler.h"

namespace hloscope::predict {

namespace {

// Batches that are worked on at once: this bounds the memory of tapes.
constexpr size_t kAtOnce = 4;
constexpr size_t kNodes = 1000;
// With early join every node stands once for each sample.
constexpr size_t kSamples = 4096;
constexpr size_t kSamplesEarly = 128;
constexpr size_t kRowsEarly = 32768;

class Predictor {
 public:
  Predictor(const ExampleSet& set, const LearnedModel& learned)
      : model_(learned.model), batcher_(set, learned.normaliser) {
    for (size_t i = 0; i < kAtOnce; ++i) {
      tapes_.push_back(std::make_unique<nn::Tape<float>>(model_.parameters()));
      tapes_.back()->set_recording(false);
    }
    batches_.resize(kAtOnce);
  }

  // The scores of the samples of a batch, in their order. `slot`: whose memory is used.
  std::vector<double> scores(std::span<const Chosen> chosen, size_t slot) {
    batcher_.fill(chosen, batches_[slot]);
    nn::Tape<float>& tape = *tapes_[slot];
    tape.reset();
    const auto values = tape.value(model_.predict(tape, batches_[slot]));
    std::vector<double> out(static_cast<size_t>(values.rows()));
    const bool is_log = predicts_time(model_.options().loss);
    for (size_t i = 0; i < out.size(); ++i) {
      const auto value = static_cast<double>(values(static_cast<Eigen::Index>(i), 0));
      out[i] = is_log ? std::exp(value) : value;
    }
    return out;
  }

 private:
  const Model<float>& model_;
  Batcher batcher_;
  std::vector<std::unique_ptr<nn::Tape<float>>> tapes_;
  std::vector<Batch<float>> batches_;
};

// Appends the scores of each example to its own.
void distribute(std::span<const Chosen> chosen, const std::vector<double>& scores,
                const std::map<uint32_t, size_t>& positions, Predictions& out) {
  auto next = scores.begin();
  for (const Chosen& one : chosen) {
    const auto end = next + static_cast<std::ptrdiff_t>(one.samples.size());
    std::vector<double>& to = out.scores[positions.at(one.example)];
    to.insert(to.end(), next, end);
    next = end;
  }
}

std::string_view what_for(data::Task task) {
  if (task == data::Task::kLayout) return "layouts of programs";
  return task == data::Task::kTile ? "tiles" : "times of kernels";
}

// Configurations of a graph in a batch, at most.
size_t samples_at_once(const ExampleSet& set, std::span<const uint32_t> examples,
                       ConfigurationJoin join) {
  if (!runs_per_sample(join)) return kSamples;
  size_t nodes = 1;
  for (const uint32_t at : examples) nodes = std::max(nodes, set.examples[at].nodes());
  return std::clamp<size_t>(kRowsEarly / nodes, 1, kSamplesEarly);
}

}  // namespace

Status check_normaliser(const LearnedModel& learned) {
  const Normaliser& normaliser = learned.normaliser;
  const auto is_one_of = [](size_t width, size_t a, size_t b) { return width == a || width == b; };
  const bool tiles = normaliser.task() == data::Task::kTile;
  if (is_one_of(normaliser.graph.width, 0, features::width(features::Group::kStatic)) &&
      is_one_of(normaliser.estimate.width, 0, estimate_feature_names().size()) &&
      (!tiles || normaliser.configuration.width == features::width(features::Group::kTile)) &&
      normaliser.widths() == learned.model.widths()) {
    return {};
  }
  return fail(ErrorCode::kInvalidInput,
              "the normaliser does not give what the model takes: the file is damaged",
              "train the model again");
}

Status check_fits(const ExampleSet& set, const LearnedModel& learned) {
  HLOSCOPE_TRY(check_normaliser(learned));
  const data::Task task = learned.normaliser.task();
  const bool estimates = learned.model.options().analytical != Analytical::kOff;
  if (task != set.info.task) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("the model was trained for {}, but the data set is of task {}",
                            what_for(task), data::name(set.info.task)),
                "evaluate it with a data set of its own task");
  }
  if (estimates && !set.has_estimates()) {
    return fail(
        ErrorCode::kInvalidInput,
        "the model corrects the analytical model, which knows nothing of these graphs: they "
        "have features only",
        R"(train one with the model option "analytical": "off")");
  }
  if (learned.normaliser.node.width == set.columns.empty.size()) return {};
  return fail(ErrorCode::kInvalidInput,
              fmt::format("the model takes {} features of a node, but the data set gives {}",
                          learned.normaliser.node.width, set.columns.empty.size()),
              "train it again with this program");
}

Result<Predictions> predict_learned(const ExampleSet& set, std::span<const uint32_t> examples,
                                    const LearnedModel& learned, ThreadPool& pool,
                                    const Progress& progress) {
  HLOSCOPE_TRY(check_fits(set, learned));
  Predictions out;
  out.examples.assign(examples.begin(), examples.end());
  out.scores.resize(examples.size());
  std::map<uint32_t, size_t> positions;
  for (size_t i = 0; i < examples.size(); ++i) positions.emplace(examples[i], i);
  const size_t samples = samples_at_once(set, examples, learned.model.options().join);
  const auto batches = full_pass(set, examples, kNodes, samples);
  Predictor predictor(set, learned);
  std::vector<std::vector<double>> scores(kAtOnce);
  for (size_t begin = 0; begin < batches.size(); begin += kAtOnce) {
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "stopped while predicting");
    progress.report(static_cast<double>(begin) / static_cast<double>(batches.size()), "predicting");
    const size_t count = std::min(kAtOnce, batches.size() - begin);
    pool.parallel_for(count,
                      [&](size_t i) { scores[i] = predictor.scores(batches[begin + i], i); });
    for (size_t i = 0; i < count; ++i) distribute(batches[begin + i], scores[i], positions, out);
  }
  return out;
}

}  // namespace hloscope::predict
