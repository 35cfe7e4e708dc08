#include "core/tune/kernel_timer.h"

#include <fmt/format.h>

#include "core/base/hash_label.h"
#include "core/sim/estimate.h"
#include "core/sim/simulate.h"
#include "core/sim/tile_space.h"
#include "core/tune/learned_timer.h"

namespace hloscope::tune {

namespace {

std::string label(const sim::Machine& machine) {
  return hash_label(machine.id, machine.hash);
}

class AnalyticalTimer final : public KernelTimer {
 public:
  explicit AnalyticalTimer(const sim::Machine& machine)
      : KernelTimer(machine), source_(fmt::format("analytical ({})", label(machine))) {}

  Result<double> time_ns(const KernelRef& kernel, const std::vector<int64_t>& bounds) override {
    return sim::estimate(kernel.model, bounds, rates()).time_ns;
  }
  std::string source() const override { return source_; }

 private:
  std::string source_;
};

class SimulatorTimer final : public KernelTimer {
 public:
  explicit SimulatorTimer(const sim::Machine& machine)
      : KernelTimer(machine), source_(fmt::format("simulated ({})", label(machine))) {}

  Result<double> time_ns(const KernelRef& kernel, const std::vector<int64_t>& bounds) override {
    return sim::simulate(kernel.model, bounds, rates()).time_ns;
  }
  std::string source() const override { return source_; }

 private:
  std::string source_;
};

}  // namespace

std::vector<int64_t> KernelTimer::choose_bounds(const sim::KernelModel& model) const {
  return sim::default_bounds(model, rates_);
}

Result<std::unique_ptr<KernelTimer>> make_timer(const EvaluatorSettings& settings,
                                                const sim::Machine& machine, bool tiles) {
  if (settings.kind == EvaluatorKind::kAnalytical) {
    return std::make_unique<AnalyticalTimer>(machine);
  }
  if (settings.kind == EvaluatorKind::kSimulator) return std::make_unique<SimulatorTimer>(machine);
  return make_learned_timer(settings, machine, tiles);
}

}  // namespace hloscope::tune
