#include "core/predict/pooled_features.h"

#include <algorithm>
#include <cmath>

#include "core/predict/normaliser.h"

namespace hloscope::predict {

namespace {

using Eigen::Index;

constexpr size_t kOpcodeCounts = 256;

void pool_nodes(const Batch<float>& batch, size_t graph, double* out) {
  const auto width = static_cast<size_t>(batch.node_features.cols());
  const size_t begin = batch.node_offsets[graph];
  const size_t end = batch.node_offsets[graph + 1];
  if (begin == end) return;
  for (size_t c = 0; c < width; ++c) out[width + c] = -Normaliser::kLimit;
  for (size_t i = begin; i < end; ++i) {
    const float* row = batch.node_features.data() + i * width;
    for (size_t c = 0; c < width; ++c) {
      out[c] += row[c];
      out[width + c] = std::max(out[width + c], double{row[c]});
    }
    out[2 * width + batch.opcodes[i]] += 1;
  }
  for (size_t c = 0; c < width; ++c) out[c] /= static_cast<double>(end - begin);
  for (size_t c = 0; c < kOpcodeCounts; ++c) out[2 * width + c] = std::log1p(out[2 * width + c]);
  out[2 * width + kOpcodeCounts] = std::log1p(static_cast<double>(end - begin));
}

}  // namespace

nn::Matrix<double> pooled_features(const Batch<float>& batch) {
  const Index nodes = 2 * batch.node_features.cols() + static_cast<Index>(kOpcodeCounts) + 1;
  const auto graphs = static_cast<Index>(batch.graphs());
  nn::Matrix<double> out = nn::Matrix<double>::Zero(graphs, nodes + batch.graph_features.cols());
  for (Index g = 0; g < graphs; ++g) {
    pool_nodes(batch, static_cast<size_t>(g), out.row(g).data());
    out.row(g).tail(batch.graph_features.cols()) = batch.graph_features.row(g).cast<double>();
  }
  return out;
}

}  // namespace hloscope::predict
