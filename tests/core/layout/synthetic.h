#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/rng.h"
#include "core/layout/placement.h"

namespace hloscope::testing {

/// A graph under construction.
struct GraphSketch {
  std::vector<std::pair<layout::NodeId, layout::NodeId>> edges;
  std::vector<bool> cloneable;
  float width = 184;
  float height = 38;

  uint32_t node(bool is_cloneable = false) {
    cloneable.push_back(is_cloneable);
    return static_cast<uint32_t>(cloneable.size() - 1);
  }
  void edge(uint32_t from, uint32_t to) {
    edges.emplace_back(layout::NodeId(from), layout::NodeId(to));
  }
  [[nodiscard]] layout::Graph graph() const {
    layout::Graph out;
    out.sizes.resize(cloneable.size(), {width, height});
    out.edges = Csr<layout::NodeId, layout::NodeId>::from_pairs(cloneable.size(), edges);
    out.cloneable = cloneable;
    return out;
  }
};

/// A graph from pairs of numbers.
inline layout::Graph graph_of(uint32_t nodes,
                              const std::vector<std::pair<uint32_t, uint32_t>>& edges) {
  GraphSketch sketch;
  for (uint32_t i = 0; i < nodes; ++i) sketch.node();
  for (const auto& [from, to] : edges) sketch.edge(from, to);
  return sketch.graph();
}

/// Like a transformer: blocks of about 49 operations with parameters, residual skips, one mask that
/// every block uses and 4 constants that feed 12 % of the operations. With `train` a mirrored
/// backward pass reads 4 saved values of each block.
inline layout::Graph transformer(uint32_t nodes, bool train, uint64_t seed = 1) {
  GraphSketch sketch;
  Rng rng(seed);
  std::vector<uint32_t> hubs;
  for (int i = 0; i < 4; ++i) hubs.push_back(sketch.node(true));
  const uint32_t mask = sketch.node(true);
  uint32_t stream = sketch.node();
  std::vector<std::vector<uint32_t>> saved;
  const auto operation = [&](uint32_t a) {
    const uint32_t op = sketch.node();
    sketch.edge(a, op);
    if (rng.uniform() < 0.12) sketch.edge(hubs[rng.below(4)], op);
    return op;
  };
  const auto block = [&](const std::vector<uint32_t>* reads) {
    const uint32_t entry = stream;
    std::vector<uint32_t> made;
    uint32_t x = entry;
    for (uint32_t i = 0; i < 40; ++i) {
      if (i % 6 == 2) {
        // Three projections that meet again, each with a weight.
        uint32_t joined = operation(x);
        for (int k = 0; k < 2; ++k) {
          const uint32_t side = operation(x);
          sketch.edge(sketch.node(true), side);
          sketch.edge(side, joined);
        }
        x = joined;
      } else {
        x = operation(x);
      }
      made.push_back(x);
    }
    sketch.edge(mask, made[10]);
    sketch.edge(entry, made[20]);
    sketch.edge(made[20], made[39]);
    if (reads != nullptr) {
      for (size_t i = 0; i < reads->size(); ++i) sketch.edge((*reads)[i], made[5 + 8 * i]);
    }
    stream = x;
    return std::vector<uint32_t>{made[3], made[12], made[21], made[33]};
  };
  const uint32_t forward = train ? nodes / 2 : nodes;
  while (sketch.cloneable.size() + 60 < forward) saved.push_back(block(nullptr));
  for (size_t i = saved.size(); train && i-- > 0;) block(&saved[i]);
  while (sketch.cloneable.size() < nodes) stream = operation(stream);
  return sketch.graph();
}

/// Square: `layers` x `width` nodes; 65 % of the edges span 1 layer, 30 % 2 to 6, 5 % up to 54.
inline layout::Graph square(uint32_t layers, uint32_t width, uint32_t edges, uint64_t seed = 1) {
  GraphSketch sketch;
  Rng rng(seed);
  for (uint32_t i = 0; i < layers * width; ++i) sketch.node();
  for (uint32_t e = 0; e < edges; ++e) {
    const double kind = rng.uniform();
    const auto span = static_cast<uint32_t>(kind < 0.65   ? 1
                                            : kind < 0.95 ? 2 + rng.below(5)
                                                          : 7 + rng.below(48));
    const auto layer = static_cast<uint32_t>(rng.below(layers - 1));
    const auto column = static_cast<uint32_t>(rng.below(width));
    const uint32_t to_layer = std::min(layer + span, layers - 1);
    const auto shift = static_cast<uint32_t>(rng.below(7));
    const uint32_t to_column =
        rng.uniform() < 0.02 ? static_cast<uint32_t>(rng.below(width)) : (column + shift) % width;
    sketch.edge(layer * width + column, to_layer * width + to_column);
  }
  return sketch.graph();
}

}  // namespace hloscope::testing
