#pragma once

#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/hlo/program.h"
#include "core/sim/kernel_model.h"
#include "core/sim/machine.h"
#include "core/sim/rates.h"
#include "core/tune/settings.h"

namespace hloscope::tune {

/// A kernel where it stands in a program.
struct KernelRef {
  const hlo::Program& program;
  hlo::InstructionId kernel;
  const sim::KernelModel& model;
};

/// Tells the time of kernels. The same kernel at the same tile always gets the same bits.
class KernelTimer {
 public:
  explicit KernelTimer(const sim::Machine& machine) : rates_(machine) {}
  KernelTimer(const KernelTimer&) = delete;
  KernelTimer& operator=(const KernelTimer&) = delete;
  virtual ~KernelTimer() = default;

  [[nodiscard]] const sim::Rates& rates() const { return rates_; }
  /// Whether it looks at instructions; else a KernelRef may be of a fusion that is not written,
  /// with any instruction.
  [[nodiscard]] virtual bool reads_program() const { return false; }
  /// The tile that a kernel without a given one is timed with.
  [[nodiscard]] virtual std::vector<int64_t> choose_bounds(const sim::KernelModel& model) const;
  /// Of one execution; `bounds` by LoopId. Error: kUnsupported, for kernels of which nothing can be
  /// said.
  [[nodiscard]] virtual Result<double> time_ns(const KernelRef& kernel,
                                               const std::vector<int64_t>& bounds) = 0;
  /// As Evaluator::source().
  [[nodiscard]] virtual std::string source() const = 0;

 private:
  sim::Rates rates_;
};

/// For models, the analytical model and the simulator. `tiles`: tiles of one kernel are compared,
/// so that the built-in model is the one for tiles. Errors: those of predict::Ensemble::find();
/// kNotFound where no model is built in for the machine.
[[nodiscard]] Result<std::unique_ptr<KernelTimer>> make_timer(const EvaluatorSettings& settings,
                                                              const sim::Machine& machine,
                                                              bool tiles);

}  // namespace hloscope::tune
