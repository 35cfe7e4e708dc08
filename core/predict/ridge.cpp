#include "core/predict/ridge.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "core/predict/batching.h"
#include "core/predict/layout_batch.h"
#include "core/predict/pooled_features.h"

namespace hloscope::predict {

namespace {

using Rows = nn::Matrix<double>;
using Eigen::Index;

constexpr size_t kExamplesAtOnce = 256;
// exp() of what a linear model says of a strange kernel must stay finite.
constexpr double kMaxLogNs = 50;

/// Features and targets of some samples; groups of rows that belong together.
struct Design {
  Rows x;
  Eigen::VectorXd y;
};

Design pooled(const Batch<float>& batch) {
  const auto graphs = static_cast<Index>(batch.graphs());
  Design out{pooled_features(batch), Eigen::VectorXd(graphs)};
  for (Index g = 0; g < graphs; ++g) out.y[g] = batch.targets[static_cast<size_t>(g)];
  return out;
}

// A row per sample: [configuration | configuration x static], centred over the samples of each
// kernel.
Design centred(const Batch<float>& batch, const Rows& configurations) {
  const Index tile = configurations.cols();
  const Index statics = batch.graph_features.cols();
  const auto samples = static_cast<Index>(batch.samples());
  Design out{Rows(samples, tile * (1 + statics)), Eigen::VectorXd(samples)};
  for (size_t g = 0; g < batch.graphs(); ++g) {
    const Index begin = batch.sample_offsets[g];
    const Index count = batch.sample_offsets[g + 1] - begin;
    if (count == 0) continue;
    auto rows = out.x.middleRows(begin, count);
    rows.leftCols(tile) = configurations.middleRows(begin, count);
    for (Index s = 0; s < statics; ++s) {
      const double factor = batch.graph_features(static_cast<Index>(g), s);
      rows.middleCols(tile * (1 + s), tile) = factor * rows.leftCols(tile);
    }
    rows.rowwise() -= rows.colwise().mean().eval();
    for (Index i = begin; i < begin + count; ++i) out.y[i] = batch.targets[static_cast<size_t>(i)];
    auto targets = out.y.segment(begin, count);
    targets.array() -= targets.mean();
  }
  return out;
}

/// Makes the rows of a model, some examples at a time.
class Designer {
 public:
  Designer(const ExampleSet& set, const Normaliser& normaliser)
      : batcher_(set, normaliser), set_(set) {}

  [[nodiscard]] bool ranks() const { return set_.is_ranked(); }
  [[nodiscard]] Design rows(std::span<const uint32_t> examples) const {
    std::vector<Chosen> chosen;
    for (const uint32_t at : examples) {
      Chosen one{at, {set_.examples[at].default_sample}};
      if (ranks()) {
        one.samples.resize(set_.examples[at].samples());
        for (uint32_t i = 0; i < one.samples.size(); ++i) one.samples[i] = i;
      }
      chosen.push_back(std::move(one));
    }
    const Batch<float> batch = batcher_.batch(chosen);
    if (!ranks()) return pooled(batch);
    return centred(batch, set_.info.task == data::Task::kLayout
                              ? layout_counts(batch)
                              : Rows(batch.configurations.cast<double>()));
  }

 private:
  Batcher batcher_;
  const ExampleSet& set_;
};

/// Sums from which the weights follow, with the means taken out where there is an intercept.
class NormalEquations {
 public:
  void add(const Design& rows) {
    const Index n = rows.x.cols();
    if (xx_.size() == 0) {
      xx_ = Eigen::MatrixXd::Zero(n, n);
      xy_ = x_ = Eigen::VectorXd::Zero(n);
    }
    xx_.selfadjointView<Eigen::Lower>().rankUpdate(rows.x.transpose());
    xy_ += rows.x.transpose() * rows.y;
    x_ += rows.x.colwise().sum().transpose();
    y_ += rows.y.sum();
    count_ += static_cast<double>(rows.x.rows());
  }
  [[nodiscard]] double count() const { return count_; }

  [[nodiscard]] RidgeModel solve(double penalty, bool has_intercept) const {
    Eigen::MatrixXd a = xx_.selfadjointView<Eigen::Lower>();
    Eigen::VectorXd b = xy_;
    if (has_intercept) {
      a -= x_ * x_.transpose() / count_;
      b -= x_ * (y_ / count_);
    }
    a.diagonal().array() += penalty;
    const Eigen::VectorXd weights = a.ldlt().solve(b);
    RidgeModel out;
    out.weights.assign(weights.data(), weights.data() + weights.size());
    if (has_intercept) out.intercept = (y_ - x_.dot(weights)) / count_;
    return out;
  }

 private:
  Eigen::MatrixXd xx_;
  Eigen::VectorXd xy_, x_;
  double y_ = 0;
  double count_ = 0;
};

// Calls each(examples) for some at a time.
template <typename Each>
Status in_pieces(std::span<const uint32_t> examples, const Progress& progress, Each each) {
  for (size_t begin = 0; begin < examples.size(); begin += kExamplesAtOnce) {
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
    progress.report(static_cast<double>(begin) / static_cast<double>(examples.size()),
                    "ridge regression");
    each(examples.subspan(begin, std::min(kExamplesAtOnce, examples.size() - begin)));
  }
  return {};
}

}  // namespace

Result<RidgeModel> fit_ridge(const ExampleSet& set, std::span<const uint32_t> training,
                             const Normaliser& normaliser, const RidgeOptions& options,
                             const Progress& progress) {
  const Designer designer(set, normaliser);
  NormalEquations equations;
  HLOSCOPE_TRY(in_pieces(training, progress, [&](std::span<const uint32_t> piece) {
    equations.add(designer.rows(piece));
  }));
  if (equations.count() == 0) {
    return fail(ErrorCode::kInvalidInput, "there is no kernel to learn from",
                "take a split whose train part is not empty");
  }
  return equations.solve(options.penalty, !designer.ranks());
}

Result<Predictions> predict_ridge(const ExampleSet& set, std::span<const uint32_t> examples,
                                  const Normaliser& normaliser, const RidgeModel& model,
                                  const Progress& progress) {
  const Designer designer(set, normaliser);
  const Eigen::Map<const Eigen::VectorXd> weights(model.weights.data(),
                                                  static_cast<Index>(model.weights.size()));
  Predictions out;
  HLOSCOPE_TRY(in_pieces(examples, progress, [&](std::span<const uint32_t> piece) {
    const Eigen::VectorXd scores = designer.rows(piece).x * weights;
    Index row = 0;
    for (const uint32_t at : piece) {
      const Example& example = set.examples[at];
      out.examples.push_back(at);
      if (designer.ranks()) {
        const auto count = static_cast<Index>(example.samples());
        out.scores.emplace_back(scores.data() + row, scores.data() + row + count);
        row += count;
      } else {
        const double log_ns = std::clamp(model.intercept + scores[row++], -kMaxLogNs, kMaxLogNs);
        out.scores.emplace_back(example.samples(), std::exp(log_ns));
      }
    }
  }));
  return out;
}

}  // namespace hloscope::predict
