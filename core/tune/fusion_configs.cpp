#include "core/tune/fusion_configs.h"

#include <fmt/format.h>

#include "core/fuse/apply.h"

namespace hloscope::tune {

namespace {

// Flips that a move tries for each edge, before there is none.
constexpr size_t kTriesPerEdge = 16;

}  // namespace

FusionConfigs::FusionConfigs(std::shared_ptr<FusionCursor> cursor)
    : cursor_(std::move(cursor)),
      space_(cursor_->space()),
      default_(to_config(cursor_->state().config())) {}

std::string FusionConfigs::dimension_name(size_t dimension) const {
  const fuse::Edge& edge = space_[fuse::EdgeId(dimension)];
  const hlo::Program& program = space_.program();
  return fmt::format("edge {}: {} {} {}", dimension, program[edge.first].name,
                     edge.is_sibling ? "+" : "->", program[edge.second].name);
}

Config FusionConfigs::random(Rng& rng) const {
  cursor_->take(space_.random(rng));
  return to_config(cursor_->state().config());
}

// Half of the moves flip one edge, a quarter two, an eighth three: what takes an instruction out of
// one kernel and puts it in another is then a single move, whose way through an unfused state no
// search has to accept.
std::optional<Config> FusionConfigs::neighbour(const Config& from, Rng& rng) const {
  cursor_->move_to(from);
  const std::optional<fuse::EdgeId> first = flip_any(rng);
  if (!first) return std::nullopt;
  while (rng.below(2) == 0) flip_beside(*first, rng);
  return to_config(cursor_->state().config());
}

std::optional<fuse::EdgeId> FusionConfigs::flip_any(Rng& rng) const {
  const size_t tries = kTriesPerEdge * space_.edge_count();
  for (size_t i = 0; i < tries; ++i) {
    const fuse::EdgeId edge(rng.below(space_.edge_count()));
    if (cursor_->flip(edge) == FusionCursor::Flip::kKernels) return edge;
  }
  return std::nullopt;
}

void FusionConfigs::flip_beside(fuse::EdgeId first, Rng& rng) const {
  const fuse::Edge& edge = space_[first];
  const auto beside = space_.edges_of(rng.below(2) == 0 ? edge.first : edge.second);
  const fuse::EdgeId other = beside[rng.below(beside.size())];
  if (other != first) cursor_->flip(other);
}

Config FusionConfigs::cross(const Config& a, const Config& b, Rng& rng) const {
  fuse::FusionConfig mixed(a.size());
  for (size_t e = 0; e < a.size(); ++e) {
    mixed[e] = static_cast<uint8_t>(rng.below(2) == 0 ? a[e] : b[e]);
  }
  cursor_->take(mixed);
  return to_config(cursor_->state().config());
}

Config FusionConfigs::toward(const Config& a, const Config& b, double share, Rng& rng) const {
  cursor_->take(to_flags(mixed_toward(a, b, share, rng)));
  return to_config(cursor_->state().config());
}

bool FusionConfigs::is_valid(const Config& config) const {
  const fuse::FusionConfig flags = to_flags(config);
  cursor_->take(flags);
  return cursor_->state().config() == flags;
}

std::optional<Config> FusionConfigs::after(const Config* last) const {
  if (last == nullptr) return Config(dimensions(), 0);
  Config next = *last;
  do {
    size_t e = next.size();
    while (e > 0 && next[e - 1] == 1) next[--e] = 0;
    if (e == 0) return std::nullopt;
    next[e - 1] = 1;
  } while (!is_valid(next));
  return next;
}

std::string FusionConfigs::text(const Config& config) const {
  return fuse::config_text(to_flags(config));
}

Result<Config> FusionConfigs::parse(std::string_view text) const {
  HLOSCOPE_ASSIGN(const fuse::FusionConfig flags, fuse::parse_config(space_, text));
  Config out = to_config(flags);
  if (is_valid(out)) return out;
  return fail(ErrorCode::kInvalidInput, "some edges of the configuration are not valid together",
              "'hloscope-cli fuse FILE --config' leaves those out and prints what is left");
}

Result<hlo::ProgramPtr> FusionConfigs::program(const Config& config) const {
  cursor_->move_to(config);
  return fuse::apply(cursor_->state());
}

}  // namespace hloscope::tune
