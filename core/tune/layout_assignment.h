#pragma once

#include "core/tune/config.h"
#include "core/tune/layout_groups.h"

namespace hloscope::tune {

/// The order of every group.
using LayoutOrders = IndexedVector<LayoutGroupId, LayoutOrderId>;

/// A copy between a value and users that read it in another order.
struct LayoutCopy {
  hlo::InstructionId value;
  LayoutOrderId from;
  LayoutOrderId to;
};

/// Gives groups that are not chosen their orders.
///
/// In the order in which kernels run, a group takes the order in which most bytes of what it reads
/// are written, of equal ones the first. What is made from scalars, constants and arrays of other
/// dimensions alone (broadcasts, iotas, results of reductions, transposes, gathers) is then made in
/// the order in which most bytes of it are read, last group first.
class LayoutAssigner {
 public:
  /// `groups` must live as long as this.
  explicit LayoutAssigner(const LayoutGroups& groups);

  [[nodiscard]] LayoutOrders assign(const Config& config) const;

 private:
  struct Neighbour {
    LayoutGroupId group;
    double bytes;
  };
  [[nodiscard]] bool is_free(LayoutGroupId id) const {
    return !groups_[id].is_fixed && !groups_[id].is_chosen;
  }
  [[nodiscard]] static LayoutOrderId vote(std::span<const Neighbour> voters,
                                          const LayoutOrders& orders, LayoutOrderId otherwise);

  const LayoutGroups& groups_;
  /// Of free groups: those that write what it reads and have an order of their own.
  Csr<LayoutGroupId, Neighbour> writers_;
  Csr<LayoutGroupId, Neighbour> readers_;  ///< Those that read what it writes.
  std::vector<LayoutGroupId> forward_;     ///< Free groups with writers.
  std::vector<LayoutGroupId> backward_;    ///< The other free groups, last first.
};

/// By value, each once: what two users read in the same order is copied for both.
[[nodiscard]] std::vector<LayoutCopy> copies(const LayoutGroups& groups,
                                             const LayoutOrders& orders);

}  // namespace hloscope::tune
