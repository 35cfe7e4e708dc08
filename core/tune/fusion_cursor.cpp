#include "core/tune/fusion_cursor.h"

#include <algorithm>

namespace hloscope::tune {

namespace {

// Of so many edges one that differs: making the state again is faster than flipping them.
constexpr size_t kEdgesPerFlip = 8;

}  // namespace

FusionCursor::FusionCursor(std::shared_ptr<const fuse::FusionSpace> space)
    : space_(std::move(space)), state_(std::make_unique<fuse::FusionState>(*space_)) {}

FusionCursor::Change FusionCursor::move_to(const Config& config) {
  Change change;
  differing_.clear();
  const fuse::FusionConfig& here = state_->config();
  // Those that are to be cleared first: what is taken apart gives room to what is put together.
  for (const uint32_t is_set : {1U, 0U}) {
    for (uint32_t e = 0; e < here.size(); ++e) {
      if (here[e] == is_set && config[e] != is_set) differing_.push_back(fuse::EdgeId(e));
    }
  }
  if (differing_.size() * kEdgesPerFlip <= here.size() + kEdgesPerFlip) {
    while (!differing_.empty() && flip_differing(change)) {
    }
    state_->commit();
    if (differing_.empty()) return change;
  }
  take(to_flags(config));
  return {true, {}};
}

// Flips what can be flipped now. False when nothing could be.
bool FusionCursor::flip_differing(Change& change) {
  const size_t before = differing_.size();
  std::erase_if(differing_, [&](fuse::EdgeId edge) {
    const fuse::FlipResult flipped = state_->flip(edge);
    if (flipped.verdict != fuse::Verdict::kValid) return false;
    change.touched.insert(change.touched.end(), flipped.removed.begin(), flipped.removed.end());
    change.touched.insert(change.touched.end(), flipped.added.begin(), flipped.added.end());
    return true;
  });
  return differing_.size() < before;
}

void FusionCursor::take(const fuse::FusionConfig& wanted) {
  state_ = std::make_unique<fuse::FusionState>(*space_);
  state_->take(wanted);
}

Config to_config(const fuse::FusionConfig& flags) {
  return {flags.begin(), flags.end()};
}

fuse::FusionConfig to_flags(const Config& config) {
  fuse::FusionConfig out(config.size());
  for (size_t i = 0; i < config.size(); ++i) out[i] = config[i] != 0 ? 1 : 0;
  return out;
}

}  // namespace hloscope::tune
