#include "tests/core/predict/model_batch.h"

#include <algorithm>

#include "core/base/rng.h"

namespace hloscope::testing {

namespace {

using Operands = std::vector<std::vector<uint32_t>>;

template <typename T>
nn::Matrix<T> random_matrix(size_t rows, size_t cols, Rng& rng) {
  nn::Matrix<T> out(rows, cols);
  std::generate_n(out.data(), out.size(), [&] { return static_cast<T>(2 * rng.uniform() - 1); });
  return out;
}

Operands operands_of(const predict::Batch<double>& batch) {
  Operands out;
  for (size_t i = 0; i + 1 < batch.operand_offsets.size(); ++i) {
    out.emplace_back(batch.operands.begin() + batch.operand_offsets[i],
                     batch.operands.begin() + batch.operand_offsets[i + 1]);
  }
  return out;
}

}  // namespace

template <typename T>
void set_edges(predict::Batch<T>& batch, const Operands& operands) {
  Operands users(operands.size());
  for (uint32_t i = 0; i < operands.size(); ++i) {
    for (const uint32_t operand : operands[i]) users[operand].push_back(i);
  }
  const auto pack = [](const Operands& lists, auto& offsets, auto& indices) {
    offsets = {0};
    indices.clear();
    for (const auto& list : lists) {
      indices.insert(indices.end(), list.begin(), list.end());
      offsets.push_back(static_cast<uint32_t>(indices.size()));
    }
  };
  pack(operands, batch.operand_offsets, batch.operands);
  pack(users, batch.user_offsets, batch.users);
}

template <typename T>
predict::Batch<T> random_batch(uint64_t seed) {
  Rng rng(seed);
  predict::Batch<T> batch;
  batch.node_offsets = {0, 4, 5, 10};
  batch.sample_offsets = {0, 2, 6, 9};
  batch.node_features = random_matrix<T>(10, kBatchWidths.node, rng);
  batch.graph_features = random_matrix<T>(3, kBatchWidths.graph, rng);
  batch.configurations = random_matrix<T>(9, kBatchWidths.configuration, rng);
  batch.analytical = random_matrix<T>(9, 1, rng);
  Operands operands(10);
  for (size_t g = 0; g < 3; ++g) {
    for (uint32_t i = batch.node_offsets[g]; i < batch.node_offsets[g + 1]; ++i) {
      batch.opcodes.push_back(static_cast<uint32_t>(rng.below(7) * 36));
      for (uint32_t j = batch.node_offsets[g]; j < i; ++j) {
        if (rng.below(2) == 0) operands[i].push_back(j);
      }
    }
  }
  set_edges(batch, operands);
  for (size_t s = 0; s < 9; ++s) batch.targets.push_back(static_cast<T>(1 + 2 * rng.uniform()));
  return batch;
}

predict::Batch<double> with_nodes_moved(const predict::Batch<double>& batch,
                                        const std::vector<uint32_t>& to) {
  predict::Batch<double> out = batch;
  const Operands before = operands_of(batch);
  Operands operands(to.size());
  for (size_t i = 0; i < to.size(); ++i) {
    out.opcodes[to[i]] = batch.opcodes[i];
    out.node_features.row(to[i]) = batch.node_features.row(static_cast<Eigen::Index>(i));
    for (const uint32_t operand : before[i]) operands[to[i]].push_back(to[operand]);
  }
  set_edges(out, operands);
  return out;
}

predict::Batch<double> only_graph(const predict::Batch<double>& batch, size_t g) {
  const nn::Segments nodes = batch.nodes_of_graphs();
  const nn::Segments samples = batch.samples_of_graphs();
  const auto rows = [](const nn::Matrix<double>& m, nn::Segments segments, size_t s) {
    return m.middleRows(static_cast<Eigen::Index>(segments.begin(s)),
                        static_cast<Eigen::Index>(segments.size(s)));
  };
  predict::Batch<double> out;
  out.node_offsets = {0, static_cast<uint32_t>(nodes.size(g))};
  out.sample_offsets = {0, static_cast<uint32_t>(samples.size(g))};
  out.node_features = rows(batch.node_features, nodes, g);
  out.configurations = rows(batch.configurations, samples, g);
  out.analytical = rows(batch.analytical, samples, g);
  out.graph_features = batch.graph_features.row(static_cast<Eigen::Index>(g));
  Operands operands;
  const Operands all = operands_of(batch);
  for (size_t i = nodes.begin(g); i < nodes.end(g); ++i) {
    out.opcodes.push_back(batch.opcodes[i]);
    operands.push_back(all[i]);
    for (uint32_t& operand : operands.back()) operand -= static_cast<uint32_t>(nodes.begin(g));
  }
  set_edges(out, operands);
  return out;
}

template void set_edges(predict::Batch<float>&, const Operands&);
template void set_edges(predict::Batch<double>&, const Operands&);
template predict::Batch<float> random_batch(uint64_t);
template predict::Batch<double> random_batch(uint64_t);

}  // namespace hloscope::testing
