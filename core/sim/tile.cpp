#include "core/sim/tile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <optional>

namespace hloscope::sim {

namespace {

constexpr std::string_view kTileHint = "a tile is written as out=12x4x4x3,kernel=3x1x24x3";

std::string_view next_part(std::string_view& rest, char separator) {
  const size_t end = rest.find(separator);
  const std::string_view part = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return part;
}

std::optional<std::vector<int64_t>> parse_bounds(std::string_view text) {
  std::vector<int64_t> bounds;
  // A separator at the end would leave nothing, as the end of the text does.
  if (text.ends_with('x')) return std::nullopt;
  while (!text.empty()) {
    const std::string_view part = next_part(text, 'x');
    int64_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size() || value < 1) return std::nullopt;
    bounds.push_back(value);
  }
  if (bounds.empty()) return std::nullopt;
  return bounds;
}

}  // namespace

std::string tile_text(const Tile& tile) {
  std::string text;
  if (!tile.output.empty()) text = fmt::format("out={}", fmt::join(tile.output, "x"));
  if (!tile.kernel.empty()) {
    text += fmt::format("{}kernel={}", text.empty() ? "" : ",", fmt::join(tile.kernel, "x"));
  }
  return text;
}

Result<Tile> parse_tile(std::string_view text) {
  Tile tile;
  std::string_view rest = text;
  while (!rest.empty()) {
    std::string_view part = next_part(rest, ',');
    const std::string_view name = next_part(part, '=');
    std::vector<int64_t>* bounds = name == "out"      ? &tile.output
                                   : name == "kernel" ? &tile.kernel
                                                      : nullptr;
    auto values = parse_bounds(part);
    if (bounds == nullptr || !values || !bounds->empty()) {
      return fail(ErrorCode::kInvalidInput, fmt::format("cannot read the tile \"{}\"", text),
                  std::string(kTileHint));
    }
    *bounds = std::move(*values);
  }
  if (tile.output.empty()) {
    return fail(ErrorCode::kInvalidInput, fmt::format("the tile \"{}\" has no out=", text),
                std::string(kTileHint));
  }
  return tile;
}

}  // namespace hloscope::sim
