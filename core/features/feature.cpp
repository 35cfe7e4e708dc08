#include "core/features/feature.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/features/configuration.h"
#include "core/features/node_table.h"

namespace hloscope::features {

namespace {

// Arithmetic of int64 that wraps instead of being undefined.
int64_t sum(const Integers& values) {
  uint64_t out = 0;
  for (const int64_t v : values) out += static_cast<uint64_t>(v);
  return static_cast<int64_t>(out);
}

int64_t product(const Integers& values, int64_t of_none) {
  if (values.empty()) return of_none;
  uint64_t out = 1;
  for (const int64_t v : values) out *= static_cast<uint64_t>(v);
  return static_cast<int64_t>(out);
}

void encode_list(const Feature& feature, const Integers& values, float* out) {
  for (size_t i = 0; i < static_cast<size_t>(feature.places); ++i) {
    out[i] = static_cast<float>(i < values.size() ? values[i] : feature.fill);
  }
}

template <typename Use>
void for_each_feature(Group group, Use use) {
  for (const NodeFeature& row : node_table()) {
    if (row.feature.group == group) use(row.feature);
  }
  for (const ConfigurationFeature& row : configuration_table()) {
    if (row.feature.group == group) use(row.feature);
  }
}

}  // namespace

std::string_view name(Group group) {
  constexpr std::array<std::string_view, kGroupCount> kNames = {"node",   "static", "extra", "tile",
                                                                "layout", "dot",    "fusion"};
  return kNames[static_cast<size_t>(group)];
}

size_t width(const Feature& feature) {
  const auto places = static_cast<size_t>(feature.places);
  switch (feature.form) {
    case Form::kNumber:
    case Form::kReal:
      return 1;
    case Form::kList:
    case Form::kOneHot:
      return places;
    case Form::kListSumProduct:
    case Form::kFlags:
      return places + 2;
  }
  return 0;
}

void append_names(const Feature& feature, std::vector<std::string>& out) {
  if (feature.form == Form::kNumber || feature.form == Form::kReal) {
    out.emplace_back(feature.name);
    return;
  }
  for (const std::string_view choice : feature.choices) {
    out.push_back(fmt::format("{}_{}", feature.name, choice));
  }
  if (feature.form == Form::kOneHot) return;
  for (int i = 0; i < feature.places; ++i) out.push_back(fmt::format("{}_{}", feature.name, i));
  if (feature.form == Form::kList) return;
  const bool flags = feature.form == Form::kFlags;
  out.push_back(fmt::format("{}_{}", feature.name, flags ? "true_count" : "sum"));
  out.push_back(fmt::format("{}_{}", feature.name, flags ? "false_count" : "product"));
}

void encode(const Feature& feature, const Integers& values, float* out) {
  const auto places = static_cast<size_t>(feature.places);
  switch (feature.form) {
    case Form::kNumber:
    case Form::kReal:
      out[0] = static_cast<float>(values.empty() ? feature.fill : values.front());
      return;
    case Form::kOneHot:
      for (size_t i = 0; i < places; ++i) {
        out[i] = !values.empty() && values.front() == static_cast<int64_t>(i) ? 1.0F : 0.0F;
      }
      return;
    case Form::kList:
      encode_list(feature, values, out);
      return;
    case Form::kListSumProduct:
      encode_list(feature, values, out);
      out[places] = static_cast<float>(sum(values));
      out[places + 1] = static_cast<float>(product(values, feature.empty_product));
      return;
    case Form::kFlags: {
      encode_list(feature, values, out);
      const auto unset = std::count(values.begin(), values.end(), 0);
      out[places] = static_cast<float>(static_cast<int64_t>(values.size()) - unset);
      out[places + 1] = static_cast<float>(unset);
      return;
    }
  }
}

size_t width(Group group) {
  size_t out = 0;
  for_each_feature(group, [&out](const Feature& feature) { out += width(feature); });
  return out;
}

std::vector<std::string> names(Group group) {
  std::vector<std::string> out;
  for_each_feature(group, [&out](const Feature& feature) { append_names(feature, out); });
  return out;
}

Hash128 table_hash() {
  Hasher hasher;
  for (int i = 0; i < kGroupCount; ++i) {
    const auto group = static_cast<Group>(i);
    hasher.add(name(group));
    for (const std::string& one : names(group)) hasher.add(std::string_view(one));
  }
  return hasher.digest();
}

}  // namespace hloscope::features
