#include "core/tune/program_tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hloscope::tune {

ProgramTiles::ProgramTiles(Parts parts) : parts_(std::move(parts)), begins_{0} {
  for (const auto& part : parts_) begins_.push_back(begins_.back() + part->dimensions());
}

size_t ProgramTiles::kernel_of(size_t dimension) const {
  const auto after = std::upper_bound(begins_.begin(), begins_.end(), dimension);
  return static_cast<size_t>(after - begins_.begin()) - 1;
}

Config ProgramTiles::part_of(const Config& config, size_t kernel) const {
  const auto begin = config.begin();
  return {begin + static_cast<std::ptrdiff_t>(begins_[kernel]),
          begin + static_cast<std::ptrdiff_t>(begins_[kernel + 1])};
}

void ProgramTiles::put(const Config& part, size_t begin, Config& config) {
  std::copy(part.begin(), part.end(), config.begin() + static_cast<std::ptrdiff_t>(begin));
}

uint32_t ProgramTiles::choices(size_t dimension) const {
  const size_t k = kernel_of(dimension);
  return parts_[k]->choices(dimension - begins_[k]);
}

std::string ProgramTiles::dimension_name(size_t dimension) const {
  const size_t k = kernel_of(dimension);
  return fmt::format("{} {}", parts_[k]->kernel().name,
                     parts_[k]->dimension_name(dimension - begins_[k]));
}

std::optional<double> ProgramTiles::count() const {
  // A program has hundreds of kernels: none may keep the session waiting.
  constexpr uint64_t kMostBoxesOfOne = 10'000;
  double product = 1;
  for (const auto& part : parts_) {
    const auto count = part->count_within(kMostBoxesOfOne);
    if (!count || !std::isfinite(product * *count)) return std::nullopt;
    product *= *count;
  }
  return product;
}

Config ProgramTiles::default_config() const {
  Config out(dimensions());
  for (size_t k = 0; k < parts_.size(); ++k) put(parts_[k]->default_config(), begins_[k], out);
  return out;
}

Config ProgramTiles::random(Rng& rng) const {
  Config out(dimensions());
  for (size_t k = 0; k < parts_.size(); ++k) put(parts_[k]->random(rng), begins_[k], out);
  return out;
}

std::optional<Config> ProgramTiles::neighbour(const Config& from, Rng& rng) const {
  const size_t first = rng.below(parts_.size());
  for (size_t i = 0; i < parts_.size(); ++i) {
    const size_t k = (first + i) % parts_.size();
    const auto moved = parts_[k]->neighbour(part_of(from, k), rng);
    if (!moved) continue;
    Config out = from;
    put(*moved, begins_[k], out);
    return out;
  }
  return std::nullopt;
}

Config ProgramTiles::cross(const Config& a, const Config& b, Rng& rng) const {
  Config out(dimensions());
  for (size_t k = 0; k < parts_.size(); ++k) {
    // A kernel's bounds belong together: the tile of one parent, as it is.
    put(part_of(rng.below(2) == 0 ? a : b, k), begins_[k], out);
  }
  return out;
}

Config ProgramTiles::toward(const Config& a, const Config& b, double share, Rng& rng) const {
  std::vector<size_t> differing;
  for (size_t k = 0; k < parts_.size(); ++k) {
    if (part_of(a, k) != part_of(b, k)) differing.push_back(k);
  }
  Config out = a;
  for (const size_t place : drawn_places(differing.size(), share, rng)) {
    put(part_of(b, differing[place]), begins_[differing[place]], out);
  }
  return out;
}

std::optional<Config> ProgramTiles::after(const Config* last) const {
  if (last == nullptr) {
    Config out(dimensions());
    for (size_t k = 0; k < parts_.size(); ++k) {
      const auto first = parts_[k]->after(nullptr);
      if (!first) return std::nullopt;
      put(*first, begins_[k], out);
    }
    return out;
  }
  Config out = *last;
  for (size_t k = parts_.size(); k-- > 0;) {
    const Config here = part_of(out, k);
    if (const auto next = parts_[k]->after(&here)) {
      put(*next, begins_[k], out);
      return out;
    }
    put(*parts_[k]->after(nullptr), begins_[k], out);
  }
  return std::nullopt;
}

std::string ProgramTiles::text(const Config& config) const {
  std::string out;
  for (size_t k = 0; k < parts_.size(); ++k) {
    out += fmt::format("{}{}:{}", k == 0 ? "" : ";", parts_[k]->kernel().name,
                       parts_[k]->text(part_of(config, k)));
  }
  return out;
}

Status ProgramTiles::read_part(std::string_view text, Config& config) const {
  const size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  for (size_t k = 0; k < parts_.size(); ++k) {
    if (colon == std::string_view::npos || parts_[k]->kernel().name != name) continue;
    HLOSCOPE_ASSIGN(const Config part, parts_[k]->parse(text.substr(colon + 1)));
    put(part, begins_[k], config);
    return {};
  }
  return fail(ErrorCode::kInvalidInput,
              fmt::format("'{}' names no kernel with a choice of tiles", name),
              fmt::format("write it as {}:{}", parts_[0]->kernel().name,
                          parts_[0]->text(parts_[0]->default_config())));
}

Result<Config> ProgramTiles::parse(std::string_view text) const {
  Config out = default_config();
  while (!text.empty()) {
    const size_t end = text.find(';');
    HLOSCOPE_TRY(read_part(text.substr(0, end), out));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return out;
}

Result<hlo::ProgramPtr> ProgramTiles::program(const Config& config) const {
  std::vector<std::pair<hlo::InstructionId, std::string>> tiles;
  for (size_t k = 0; k < parts_.size(); ++k) {
    const TileKernel& kernel = parts_[k]->kernel();
    const std::string tile = parts_[k]->text(part_of(config, k));
    for (hlo::InstructionId id : kernel.instructions) tiles.emplace_back(id, tile);
  }
  return with_tiles(*parts_.front()->kernel().program, std::move(tiles));
}

}  // namespace hloscope::tune
