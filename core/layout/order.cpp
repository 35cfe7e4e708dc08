#include "core/layout/order.h"

#include <algorithm>
#include <span>

namespace hloscope::layout {
namespace {

/// Counts over positions, with prefix sums (Fenwick 1994).
class FenwickTree {
 public:
  void reset(size_t size) { counts_.assign(size + 1, 0); }
  void add(size_t position) {
    for (size_t i = position + 1; i < counts_.size(); i += i & (~i + 1)) ++counts_[i];
  }
  /// Entries at positions up to and including `position`.
  [[nodiscard]] uint64_t sum(size_t position) const {
    uint64_t total = 0;
    for (size_t i = position + 1; i > 0; i -= i & (~i + 1)) total += counts_[i];
    return total;
  }

 private:
  std::vector<uint32_t> counts_;
};

using Positions = IndexedVector<VertexId, uint32_t>;

void number_layer(const std::vector<VertexId>& layer, Positions& positions) {
  for (uint32_t i = 0; i < layer.size(); ++i) positions[layer[i]] = i;
}

/// Walks the whole graph depth first, both up and down, so that what belongs together gets
/// neighbouring places; the layers are filled in the order of the walk.
void order_by_walk(LayeredGraph& graph) {
  const auto n = static_cast<uint32_t>(graph.layer.size());
  for (auto& layer : graph.layers) layer.clear();
  std::vector<bool> seen(n, false);
  std::vector<VertexId> stack;
  const auto push_unseen = [&](std::span<const VertexId> row) {
    for (size_t i = row.size(); i-- > 0;) {
      if (!seen[row[i].value]) stack.push_back(row[i]);
    }
  };
  for (const VertexId start : IdRange<VertexId>(0, n)) {
    if (seen[start.value]) continue;
    stack.push_back(start);
    while (!stack.empty()) {
      const VertexId v = stack.back();
      stack.pop_back();
      if (seen[v.value]) continue;
      seen[v.value] = true;
      graph.layers[graph.layer[v]].push_back(v);
      for (const auto* neighbours : {&graph.down, &graph.up}) push_unseen((*neighbours)[v]);
    }
  }
}

/// Sorts one layer by the mean position of the neighbours in `towards`; vertices without any keep
/// their place.
class LayerSorter {
 public:
  void sort(std::vector<VertexId>& layer, const Csr<VertexId, VertexId>& towards,
            Positions& positions) {
    keyed_.clear();
    slots_.clear();
    for (uint32_t i = 0; i < layer.size(); ++i) {
      const auto neighbours = towards[layer[i]];
      if (neighbours.empty()) continue;
      uint64_t sum = 0;
      for (const VertexId u : neighbours) sum += positions[u];
      keyed_.push_back({static_cast<float>(sum) / static_cast<float>(neighbours.size()), layer[i]});
      slots_.push_back(i);
    }
    std::ranges::stable_sort(keyed_, {}, &Keyed::key);
    for (size_t i = 0; i < slots_.size(); ++i) layer[slots_[i]] = keyed_[i].vertex;
    number_layer(layer, positions);
  }

 private:
  struct Keyed {
    float key;
    VertexId vertex;
  };
  std::vector<Keyed> keyed_;
  std::vector<uint32_t> slots_;
};

/// Fewer sweeps over very large graphs: the first ones do most.
int sweeps_for(const LayeredGraph& graph, int most) {
  constexpr size_t kWork = 1'500'000;
  const size_t size = graph.layer.size() + graph.down.size() + 1;
  return std::min(most, static_cast<int>(std::max<size_t>(2, kWork / size)));
}

uint64_t count_crossings(const LayeredGraph& graph, const Positions& positions) {
  uint64_t crossings = 0;
  FenwickTree tree;
  std::vector<uint32_t> ends;
  for (size_t i = 0; i + 1 < graph.layers.size(); ++i) {
    tree.reset(graph.layers[i + 1].size());
    uint64_t inserted = 0;
    for (const VertexId v : graph.layers[i]) {
      ends.clear();
      for (const VertexId u : graph.down[v]) ends.push_back(positions[u]);
      for (const uint32_t end : ends) crossings += inserted - tree.sum(end);
      for (const uint32_t end : ends) tree.add(end);
      inserted += ends.size();
    }
  }
  return crossings;
}

}  // namespace

uint64_t count_crossings(const LayeredGraph& graph) {
  Positions positions(graph.layer.size());
  for (const auto& layer : graph.layers) number_layer(layer, positions);
  return count_crossings(graph, positions);
}

Result<uint64_t> order(LayeredGraph& graph, int most_sweeps, const Progress& progress) {
  const int sweeps = sweeps_for(graph, most_sweeps);
  order_by_walk(graph);
  Positions positions(graph.layer.size());
  for (const auto& layer : graph.layers) number_layer(layer, positions);
  uint64_t best = count_crossings(graph, positions);
  auto best_layers = graph.layers;
  LayerSorter sorter;
  for (int sweep = 0; sweep < sweeps && best > 0; ++sweep) {
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "layout was cancelled");
    progress.report(0.2 + 0.4 * sweep / sweeps, "ordering layers");
    const size_t count = graph.layers.size();
    for (size_t i = 1; i < count; ++i) {
      if (sweep % 2 == 0) {
        sorter.sort(graph.layers[i], graph.up, positions);
      } else {
        sorter.sort(graph.layers[count - 1 - i], graph.down, positions);
      }
    }
    const uint64_t crossings = count_crossings(graph, positions);
    if (crossings < best) {
      best = crossings;
      best_layers = graph.layers;
    }
  }
  graph.layers = std::move(best_layers);
  return best;
}

}  // namespace hloscope::layout
