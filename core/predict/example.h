#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/data/split.h"
#include "core/features/feature.h"
#include "core/predict/layout_rows.h"
#include "core/predict/sparse_rows.h"

namespace hloscope::predict {

/// The columns of node features: groups kNode and, where wanted, kExtra.
struct NodeColumns {
  std::vector<features::Group> groups;
  std::vector<float> empty;  ///< The row of an instruction that has nothing.
};
[[nodiscard]] NodeColumns node_columns(bool with_extras);

/// A program that a graph was met in.
struct SeenIn {
  uint32_t program = 0;           ///< Position in ExampleSet::programs.
  double default_executions = 0;  ///< In one run of the program with its default fusion.
  bool operator==(const SeenIn&) const = default;
};

/// A kernel with its times, encoded once; of task layout what counts of a program.
struct Example {
  Hash128 hash;
  std::string label;
  std::string op_class;  ///< As hlo::name() gives it; empty when not known.
  data::Part part = data::Part::kTrain;
  uint32_t family = 0;          ///< Position in ExampleSet::families.
  std::vector<SeenIn> seen_in;  ///< By program.

  std::vector<uint8_t> opcodes;           ///< Of each node: OpcodeInfo::tpugraphs_id.
  SparseRows node_features;               ///< [nodes x node_columns()]
  std::vector<uint32_t> operand_offsets;  ///< [nodes + 1]
  std::vector<uint32_t> operands;         ///< Of each node, ascending, each once.
  std::vector<float> static_features;     ///< Group kStatic; empty when not known.

  std::vector<float> tile_features;  ///< [samples x group kTile], row-major; of task tile only.
  LayoutRows layouts;                ///< Of task layout only.
  /// By sample. Times of different hosts are brought to one: see encode().
  std::vector<double> times_ns;
  /// By sample, of the analytical model at the sample's tile; NaN for tiles that the kernel does
  /// not have. Empty: not known (features only, or not asked for).
  std::vector<double> analytical_ns;
  /// [samples x estimate_feature_names()], row-major, where analytical_ns is known: else empty.
  std::vector<float> estimates;
  uint32_t default_sample = 0;  ///< Of the default configuration; else the fastest.

  [[nodiscard]] size_t nodes() const { return opcodes.size(); }
  [[nodiscard]] size_t samples() const { return times_ns.size(); }
  /// Row of tile_features.
  [[nodiscard]] std::span<const float> tile_row(size_t sample) const;
  /// Row of estimates; empty when they are not known.
  [[nodiscard]] std::span<const float> estimate_row(size_t sample) const;
  /// Position of the least time; the first of equal ones.
  [[nodiscard]] size_t fastest() const;
  /// With its heap: what it takes in memory.
  [[nodiscard]] size_t bytes() const;
};

}  // namespace hloscope::predict
