#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/predict/normaliser.h"

namespace hloscope::predict {

namespace {

using Json = nlohmann::ordered_json;

constexpr uint32_t kMaxWidth = 65536;

Json json_of(const ColumnScales& scales) {
  return {{"width", scales.width},
          {"columns", scales.columns},
          {"shift", scales.shift},
          {"factor", scales.factor}};
}

tl::unexpected<Error> wrong(const std::string& key) {
  return fail(ErrorCode::kInvalidInput, fmt::format("the normaliser's {} is missing or wrong", key),
              "take a model file that is whole");
}

bool are_numbers(const Json& json) {
  return json.is_array() &&
         std::all_of(json.begin(), json.end(), [](const Json& value) { return value.is_number(); });
}

bool are_positions(const Json& json) {
  return json.is_array() && std::all_of(json.begin(), json.end(), [](const Json& value) {
           return value.is_number_unsigned() && value.get<uint64_t>() < kMaxWidth;
         });
}

bool is_consistent(const ColumnScales& scales) {
  const size_t n = scales.columns.size();
  const auto is_finite = [](double value) { return std::isfinite(value); };
  return scales.shift.size() == n && scales.factor.size() == n &&
         std::adjacent_find(scales.columns.begin(), scales.columns.end(), std::greater_equal<>()) ==
             scales.columns.end() &&
         (n == 0 || scales.columns.back() < scales.width) &&
         std::all_of(scales.shift.begin(), scales.shift.end(), is_finite) &&
         std::all_of(scales.factor.begin(), scales.factor.end(), is_finite);
}

Result<ColumnScales> scales_at(const Json& json, const std::string& key) {
  const Json at = json.value(key, Json());
  if (!at.is_object()) return wrong(key);
  const Json width = at.value("width", Json());
  if (!width.is_number_unsigned() || width.get<uint64_t>() > kMaxWidth)
    return wrong(key + ".width");
  if (!are_positions(at.value("columns", Json()))) return wrong(key + ".columns");
  for (const char* list : {"shift", "factor"}) {
    if (!are_numbers(at.value(list, Json()))) return wrong(key + "." + list);
  }
  ColumnScales out{width.get<uint32_t>(), at["columns"].get<std::vector<uint32_t>>(),
                   at["shift"].get<std::vector<double>>(), at["factor"].get<std::vector<double>>()};
  if (!is_consistent(out)) return wrong(key);
  return out;
}

}  // namespace

std::string Normaliser::to_json() const {
  const Json json = {{"scaling", name(scaling)},
                     {"node", json_of(node)},
                     {"graph", json_of(graph)},
                     {"configuration", json_of(configuration)},
                     {"estimate", json_of(estimate)}};
  return json.dump();
}

Result<Normaliser> Normaliser::from_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return wrong("JSON");
  const Json scaling = json.value("scaling", Json());
  Normaliser out;
  if (scaling == name(Scaling::kMinMax)) {
    out.scaling = Scaling::kMinMax;
  } else if (scaling != name(Scaling::kLogStandard)) {
    return wrong("scaling");
  }
  HLOSCOPE_ASSIGN(out.node, scales_at(json, "node"));
  HLOSCOPE_ASSIGN(out.graph, scales_at(json, "graph"));
  HLOSCOPE_ASSIGN(out.configuration, scales_at(json, "configuration"));
  HLOSCOPE_ASSIGN(out.estimate, scales_at(json, "estimate"));
  return out;
}

}  // namespace hloscope::predict
