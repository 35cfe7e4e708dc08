#include "core/tune/fusion_cursor.h"

#include <algorithm>

#include "core/fuse/default_fusion.h"

namespace hloscope::tune {

namespace {

// Of so many edges one that differs: making the state again is faster than flipping them.
constexpr size_t kEdgesPerFlip = 8;
constexpr size_t kMostPathSteps = 256;
constexpr size_t kMostLogged = 65536;

}  // namespace

FusionCursor::FusionCursor(std::shared_ptr<const fuse::FusionSpace> space)
    : space_(std::move(space)), state_(std::make_unique<fuse::FusionState>(*space_)) {}

Status FusionCursor::fuse_by_default(const Progress& progress) {
  begin_generation();
  state_ = std::make_unique<fuse::FusionState>(*space_);
  return fuse::fuse_by_default(*state_, progress);
}

void FusionCursor::take(const fuse::FusionConfig& wanted) {
  begin_generation();
  state_ = std::make_unique<fuse::FusionState>(*space_);
  state_->take(wanted);
}

void FusionCursor::begin_generation() {
  ++generation_;
  log_.clear();
  steps_.clear();
}

void FusionCursor::log(const std::vector<fuse::GroupId>& touched) {
  log_.insert(log_.end(), touched.begin(), touched.end());
}

FusionCursor::Change FusionCursor::changes_since(Mark& mark) const {
  const Mark from = std::exchange(mark, {generation_, log_.size()});
  if (from.generation != generation_) return {true, {}};
  return {false, {log_.begin() + static_cast<std::ptrdiff_t>(from.position), log_.end()}};
}

FusionCursor::Flip FusionCursor::flip(fuse::EdgeId edge) {
  fuse::FlipResult flipped = state_->flip(edge);
  if (flipped.verdict != fuse::Verdict::kValid) return Flip::kInvalid;
  Step step{edge, std::move(flipped.removed)};
  step.touched.insert(step.touched.end(), flipped.added.begin(), flipped.added.end());
  log(step.touched);
  const bool changed = !step.touched.empty();
  steps_.push_back(std::move(step));
  return changed ? Flip::kKernels : Flip::kNoKernel;
}

void FusionCursor::move_to(const Config& config) {
  if (steps_.size() > kMostPathSteps) {
    state_->commit();
    steps_.clear();
  }
  if (log_.size() > kMostLogged) {
    ++generation_;
    log_.clear();
  }
  find_differing(config);
  if (differing_.size() * kEdgesPerFlip <= space_->edge_count() + kEdgesPerFlip) {
    undo_differing();
    while (!differing_.empty() && flip_differing()) {
    }
    if (differing_.empty()) return;
  }
  take(to_flags(config));
}

void FusionCursor::find_differing(const Config& config) {
  differing_.clear();
  const fuse::FusionConfig& here = state_->config();
  // Those that are to be cleared first: what is taken apart gives room to what is put together.
  size_t cleared = 0;
  for (uint32_t e = 0; e < here.size(); ++e) {
    if (here[e] == config[e]) continue;
    differing_.emplace_back(e);
    if (here[e] != 0) std::swap(differing_[cleared++], differing_.back());
  }
  std::sort(differing_.begin() + static_cast<std::ptrdiff_t>(cleared), differing_.end());
}

// The last steps, as far as they are what differs: a move that was not accepted.
void FusionCursor::undo_differing() {
  while (!steps_.empty()) {
    const auto at = std::find(differing_.begin(), differing_.end(), steps_.back().edge);
    if (at == differing_.end()) return;
    differing_.erase(at);
    state_->undo();
    log(steps_.back().touched);
    steps_.pop_back();
  }
}

// Flips what can be flipped now. False when nothing could be.
bool FusionCursor::flip_differing() {
  const size_t before = differing_.size();
  std::erase_if(differing_, [&](fuse::EdgeId edge) { return flip(edge) != Flip::kInvalid; });
  return differing_.size() < before;
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
