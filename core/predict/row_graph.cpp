#include "core/predict/row_graph.h"

namespace hloscope::predict {

namespace {

constexpr const char* kOneList[] = {"neighbour"};
constexpr const char* kTwoLists[] = {"operand", "user"};

// Of each node: itself where wanted, then its neighbours in each of the lists.
template <typename T>
nn::Neighbours merge(nn::Tape<T>& tape, std::span<const nn::Neighbours> lists, bool self) {
  const size_t nodes = lists.front().edges().count();
  size_t edges = self ? nodes : 0;
  for (const nn::Neighbours& list : lists) edges += list.indices.size();
  const std::span<uint32_t> offsets = tape.template scratch<uint32_t>(nodes + 1);
  const std::span<uint32_t> indices = tape.template scratch<uint32_t>(edges);
  uint32_t at = 0;
  for (size_t i = 0; i < nodes; ++i) {
    offsets[i] = at;
    if (self) indices[at++] = static_cast<uint32_t>(i);
    for (const nn::Neighbours& list : lists) {
      for (size_t e = list.offsets[i]; e < list.offsets[i + 1]; ++e) {
        indices[at++] = list.indices[e];
      }
    }
  }
  offsets[nodes] = at;
  return {offsets, indices};
}

size_t repeated_edges(nn::Neighbours in, const Pairing& p) {
  size_t edges = 0;
  for (size_t g = 0; g < p.units.count(); ++g) {
    edges += p.samples.size(g) * (in.offsets[p.units.end(g)] - in.offsets[p.units.begin(g)]);
  }
  return edges;
}

// The edges of each graph once for each of its samples.
template <typename T>
nn::Neighbours repeat(nn::Tape<T>& tape, nn::Neighbours in, const Pairing& p) {
  const std::span<uint32_t> offsets = tape.template scratch<uint32_t>(p.rows.rows() + 1);
  const std::span<uint32_t> indices = tape.template scratch<uint32_t>(repeated_edges(in, p));
  uint32_t row = 0;
  uint32_t at = 0;
  for (size_t g = 0; g < p.units.count(); ++g) {
    const auto first = static_cast<uint32_t>(p.units.begin(g));
    for (size_t s = p.samples.begin(g); s < p.samples.end(g); ++s) {
      const auto copy = static_cast<uint32_t>(p.rows.begin(s));
      for (size_t u = first; u < p.units.end(g); ++u) {
        offsets[row++] = at;
        for (size_t e = in.offsets[u]; e < in.offsets[u + 1]; ++e) {
          indices[at++] = in.indices[e] - first + copy;
        }
      }
    }
  }
  offsets[row] = at;
  return {offsets, indices};
}

}  // namespace

std::span<const char* const> neighbour_list_names(Edges edges) {
  return edges == Edges::kBoth ? std::span<const char* const>(kTwoLists) : kOneList;
}

template <typename T>
RowGraph row_graph(const Pass<T>& pass, const ModelOptions& options, Pairing nodes) {
  const bool self = options.network == Network::kGat;
  const std::array<nn::Neighbours, 2> sides = {pass.batch.to_operands(), pass.batch.to_users()};
  RowGraph graph{pass.batch.nodes_of_graphs(), sides, neighbour_list_names(options.edges).size()};
  if (options.edges == Edges::kUndirected) {
    graph.lists[0] = merge<T>(pass.tape, sides, self);
  } else if (self) {
    for (size_t i = 0; i < graph.list_count; ++i) {
      graph.lists[i] = merge<T>(pass.tape, std::span(sides).subspan(i, 1), true);
    }
  }
  if (runs_per_sample(options.join)) {
    graph.groups = nodes.rows;
    for (size_t i = 0; i < graph.list_count; ++i) {
      graph.lists[i] = repeat(pass.tape, graph.lists[i], nodes);
    }
  }
  return graph;
}

template RowGraph row_graph(const Pass<float>&, const ModelOptions&, Pairing);
template RowGraph row_graph(const Pass<double>&, const ModelOptions&, Pairing);

}  // namespace hloscope::predict
