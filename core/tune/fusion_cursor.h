#pragma once

#include <memory>
#include <vector>

#include "core/base/progress.h"
#include "core/fuse/fusion_state.h"
#include "core/tune/config.h"

namespace hloscope::tune {

/// A FusionState that goes from configuration to configuration by the flips that differ: the one
/// that comes next is most often near. A space and its evaluators share one, so that the move that
/// the space made is there when it is timed: they are used by one thread at a time, together.
class FusionCursor {
 public:
  explicit FusionCursor(std::shared_ptr<const fuse::FusionSpace> space);

  [[nodiscard]] const fuse::FusionSpace& space() const { return *space_; }
  [[nodiscard]] const fuse::FusionState& state() const { return *state_; }

  /// To what fuse::fuse_by_default() makes of nothing. Error: kCancelled.
  [[nodiscard]] Status fuse_by_default(const Progress& progress);
  /// To a configuration that a state of the space can have.
  void move_to(const Config& config);
  /// FusionState::flip(): whether it was valid, and whether kernels are others.
  enum class Flip : uint8_t { kInvalid, kNoKernel, kKernels };
  Flip flip(fuse::EdgeId edge);
  /// To what FusionState::take() makes of any flags; the state is made again.
  void take(const fuse::FusionConfig& wanted);

  /// Where somebody looked at the groups last.
  struct Mark {
    uint64_t generation = 0;
    size_t position = 0;
  };
  /// Which groups came or went since.
  struct Change {
    bool all = false;                    ///< All of them: ids mean others.
    std::vector<fuse::GroupId> touched;  ///< Maybe several times.
  };
  [[nodiscard]] Change changes_since(Mark& mark) const;

 private:
  struct Step {
    fuse::EdgeId edge;
    std::vector<fuse::GroupId> touched;
  };

  void find_differing(const Config& config);
  void undo_differing();
  bool flip_differing();
  void log(const std::vector<fuse::GroupId>& touched);
  void begin_generation();

  std::shared_ptr<const fuse::FusionSpace> space_;
  std::unique_ptr<fuse::FusionState> state_;
  std::vector<Step> steps_;  ///< That can be undone.
  std::vector<fuse::EdgeId> differing_;
  std::vector<fuse::GroupId> log_;
  uint64_t generation_ = 1;
};

[[nodiscard]] Config to_config(const fuse::FusionConfig& flags);
[[nodiscard]] fuse::FusionConfig to_flags(const Config& config);

}  // namespace hloscope::tune
