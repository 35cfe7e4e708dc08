#include "core/data/configuration_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/data/tpugraphs.h"
#include "core/sim/tile.h"

namespace hloscope::data {

namespace {

// Of one list of bounds in a row of 24 tile features: six bounds, their sum and their product.
constexpr size_t kBoundFeatures = 8;
constexpr size_t kBounds = 6;
constexpr size_t kListsOfNode = 3;

std::vector<int64_t> bounds_of(const std::vector<int64_t>& features, size_t list) {
  const auto begin = features.begin() + static_cast<std::ptrdiff_t>(list * kBoundFeatures);
  std::vector<int64_t> out(begin, begin + kBounds);
  while (!out.empty() && out.back() == 0) out.pop_back();
  return out;
}

// Kernel, output and input bounds of a tile.
std::string tile_text(const Configuration& lists) {
  const auto list = [&lists](size_t i) {
    return i < lists.size() ? lists[i] : std::vector<int64_t>();
  };
  std::string out = sim::tile_text({list(1), list(0)});
  if (const auto input = list(2); !input.empty()) {
    out += fmt::format("{}input={}", out.empty() ? "" : ",", fmt::join(input, "x"));
  }
  return out.empty() ? "-" : out;
}

size_t node_count(const Configuration& configuration, GraphForm form) {
  return form == GraphForm::kTpuGraph ? configuration.front().size() / kTpuLayoutFeatures
                                      : configuration.size() / kListsOfNode;
}

// Nodes with another layout than in `other`, which has as many.
size_t differing_nodes(const Configuration& configuration, const Configuration& other,
                       GraphForm form) {
  size_t out = 0;
  for (size_t node = 0; node < node_count(configuration, form); ++node) {
    const auto differs = [node](const auto& a, const auto& b, size_t width) {
      const auto begin = static_cast<std::ptrdiff_t>(node * width);
      return !std::equal(a.begin() + begin, a.begin() + begin + static_cast<std::ptrdiff_t>(width),
                         b.begin() + begin);
    };
    const bool other_layout =
        form == GraphForm::kTpuGraph
            ? differs(configuration.front(), other.front(), kTpuLayoutFeatures)
            : differs(configuration, other, kListsOfNode);
    if (other_layout) ++out;
  }
  return out;
}

}  // namespace

std::string configuration_text(const Configuration& configuration, Task task, GraphForm form) {
  if (configuration.empty()) return "-";
  const std::vector<int64_t>& first = configuration.front();
  if (task == Task::kLayout) {
    const size_t nodes = node_count(configuration, form);
    return fmt::format("layouts of {} node{}", nodes, nodes == 1 ? "" : "s");
  }
  if (form != GraphForm::kTpuGraph) return tile_text(configuration);
  if (first.size() != kTpuTileFeatures) return "-";
  return tile_text({bounds_of(first, 0), bounds_of(first, 1), bounds_of(first, 2)});
}

std::string configuration_text(const Configuration& configuration, const Configuration& fastest,
                               Task task, GraphForm form) {
  const bool is_alike = task == Task::kLayout && !configuration.empty() && !fastest.empty() &&
                        configuration.size() == fastest.size() &&
                        configuration.front().size() == fastest.front().size();
  if (!is_alike) return configuration_text(configuration, task, form);
  const size_t nodes = node_count(configuration, form);
  const size_t differing = differing_nodes(configuration, fastest, form);
  if (differing == 0) return configuration_text(configuration, task, form);
  return fmt::format("{} of {} nodes differ from the fastest", differing, nodes);
}

}  // namespace hloscope::data
