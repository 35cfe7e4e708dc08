#include "core/data/packed_graph.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "core/data/varint.h"

namespace hloscope::data {

namespace {

constexpr std::string_view kPackedMagic = "TPUG1";
// Whole numbers below are exact in float and double; other features keep their bits.
constexpr float kLargestWhole = 1e15F;

bool is_whole(float value) {
  if (!(std::abs(value) < kLargestWhole)) return false;
  const auto back = static_cast<float>(static_cast<int64_t>(value));
  return std::bit_cast<uint32_t>(back) == std::bit_cast<uint32_t>(value);  // -0 is not
}

// Even: twice a whole number. Odd: twice the bits of a float, and 1.
void put_feature(std::string& out, float value) {
  put_integer(out, is_whole(value) ? static_cast<int64_t>(value) * 2
                                   : static_cast<int64_t>(std::bit_cast<uint32_t>(value)) * 2 + 1);
}

void put_node(std::string& out, std::span<const float> features) {
  const auto is_set = [](float value) { return std::bit_cast<uint32_t>(value) != 0; };
  put_integer(out, std::count_if(features.begin(), features.end(), is_set));
  size_t next = 0;
  for (size_t i = 0; i < features.size(); ++i) {
    if (!is_set(features[i])) continue;
    put_integer(out, static_cast<int64_t>(i - next));
    put_feature(out, features[i]);
    next = i + 1;
  }
}

void put_list(std::string& out, std::span<const uint32_t> values) {
  put_integer(out, static_cast<int64_t>(values.size()));
  int64_t last = 0;
  for (const uint32_t value : values) {
    put_integer(out, value - last);
    last = value;
  }
}

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

  // False: the bytes are damaged.
  bool read() {
    if (!rest_.starts_with(kPackedMagic)) return false;
    rest_.remove_prefix(kPackedMagic.size());
    const auto collection = take_integer(rest_);
    if (!collection || *collection < 0 || *collection > 1) return false;
    out.collection = static_cast<TpuGraph::Collection>(*collection);
    return read_nodes() && read_edges() && read_list(out.configurable_nodes, out.nodes()) &&
           read_list(out.splits, out.nodes() + 1) && rest_.empty();
  }

  TpuGraph out;

 private:
  bool read_nodes() {
    const auto count = take_count(rest_);
    if (!count || *count == 0) return false;
    out.opcodes.resize(*count);
    std::memcpy(out.opcodes.data(), rest_.data(), *count);
    rest_.remove_prefix(*count);
    if (*count > rest_.size()) return false;  // Each node takes a byte here as well.
    out.node_features.resize(*count * kTpuNodeFeatures);
    for (size_t i = 0; i < *count; ++i) {
      if (!read_node(std::span(out.node_features).subspan(i * kTpuNodeFeatures, kTpuNodeFeatures)))
        return false;
    }
    return true;
  }

  bool read_node(std::span<float> features) {
    const auto count = take_count(rest_);
    if (!count) return false;
    size_t next = 0;
    for (size_t i = 0; i < *count; ++i) {
      const auto gap = take_integer(rest_);
      const auto code = take_integer(rest_);
      if (!gap || !code || *gap < 0 || static_cast<uint64_t>(*gap) >= features.size() - next)
        return false;
      const size_t at = next + static_cast<size_t>(*gap);
      const int64_t half = (*code - (*code & 1)) / 2;
      features[at] = (*code & 1) == 0 ? static_cast<float>(half)
                                      : std::bit_cast<float>(static_cast<uint32_t>(half));
      next = at + 1;
    }
    return true;
  }

  bool read_edges() {
    const auto count = take_count(rest_);
    if (!count) return false;
    out.edges.reserve(*count);
    int64_t consumer = 0;
    for (size_t i = 0; i < *count; ++i) {
      const auto step = take_integer(rest_);
      const auto back = take_integer(rest_);
      if (!step || !back || !moves(consumer, *step, out.nodes())) return false;
      int64_t producer = consumer;
      if (*back == INT64_MIN || !moves(producer, -*back, out.nodes())) return false;
      out.edges.push_back({static_cast<uint32_t>(consumer), static_cast<uint32_t>(producer)});
    }
    return true;
  }

  bool read_list(std::vector<uint32_t>& list, size_t limit) {
    const auto count = take_count(rest_);
    if (!count) return false;
    int64_t value = 0;
    for (size_t i = 0; i < *count; ++i) {
      const auto step = take_integer(rest_);
      if (!step || !moves(value, *step, limit)) return false;
      list.push_back(static_cast<uint32_t>(value));
    }
    return true;
  }

  // Adds `step` to `value`; false where that leaves 0..limit - 1.
  static bool moves(int64_t& value, int64_t step, size_t limit) {
    const auto end = static_cast<int64_t>(limit);
    if (step < -value || step >= end - value) return false;
    value += step;
    return true;
  }

  std::string_view rest_;
};

}  // namespace

std::string pack_graph(const TpuGraph& graph) {
  std::string out(kPackedMagic);
  put_integer(out, static_cast<int64_t>(graph.collection));
  put_integer(out, static_cast<int64_t>(graph.nodes()));
  out.append(graph.opcodes.begin(), graph.opcodes.end());
  for (size_t i = 0; i < graph.nodes(); ++i) {
    const auto row = std::span(graph.node_features);
    put_node(out, row.subspan(i * kTpuNodeFeatures, kTpuNodeFeatures));
  }
  put_integer(out, static_cast<int64_t>(graph.edges.size()));
  int64_t last = 0;
  for (const TpuGraph::Edge& edge : graph.edges) {
    put_integer(out, edge.consumer - last);
    put_integer(out, static_cast<int64_t>(edge.consumer) - edge.producer);
    last = edge.consumer;
  }
  put_list(out, graph.configurable_nodes);
  put_list(out, graph.splits);
  return out;
}

Result<TpuGraph> unpack_graph(std::string_view bytes) {
  Unpacker unpacker(bytes);
  if (!unpacker.read()) {
    return fail(ErrorCode::kInvalidInput, "a stored graph is damaged",
                "make the data set again from its files");
  }
  return std::move(unpacker.out);
}

Result<Configuration> configuration_of(const TpuGraph& graph, size_t index) {
  const bool is_tile = graph.collection == TpuGraph::Collection::kTile;
  const size_t width =
      is_tile ? kTpuTileFeatures : graph.configurable_nodes.size() * kTpuLayoutFeatures;
  const auto row = std::span(graph.configuration_features).subspan(index * width, width);
  std::vector<int64_t> out;
  out.reserve(width);
  for (size_t i = 0; i < width; ++i) {
    if (std::abs(row[i]) < 0x1p62F && std::trunc(row[i]) == row[i]) {
      out.push_back(static_cast<int64_t>(row[i]));
      continue;
    }
    return fail(ErrorCode::kInvalidInput,
                fmt::format("array '{}' row {} holds {} (number {} of the row), not a whole number",
                            is_tile ? "config_feat" : "node_config_feat", index, row[i], i));
  }
  return Configuration{std::move(out)};
}

}  // namespace hloscope::data
