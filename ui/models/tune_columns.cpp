#include "ui/models/tune_columns.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <utility>

namespace hloscope::ui {
namespace {

template <typename T>
void move_to(std::vector<T>& to, std::vector<T>& from) {
  if (to.empty()) {
    to = std::move(from);
    return;
  }
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

struct NamedSizes {
  std::vector<std::string> names;
  std::vector<float> sizes;
};

std::string title_of(std::string_view key) {
  if (key == "out") return "output";
  return std::string(key);
}

NamedSizes parse_tile(std::string_view text) {
  NamedSizes result;
  std::string key;
  size_t place = 0;
  while (!text.empty()) {
    const size_t equals = text.find_first_of("=,x");
    if (equals != std::string_view::npos && text[equals] == '=') {
      key = title_of(text.substr(0, equals));
      place = 0;
      text.remove_prefix(equals + 1);
      continue;
    }
    const std::string_view word = text.substr(0, equals);
    float size = 0;
    const auto parsed = std::from_chars(word.data(), word.data() + word.size(), size);
    if (parsed.ec == std::errc()) {
      result.names.push_back(key + " " + std::to_string(place++));
      result.sizes.push_back(size);
    }
    text.remove_prefix(equals == std::string_view::npos ? text.size() : equals + 1);
  }
  return result;
}

}  // namespace

void TrialConfigs::append_configs(TrialConfigs&& more) {
  const size_t before = config.size();
  move_to(config, more.config);
  move_to(changed, more.changed);
  config_order.append(std::move(more.config_order), config);
  if (before == 0) {
    tile_names = std::move(more.tile_names);
    tile_sizes = std::move(more.tile_sizes);
    return;
  }
  for (size_t d = 0; d < tile_sizes.size(); ++d) {
    if (d < more.tile_sizes.size()) move_to(tile_sizes[d], more.tile_sizes[d]);
    tile_sizes[d].resize(config.size(), std::numeric_limits<float>::quiet_NaN());
  }
}

void TrialColumns::append(TrialColumns&& more) {
  const auto first = static_cast<uint32_t>(size());
  move_to(predicted_ns, more.predicted_ns);
  move_to(hardware_ns, more.hardware_ns);
  move_to(booked_ns, more.booked_ns);
  move_to(temperature, more.temperature);
  move_to(at_s, more.at_s);
  move_to(measured_as, more.measured_as);
  move_to(accepted, more.accepted);
  move_to(refined, more.refined);
  for (auto& [trial, error] : more.errors) errors.emplace(first + trial, std::move(error));
  if (!more.config.empty()) append_configs(std::move(more));
}

void TrialConfigs::append_tile(const std::string& text) {
  NamedSizes tile = parse_tile(text);
  if (tile_names.empty()) {
    tile_names = std::move(tile.names);
    tile_sizes.resize(tile_names.size());
  }
  for (size_t d = 0; d < tile_sizes.size(); ++d) {
    tile_sizes[d].push_back(d < tile.sizes.size() ? tile.sizes[d]
                                                  : std::numeric_limits<float>::quiet_NaN());
  }
}

std::vector<uint32_t> measured_order(const TrialColumns& trials) {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < trials.size(); ++i) {
    if (trials.measured_as[i] > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&trials](uint32_t a, uint32_t b) {
    return trials.measured_as[a] < trials.measured_as[b];
  });
  return order;
}

}  // namespace hloscope::ui
