#include "core/tune/group_timer.h"

#include "core/fuse/apply.h"
#include "core/sim/tile_space.h"

namespace hloscope::tune {

namespace {

class WrittenGroupTimer final : public GroupTimer {
 public:
  WrittenGroupTimer(const fuse::FusionSpace& space, std::unique_ptr<KernelTimer> timer)
      : space_(space), timer_(std::move(timer)) {}

  Result<double> time_ns(const fuse::Group& group) override {
    // An instruction alone stands in the program as it is.
    if (group.facts.is_plain) return time_kernel(space_.program(), group.members.back());
    HLOSCOPE_ASSIGN(const hlo::ProgramPtr alone, fuse::kernel_program(space_, group));
    hlo::InstructionId kernel = (*alone)[alone->entry()].root;
    return time_kernel(*alone, kernel);
  }
  std::string source() const override { return timer_->source(); }

 private:
  Result<double> time_kernel(const hlo::Program& program, hlo::InstructionId kernel) {
    const sim::KernelModel model = sim::kernel_model(program, kernel);
    return timer_->time_ns({program, kernel, model}, sim::default_bounds(model, timer_->rates()));
  }

  const fuse::FusionSpace& space_;
  std::unique_ptr<KernelTimer> timer_;
};

}  // namespace

std::unique_ptr<GroupTimer> make_group_timer(const fuse::FusionSpace& space,
                                             std::unique_ptr<KernelTimer> timer) {
  return std::make_unique<WrittenGroupTimer>(space, std::move(timer));
}

}  // namespace hloscope::tune
