#include "core/predict/learned.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
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

// Of models that take the same batches.
class Predictor {
 public:
  Predictor(const ExampleSet& set, std::span<const LearnedModel> models)
      : models_(models), batcher_(set, models.front().normaliser), batches_(kAtOnce) {
    for (size_t i = 0; i < kAtOnce * models.size(); ++i) {
      const Model<float>& model = models[i % models.size()].model;
      tapes_.push_back(std::make_unique<nn::Tape<float>>(model.parameters()));
      tapes_.back()->set_recording(false);
    }
  }

  // The scores of the samples of a batch, in their order, by model. `slot`: whose memory is used.
  std::vector<std::vector<double>> scores(std::span<const Chosen> chosen, size_t slot) {
    batcher_.fill(chosen, batches_[slot]);
    std::vector<std::vector<double>> out;
    for (size_t m = 0; m < models_.size(); ++m) {
      out.push_back(scores(models_[m].model, batches_[slot], *tapes_[slot * models_.size() + m]));
    }
    return out;
  }

 private:
  static std::vector<double> scores(const Model<float>& model, const Batch<float>& batch,
                                    nn::Tape<float>& tape) {
    tape.reset();
    const auto values = tape.value(model.predict(tape, batch));
    std::vector<double> out(static_cast<size_t>(values.rows()));
    const bool is_log = predicts_time(model.options().loss);
    for (size_t i = 0; i < out.size(); ++i) {
      const auto value = static_cast<double>(values(static_cast<Eigen::Index>(i), 0));
      out[i] = is_log ? std::exp(value) : value;
    }
    return out;
  }

  std::span<const LearnedModel> models_;
  Batcher batcher_;
  std::vector<std::unique_ptr<nn::Tape<float>>> tapes_;  // By slot, then model.
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

namespace {

bool take_same_batches(const LearnedModel& a, const LearnedModel& b) {
  return runs_per_sample(a.model.options().join) == runs_per_sample(b.model.options().join) &&
         a.normaliser == b.normaliser;
}

Result<std::vector<Predictions>> predict_together(const ExampleSet& set,
                                                  std::span<const uint32_t> examples,
                                                  std::span<const LearnedModel> models,
                                                  ThreadPool& pool, const Progress& progress) {
  for (const LearnedModel& learned : models) HLOSCOPE_TRY(check_fits(set, learned));
  Predictions none;
  none.examples.assign(examples.begin(), examples.end());
  none.scores.resize(examples.size());
  std::vector<Predictions> out(models.size(), none);
  std::map<uint32_t, size_t> positions;
  for (size_t i = 0; i < examples.size(); ++i) positions.emplace(examples[i], i);
  const size_t samples = samples_at_once(set, examples, models.front().model.options().join);
  const auto batches = full_pass(set, examples, kNodes, samples);
  Predictor predictor(set, models);
  std::vector<std::vector<std::vector<double>>> scores(kAtOnce);  // By slot, then model.
  for (size_t begin = 0; begin < batches.size(); begin += kAtOnce) {
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "stopped while predicting");
    progress.report(static_cast<double>(begin) / static_cast<double>(batches.size()), "predicting");
    const size_t count = std::min(kAtOnce, batches.size() - begin);
    pool.parallel_for(count,
                      [&](size_t i) { scores[i] = predictor.scores(batches[begin + i], i); });
    for (size_t i = 0; i < count; ++i) {
      for (size_t m = 0; m < models.size(); ++m) {
        distribute(batches[begin + i], scores[i][m], positions, out[m]);
      }
    }
  }
  return out;
}

}  // namespace

Result<Predictions> predict_learned(const ExampleSet& set, std::span<const uint32_t> examples,
                                    const LearnedModel& learned, ThreadPool& pool,
                                    const Progress& progress) {
  HLOSCOPE_ASSIGN(std::vector<Predictions> all,
                  predict_all_learned(set, examples, {&learned, 1}, pool, progress));
  return std::move(all.front());
}

Result<std::vector<Predictions>> predict_all_learned(const ExampleSet& set,
                                                     std::span<const uint32_t> examples,
                                                     std::span<const LearnedModel> models,
                                                     ThreadPool& pool, const Progress& progress) {
  std::vector<Predictions> out;
  const auto fraction = [&](size_t done) {
    return static_cast<double>(done) / static_cast<double>(models.size());
  };
  for (size_t begin = 0; begin < models.size();) {
    size_t end = begin + 1;
    while (end < models.size() && take_same_batches(models[begin], models[end])) ++end;
    HLOSCOPE_ASSIGN(std::vector<Predictions> some,
                    predict_together(set, examples, models.subspan(begin, end - begin), pool,
                                     progress.part(fraction(begin), fraction(end))));
    std::ranges::move(some, std::back_inserter(out));
    begin = end;
  }
  return out;
}

}  // namespace hloscope::predict
