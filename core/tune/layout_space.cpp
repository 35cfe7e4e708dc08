#include "core/tune/layout_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/hlo/similar.h"
#include "core/tune/layout_writer.h"
#include "core/tune/tile_kernel.h"

namespace hloscope::tune {

namespace {

constexpr std::string_view kDefaultText = "default";
// More arrays do not move together.
constexpr size_t kMaxLinks = 32;

}  // namespace

LayoutSpace::LayoutSpace(hlo::ProgramPtr program)
    : groups_(std::move(program)), assigner_(groups_), links_(groups_.dimensions().size()) {
  for (size_t d = 0; d < dimensions(); ++d) by_key_.emplace(groups_.dimensions()[d].key, d);
  find_links();
}

void LayoutSpace::find_links() {
  std::vector<std::pair<LayoutGroupId, LayoutGroupId>> pairs;
  for (const LayoutUse& use : groups_.uses()) {
    pairs.emplace_back(use.from, use.to);
    pairs.emplace_back(use.to, use.from);
  }
  const auto neighbours =
      Csr<LayoutGroupId, LayoutGroupId>::from_pairs(groups_.group_count(), pairs);
  for (size_t d = 0; d < dimensions(); ++d) find_links_of(d, neighbours);
}

void LayoutSpace::find_links_of(size_t dimension,
                                const Csr<LayoutGroupId, LayoutGroupId>& neighbours) {
  std::vector<LayoutGroupId> reached = {groups_.dimensions()[dimension].group};
  std::vector<LayoutGroupId> chosen;
  for (size_t i = 0; i < reached.size() && reached.size() < kMaxLinks; ++i) {
    for (LayoutGroupId next : neighbours[reached[i]]) {
      const LayoutGroup& group = groups_[next];
      if (group.is_fixed || std::find(reached.begin(), reached.end(), next) != reached.end() ||
          std::find(chosen.begin(), chosen.end(), next) != chosen.end()) {
        continue;
      }
      (group.is_chosen ? chosen : reached).push_back(next);
    }
  }
  for (LayoutGroupId group : chosen) links_[dimension].push_back(groups_[group].dimension);
}

uint32_t LayoutSpace::choices(size_t dimension) const {
  return static_cast<uint32_t>(groups_.dimensions()[dimension].choices.size());
}

std::string LayoutSpace::dimension_name(size_t dimension) const {
  return groups_.dimensions()[dimension].name;
}

std::optional<double> LayoutSpace::count() const {
  double count = 1;
  for (size_t d = 0; d < dimensions(); ++d) count *= choices(d);
  return std::isfinite(count) ? std::optional(count) : std::nullopt;
}

Config LayoutSpace::random(Rng& rng) const {
  Config out = default_config();
  for (size_t d = 0; d < out.size(); ++d) out[d] = static_cast<uint32_t>(rng.below(choices(d)));
  return out;
}

std::optional<uint32_t> LayoutSpace::choice_of(size_t dimension, LayoutOrderId order) const {
  const auto& choices = groups_.dimensions()[dimension].choices;
  const auto at = std::find(choices.begin(), choices.end(), order);
  if (at == choices.end()) return std::nullopt;
  return static_cast<uint32_t>(at - choices.begin());
}

std::optional<Config> LayoutSpace::neighbour(const Config& from, Rng& rng) const {
  if (dimensions() == 0) return std::nullopt;
  Config out = from;
  const size_t d = rng.below(dimensions());
  const uint32_t step = 1 + static_cast<uint32_t>(rng.below(choices(d) - 1));
  out[d] = (from[d] + step) % choices(d);
  if (rng.below(2) == 0) return out;
  const LayoutDimension& dimension = groups_.dimensions()[d];
  for (size_t other : links_[d]) {
    if (groups_.dimensions()[other].choices[from[other]] != dimension.choices[from[d]]) continue;
    out[other] = choice_of(other, dimension.choices[out[d]]).value_or(from[other]);
  }
  return out;
}

Config LayoutSpace::cross(const Config& a, const Config& b, Rng& rng) const {
  Config out = a;
  for (size_t d = 0; d < out.size(); ++d) {
    if (rng.below(2) == 0) out[d] = b[d];
  }
  return out;
}

Config LayoutSpace::toward(const Config& a, const Config& b, double share, Rng& rng) const {
  return mixed_toward(a, b, share, rng);
}

std::optional<Config> LayoutSpace::after(const Config* last) const {
  if (last == nullptr) return default_config();
  Config out = *last;
  for (size_t d = 0; d < out.size(); ++d) {
    if (++out[d] < choices(d)) return out;
    out[d] = 0;
  }
  return std::nullopt;
}

std::string LayoutSpace::text(const Config& config) const {
  std::string out;
  for (size_t d = 0; d < config.size(); ++d) {
    if (config[d] == 0) continue;
    const LayoutDimension& dimension = groups_.dimensions()[d];
    out += fmt::format("{}{}:{}", out.empty() ? "" : ";", dimension.key,
                       order_text(groups_.order(dimension.choices[config[d]])));
  }
  return out.empty() ? std::string(kDefaultText) : out;
}

Result<Config> LayoutSpace::parse(std::string_view text) const {
  Config out = default_config();
  if (text == kDefaultText) return out;
  while (true) {
    const size_t end = text.find(';');
    HLOSCOPE_TRY(read_part(text.substr(0, end), out));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

Status LayoutSpace::read_part(std::string_view text, Config& config) const {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    return fail(ErrorCode::kInvalidInput, fmt::format("\"{}\" is no layout of an array", text),
                "write name:order;..., like convolution.12/in1:2.1.0.3, or default");
  }
  const std::string_view key = text.substr(0, colon);
  const auto at = by_key_.find(key);
  if (at == by_key_.end()) {
    std::vector<std::string_view> keys;
    for (const LayoutDimension& dimension : groups_.dimensions()) keys.push_back(dimension.key);
    const auto similar = hlo::most_similar(key, keys);
    return fail(ErrorCode::kInvalidInput,
                fmt::format("\"{}\" is no array whose layout can be chosen", key),
                similar ? fmt::format("did you mean {}?", *similar) : std::string());
  }
  HLOSCOPE_ASSIGN(const LayoutOrder order, parse_order(text.substr(colon + 1)));
  const LayoutDimension& dimension = groups_.dimensions()[at->second];
  for (uint32_t i = 0; i < dimension.choices.size(); ++i) {
    if (groups_.order(dimension.choices[i]) != order) continue;
    config[at->second] = i;
    return {};
  }
  return fail(
      ErrorCode::kInvalidInput,
      fmt::format("{} is not among the layouts of {}", order_text(order), key),
      fmt::format("one of them is {}", order_text(groups_.order(dimension.choices.back()))));
}

Result<hlo::ProgramPtr> LayoutSpace::program(const Config& config) const {
  return write_layouts(groups_, orders(config));
}

Result<std::unique_ptr<LayoutSpace>> make_layout_space(const hlo::ProgramPtr& program,
                                                       const Progress& progress) {
  HLOSCOPE_ASSIGN(hlo::ProgramPtr kernels, program_with_kernels(program, progress));
  auto space = std::make_unique<LayoutSpace>(std::move(kernels));
  if (space->dimensions() > 0) return space;
  return fail(ErrorCode::kUnsupported,
              fmt::format("{} has no array whose layout can be chosen", program->name()),
              "choose a program with a convolution, dot or reshape of arrays with two dimensions "
              "or more");
}

}  // namespace hloscope::tune
