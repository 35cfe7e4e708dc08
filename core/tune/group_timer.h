#pragma once

#include <memory>

#include "core/fuse/fusion_state.h"
#include "core/graph/kernels.h"
#include "core/tune/kernel_timer.h"

namespace hloscope::tune {

/// Tells the time of the kernel that a group becomes, at its default tile. The same group always
/// gets the same bits.
class GroupTimer {
 public:
  GroupTimer() = default;
  GroupTimer(const GroupTimer&) = delete;
  GroupTimer& operator=(const GroupTimer&) = delete;
  virtual ~GroupTimer() = default;

  /// Of one execution, of a group that is a kernel. Errors: those of KernelTimer::time_ns() and of
  /// fuse::kernel_program().
  [[nodiscard]] virtual Result<double> time_ns(const fuse::Group& group) = 0;
  [[nodiscard]] virtual std::string source() const = 0;
};

/// By the kernel model of each group; writes it as a kernel only for timers that read programs. The
/// space is kept.
[[nodiscard]] std::unique_ptr<GroupTimer> make_group_timer(const fuse::FusionSpace& space,
                                                           std::unique_ptr<KernelTimer> timer);

}  // namespace hloscope::tune
