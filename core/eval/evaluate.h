#pragma once

#include <span>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/rng.h"
#include "core/eval/value.h"
#include "core/hlo/program.h"

namespace hloscope::eval {

struct Options {
  /// Operations on elements (multiply-adds of a dot, applications of a scalar function times its
  /// instructions, elements written). A billion take some ten seconds.
  int64_t max_operations = 1'000'000'000;
  /// Elements of all arrays that are kept at a time; one takes 16 bytes.
  int64_t max_live_elements = int64_t{1} << 26;
  Progress progress;
};

/// What the program gives for these arguments, one per parameter of its entry: a reference for
/// checking transformations, written for clearness and not for speed. Computes in double and
/// int64 and rounds to the type after every instruction (a dot and a convolution once per sum).
/// Meaning: openxla, operation semantics; where they leave a choice, as XLA:CPU does (scatter
/// windows that are partly outside are left out). One device: no collectives.
/// Errors: kInvalidInput (arguments or instructions do not fit, values not in the file),
/// kUnsupported (names the opcode or type; the limits of the options), kCancelled.
[[nodiscard]] Result<Value> evaluate(const hlo::Program& program, std::span<const Value> arguments,
                                     const Options& options = {});
/// The same for any computation of the program: the body of a fusion, say.
[[nodiscard]] Result<Value> evaluate(const hlo::Program& program, hlo::ComputationId computation,
                                     std::span<const Value> arguments, const Options& options = {});

/// Whether evaluate() knows the opcode.
[[nodiscard]] bool is_supported(hlo::Opcode opcode);

/// A random value of a shape: floats uniform in [-2, 2), integers -8 .. 7 (unsigned: 0 .. 15),
/// pred either. The same on every machine. kUnsupported: types, dynamic sizes, and shapes of more
/// than `max_elements`.
[[nodiscard]] Result<Value> random_argument(const hlo::ShapeTable& shapes, hlo::ShapeId shape,
                                            Rng& rng, int64_t max_elements = int64_t{1} << 26);
/// One for each parameter of the entry; together not more than `max_elements`.
[[nodiscard]] Result<std::vector<Value>> random_arguments(const hlo::Program& program, Rng& rng,
                                                          int64_t max_elements = int64_t{1} << 26);

}  // namespace hloscope::eval
