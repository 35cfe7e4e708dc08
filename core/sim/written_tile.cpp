#include "core/sim/written_tile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/sim/tile_space.h"

namespace hloscope::sim {

namespace {

constexpr std::string_view kLoops = "loops=";

Result<std::vector<int64_t>> parse_list(const KernelModel& model, std::string_view text) {
  // Read as the bounds of a tile are.
  HLOSCOPE_ASSIGN(Tile tile, parse_tile(fmt::format("out={}", text.substr(kLoops.size()))));
  if (tile.output.size() != model.loops.size()) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{}: the kernel has {} loops", text, model.loops.size()),
                "give a bound for each");
  }
  for (size_t l = 0; l < tile.output.size(); ++l) {
    const int64_t most = std::max<int64_t>(model.loops[l].units(), 1);
    if (tile.output[l] >= 1 && tile.output[l] <= most) continue;
    return fail(
        ErrorCode::kInvalidInput,
        fmt::format("bound {} of loops= is {}, its range is 1 to {}", l + 1, tile.output[l], most));
  }
  return std::move(tile.output);
}

Result<std::vector<int64_t>> usable_bounds(std::string_view text, const KernelModel& model,
                                           const Rates& rates) {
  if (model.kind != KernelKind::kTiled) {
    return fail(ErrorCode::kInvalidInput, "the kernel is not cut in tiles");
  }
  HLOSCOPE_ASSIGN(std::vector<int64_t> bounds, parse_bounds(model, text));
  HLOSCOPE_TRY(TileSpace(model, rates).check_fits(bounds, text));
  return bounds;
}

}  // namespace

std::string list_tile_text(const std::vector<int64_t>& bounds) {
  return fmt::format("{}{}", kLoops, fmt::join(bounds, "x"));
}

Result<std::vector<int64_t>> parse_bounds(const KernelModel& model, std::string_view text) {
  if (text.starts_with(kLoops)) return parse_list(model, text);
  HLOSCOPE_ASSIGN(const Tile tile, parse_tile(text));
  return loop_bounds(model, tile);
}

std::optional<std::vector<int64_t>> written_bounds(const hlo::Program& program,
                                                   hlo::InstructionId kernel,
                                                   const KernelModel& model, const Rates& rates) {
  const std::string_view text = written_tile(program, kernel);
  if (text.empty()) return std::nullopt;
  Result<std::vector<int64_t>> bounds = usable_bounds(text, model, rates);
  if (!bounds) return std::nullopt;
  return std::move(*bounds);
}

std::optional<Error> written_tile_error(const hlo::Program& program, hlo::InstructionId kernel,
                                        const KernelModel& model, const Rates& rates) {
  const std::string_view text = written_tile(program, kernel);
  if (text.empty()) return std::nullopt;
  Result<std::vector<int64_t>> bounds = usable_bounds(text, model, rates);
  if (bounds) return std::nullopt;
  return std::move(bounds.error());
}

std::vector<int64_t> program_bounds(const hlo::Program& program, hlo::InstructionId kernel,
                                    const KernelModel& model, const Rates& rates) {
  if (auto written = written_bounds(program, kernel, model, rates)) return std::move(*written);
  return default_bounds(model, rates);
}

}  // namespace hloscope::sim
