#pragma once

#include <string>

#include "core/measured/kernel_text.h"

/// The kernels of softmax and of the normalisations, over the last dimension of `x`. Sums are f32.
namespace hloscope::measured {

/// f32 maximum ("maximum") or sum ("add") of every row: x -> [rows].
[[nodiscard]] Result<hlo::ProgramPtr> row_reduction(const Array& x, std::string_view opcode);
/// Sum of the squares of every row: x -> [rows].
[[nodiscard]] Result<hlo::ProgramPtr> row_square_sum(const Array& x);
/// Sum of (x - mean)^2 of every row: x, means [rows] -> [rows].
[[nodiscard]] Result<hlo::ProgramPtr> row_squared_deviation(const Array& x);
/// x - sum / features: x, sums [rows] -> x.
[[nodiscard]] Result<hlo::ProgramPtr> subtract_mean(const Array& x);
/// exp(x - maximum) and its f32 sums: x, maxima [rows] -> (x, [rows]); exp(x) from x alone where
/// `has_maximum` is false.
[[nodiscard]] Result<hlo::ProgramPtr> exp_and_sum(const Array& x, bool has_maximum);
/// x / row: x, [rows] -> result.
[[nodiscard]] Result<hlo::ProgramPtr> divide_by_row(const Array& x, const Array& result);
/// (x - mean) / deviation: x, means [rows], deviations [rows] -> result.
[[nodiscard]] Result<hlo::ProgramPtr> centre_and_divide(const Array& x, const Array& result);
/// x * rsqrt(sum / features + eps) * scale + offset: x, sums of squares [rows], [features],
/// [features] -> x.
[[nodiscard]] Result<hlo::ProgramPtr> scale_and_offset(const Array& x);
/// sum / features of the f32 sums [rows] of x.
[[nodiscard]] Result<hlo::ProgramPtr> row_means(const Array& x);
/// sqrt(sum / features + eps) of the f32 sums [rows] of x.
[[nodiscard]] Result<hlo::ProgramPtr> row_deviations(const Array& x);

}  // namespace hloscope::measured
