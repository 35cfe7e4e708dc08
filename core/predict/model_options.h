#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/data/data_set.h"
#include "core/nn/operations.h"
#include "core/predict/batch.h"

namespace hloscope::predict {

/// What makes rows of nodes from rows of nodes and edges.
enum class Network : uint8_t {
  kNone,  ///< Nodes know nothing of each other before the readout.
  kSage,  ///< GraphSAGE (arXiv 1706.02216).
  kGat,   ///< Multi-head graph attention (arXiv 1710.10903).
};

/// From where a node hears.
enum class Edges : uint8_t {
  kDirected,    ///< From its operands.
  kUndirected,  ///< From operands and users alike.
  kBoth,        ///< From operands and from users, with weights for each.
};

/// How the rows of the nodes become the kernel's.
enum class Readout : uint8_t {
  kPerNode,      ///< A number for each node, added up.
  kColumnwise,   ///< Sum, mean and maximum of each column, side by side.
  kLstm,         ///< The last state of an LSTM over the nodes, operands before users.
  kTransformer,  ///< A Transformer encoder without positions, then as kColumnwise.
  kNone,         ///< They do not: a kernel is its static features and its configuration.
};

/// Where the features of a configuration come in.
enum class ConfigurationJoin : uint8_t {
  kNone,
  kEarly,  ///< Given to every node: the network runs once for each configuration.
  kLate,   ///< Given to what the readout sums up: the network runs once for each kernel.
  kNode,   ///< Each node is given its own: the network runs once for each configuration.
};
/// Whether the network runs once for each configuration.
[[nodiscard]] constexpr bool runs_per_sample(ConfigurationJoin join) {
  return join == ConfigurationJoin::kEarly || join == ConfigurationJoin::kNode;
}

/// Where the static performance features of a kernel come in.
enum class StaticFeatures : uint8_t {
  kOff,
  kNode,    ///< Given to every node.
  kKernel,  ///< Given to what the readout sums up.
};

/// What a model is told of the analytical model's estimate of each configuration.
enum class Analytical : uint8_t {
  kOff,
  kFeatures,  ///< Its terms (estimate_feature_names()) are features of the configuration.
  kResidual,  ///< The same, and the prediction is a correction: log of its time is added.
};

enum class Loss : uint8_t {
  kPairwiseHinge,
  kPairwiseLogistic,
  kListMle,
  kMse,          ///< Of log ns.
  kWeightedMse,  ///< Of log ns, each sample weighted by the square root of its ns.
  kMape,         ///< Of ns.
};

/// True where predictions are log ns; false where they only rank the configurations of a kernel.
[[nodiscard]] bool predicts_time(Loss loss);

/// The architecture of a model and what it is trained for.
struct ModelOptions {
  Network network = Network::kSage;
  nn::Reduction neighbours = nn::Reduction::kMean;  ///< GraphSAGE: how neighbours are reduced.
  /// GraphSAGE: neighbours go through a layer of their own first, as in arXiv 2008.01040; without
  /// it their rows are reduced as they are, as in arXiv 1706.02216.
  bool message_layer = true;
  bool l2 = true;  ///< Rows of nodes to length 1 after each layer.
  Edges edges = Edges::kBoth;
  Readout readout = Readout::kColumnwise;
  ConfigurationJoin join = ConfigurationJoin::kLate;
  StaticFeatures static_features = StaticFeatures::kOff;
  Analytical analytical = Analytical::kOff;
  Loss loss = Loss::kPairwiseHinge;
  uint32_t opcode_width = 64;   ///< Of the embedding of an opcode.
  uint32_t hidden_width = 128;  ///< Of the row of a node, and of the last hidden layer.
  uint32_t layers = 3;          ///< Of the graph network.
  uint32_t head_layers = 1;     ///< Hidden ones, behind the join of configurations.
  uint32_t heads = 4;           ///< Of graph attention and of the Transformer.
  uint32_t readout_layers = 1;  ///< Of the Transformer.
  double dropout = 0.0;         ///< Probability, in [0, 1).
  bool operator==(const ModelOptions&) const = default;
};

/// A JSON object with every option.
[[nodiscard]] std::string to_json(const ModelOptions& options);
/// Reads a JSON object; options it does not name keep the value of `base`. Errors: kInvalidInput
/// (not an object; an option that does not exist; a value of another kind or out of range: the
/// message names option and value, the hint what there is).
[[nodiscard]] Result<ModelOptions> parse_model_options(std::string_view json,
                                                       const ModelOptions& base = {});
/// Checks that the options fit together and to the inputs. Error: kInvalidInput.
[[nodiscard]] Status check_model_options(const ModelOptions& options, const InputWidths& widths);

/// "sage-lstm", "sage-transformer", "sage-columnwise", "lstm", "gat" and "terms", which sees the
/// terms of the analytical model alone.
[[nodiscard]] std::vector<std::string_view> preset_names();
/// Tile: ranks configurations. Fusion: log ns. Both are given static features of the kernel, and
/// correct the analytical model where its estimates are there (`with_estimates`). Layout: ranks
/// configurations that are joined at the nodes. Errors: kNotFound (no such name), kUnsupported
/// (not for whole programs).
[[nodiscard]] Result<ModelOptions> preset(std::string_view name, data::Task task,
                                          bool with_estimates = true);

}  // namespace hloscope::predict
