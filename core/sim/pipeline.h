#pragma once

#include <algorithm>

#include "core/sim/rates.h"
#include "core/sim/tile_walk.h"
#include "core/sim/tile_work.h"

namespace hloscope::sim {

/// One tile with what goes on under it.
struct Slot {
  TileStep step;
  double scalar_ns = 0;  ///< Of compute: loop, issue of transfers, tails.
  double compute_ns = 0;
  double under_read_ns = 0;   ///< Of the next tile.
  double under_write_ns = 0;  ///< Of the tile before.
  double transfer_ns = 0;     ///< Both, as they share HBM, with the latency.
  double length_ns = 0;
};

/// Turns the steps of a walk into slots: a slot is complete when the next step is known.
class Pipeline {
 public:
  /// References are kept.
  Pipeline(const TileWork& work, const Rates& rates) : work_(work), rates_(rates) {}

  /// Calls `emit` with the slot before, if there is one.
  template <typename Emit>
  bool add(const TileStep& step, Emit emit) {
    bool go_on = true;
    if (has_slot_) {
      slot_.under_read_ns = step.read.time_ns;
      finish(slot_);
      go_on = emit(slot_);
    }
    const double previous_write_ns = has_slot_ ? slot_.step.write.time_ns : 0;
    slot_ = Slot();
    slot_.step = step;
    slot_.under_write_ns = previous_write_ns;
    has_slot_ = true;
    return go_on;
  }
  template <typename Emit>
  void end(Emit emit) {
    if (!has_slot_) return;
    slot_.under_read_ns = 0;
    finish(slot_);
    (void)emit(slot_);
  }

 private:
  void finish(Slot& slot) const {
    const double issue_ns =
        rates_.issue_ns * (slot.step.read.descriptors + slot.step.write.descriptors);
    slot.scalar_ns = work_.fixed_ns + issue_ns;
    slot.compute_ns = (slot.step.ends_sums ? work_.end_compute_ns : work_.compute_ns) + issue_ns;
    const auto [shorter, longer] = std::minmax(slot.under_read_ns, slot.under_write_ns);
    slot.transfer_ns = longer + rates_.mixed_penalty * shorter;
    if (slot.transfer_ns > 0) slot.transfer_ns += rates_.latency_ns;
    slot.length_ns = std::max(slot.compute_ns, slot.transfer_ns);
  }

  const TileWork& work_;
  const Rates& rates_;
  Slot slot_;
  bool has_slot_ = false;
};

}  // namespace hloscope::sim
