#include "core/layout/coordinates.h"

#include <algorithm>
#include <cmath>

namespace hloscope::layout {
namespace {

constexpr int kMaxSweeps = 12;
constexpr int kMinSweeps = 4;
/// Vertices and edges visited, in all sweeps together, before the number of sweeps is cut.
constexpr size_t kWork = 3'000'000;

int sweeps_for(const LayeredGraph& graph) {
  const size_t size = graph.layer.size() + graph.down.size() + 1;
  return static_cast<int>(std::clamp<size_t>(kWork / size, kMinSweeps, kMaxSweeps));
}
/// Long lines are to be straight rather than short ones.
constexpr float kBendWeight = 8;
constexpr float kHalfBendWeight = 2;
constexpr float kLeafWeight = 0.02F;
constexpr float kSpineWeight = 1000;

using Centers = IndexedVector<VertexId, float>;

/// The path downwards through the most boxes. Kept straight, it holds a deep drawing upright: with
/// branches on one side only, means of neighbours would let it lean further in every layer.
std::vector<VertexId> spine(const LayeredGraph& graph) {
  const size_t n = graph.layer.size();
  IndexedVector<VertexId, uint32_t> boxes_below(n, 0);
  IndexedVector<VertexId, VertexId> next(n);
  VertexId first;
  for (size_t i = graph.layers.size(); i-- > 0;) {
    for (const VertexId v : graph.layers[i]) {
      for (const VertexId u : graph.down[v]) {
        if (next[v].valid() && boxes_below[u] <= boxes_below[next[v]]) continue;
        next[v] = u;
      }
      if (next[v].valid()) boxes_below[v] = boxes_below[next[v]];
      if (!graph.is_bend(v)) ++boxes_below[v];
      if (!first.valid() || boxes_below[v] >= boxes_below[first]) first = v;
    }
  }
  std::vector<VertexId> path;
  for (VertexId v = first; v.valid(); v = next[v]) path.push_back(v);
  return path;
}

class Placer {
 public:
  Placer(const LayeredGraph& graph, float gap) : graph_(graph), gap_(gap) {
    const auto n = static_cast<uint32_t>(graph.layer.size());
    x_.resize(n, 0);
    kind_.resize(n, 0);
    for (const VertexId v : IdRange<VertexId>(0, n)) {
      if (graph.is_bend(v)) kind_[v] = kBend;
      if (graph.up[v].size() + graph.down[v].size() == 1) kind_[v] = kLeaf;
    }
    for (const VertexId v : spine(graph)) kind_[v] |= kSpine;
  }

  Result<Centers> run(const Progress& progress) {
    for (const auto& layer : graph_.layers) pack(layer);
    const size_t count = graph_.layers.size();
    const int sweeps = sweeps_for(graph_);
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "layout was cancelled");
      progress.report(0.6 + 0.25 * sweep / sweeps, "placing nodes");
      const bool both = sweep + 2 >= sweeps;
      for (size_t i = 0; i < count; ++i) {
        const bool downwards = sweep % 2 == 0;
        move(graph_.layers[downwards ? i : count - 1 - i], both || downwards, both || !downwards);
      }
    }
    for (const auto& layer : graph_.layers) straighten(layer);
    return std::move(x_);
  }

 private:
  float separation(VertexId a, VertexId b) const {
    const bool bends = (kind_[a] & kind_[b] & kBend) != 0;
    return (graph_.width[a] + graph_.width[b]) / 2 + (bends ? 4 : gap_);
  }

  /// Side by side, around x = 0.
  void pack(const std::vector<VertexId>& layer) {
    if (layer.empty()) return;
    x_[layer[0]] = 0;
    for (size_t i = 1; i < layer.size(); ++i) {
      x_[layer[i]] = x_[layer[i - 1]] + separation(layer[i - 1], layer[i]);
    }
    const float middle = x_[layer.back()] / 2;
    for (const VertexId v : layer) x_[v] -= middle;
  }

  /// Weight of neighbour `u` for the place of `v`. What hangs on one vertex only, as a constant or
  /// a port does, follows it and gives way: else each would push the column a little sideways.
  float weight(VertexId u, VertexId v) const {
    if ((kind_[u] & kind_[v] & kSpine) != 0) return kSpineWeight;
    const int kind = kind_[u] | kind_[v];
    if ((kind & kLeaf) != 0) return kLeafWeight;
    if ((kind_[u] & kind_[v] & kBend) != 0) return kBendWeight;
    return (kind & kBend) != 0 ? kHalfBendWeight : 1;
  }

  void move(const std::vector<VertexId>& layer, bool use_up, bool use_down) {
    wanted_.resize(layer.size());
    weights_.resize(layer.size());
    float offset = 0;
    for (size_t i = 0; i < layer.size(); ++i) {
      const VertexId v = layer[i];
      float sum = 0;
      float total = 0;
      const auto collect = [&](std::span<const VertexId> neighbours) {
        for (const VertexId u : neighbours) {
          const float w = weight(u, v);
          sum += w * x_[u];
          total += w;
        }
      };
      if (use_up) collect(graph_.up[v]);
      if (use_down) collect(graph_.down[v]);
      if (i > 0) offset += separation(layer[i - 1], v);
      // A vertex without neighbours there stays, but gives way easily.
      wanted_[i] = (total > 0 ? sum / total : x_[v]) - offset;
      weights_[i] = total > 0 ? total : 0.01F;
    }
    isotonic_regression(wanted_, weights_);
    offset = 0;
    for (size_t i = 0; i < layer.size(); ++i) {
      if (i > 0) offset += separation(layer[i - 1], layer[i]);
      x_[layer[i]] = wanted_[i] + offset;
    }
  }

  /// Puts each vertex with one operand straight below it where there is room.
  void straighten(const std::vector<VertexId>& layer) {
    for (size_t i = 0; i < layer.size(); ++i) {
      const VertexId v = layer[i];
      const auto above = graph_.up[v];
      if (above.size() != 1) continue;
      if (!graph_.is_bend(v) && graph_.down[above[0]].size() != 1) continue;
      const float low = i > 0 ? x_[layer[i - 1]] + separation(layer[i - 1], v) : -INFINITY;
      const float high =
          i + 1 < layer.size() ? x_[layer[i + 1]] - separation(v, layer[i + 1]) : INFINITY;
      if (x_[above[0]] >= low && x_[above[0]] <= high) x_[v] = x_[above[0]];
    }
  }

  static constexpr uint8_t kLeaf = 1;
  static constexpr uint8_t kBend = 2;
  static constexpr uint8_t kSpine = 4;

  const LayeredGraph& graph_;
  float gap_;
  IndexedVector<VertexId, uint8_t> kind_;
  Centers x_;
  std::vector<float> wanted_;
  std::vector<float> weights_;
};

}  // namespace

void isotonic_regression(std::vector<float>& wanted, const std::vector<float>& weights) {
  struct Block {
    double sum;
    double weight;
    size_t count;
    [[nodiscard]] double mean() const { return sum / weight; }
  };
  std::vector<Block> blocks;
  blocks.reserve(wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    blocks.push_back({static_cast<double>(wanted[i]) * weights[i], weights[i], 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back().sum += last.sum;
      blocks.back().weight += last.weight;
      blocks.back().count += last.count;
    }
  }
  size_t i = 0;
  for (const Block& block : blocks) {
    for (size_t k = 0; k < block.count; ++k) wanted[i++] = static_cast<float>(block.mean());
  }
}

Result<IndexedVector<VertexId, float>> horizontal(const LayeredGraph& graph, float gap,
                                                  const Progress& progress) {
  return Placer(graph, gap).run(progress);
}

}  // namespace hloscope::layout
