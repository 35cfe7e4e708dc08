#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/eval/scalar_op.h"
#include "core/hlo/program.h"

namespace hloscope::eval {

/// A computation from scalars to scalars (of a reduce, map, sort, scatter ...) as a flat list of
/// steps over numbered registers. Calls and fusions are put in place.
class ScalarFunction {
 public:
  /// Nothing when the computation does more than elementwise work on scalars: it is then run like
  /// any other, see general().
  [[nodiscard]] static std::optional<ScalarFunction> compile(const hlo::Program& program,
                                                             hlo::ComputationId computation);

  using General = std::function<Status(std::span<const Scalar>, std::span<Scalar>)>;
  /// A function that is not flat.
  [[nodiscard]] static ScalarFunction general(size_t results, int64_t cost, General run);

  /// Operations of one application.
  [[nodiscard]] int64_t cost() const { return cost_; }
  [[nodiscard]] size_t result_count() const { return result_count_; }
  /// `results` has result_count() elements and may be the same memory as `arguments`.
  [[nodiscard]] Status apply(std::span<const Scalar> arguments, std::span<Scalar> results);

 private:
  struct Step {
    ScalarOp op;
    uint32_t operands[3] = {0, 0, 0};
    uint32_t result = 0;
  };
  friend class ScalarCompiler;

  std::vector<Scalar> registers_;  ///< Arguments first; constants are filled in once.
  std::vector<Step> steps_;
  std::vector<uint32_t> results_;
  size_t result_count_ = 0;
  int64_t cost_ = 1;
  General general_;
};

}  // namespace hloscope::eval
