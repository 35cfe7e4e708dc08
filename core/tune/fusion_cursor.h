#pragma once

#include <memory>
#include <vector>

#include "core/fuse/fusion_state.h"
#include "core/tune/config.h"

namespace hloscope::tune {

/// A FusionState that goes from configuration to configuration by the flips that differ: the one
/// that comes next is most often near.
class FusionCursor {
 public:
  explicit FusionCursor(std::shared_ptr<const fuse::FusionSpace> space);

  [[nodiscard]] const fuse::FusionSpace& space() const { return *space_; }
  [[nodiscard]] fuse::FusionState& state() { return *state_; }

  /// Which groups are others than before.
  struct Change {
    bool all = false;                    ///< The state was made again: every id means another.
    std::vector<fuse::GroupId> touched;  ///< Ids that came or went, maybe several times.
  };
  /// To a configuration that a state of the space can have.
  Change move_to(const Config& config);
  /// To what FusionState::take() makes of any flags; the state is made again.
  void take(const fuse::FusionConfig& wanted);

 private:
  bool flip_differing(Change& change);

  std::shared_ptr<const fuse::FusionSpace> space_;
  std::unique_ptr<fuse::FusionState> state_;
  std::vector<fuse::EdgeId> differing_;
};

[[nodiscard]] Config to_config(const fuse::FusionConfig& flags);
[[nodiscard]] fuse::FusionConfig to_flags(const Config& config);

}  // namespace hloscope::tune
