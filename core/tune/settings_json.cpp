#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/tune/settings.h"

namespace hloscope::tune {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const EvaluatorSettings& evaluator) {
  return {{"kind", name(evaluator.kind)},
          {"models", evaluator.models},
          {"compile_s", evaluator.compile_s},
          {"repeats", evaluator.repeats}};
}

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

/// Takes values from an object; the first that is missing or of another kind is remembered.
class Reader {
 public:
  explicit Reader(const Json& json, std::string prefix = {})
      : json_(json), prefix_(std::move(prefix)) {}

  template <typename T>
  void take(const char* key, T& out) {
    const auto it = json_.find(key);
    if (it == json_.end() || !fits<T>(*it)) return note(key);
    out = it->template get<T>();
  }
  template <typename T>
  void take_optional(const char* key, std::optional<T>& out) {
    const auto it = json_.find(key);
    if (it == json_.end()) return note(key);
    if (it->is_null()) return;
    T value{};
    take(key, value);
    out = value;
  }
  template <typename E>
  void take_name(const char* key, E& out, Result<E> (*parse)(std::string_view)) {
    std::string text;
    take(key, text);
    if (wrong_.empty()) {
      const Result<E> value = parse(text);
      value ? void(out = *value) : note(key);
    }
  }
  [[nodiscard]] Json object(const char* key) {
    const auto it = json_.find(key);
    if (it != json_.end() && it->is_object()) return *it;
    note(key);
    return Json::object();
  }
  void note(const std::string& key) {
    if (wrong_.empty()) wrong_ = prefix_ + key;
  }
  [[nodiscard]] const std::string& wrong() const { return wrong_; }

 private:
  template <typename T>
  static bool fits(const Json& value) {
    if constexpr (std::is_same_v<T, bool>) return value.is_boolean();
    if constexpr (std::is_same_v<T, uint64_t>) return value.is_number_unsigned();
    if constexpr (std::is_same_v<T, double>) return value.is_number();
    if constexpr (std::is_same_v<T, std::string>) return value.is_string();
    if constexpr (std::is_same_v<T, std::vector<std::string>>) {
      return value.is_array() && std::all_of(value.begin(), value.end(),
                                             [](const Json& one) { return one.is_string(); });
    }
    return true;
  }

  const Json& json_;
  std::string prefix_;
  std::string wrong_;
};

void read_evaluator(Reader& parent, const char* key, EvaluatorSettings& out) {
  const Json json = parent.object(key);
  Reader reader(json, std::string(key) + ".");
  reader.take_name("kind", out.kind, &parse_evaluator);
  reader.take("models", out.models);
  reader.take("compile_s", out.compile_s);
  reader.take("repeats", out.repeats);
  if (!reader.wrong().empty()) parent.note(reader.wrong());
}

void read_strategy(Reader& parent, StrategySettings& out) {
  const Json json = parent.object("strategy");
  Reader reader(json, "strategy.");
  reader.take_name("kind", out.kind, &parse_strategy);
  reader.take("seed", out.seed);
  reader.take("random_start", out.random_start);
  reader.take("temperature", out.temperature);
  reader.take("cooling", out.cooling);
  reader.take("restart_trials", out.restart_trials);
  reader.take("population", out.population);
  reader.take("mutation", out.mutation);
  if (!reader.wrong().empty()) parent.note(reader.wrong());
}

void read_budget(Reader& parent, Budget& out) {
  const Json json = parent.object("budget");
  Reader reader(json, "budget.");
  reader.take_optional("trials", out.trials);
  reader.take_optional("time_s", out.time_s);
  reader.take_optional("hardware_s", out.hardware_s);
  if (!reader.wrong().empty()) parent.note(reader.wrong());
}

}  // namespace

std::string settings_json(const Settings& settings) {
  const StrategySettings& s = settings.strategy;
  const Json strategy = {{"kind", name(s.kind)},           {"seed", s.seed},
                         {"random_start", s.random_start}, {"temperature", s.temperature},
                         {"cooling", s.cooling},           {"restart_trials", s.restart_trials},
                         {"population", s.population},     {"mutation", s.mutation}};
  const Json budget = {{"trials", or_null(settings.budget.trials)},
                       {"time_s", or_null(settings.budget.time_s)},
                       {"hardware_s", or_null(settings.budget.hardware_s)}};
  Json out = {{"space", name(settings.space)},
              {"kernel", settings.kernel},
              {"machine", settings.machine},
              {"strategy", strategy},
              {"search", json_of(settings.search)},
              {"measure", settings.measure ? json_of(*settings.measure) : Json()},
              {"top_k", settings.top_k},
              {"budget", budget}};
  // Sessions of earlier versions know nothing of these.
  if (settings.default_tiles != Settings().default_tiles) {
    out["default_tiles"] = name(settings.default_tiles);
  }
  if (settings.refine != Settings().refine) out["refine"] = settings.refine;
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Settings> parse_settings(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return fail(ErrorCode::kInvalidInput, "the settings are no JSON object");
  Settings out;
  Reader reader(json);
  reader.take_name("space", out.space, &parse_space);
  reader.take("kernel", out.kernel);
  reader.take("machine", out.machine);
  read_strategy(reader, out.strategy);
  read_evaluator(reader, "search", out.search);
  if (!json.contains("measure")) reader.note("measure");
  if (json.contains("measure") && !json["measure"].is_null()) {
    read_evaluator(reader, "measure", out.measure.emplace());
  }
  reader.take("top_k", out.top_k);
  read_budget(reader, out.budget);
  if (json.contains("default_tiles")) {
    reader.take_name("default_tiles", out.default_tiles, &parse_default_tiles);
  }
  if (json.contains("refine")) reader.take("refine", out.refine);
  if (reader.wrong().empty()) return out;
  return fail(ErrorCode::kInvalidInput,
              fmt::format("the setting \"{}\" is missing or wrong", reader.wrong()),
              "settings are one line of JSON as `sessions show --json` prints it");
}

}  // namespace hloscope::tune
