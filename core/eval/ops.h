#pragma once

#include "core/eval/op_call.h"

namespace hloscope::eval {

// One function per opcode, or per group: the value of the instruction from those of its operands.
// Meaning: openxla, operation semantics. Errors: kInvalidInput when attributes and shapes do not
// fit together, kUnsupported (types, dynamic sizes, the limits of the budget), kCancelled.

// moves.cpp
[[nodiscard]] Result<Value> bitcast(const OpCall& call);
[[nodiscard]] Result<Value> bitcast_convert(const OpCall& call);
[[nodiscard]] Result<Value> broadcast(const OpCall& call);
[[nodiscard]] Result<Value> concatenate(const OpCall& call);
[[nodiscard]] Result<Value> iota(const OpCall& call);
[[nodiscard]] Result<Value> reshape(const OpCall& call);
[[nodiscard]] Result<Value> reverse(const OpCall& call);
[[nodiscard]] Result<Value> slice(const OpCall& call);
[[nodiscard]] Result<Value> transpose(const OpCall& call);
// pad.cpp
[[nodiscard]] Result<Value> pad(const OpCall& call);
// dynamic_moves.cpp
[[nodiscard]] Result<Value> dynamic_slice(const OpCall& call);
[[nodiscard]] Result<Value> dynamic_update_slice(const OpCall& call);
// gather.cpp, scatter.cpp
[[nodiscard]] Result<Value> gather(const OpCall& call);
[[nodiscard]] Result<Value> scatter(const OpCall& call);
// applied.cpp: scalar operations over whole arrays
[[nodiscard]] Result<Value> elementwise(const OpCall& call);
[[nodiscard]] Result<Value> map(const OpCall& call);
// reduce.cpp, window.cpp, sort.cpp
[[nodiscard]] Result<Value> reduce(const OpCall& call);
[[nodiscard]] Result<Value> reduce_window(const OpCall& call);
[[nodiscard]] Result<Value> select_and_scatter(const OpCall& call);
[[nodiscard]] Result<Value> sort(const OpCall& call);
// dot.cpp, convolution.cpp
[[nodiscard]] Result<Value> dot(const OpCall& call);
[[nodiscard]] Result<Value> convolution(const OpCall& call);
// control.cpp
[[nodiscard]] Result<Value> call_computation(const OpCall& call);
[[nodiscard]] Result<Value> conditional(const OpCall& call);
[[nodiscard]] Result<Value> get_dimension_size(const OpCall& call);
[[nodiscard]] Result<Value> get_tuple_element(const OpCall& call);
[[nodiscard]] Result<Value> make_tuple(const OpCall& call);
[[nodiscard]] Result<Value> pass_on(const OpCall& call);
[[nodiscard]] Result<Value> while_loop(const OpCall& call);

}  // namespace hloscope::eval
