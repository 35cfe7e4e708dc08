#include "core/predict/novelty.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/predict/batching.h"
#include "core/predict/pooled_features.h"
#include "core/predict/sampler.h"

namespace hloscope::predict {

namespace {

using Eigen::Index;
using Json = nlohmann::ordered_json;

constexpr size_t kEncodedAtOnce = 64;
constexpr size_t kMostFitted = 8192;
constexpr Index kDirections = 32;
// Directions that vary less, relative to the first, are left to the rest, which counts as no less:
// far below, it would be the rounding of the numbers in the file.
constexpr double kLeastVariance = 1e-4;

constexpr const char* kKey = "novelty";
constexpr const char* kMean = "novelty/mean";
constexpr const char* kDirectionTensor = "novelty/directions";
constexpr const char* kScales = "novelty/scales";
constexpr const char* kOpcodesTensor = "novelty/opcodes";

nn::Matrix<double> pooled_rows(const ExampleSet& set, std::span<const uint32_t> examples,
                               const Normaliser& normaliser, ThreadPool& pool) {
  const Batcher batcher(set, normaliser);
  const size_t parts = (examples.size() + kEncodedAtOnce - 1) / kEncodedAtOnce;
  std::vector<nn::Matrix<double>> rows(parts);
  pool.parallel_for(parts, [&](size_t part) {
    const size_t begin = part * kEncodedAtOnce;
    std::vector<Chosen> chosen;
    for (const uint32_t at :
         examples.subspan(begin, std::min(kEncodedAtOnce, examples.size() - begin))) {
      chosen.push_back({at, {set.examples[at].default_sample}});
    }
    rows[part] = pooled_features(batcher.batch(chosen));
  });
  nn::Matrix<double> out(static_cast<Index>(examples.size()), rows.empty() ? 0 : rows[0].cols());
  Index next = 0;
  for (const nn::Matrix<double>& part : rows) {
    out.middleRows(next, part.rows()) = part;
    next += part.rows();
  }
  return out;
}

double value_at_share(std::vector<double> values, double share) {
  if (values.empty()) return std::numeric_limits<double>::max();
  const auto rank = static_cast<size_t>(share * static_cast<double>(values.size() - 1));
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

tl::unexpected<Error> damaged(const char* what) {
  return fail(ErrorCode::kInvalidInput,
              fmt::format("'{}', which tells strange kernels, is missing or damaged", what),
              "train the model again");
}

Result<std::vector<float>> numbers(const nn::SafeTensors& content, const char* name,
                                   std::span<const uint64_t> shape) {
  const nn::Tensor* tensor = content.find(name);
  if (tensor == nullptr || tensor->type != nn::ElementType::kF32 ||
      !std::ranges::equal(tensor->shape, shape)) {
    return damaged(name);
  }
  std::vector<float> out = nn::tensor_values<float>(*tensor);
  if (std::ranges::all_of(out, [](float value) { return std::isfinite(value); })) return out;
  return damaged(name);
}

std::optional<double> positive(const Json& json, const char* key) {
  const auto at = json.find(key);
  if (at == json.end() || !at->is_number()) return std::nullopt;
  const auto value = at->get<double>();
  return std::isfinite(value) && value >= 0 ? std::optional(value) : std::nullopt;
}

}  // namespace

double Novelty::distance(std::span<const double> pooled) const {
  const auto width = static_cast<Index>(mean_.size());
  const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(pooled.data(), width) -
                            Eigen::Map<const Eigen::VectorXf>(mean_.data(), width).cast<double>();
  const Eigen::VectorXd along = directions_.cast<double>() * x;
  double sum = 0;
  for (Index i = 0; i < along.size(); ++i) {
    const double z = along[i] * double{scales_[static_cast<size_t>(i)]};
    sum += z * z;
  }
  if (along.size() > 0) sum /= static_cast<double>(along.size());
  const double rest = std::max(0.0, x.squaredNorm() - along.squaredNorm());
  return std::sqrt(sum + rest * rest_scale_ * rest_scale_);
}

std::vector<double> Novelty::distances(const ExampleSet& set, std::span<const uint32_t> examples,
                                       const Normaliser& normaliser, ThreadPool& pool) const {
  std::vector<double> out(examples.size(), std::numeric_limits<double>::infinity());
  const nn::Matrix<double> rows = pooled_rows(set, examples, normaliser, pool);
  if (static_cast<size_t>(rows.cols()) != mean_.size()) return out;
  pool.parallel_for(examples.size(), [&](size_t i) {
    const Example& example = set.examples[examples[i]];
    const bool is_known = std::ranges::all_of(
        example.opcodes, [this](uint8_t opcode) { return opcodes_[opcode] > 0; });
    if (is_known) out[i] = distance({rows.row(static_cast<Index>(i)).data(), mean_.size()});
  });
  return out;
}

std::vector<uint8_t> Novelty::are_far(const ExampleSet& set, std::span<const uint32_t> examples,
                                      const Normaliser& normaliser, ThreadPool& pool) const {
  std::vector<uint8_t> out;
  for (const double distance : distances(set, examples, normaliser, pool)) {
    out.push_back(distance > threshold_ ? 1 : 0);
  }
  return out;
}

Novelty fit_novelty(const ExampleSet& set, std::span<const uint32_t> training,
                    const Normaliser& normaliser, ThreadPool& pool) {
  Novelty out;
  for (const uint32_t at : training) {
    for (const uint8_t opcode : set.examples[at].opcodes) out.opcodes_[opcode] = 1;
  }
  const std::vector<uint32_t> fitted = thinned(training, kMostFitted);
  nn::Matrix<double> rows = pooled_rows(set, fitted, normaliser, pool);
  const Eigen::VectorXd mean = rows.colwise().mean();
  rows.rowwise() -= mean.transpose();
  const auto count = static_cast<double>(std::max<Index>(rows.rows(), 1));
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(rows.transpose() * rows / count);
  const Eigen::VectorXd& variances = solver.eigenvalues();  // Ascending.
  const Index width = rows.cols();
  const double least = variances[width - 1] * kLeastVariance;
  Index kept = 0;
  while (kept < std::min(kDirections, width) && variances[width - 1 - kept] > least) ++kept;
  out.directions_.resize(kept, width);
  for (Index i = 0; i < kept; ++i) {
    out.directions_.row(i) = solver.eigenvectors().col(width - 1 - i).cast<float>();
    out.scales_.push_back(static_cast<float>(1 / std::sqrt(variances[width - 1 - i])));
  }
  const double rest = std::max(variances.head(width - kept).sum(), least);
  out.rest_scale_ = rest > 0 ? 1 / std::sqrt(rest) : 0;
  for (const double value : mean) out.mean_.push_back(static_cast<float>(value));
  out.threshold_ = value_at_share(out.distances(set, fitted, normaliser, pool), Novelty::kQuantile);
  return out;
}

void Novelty::save(nn::SafeTensors& content) const {
  const Json json = {
      {"threshold", threshold_}, {"rest_scale", rest_scale_}, {"quantile", kQuantile}};
  content.metadata[kKey] = json.dump();
  const uint64_t width = mean_.size();
  const uint64_t kept = scales_.size();
  content.tensors.push_back(nn::make_tensor(kMean, {width}, std::span<const float>(mean_)));
  content.tensors.push_back(nn::make_tensor(
      kDirectionTensor, {kept, width},
      std::span<const float>(directions_.data(), static_cast<size_t>(directions_.size()))));
  content.tensors.push_back(nn::make_tensor(kScales, {kept}, std::span<const float>(scales_)));
  content.tensors.push_back(
      nn::make_tensor(kOpcodesTensor, {opcodes_.size()}, std::span<const float>(opcodes_)));
}

Result<std::optional<Novelty>> Novelty::load(const nn::SafeTensors& content) {
  const auto metadata = content.metadata.find(kKey);
  if (metadata == content.metadata.end()) return std::optional<Novelty>();
  const Json json = Json::parse(metadata->second, nullptr, false);
  const auto threshold = json.is_object() ? positive(json, "threshold") : std::nullopt;
  const auto rest_scale = json.is_object() ? positive(json, "rest_scale") : std::nullopt;
  if (!threshold || !rest_scale) return damaged(kKey);
  const nn::Tensor* directions = content.find(kDirectionTensor);
  if (directions == nullptr || directions->shape.size() != 2) return damaged(kDirectionTensor);
  const uint64_t kept = directions->shape[0];
  const uint64_t width = directions->shape[1];
  Novelty out;
  out.threshold_ = *threshold;
  out.rest_scale_ = *rest_scale;
  HLOSCOPE_ASSIGN(out.mean_, numbers(content, kMean, std::array{width}));
  HLOSCOPE_ASSIGN(out.scales_, numbers(content, kScales, std::array{kept}));
  HLOSCOPE_ASSIGN(const std::vector<float> rows,
                  numbers(content, kDirectionTensor, std::array{kept, width}));
  HLOSCOPE_ASSIGN(const std::vector<float> opcodes,
                  numbers(content, kOpcodesTensor, std::array{uint64_t{out.opcodes_.size()}}));
  out.directions_ = Eigen::Map<const nn::Matrix<float>>(rows.data(), static_cast<Index>(kept),
                                                        static_cast<Index>(width));
  std::ranges::copy(opcodes, out.opcodes_.begin());
  return std::optional(std::move(out));
}

}  // namespace hloscope::predict
