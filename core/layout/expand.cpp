#include <algorithm>

#include "core/layout/balance.h"
#include "core/layout/layered_graph.h"

namespace hloscope::layout {
namespace {

using Layers = IndexedVector<NodeId, uint32_t>;

/// Width that a bend keeps free, so that lines stay apart.
constexpr float kBendWidth = 6;

VertexId vertex_of(BoxId box) {
  return VertexId(box.value);
}

class Expander {
 public:
  Expander(const Graph& graph, const Csr<NodeId, NodeId>& operands, const Layers& layers,
           const ExpandOptions& options)
      : graph_(graph), operands_(operands), layers_(layers), options_(options) {}

  LayeredGraph run() {
    add_nodes();
    add_edges();
    add_ports();
    layer_count_ = balance_layers(out_.boxes, out_.links);
    add_bends();
    connect();
    return std::move(out_);
  }

 private:
  /// A cut edge, to be shown by ports.
  struct Cut {
    NodeId from;
    NodeId to;
  };

  BoxId add_box(Box::Kind kind, NodeId node, Size size, uint32_t layer) {
    Box box;
    box.kind = kind;
    box.node = node;
    box.owner = node;
    box.rect = {0, 0, size.width, size.height};
    box.layer = layer;
    return out_.boxes.push_back(box);
  }

  void add_nodes() {
    const size_t n = graph_.sizes.size();
    out_.boxes.reserve(n + n / 4);
    for (const NodeId node : IdRange<NodeId>(0, static_cast<uint32_t>(n))) {
      add_box(Box::Kind::kNode, node, graph_.sizes[node], layers_[node]);
    }
  }

  void add_edges() {
    out_.links.reserve(graph_.edges.size());
    for (const NodeId node : IdRange<NodeId>(0, static_cast<uint32_t>(graph_.sizes.size()))) {
      if (is_cloneable(node)) {
        add_edges_of_cloneable(node);
      } else {
        add_edges_of(node);
      }
    }
  }

  bool is_cloneable(NodeId node) const {
    return !graph_.cloneable.empty() && graph_.cloneable[node.value] && operands_[node].empty();
  }

  void add_edges_of(NodeId node) {
    uint32_t edge = graph_.edges.offset(node);
    for (const NodeId user : graph_.edges[node]) {
      if (layers_[user] - layers_[node] > options_.max_span) {
        cuts_.push_back({node, user});
      } else {
        out_.links.push_back({VertexId(node.value), VertexId(user.value), edge});
      }
      ++edge;
    }
  }

  /// Users from top to bottom; a new picture starts where the last one is out of reach.
  void add_edges_of_cloneable(NodeId node) {
    const auto users = graph_.edges[node];
    std::vector<uint32_t> by_layer(users.size());
    for (uint32_t i = 0; i < by_layer.size(); ++i) by_layer[i] = i;
    std::ranges::stable_sort(by_layer, {}, [&](uint32_t i) { return layers_[users[i]]; });
    const uint32_t reach = users.size() > options_.hub_users ? 0 : options_.clone_span;
    BoxId box;
    for (const uint32_t i : by_layer) {
      const uint32_t layer = layers_[users[i]];
      const bool reachable = box.valid() && reach > 0 && layer <= out_.boxes[box].layer + reach;
      if (!box.valid()) {
        box = BoxId(node.value);
        out_.boxes[box].layer = layer - 1;
      } else if (!reachable) {
        box = add_box(Box::Kind::kClone, node, graph_.sizes[node], layer - 1);
      }
      out_.links.push_back(
          {vertex_of(box), VertexId(users[i].value), graph_.edges.offset(node) + i});
    }
  }

  void add_ports() {
    // Cuts are in the order of their upper node already.
    for (size_t i = 0; i < cuts_.size();) {
      size_t end = i;
      while (end < cuts_.size() && cuts_[end].from == cuts_[i].from) ++end;
      add_port(std::span(cuts_).subspan(i, end - i), true);
      i = end;
    }
    std::ranges::stable_sort(cuts_, {}, &Cut::to);
    for (size_t i = 0; i < cuts_.size();) {
      size_t end = i;
      while (end < cuts_.size() && cuts_[end].to == cuts_[i].to) ++end;
      const bool bundled = end - i > options_.max_ports;
      for (const size_t step = bundled ? end - i : 1; i < end; i += step) {
        add_port(std::span(cuts_).subspan(i, step), false);
      }
    }
  }

  void add_port(std::span<const Cut> cuts, bool outgoing) {
    const Cut nearest = *std::ranges::min_element(
        cuts, {}, [&](const Cut& cut) { return layers_[cut.to] - layers_[cut.from]; });
    const NodeId owner = outgoing ? nearest.from : nearest.to;
    const NodeId other = outgoing ? nearest.to : nearest.from;
    float width = kBundleWidth;
    if (cuts.size() == 1) {
      width = graph_.port_widths.empty() ? kPortWidth : graph_.port_widths[other];
    }
    const uint32_t layer = outgoing ? layers_[owner] + 1 : layers_[owner] - 1;
    const BoxId id = add_box(Box::Kind::kPort, other, {width, kPortHeight}, layer);
    Box& box = out_.boxes[id];
    box.owner = owner;
    box.outgoing = outgoing;
    box.count = static_cast<uint32_t>(cuts.size());
    box.distance = layers_[nearest.to] - layers_[nearest.from];
    const VertexId port = vertex_of(id);
    const VertexId anchor(owner.value);
    out_.links.push_back(outgoing ? Link{anchor, port} : Link{port, anchor});
  }

  void add_bends() {
    const size_t boxes = out_.boxes.size();
    IndexedVector<VertexId, uint32_t> last(boxes, 0);
    const auto layer_of = [&](VertexId v) { return out_.boxes[BoxId(v.value)].layer; };
    for (const Link& link : out_.links)
      last[link.from] = std::max(last[link.from], layer_of(link.to));
    out_.layer.resize(boxes);
    out_.width.resize(boxes);
    out_.first_bend.resize(boxes);
    for (const VertexId v : IdRange<VertexId>(0, static_cast<uint32_t>(boxes))) {
      out_.layer[v] = layer_of(v);
      out_.width[v] = out_.boxes[BoxId(v.value)].rect.width();
    }
    for (const VertexId v : IdRange<VertexId>(0, static_cast<uint32_t>(boxes))) {
      out_.first_bend[v] = VertexId(out_.layer.size());
      for (uint32_t layer = layer_of(v) + 1; layer < last[v]; ++layer) {
        out_.layer.push_back(layer);
        out_.width.push_back(kBendWidth);
      }
    }
  }

  /// Edges between neighbouring layers: along the chains, and from them to the ends of links.
  void connect() {
    const size_t n = out_.layer.size();
    std::vector<std::pair<VertexId, VertexId>> pairs;
    pairs.reserve(n + out_.links.size());
    for (const VertexId v : IdRange<VertexId>(0, static_cast<uint32_t>(out_.boxes.size()))) {
      const uint32_t first = out_.first_bend[v].value;
      const uint32_t end = v.value + 1 < out_.boxes.size()
                               ? out_.first_bend[VertexId(v.value + 1)].value
                               : static_cast<uint32_t>(n);
      for (uint32_t bend = first; bend < end; ++bend) {
        pairs.emplace_back(bend == first ? v : VertexId(bend - 1), VertexId(bend));
      }
    }
    for (const Link& link : out_.links) pairs.emplace_back(out_.last_before_end(link), link.to);
    // Transposing twice sorts the rows, so that routing can search in them.
    out_.up = Csr<VertexId, VertexId>::from_pairs(n, pairs).transposed(n);
    out_.down = out_.up.transposed(n);
    out_.layers.resize(layer_count_);
    for (const VertexId v : IdRange<VertexId>(0, static_cast<uint32_t>(n))) {
      out_.layers[out_.layer[v]].push_back(v);
    }
  }

  const Graph& graph_;
  const Csr<NodeId, NodeId>& operands_;
  const Layers& layers_;
  const ExpandOptions& options_;
  LayeredGraph out_;
  std::vector<Cut> cuts_;
  uint32_t layer_count_ = 0;
};

}  // namespace

LayeredGraph expand(const Graph& graph, const Csr<NodeId, NodeId>& operands, const Layers& layers,
                    const ExpandOptions& options) {
  return Expander(graph, operands, layers, options).run();
}

}  // namespace hloscope::layout
