#include "core/tune/group_timer.h"

#include "core/fuse/apply.h"
#include "core/fuse/group_body.h"

namespace hloscope::tune {

namespace {

class KernelGroupTimer final : public GroupTimer {
 public:
  KernelGroupTimer(const fuse::FusionSpace& space, std::unique_ptr<KernelTimer> timer)
      : space_(space), bodies_(space), timer_(std::move(timer)) {}

  Result<double> time_ns(const fuse::Group& group) override {
    const hlo::Program& program = space_.program();
    const hlo::InstructionId last = group.members.back();
    // An instruction alone stands in the program as it is.
    if (group.facts.is_plain) {
      return time_kernel(program, last, sim::kernel_model(program, last));
    }
    const sim::KernelModel model = sim::kernel_model(program, bodies_.of(group));
    if (!timer_->reads_program()) return time_kernel(program, last, model);
    HLOSCOPE_ASSIGN(const hlo::ProgramPtr alone, fuse::kernel_program(space_, group));
    return time_kernel(*alone, (*alone)[alone->entry()].root, model);
  }
  std::string source() const override { return timer_->source(); }

 private:
  Result<double> time_kernel(const hlo::Program& program, hlo::InstructionId kernel,
                             const sim::KernelModel& model) {
    return timer_->time_ns({program, kernel, model}, timer_->choose_bounds(model));
  }

  const fuse::FusionSpace& space_;
  fuse::GroupBodies bodies_;
  std::unique_ptr<KernelTimer> timer_;
};

}  // namespace

std::unique_ptr<GroupTimer> make_group_timer(const fuse::FusionSpace& space,
                                             std::unique_ptr<KernelTimer> timer) {
  return std::make_unique<KernelGroupTimer>(space, std::move(timer));
}

}  // namespace hloscope::tune
