#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/nn/matrix.h"
#include "core/nn/segments.h"

namespace hloscope::predict {

/// Widths of what a model is given.
struct InputWidths {
  size_t node = 0;           ///< Features of a node, the opcode apart.
  size_t graph = 0;          ///< Static performance features of a kernel.
  size_t configuration = 0;  ///< Features of a configuration, the analytical model's with them.
  bool operator==(const InputWidths&) const = default;
};

/// Some kernels with some of their configurations, normalised, as one block-diagonal graph. Nodes
/// stand graph by graph, operands before users; samples stand graph by graph as well.
template <typename T>
struct Batch {
  std::vector<uint32_t> opcodes;  ///< [nodes], below 256: OpcodeInfo::tpugraphs_id.
  nn::Matrix<T> node_features;    ///< [nodes x InputWidths::node]
  nn::Matrix<T> graph_features;   ///< [graphs x InputWidths::graph]
  /// [samples x InputWidths::configuration]. Of task layout: the distinct layouts of nodes, and
  /// zeros in row 0.
  nn::Matrix<T> configurations;
  /// Of task layout, for each sample and each node of its graph: a row of configurations, 0 for
  /// nodes that are not configurable.
  std::vector<uint32_t> node_configurations;
  std::vector<uint32_t> node_offsets{0};               ///< [graphs + 1]: nodes of each graph.
  std::vector<uint32_t> sample_offsets{0};             ///< [graphs + 1]: samples of each graph.
  std::vector<uint32_t> operand_offsets{0}, operands;  ///< Of each node, by row.
  std::vector<uint32_t> user_offsets{0}, users;        ///< Of each node, by row.
  /// [samples x 1]: log of the analytical time in ns; 0 where it is not known.
  nn::Matrix<T> analytical;
  /// [samples]: log of the time in ns; to be ranked or predicted. Empty when it is not known.
  std::vector<T> targets;

  [[nodiscard]] size_t graphs() const { return node_offsets.size() - 1; }
  [[nodiscard]] size_t samples() const { return sample_offsets.back(); }
  [[nodiscard]] nn::Segments nodes_of_graphs() const { return {node_offsets}; }
  [[nodiscard]] nn::Segments samples_of_graphs() const { return {sample_offsets}; }
  [[nodiscard]] nn::Neighbours to_operands() const { return {operand_offsets, operands}; }
  [[nodiscard]] nn::Neighbours to_users() const { return {user_offsets, users}; }
};

}  // namespace hloscope::predict
