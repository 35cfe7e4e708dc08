#pragma once

#include <optional>
#include <vector>

#include "core/graph/value_source.h"

namespace hloscope::graph {

/// Follows scalar values through copies, converts, fusions, calls and loop states, to learn what a
/// loop counter does. A value is looked at in a frame: which instruction called the computation
/// that the value stands in.
class ScalarTracer {
 public:
  explicit ScalarTracer(const hlo::Program& program);

  using FrameId = uint32_t;
  /// The frame in which nothing is known of the caller.
  static constexpr FrameId kRoot = 0;
  struct Value {
    ValueSource source;
    FrameId frame = kRoot;
  };
  /// base + offset.
  struct Linear {
    Value base;
    int64_t offset = 0;
  };

  /// The frame of a computation that `caller` (in frame `parent`) calls.
  FrameId enter(hlo::InstructionId caller, FrameId parent);

  /// Where the value comes from: the walk ends at a constant, at arithmetic, at the parameter of a
  /// loop, or where it can't be followed.
  [[nodiscard]] Value resolve(Value value);
  /// resolve(), and additions and subtractions of known constants taken off.
  [[nodiscard]] Linear linear(Value value);
  /// The integer that the value always has; also that of loop state which no iteration changes.
  [[nodiscard]] std::optional<int64_t> constant(Value value);

 private:
  struct Frame {
    hlo::InstructionId caller;
    FrameId parent;
  };
  [[nodiscard]] bool step(Value& value);
  [[nodiscard]] bool enter_callee(Value& value);
  [[nodiscard]] bool leave_to_operand(Value& value);
  [[nodiscard]] bool leave_loop(Value& value, hlo::InstructionId loop, FrameId parent);
  [[nodiscard]] bool leave_computation(Value& value);
  [[nodiscard]] bool take_off_constant(Linear& linear);

  const hlo::Program& program_;
  std::vector<Frame> frames_;
  // A bound on the work for one loop: far above what any compiler writes around a counter.
  int steps_left_ = 10000;
};

}  // namespace hloscope::graph
