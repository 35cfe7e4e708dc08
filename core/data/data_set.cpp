#include "core/data/data_set.h"

#include <fmt/format.h>

#include <array>

#include "core/data/configuration_words.h"
#include "core/data/varint.h"

namespace hloscope::data {

namespace {

constexpr std::array<std::string_view, 3> kTaskNames{"tile", "fusion", "layout"};
constexpr std::array<std::string_view, 3> kKindNames{"simulated", "compiler", "measured"};
constexpr std::array<std::string_view, 2> kFormNames{"hlo", "tpugraph"};

template <typename Enum, size_t n>
std::optional<Enum> find(const std::array<std::string_view, n>& names, std::string_view name) {
  for (size_t i = 0; i < n; ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

template <typename Enum, size_t n>
std::string_view name_of(const std::array<std::string_view, n>& names, Enum value) {
  return names[static_cast<size_t>(value)];
}

// Longer ones are tried in words; tiles are not.
constexpr size_t kMostPlainBytes = 128;

std::optional<Configuration> take_configuration(std::string_view bytes) {
  const std::optional<size_t> lists = take_count(bytes);
  if (!lists) return std::nullopt;
  Configuration out;
  for (size_t i = 0; i < *lists; ++i) {
    std::optional<std::vector<int64_t>> list = take_list(bytes);
    if (!list) return std::nullopt;
    out.push_back(std::move(*list));
  }
  if (!bytes.empty()) return std::nullopt;
  return out;
}

}  // namespace

std::string_view name(Task task) {
  return name_of(kTaskNames, task);
}
std::optional<Task> find_task(std::string_view name) {
  return find<Task>(kTaskNames, name);
}

std::string_view name(Target::Kind kind) {
  return name_of(kKindNames, kind);
}
std::optional<Target::Kind> find_target_kind(std::string_view name) {
  return find<Target::Kind>(kKindNames, name);
}

std::string_view name(GraphForm form) {
  return name_of(kFormNames, form);
}
std::optional<GraphForm> find_graph_form(std::string_view name) {
  return find<GraphForm>(kFormNames, name);
}

std::string Target::label() const {
  std::string out = fmt::format("{} ({}", name(kind), device);
  if (!source_hash.empty()) out += fmt::format("@{}", std::string_view(source_hash).substr(0, 8));
  if (noise > 0) out += fmt::format(", noise {:.3g} %", noise * 100);
  if (repeats > 1) out += fmt::format(", min of {}", repeats);
  return out + ")";
}

std::string pack_configuration(const Configuration& configuration) {
  std::string out;
  put_integer(out, static_cast<int64_t>(configuration.size()));
  for (const std::vector<int64_t>& list : configuration) put_list(out, list);
  if (out.size() <= kMostPlainBytes) return out;
  std::string words = pack_words(configuration);
  return words.size() < out.size() ? words : out;
}

Result<Configuration> unpack_configuration(std::string_view bytes) {
  std::optional<Configuration> out =
      are_words(bytes) ? unpack_words(bytes) : take_configuration(bytes);
  if (!out) return fail(ErrorCode::kInvalidInput, "a stored configuration is damaged");
  return std::move(*out);
}

}  // namespace hloscope::data
