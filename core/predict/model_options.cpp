#include "core/predict/model_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace hloscope::predict {

namespace {

using Json = nlohmann::ordered_json;

template <typename E>
struct Choice {
  E value;
  std::string_view name;
};

constexpr Choice<Network> kNetworks[] = {
    {Network::kNone, "none"}, {Network::kSage, "sage"}, {Network::kGat, "gat"}};
constexpr Choice<nn::Reduction> kReductions[] = {
    {nn::Reduction::kSum, "sum"}, {nn::Reduction::kMean, "mean"}, {nn::Reduction::kMax, "max"}};
constexpr Choice<Edges> kEdges[] = {
    {Edges::kDirected, "directed"}, {Edges::kUndirected, "undirected"}, {Edges::kBoth, "both"}};
constexpr Choice<Readout> kReadouts[] = {{Readout::kPerNode, "per_node"},
                                         {Readout::kColumnwise, "columnwise"},
                                         {Readout::kLstm, "lstm"},
                                         {Readout::kTransformer, "transformer"},
                                         {Readout::kNone, "none"}};
constexpr Choice<ConfigurationJoin> kJoins[] = {{ConfigurationJoin::kNone, "none"},
                                                {ConfigurationJoin::kEarly, "early"},
                                                {ConfigurationJoin::kLate, "late"},
                                                {ConfigurationJoin::kNode, "node"}};
constexpr Choice<StaticFeatures> kStatic[] = {{StaticFeatures::kOff, "off"},
                                              {StaticFeatures::kNode, "node"},
                                              {StaticFeatures::kKernel, "kernel"}};
constexpr Choice<Analytical> kAnalytical[] = {{Analytical::kOff, "off"},
                                              {Analytical::kFeatures, "features"},
                                              {Analytical::kResidual, "residual"}};
constexpr Choice<Loss> kLosses[] = {{Loss::kPairwiseHinge, "pairwise_hinge"},
                                    {Loss::kPairwiseLogistic, "pairwise_logistic"},
                                    {Loss::kListMle, "list_mle"},
                                    {Loss::kMse, "mse"},
                                    {Loss::kWeightedMse, "weighted_mse"},
                                    {Loss::kMape, "mape"}};

template <typename E, size_t n>
std::span<const Choice<E>> all(const Choice<E> (&choices)[n]) {
  return choices;
}

struct Range {
  uint32_t least;
  uint32_t most;
};

/// Calls visit(name, member, what it may be) for every option: the one list of them.
template <typename Options, typename Visit>
void for_each_option(Options& o, Visit&& visit) {
  visit("network", o.network, all(kNetworks));
  visit("neighbours", o.neighbours, all(kReductions));
  visit("message_layer", o.message_layer, nullptr);
  visit("l2", o.l2, nullptr);
  visit("edges", o.edges, all(kEdges));
  visit("readout", o.readout, all(kReadouts));
  visit("join", o.join, all(kJoins));
  visit("static_features", o.static_features, all(kStatic));
  visit("analytical", o.analytical, all(kAnalytical));
  visit("loss", o.loss, all(kLosses));
  visit("opcode_width", o.opcode_width, Range{1, 1024});
  visit("hidden_width", o.hidden_width, Range{1, 1024});
  visit("layers", o.layers, Range{0, 16});
  visit("head_layers", o.head_layers, Range{1, 8});
  visit("heads", o.heads, Range{1, 64});
  visit("readout_layers", o.readout_layers, Range{1, 8});
  visit("dropout", o.dropout, nullptr);
}

struct Writer {
  Json json = Json::object();

  template <typename E>
  void operator()(const char* name, E value, std::span<const Choice<E>> choices) {
    for (const auto& choice : choices) {
      if (choice.value == value) json[name] = choice.name;
    }
  }
  template <typename V, typename Limits>
  void operator()(const char* name, V value, Limits /*limits*/) {
    json[name] = value;
  }
};

struct Reader {
  const Json& json;
  std::vector<std::string> names;
  Status status;

  template <typename E>
  void operator()(const char* name, E& value, std::span<const Choice<E>> choices) {
    const Json* given = find(name);
    if (given == nullptr) return;
    std::vector<std::string_view> known;
    for (const auto& choice : choices) {
      known.push_back(choice.name);
      if (*given == choice.name) {
        value = choice.value;
        return;
      }
    }
    refuse(name, fmt::format("it may be {}", fmt::join(known, ", ")));
  }
  void operator()(const char* name, bool& value, std::nullptr_t /*limits*/) {
    const Json* given = find(name);
    if (given == nullptr) return;
    if (!given->is_boolean()) return refuse(name, "it may be true or false");
    value = given->get<bool>();
  }
  void operator()(const char* name, uint32_t& value, Range limits) {
    const Json* given = find(name);
    if (given == nullptr) return;
    if (!given->is_number_unsigned() || given->get<uint64_t>() < limits.least ||
        given->get<uint64_t>() > limits.most) {
      return refuse(
          name, fmt::format("it may be a whole number from {} to {}", limits.least, limits.most));
    }
    value = given->get<uint32_t>();
  }
  void operator()(const char* name, double& value, std::nullptr_t /*limits*/) {
    const Json* given = find(name);
    if (given == nullptr) return;
    if (!given->is_number() || !(given->get<double>() >= 0.0 && given->get<double>() < 1.0)) {
      return refuse(name, "it may be a number from 0 to below 1");
    }
    value = given->get<double>();
  }

 private:
  const Json* find(const char* name) {
    names.emplace_back(name);
    const auto at = json.find(name);
    return at == json.end() ? nullptr : &*at;
  }
  void refuse(const char* name, std::string hint) {
    if (!status) return;
    const std::string value = json.at(name).dump(-1, ' ', true, Json::error_handler_t::replace);
    status = fail(ErrorCode::kInvalidInput,
                  fmt::format("model option '{}' can not be {}", name, value), std::move(hint));
  }
};

constexpr std::array<std::string_view, 6> kPresets = {
    "sage-lstm", "sage-transformer", "sage-columnwise", "lstm", "gat", "terms"};

// Whole programs have too many nodes for sequences and for attention of all to all.
Result<ModelOptions> layout_preset(std::string_view name) {
  ModelOptions options;
  options.join = ConfigurationJoin::kNode;
  options.opcode_width = 16;
  options.hidden_width = 64;
  if (name == "sage-columnwise") return options;
  options.network = Network::kGat;
  if (name == "gat") return options;
  return fail(ErrorCode::kUnsupported,
              fmt::format("the model preset '{}' is not for whole programs", name),
              "take sage-columnwise or gat");
}

Result<ModelOptions> terms_preset(bool with_estimates) {
  if (!with_estimates) {
    return fail(ErrorCode::kUnsupported,
                "the model preset 'terms' sees nothing but analytical estimates",
                "take a data set of kernels as HLO");
  }
  ModelOptions options;
  options.network = Network::kNone;
  options.readout = Readout::kNone;
  options.join = ConfigurationJoin::kLate;
  options.analytical = Analytical::kResidual;
  options.loss = Loss::kMape;
  options.opcode_width = 1;
  options.hidden_width = 64;
  options.layers = 0;
  options.head_layers = 2;
  return options;
}

}  // namespace

bool predicts_time(Loss loss) {
  return loss == Loss::kMse || loss == Loss::kWeightedMse || loss == Loss::kMape;
}

std::string to_json(const ModelOptions& options) {
  Writer writer;
  for_each_option(options, writer);
  return writer.json.dump();
}

Result<ModelOptions> parse_model_options(std::string_view json, const ModelOptions& base) {
  const Json object = Json::parse(json, nullptr, false);
  if (!object.is_object()) {
    return fail(ErrorCode::kInvalidInput, "the model options are not a JSON object",
                R"(e.g. {"network": "sage", "layers": 3})");
  }
  ModelOptions options = base;
  Reader reader{object, {}, {}};
  for_each_option(options, reader);
  HLOSCOPE_TRY(reader.status);
  for (const auto& entry : object.items()) {
    if (std::ranges::find(reader.names, entry.key()) != reader.names.end()) continue;
    return fail(ErrorCode::kInvalidInput, fmt::format("no model option '{}'", entry.key()),
                fmt::format("there are {}", fmt::join(reader.names, ", ")));
  }
  return options;
}

Status check_model_options(const ModelOptions& options, const InputWidths& widths) {
  const auto refuse = [](std::string message, std::string hint) {
    return fail(ErrorCode::kInvalidInput, std::move(message), std::move(hint));
  };
  if (widths.node == 0) return refuse("a model needs features of nodes", "give at least one");
  const bool joined = options.join != ConfigurationJoin::kNone;
  if (options.readout == Readout::kNone && options.join != ConfigurationJoin::kLate) {
    return refuse("the model looks neither at nodes nor at configurations",
                  R"(set the model option "join" to "late", or "readout" to another)");
  }
  if (joined && widths.configuration == 0) {
    return refuse("the model joins configurations, but the data have none",
                  R"(set the model option "join" to "none")");
  }
  if (options.static_features != StaticFeatures::kOff && widths.graph == 0) {
    return refuse("the model uses static performance features, but the data have none",
                  R"(set the model option "static_features" to "off")");
  }
  if (options.join == ConfigurationJoin::kNode && options.analytical != Analytical::kOff) {
    return refuse("the model uses analytical estimates, of which layouts have none",
                  R"(set the model option "analytical" to "off")");
  }
  if (!joined && options.analytical != Analytical::kOff) {
    return refuse("the model uses the analytical estimates of configurations that it is not given",
                  R"(set the model option "join" to "late", or "analytical" to "off")");
  }
  if (!joined && !predicts_time(options.loss)) {
    return refuse("the model ranks configurations that it is not given",
                  R"(set the model option "join" to "early" or "late", or another "loss")");
  }
  const bool split = options.network == Network::kGat || options.readout == Readout::kTransformer;
  if (split && options.hidden_width % options.heads != 0) {
    return refuse(fmt::format("a hidden width of {} can not be split into {} heads",
                              options.hidden_width, options.heads),
                  R"("hidden_width" must be a multiple of "heads")");
  }
  return {};
}

std::vector<std::string_view> preset_names() {
  return {kPresets.begin(), kPresets.end()};
}

Result<ModelOptions> preset(std::string_view name, data::Task task, bool with_estimates) {
  if (std::ranges::find(kPresets, name) == kPresets.end()) {
    return fail(ErrorCode::kNotFound, fmt::format("no model preset '{}'", name),
                fmt::format("there are {}", fmt::join(kPresets, ", ")));
  }
  if (task == data::Task::kLayout) return layout_preset(name);
  ModelOptions options;
  if (name == "sage-lstm") options.readout = Readout::kLstm;
  if (name == "sage-transformer") options.readout = Readout::kTransformer;
  if (name == "sage-columnwise") options.edges = Edges::kDirected;
  if (name == "gat") options.network = Network::kGat;
  if (name == "lstm") {
    options.network = Network::kNone;
    options.readout = Readout::kLstm;
  }
  if (name == "terms") return terms_preset(with_estimates);
  options.static_features = StaticFeatures::kKernel;
  options.head_layers = 2;
  if (task == data::Task::kFusion) {
    options.loss = Loss::kMse;
    options.join = ConfigurationJoin::kNone;
  }
  if (!with_estimates) return options;
  options.analytical = Analytical::kResidual;
  options.join = ConfigurationJoin::kLate;
  // Most corrections are small and a few are large: absolute errors, not squares.
  options.loss = Loss::kMape;
  return options;
}

}  // namespace hloscope::predict
