#pragma once

#include "core/hlo/shape.h"
#include "core/measured/tables.h"
#include "core/measured/workload.h"

namespace hloscope::measured {

/// The rows do not say in which types the arrays are stored. One rule for all rows: what a program
/// is given and gives back is f32, as JAX and PyTorch have it by default; what one kernel hands to
/// another on the way to a matrix unit is bf16, which XLA's bfloat16 propagation makes of it, as
/// the matrix unit multiplies bf16 (in the measured TPU v3 kernels of TpuGraphs activations are
/// bf16 and weights f32). Row sums and the arrays between the kernels of a normalisation are f32.
struct StoredTypes {
  hlo::PrimitiveType program = hlo::PrimitiveType::kF32;
  hlo::PrimitiveType between = hlo::PrimitiveType::kBf16;
};

/// The kernels that a TPU's compiler would make of a workload: gemm (m, k, n), conv (batch, h, w,
/// c_in, c_out, kernel, stride, pad), softmax (rows, cols), layernorm (rows, features), attention
/// (heads, seq, head_dim), encoder_block (hidden, heads). Errors: kUnsupported for other kinds
/// (whole models); kInvalidInput for a missing or bad parameter.
[[nodiscard]] Result<Workload> build_workload(const WorkloadRow& row,
                                              const StoredTypes& types = {});

}  // namespace hloscope::measured
