#pragma once

#include "core/measured/tables.h"
#include "core/measured/workload.h"

namespace hloscope::measured {

/// The kernels of a JAX operator as the `event` of the row names them, f16, arguments and results
/// in the layout that pads least. All 19 operators of SCALE-Sim-validation's TPU v4 runs: add, sub,
/// mul, div; binary_step, elu, leaky_relu, linear_activation, parametric_relu, relu, selu, sigmoid,
/// tanh; matmul; batch_norm_inference (NCHW), layer_norm and rms_norm over the last dimension;
/// avg_pool_2d and max_pool_2d (NCHW, window 2x2, stride 2x2). Errors: kUnsupported for another
/// operator, type or number of kernels; kInvalidInput for a shape that the operator cannot have.
[[nodiscard]] Result<Workload> build_op(const OpRow& row);

}  // namespace hloscope::measured
