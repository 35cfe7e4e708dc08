#include "core/data/tpugraphs.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/data/npz.h"

namespace hloscope::data {

namespace {

class Reader {
 public:
  explicit Reader(const NpzFile& file) : file_(file) {}

  Result<TpuGraph> read() {
    HLOSCOPE_TRY(read_nodes());
    HLOSCOPE_TRY(read_edges());
    const bool is_layout = file_.contains("node_config_feat");
    out_.collection = is_layout ? TpuGraph::Collection::kLayout : TpuGraph::Collection::kTile;
    HLOSCOPE_ASSIGN(Values<int64_t> runtimes, file_.integers("config_runtime", {std::nullopt}));
    out_.runtimes_ns = std::move(runtimes.values);
    HLOSCOPE_TRY(is_layout ? read_layouts() : read_tiles());
    return std::move(out_);
  }

 private:
  tl::unexpected<Error> bad(std::string_view name, std::string message) const {
    Error error;
    error.code = ErrorCode::kInvalidInput;
    error.message = std::move(message);
    return fail(file_.located(std::move(error), name));
  }

  // `values` as indices below `limit`.
  Result<std::vector<uint32_t>> indices(std::string_view name, const std::vector<int64_t>& values,
                                        size_t limit) const {
    std::vector<uint32_t> out;
    out.reserve(values.size());
    for (const int64_t value : values) {
      if (value < 0 || static_cast<uint64_t>(value) >= limit) {
        return bad(name, fmt::format("holds {}, expected 0 to {}", value, limit - 1));
      }
      out.push_back(static_cast<uint32_t>(value));
    }
    return out;
  }

  Status read_nodes() {
    HLOSCOPE_ASSIGN(auto features, file_.floats("node_feat", {std::nullopt, kTpuNodeFeatures}));
    out_.node_features = std::move(features.values);
    const size_t nodes = features.shape[0];
    if (nodes == 0) return bad("node_feat", "has no nodes");
    HLOSCOPE_ASSIGN(const auto opcodes, file_.integers("node_opcode", {nodes}));
    HLOSCOPE_ASSIGN(const auto ids, indices("node_opcode", opcodes.values, 256));
    out_.opcodes.assign(ids.begin(), ids.end());
    return {};
  }

  Status read_edges() {
    HLOSCOPE_ASSIGN(const auto edges, file_.integers("edge_index", {std::nullopt, 2}));
    HLOSCOPE_ASSIGN(const auto ends, indices("edge_index", edges.values, out_.nodes()));
    out_.edges.reserve(edges.shape[0]);
    for (size_t i = 0; i < edges.shape[0]; ++i) {
      out_.edges.push_back({ends[2 * i], ends[2 * i + 1]});
    }
    return {};
  }

  Status read_tiles() {
    const size_t count = out_.configurations();
    HLOSCOPE_ASSIGN(auto features, file_.floats("config_feat", {count, kTpuTileFeatures}));
    out_.configuration_features = std::move(features.values);
    HLOSCOPE_ASSIGN(auto normalizers, file_.integers("config_runtime_normalizers", {count}));
    out_.normalizers_ns = std::move(normalizers.values);
    return {};
  }

  Status read_layouts() {
    HLOSCOPE_ASSIGN(const auto ids, file_.integers("node_config_ids", {std::nullopt}));
    HLOSCOPE_ASSIGN(out_.configurable_nodes, indices("node_config_ids", ids.values, out_.nodes()));
    const WantedShape wanted = {out_.configurations(), ids.values.size(), kTpuLayoutFeatures};
    HLOSCOPE_ASSIGN(auto features, file_.floats("node_config_feat", wanted));
    out_.configuration_features = std::move(features.values);
    return read_splits();
  }

  // Stands as (1, s) in real files; (s) is taken as well. May end with the number of nodes.
  Status read_splits() {
    HLOSCOPE_ASSIGN(const Array array, file_.array("node_splits"));
    const WantedShape wanted =
        array.shape.size() == 1 ? WantedShape{std::nullopt} : WantedShape{size_t{1}, std::nullopt};
    HLOSCOPE_ASSIGN(const auto splits, file_.integers("node_splits", wanted));
    HLOSCOPE_ASSIGN(out_.splits, indices("node_splits", splits.values, out_.nodes() + 1));
    return {};
  }

  const NpzFile& file_;
  TpuGraph out_;
};

}  // namespace

bool TpuGraph::has_runtimes() const {
  return std::any_of(runtimes_ns.begin(), runtimes_ns.end(), [](int64_t t) { return t > 0; });
}

Result<TpuGraph> read_tpugraph(const std::string& path) {
  HLOSCOPE_ASSIGN(const NpzFile file, NpzFile::open(path));
  return Reader(file).read();
}

}  // namespace hloscope::data
