#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace hloscope::data {

inline constexpr size_t kTpuNodeFeatures = 140;
inline constexpr size_t kTpuTileFeatures = 24;
inline constexpr size_t kTpuLayoutFeatures = 18;

/// One file of the TpuGraphs data set (arXiv 2308.13490): a graph, configurations of it, and their
/// runtimes as measured on a TPU v3. Operands stand before users.
struct TpuGraph {
  enum class Collection : uint8_t { kTile, kLayout };
  struct Edge {
    uint32_t consumer = 0;
    uint32_t producer = 0;
    bool operator==(const Edge&) const = default;
  };
  Collection collection = Collection::kTile;
  std::vector<float> node_features;  ///< nodes() rows of 140.
  std::vector<uint8_t> opcodes;      ///< Of each node: OpcodeInfo::tpugraphs_id.
  std::vector<Edge> edges;
  /// Tile: a row of 24 per configuration. Layout: 18 per configuration and configurable node.
  std::vector<float> configuration_features;
  std::vector<int64_t> runtimes_ns;  ///< Of each configuration; all 0: not known (test files).
  /// Tile only: of the default configuration on the same host.
  std::vector<int64_t> normalizers_ns;
  std::vector<uint32_t> configurable_nodes;  ///< Layout only.
  std::vector<uint32_t> splits;              ///< Layout only: first nodes of the pieces.

  [[nodiscard]] size_t nodes() const { return opcodes.size(); }
  [[nodiscard]] size_t configurations() const { return runtimes_ns.size(); }
  [[nodiscard]] bool has_runtimes() const;
};

/// Reads an .npz file of the tile or of a layout collection. Errors: those of NpzFile, with the
/// file and the array; kInvalidInput for indices out of range and arrays that do not fit together.
[[nodiscard]] Result<TpuGraph> read_tpugraph(const std::string& path);

}  // namespace hloscope::data
