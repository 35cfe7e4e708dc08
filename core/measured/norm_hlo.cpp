#include "core/measured/norm_hlo.h"

#include <fmt/format.h>

#include "core/measured/kernel_text.h"

namespace hloscope::measured {

namespace {

constexpr std::string_view kEpsilon = "1e-05";

int64_t last(const Array& x) {
  return static_cast<int64_t>(x.dims.size()) - 1;
}

// The f32 array with one number per row of x.
Array rows_of(const Array& x) {
  return without(x, last(x)).as(PrimitiveType::kF32);
}

std::vector<int64_t> row_dimensions(const Array& x) {
  std::vector<int64_t> dimensions;
  for (int64_t d = 0; d < last(x); ++d) dimensions.push_back(d);
  return dimensions;
}

// A narrow array is computed with in f32.
std::string converted(KernelText& kernel, const Array& from, const std::string& value,
                      const Array& to) {
  return from.type == to.type ? value : kernel.op(to, "convert", {value});
}

std::string wide_parameter(KernelText& kernel, const Array& x) {
  return converted(kernel, x, kernel.parameter(x), x.as(PrimitiveType::kF32));
}

std::string row_parameter(KernelText& kernel, const Array& x) {
  return kernel.broadcast(x.as(PrimitiveType::kF32), kernel.parameter(rows_of(x)),
                          row_dimensions(x));
}

// One number per row, over the number of features.
std::string over_features(KernelText& kernel, const Array& x, const std::string& sums) {
  const Array rows = rows_of(x);
  const std::string part =
      kernel.splat(rows, fmt::format("{:.9g}", 1.0 / static_cast<double>(x.dims.back())));
  return kernel.op(rows, "multiply", {sums, part});
}

std::string row_of(KernelText& kernel, const Array& x, const std::string& value,
                   std::string_view opcode) {
  return kernel.reduce(rows_of(x), value, opcode, last(x));
}

std::string square(KernelText& kernel, const Array& x, const std::string& value) {
  return kernel.op(x.as(PrimitiveType::kF32), "multiply", {value, value});
}

}  // namespace

Result<hlo::ProgramPtr> row_reduction(const Array& x, std::string_view opcode) {
  KernelText kernel;
  const std::string value = wide_parameter(kernel, x);
  return kernel.fusion("row_reduction", kLoop, {row_of(kernel, x, value, opcode)});
}

Result<hlo::ProgramPtr> row_square_sum(const Array& x) {
  KernelText kernel;
  const std::string squares = square(kernel, x, wide_parameter(kernel, x));
  return kernel.fusion("row_square_sum", kLoop, {row_of(kernel, x, squares, "add")});
}

Result<hlo::ProgramPtr> row_squared_deviation(const Array& x) {
  KernelText kernel;
  const std::string value = wide_parameter(kernel, x);
  const std::string mean = row_parameter(kernel, x);
  const std::string off = kernel.op(x.as(PrimitiveType::kF32), "subtract", {value, mean});
  return kernel.fusion("row_squared_deviation", kLoop,
                       {row_of(kernel, x, square(kernel, x, off), "add")});
}

Result<hlo::ProgramPtr> subtract_mean(const Array& x) {
  KernelText kernel;
  const Array wide = x.as(PrimitiveType::kF32);
  const Array rows = rows_of(x);
  const std::string value = wide_parameter(kernel, x);
  const std::string mean = over_features(kernel, x, kernel.parameter(rows));
  const std::string means = kernel.broadcast(wide, mean, row_dimensions(x));
  const std::string off = kernel.op(wide, "subtract", {value, means});
  return kernel.fusion("subtract_mean", kLoop, {converted(kernel, wide, off, x)});
}

Result<hlo::ProgramPtr> exp_and_sum(const Array& x, bool has_maximum) {
  KernelText kernel;
  const Array wide = x.as(PrimitiveType::kF32);
  std::string value = wide_parameter(kernel, x);
  if (has_maximum) {
    const std::string row = row_parameter(kernel, x);
    value = kernel.op(wide, "subtract", {value, row});
  }
  const std::string exponential = kernel.op(wide, "exponential", {value});
  const std::string sum = row_of(kernel, x, exponential, "add");
  return kernel.fusion("exp_and_sum", kLoop, {converted(kernel, wide, exponential, x), sum});
}

Result<hlo::ProgramPtr> divide_by_row(const Array& x, const Array& result) {
  KernelText kernel;
  const Array wide = x.as(PrimitiveType::kF32);
  const std::string value = wide_parameter(kernel, x);
  const std::string row = row_parameter(kernel, x);
  const std::string quotient = kernel.op(wide, "divide", {value, row});
  return kernel.fusion("divide_by_row", kLoop, {converted(kernel, wide, quotient, result)});
}

Result<hlo::ProgramPtr> centre_and_divide(const Array& x, const Array& result) {
  KernelText kernel;
  const Array wide = x.as(PrimitiveType::kF32);
  const std::string value = wide_parameter(kernel, x);
  const std::string mean = row_parameter(kernel, x);
  const std::string deviation = row_parameter(kernel, x);
  const std::string off = kernel.op(wide, "subtract", {value, mean});
  const std::string quotient = kernel.op(wide, "divide", {off, deviation});
  return kernel.fusion("centre_and_divide", kLoop, {converted(kernel, wide, quotient, result)});
}

Result<hlo::ProgramPtr> scale_and_offset(const Array& x) {
  KernelText kernel;
  const Array wide = x.as(PrimitiveType::kF32);
  const Array rows = rows_of(x);
  const Array features = row_major(PrimitiveType::kF32, {x.dims.back()});
  const std::string value = wide_parameter(kernel, x);
  const std::string variance = over_features(kernel, x, kernel.parameter(rows));
  const std::string scale = kernel.broadcast(wide, kernel.parameter(features), {last(x)});
  const std::string offset = kernel.broadcast(wide, kernel.parameter(features), {last(x)});
  const std::string shifted = kernel.op(rows, "add", {variance, kernel.splat(rows, kEpsilon)});
  const std::string factor =
      kernel.broadcast(wide, kernel.op(rows, "rsqrt", {shifted}), row_dimensions(x));
  const std::string normal = kernel.op(wide, "multiply", {value, factor});
  const std::string scaled = kernel.op(wide, "multiply", {normal, scale});
  const std::string sum = kernel.op(wide, "add", {scaled, offset});
  return kernel.fusion("scale_and_offset", kLoop, {converted(kernel, wide, sum, x)});
}

Result<hlo::ProgramPtr> row_means(const Array& x) {
  KernelText kernel;
  const std::string sums = kernel.parameter(rows_of(x));
  return kernel.fusion("row_means", kLoop, {over_features(kernel, x, sums)});
}

Result<hlo::ProgramPtr> row_deviations(const Array& x) {
  KernelText kernel;
  const Array rows = rows_of(x);
  const std::string variance = over_features(kernel, x, kernel.parameter(rows));
  const std::string shifted = kernel.op(rows, "add", {variance, kernel.splat(rows, kEpsilon)});
  return kernel.fusion("row_deviations", kLoop, {kernel.op(rows, "sqrt", {shifted})});
}

}  // namespace hloscope::measured
