#include "core/features/configuration.h"

namespace hloscope::features {

namespace {

using std::string_view;

constexpr int kTileRank = 6;

constexpr ConfigurationFeature bounds(string_view name, size_t position) {
  return {{Group::kTile, name, Form::kListSumProduct, kTileRank, 0, 0}, position};
}
constexpr ConfigurationFeature order(string_view name, size_t position) {
  return {{Group::kLayout, name, Form::kList, kTileRank, -1}, position};
}

constexpr ConfigurationFeature kConfigurationTable[] = {
    bounds("kernel_bounds", 0),
    bounds("output_bounds", 1),
    bounds("input_bounds", 2),
    order("output_layout", 0),
    order("input_layout", 1),
    order("kernel_layout", 2),
    {{Group::kDot, "dot_config", Form::kList, 3}, 0},
    {{Group::kFusion, "fusion_config", Form::kNumber, 1}, 0},
};

}  // namespace

std::span<const ConfigurationFeature> configuration_table() {
  return kConfigurationTable;
}

void append_configuration_features(Group group, const ConfigurationView& lists,
                                   std::vector<float>& out) {
  Integers values;
  for (const ConfigurationFeature& row : kConfigurationTable) {
    if (row.feature.group != group) continue;
    values.clear();
    if (row.position < lists.size()) {
      values.assign(lists[row.position].begin(), lists[row.position].end());
    }
    out.resize(out.size() + width(row.feature));
    encode(row.feature, values, out.data() + out.size() - width(row.feature));
  }
}

std::vector<float> configuration_features(Group group, const ConfigurationView& lists) {
  std::vector<float> out;
  append_configuration_features(group, lists, out);
  return out;
}

}  // namespace hloscope::features
