#include "core/data/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hloscope::data {

namespace {

constexpr std::array<std::string_view, kPartCount> kPartNames{"train", "valid", "test"};

constexpr uint8_t bit(Part part) {
  return static_cast<uint8_t>(1U << static_cast<unsigned>(part));
}

// For each graph the set of parts whose programs have it.
std::vector<uint8_t> parts_met(std::span<const Part> programs, size_t graph_count,
                               std::span<const Meeting> meetings) {
  std::vector<uint8_t> met(graph_count, 0);
  for (const Meeting& meeting : meetings) met[meeting.graph] |= bit(programs[meeting.program]);
  return met;
}

// The part of a graph that was met in a set of parts.
Part part_of(uint8_t met) {
  if ((met & bit(Part::kTest)) != 0) return Part::kTest;
  return (met & bit(Part::kValid)) != 0 ? Part::kValid : Part::kTrain;
}

Status check_sizes(const Split& split, size_t program_count, std::span<const Meeting> meetings) {
  bool good = split.programs.size() == program_count;
  for (const Meeting& meeting : meetings) {
    good = good && meeting.program < program_count && meeting.graph < split.graphs.size();
  }
  if (good) return {};
  return fail(ErrorCode::kInternal,
              fmt::format("split '{}' is not of these programs and graphs", split.name));
}

Status check_equal_programs(const Split& split, std::span<const SourceProgram> programs) {
  std::vector<uint32_t> order(programs.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](uint32_t i) { return programs[i].hash; });
  for (size_t i = 1; i < order.size(); ++i) {
    const uint32_t a = order[i - 1];
    const uint32_t b = order[i];
    if (programs[a].hash != programs[b].hash || split.programs[a] == split.programs[b]) continue;
    return fail(ErrorCode::kInternal,
                fmt::format("split '{}': programs {} and {} are equal, one is in {}, one in {}",
                            split.name, programs[a].name, programs[b].name, name(split.programs[a]),
                            name(split.programs[b])));
  }
  return {};
}

}  // namespace

std::string_view name(Part part) {
  return kPartNames[static_cast<size_t>(part)];
}

std::optional<Part> find_part(std::string_view name) {
  for (size_t i = 0; i < kPartCount; ++i) {
    if (kPartNames[i] == name) return static_cast<Part>(i);
  }
  return std::nullopt;
}

GraphParts graph_parts(std::span<const Part> programs, size_t graph_count,
                       std::span<const Meeting> meetings) {
  GraphParts out;
  out.parts.reserve(graph_count);
  for (const uint8_t met : parts_met(programs, graph_count, meetings)) {
    const Part part = part_of(met);
    const bool in_train = (met & bit(Part::kTrain)) != 0;
    const bool in_valid = (met & bit(Part::kValid)) != 0;
    out.parts.push_back(part);
    out.train_to_valid += part == Part::kValid && in_train ? 1 : 0;
    out.train_to_test += part == Part::kTest && in_train ? 1 : 0;
    out.valid_to_test += part == Part::kTest && in_valid ? 1 : 0;
  }
  return out;
}

Status check_no_leak(const Split& split, std::span<const SourceProgram> programs,
                     std::span<const Meeting> meetings) {
  HLOSCOPE_TRY(check_sizes(split, programs.size(), meetings));
  HLOSCOPE_TRY(check_equal_programs(split, programs));
  const std::vector<uint8_t> met = parts_met(split.programs, split.graphs.size(), meetings);
  for (size_t graph = 0; graph < met.size(); ++graph) {
    const Part wanted = part_of(met[graph]);
    if (split.graphs[graph] == wanted) continue;
    return fail(ErrorCode::kInternal,
                fmt::format("split '{}': graph {} is in {}, but its programs make it {}",
                            split.name, graph, name(split.graphs[graph]), name(wanted)));
  }
  return {};
}

}  // namespace hloscope::data
