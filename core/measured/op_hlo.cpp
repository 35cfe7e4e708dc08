#include "core/measured/op_hlo.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/measured/kernel_text.h"
#include "core/measured/norm_hlo.h"

namespace hloscope::measured {

namespace {

// An activation: writes f16 from f16, computed as the chip does, in f32.
using Curve = std::string (*)(KernelText&, const Array&, const std::string& x);

std::string selected_if_positive(KernelText& k, const Array& a, const std::string& x,
                                 const std::string& yes, const std::string& no) {
  const std::string is_positive =
      k.op(a.as(PrimitiveType::kPred), "compare", {x, k.splat(a, "0")}, "direction=GT");
  return k.op(a, "select", {is_positive, yes, no});
}

std::string times(KernelText& k, const Array& a, const std::string& x, std::string_view factor) {
  return k.op(a, "multiply", {x, k.splat(a, factor)});
}

std::string relu(KernelText& k, const Array& a, const std::string& x) {
  return k.op(a, "maximum", {x, k.splat(a, "0")});
}
std::string leaky_relu(KernelText& k, const Array& a, const std::string& x) {
  return k.op(a, "maximum", {x, times(k, a, x, "0.1")});
}
std::string parametric_relu(KernelText& k, const Array& a, const std::string& x) {
  return selected_if_positive(k, a, x, x, times(k, a, x, "0.25"));
}
std::string elu(KernelText& k, const Array& a, const std::string& x) {
  return selected_if_positive(k, a, x, x, k.op(a, "exponential-minus-one", {x}));
}
std::string selu(KernelText& k, const Array& a, const std::string& x) {
  const std::string below = times(k, a, k.op(a, "exponential-minus-one", {x}), "1.6733");
  return times(k, a, selected_if_positive(k, a, x, x, below), "1.0507");
}
std::string sigmoid(KernelText& k, const Array& a, const std::string& x) {
  const std::string exponential = k.op(a, "exponential", {k.op(a, "negate", {x})});
  const std::string one = k.splat(a, "1");
  return k.op(a, "divide", {one, k.op(a, "add", {one, exponential})});
}

struct Activation {
  std::string_view op;
  Curve curve;
};
constexpr Activation kActivations[] = {
    {"relu", relu}, {"leaky_relu", leaky_relu}, {"parametric_relu", parametric_relu}, {"elu", elu},
    {"selu", selu}, {"sigmoid", sigmoid},
};

struct PlainOp {
  std::string_view op;
  std::string_view opcode;
  int operands;
};
constexpr PlainOp kPlainOps[] = {
    {"add", "add", 2},    {"sub", "subtract", 2}, {"mul", "multiply", 2},
    {"div", "divide", 2}, {"tanh", "tanh", 1},    {"linear_activation", "copy", 1},
};

class OpBuilder {
 public:
  explicit OpBuilder(const OpRow& row) : row_(row) {}

  Result<Workload> build() {
    if (row_.dtype != "f16") {
      return fail(ErrorCode::kUnsupported,
                  fmt::format("operator {} has the type \"{}\"", row_.op, row_.dtype),
                  "only f16 rows are known");
    }
    HLOSCOPE_TRY(add_kernels());
    const auto named = static_cast<size_t>(std::ranges::count(row_.event, '+')) + 1;
    if (named != workload_.kernels.size()) {
      return fail(ErrorCode::kUnsupported,
                  fmt::format("operator {} is {} kernels, but the event names {}: {}", row_.op,
                              workload_.kernels.size(), named, row_.event),
                  "the compiler of these rows fused it in another way");
    }
    return std::move(workload_);
  }

 private:
  Status add(std::string what, Result<hlo::ProgramPtr> program) {
    HLOSCOPE_ASSIGN(hlo::ProgramPtr parsed, std::move(program));
    workload_.kernels.push_back({std::move(parsed), 1, std::move(what)});
    return {};
  }

  void assume(std::string_view sentence) { workload_.assumptions.emplace_back(sentence); }

  // The argument, which must have `rank` dimensions (0: at least one).
  Result<Array> argument(size_t rank = 0) const {
    if (row_.shape.empty() || (rank != 0 && row_.shape.size() != rank)) {
      return fail(ErrorCode::kInvalidInput,
                  fmt::format("operator {}: a shape of {} dimensions", row_.op, row_.shape.size()),
                  rank == 0 ? "write the sizes in the column shape, like 64x128"
                            : fmt::format("this operator takes {} dimensions", rank));
    }
    return least_padded(PrimitiveType::kF16, row_.shape);
  }

  Status add_kernels();
  Status plain(const PlainOp& plain);
  Status activation(const Activation& activation);
  Status binary_step();
  Status matmul();
  Status batch_norm();
  Status layer_norm();
  Status rms_norm();
  Status pool(bool is_average);

  const OpRow& row_;
  Workload workload_;
};

Status OpBuilder::add_kernels() {
  assume("arguments and results have the layout that pads least");
  for (const PlainOp& known : kPlainOps) {
    if (known.op == row_.op) return plain(known);
  }
  for (const Activation& known : kActivations) {
    if (known.op == row_.op) return activation(known);
  }
  if (row_.op == "binary_step") return binary_step();
  if (row_.op == "matmul") return matmul();
  if (row_.op == "batch_norm_inference") return batch_norm();
  if (row_.op == "layer_norm") return layer_norm();
  if (row_.op == "rms_norm") return rms_norm();
  if (row_.op == "avg_pool_2d") return pool(true);
  if (row_.op == "max_pool_2d") return pool(false);
  return fail(ErrorCode::kUnsupported, fmt::format("the operator \"{}\" is not known", row_.op),
              "known: the 19 operators of SCALE-Sim-validation, such as add, relu, matmul");
}

Status OpBuilder::plain(const PlainOp& plain) {
  HLOSCOPE_ASSIGN(const Array x, argument());
  KernelText kernel;
  std::vector<std::string> operands;
  for (int i = 0; i < plain.operands; ++i) operands.push_back(kernel.parameter(x));
  kernel.op(x, plain.opcode, operands);
  return add(std::string(plain.opcode), kernel.instruction(plain.op));
}

Status OpBuilder::activation(const Activation& activation) {
  HLOSCOPE_ASSIGN(const Array x, argument());
  KernelText kernel;
  const std::string result = activation.curve(kernel, x, kernel.parameter(x));
  return add(row_.op, kernel.fusion(row_.op, kLoop, {result}));
}

Status OpBuilder::binary_step() {
  HLOSCOPE_ASSIGN(const Array x, argument());
  const Array wide = x.as(PrimitiveType::kF32);
  KernelText kernel;
  const std::string value = kernel.parameter(x);
  const std::string is_set = kernel.op(x.as(PrimitiveType::kPred), "compare",
                                       {value, kernel.splat(x, "0")}, "direction=GE");
  const std::string step =
      kernel.op(wide, "select", {is_set, kernel.splat(wide, "1"), kernel.splat(wide, "0")});
  assume("the result is f32");
  return add(row_.op, kernel.fusion(row_.op, kLoop, {step}));
}

Status OpBuilder::matmul() {
  if (row_.m < 1 || row_.n < 1 || row_.k < 1) {
    return fail(ErrorCode::kInvalidInput, "operator matmul: m, n or k is missing",
                "write them in the columns m, n and k");
  }
  KernelText kernel;
  const std::string a = kernel.parameter(least_padded(PrimitiveType::kF16, {row_.m, row_.k}));
  const std::string b = kernel.parameter(least_padded(PrimitiveType::kF16, {row_.k, row_.n}));
  const std::string product = kernel.op(least_padded(PrimitiveType::kF16, {row_.m, row_.n}),
                                        "convolution", {a, b}, "dim_labels=bf_io->bf");
  assume("both operands are read from HBM (the compiler copies one to CMEM before, untimed)");
  return add("matrix product", kernel.fusion("matmul", "kOutput", {product}));
}

Status OpBuilder::batch_norm() {
  HLOSCOPE_ASSIGN(const Array x, argument(4));
  const Array wide = x.as(PrimitiveType::kF32);
  const Array channels = row_major(PrimitiveType::kF32, {x.dims[1]});
  KernelText kernel;
  const std::string value = kernel.op(wide, "convert", {kernel.parameter(x)});
  const std::string mean = kernel.broadcast(wide, kernel.parameter(channels), {1});
  const std::string factor = kernel.broadcast(wide, kernel.parameter(channels), {1});
  const std::string centred = kernel.op(wide, "subtract", {value, mean});
  const std::string result = kernel.op(wide, "multiply", {centred, factor});
  assume("(x - mean) * factor with f32 numbers per channel; the result is f32");
  return add("batch norm", kernel.fusion("batch_norm", kLoop, {result}));
}

Status OpBuilder::layer_norm() {
  HLOSCOPE_ASSIGN(const Array x, argument(3));
  assume("f32 sums and result; the mean is subtracted twice and never written");
  HLOSCOPE_TRY(add("sum", row_reduction(x, "add")));
  HLOSCOPE_TRY(add("mean", row_means(x)));
  HLOSCOPE_TRY(add("squared deviation", row_squared_deviation(x)));
  HLOSCOPE_TRY(add("deviation", row_deviations(x)));
  return add("division", centre_and_divide(x, x.as(PrimitiveType::kF32)));
}

Status OpBuilder::rms_norm() {
  HLOSCOPE_ASSIGN(const Array x, argument(3));
  assume("f32 sums and result");
  HLOSCOPE_TRY(add("sum of squares", row_square_sum(x)));
  HLOSCOPE_TRY(add("root mean square", row_deviations(x)));
  return add("division", divide_by_row(x, x.as(PrimitiveType::kF32)));
}

Status OpBuilder::pool(bool is_average) {
  HLOSCOPE_ASSIGN(const Array x, argument(4));
  if (x.dims[2] < 2 || x.dims[3] < 2) {
    return fail(ErrorCode::kInvalidInput, fmt::format("operator {}: an image below 2x2", row_.op),
                "height and width are at least the window");
  }
  // The result has the layout that pads least, and the window slides in that layout: where the
  // argument comes in another one, the compiler copies it first. This rule gives the copies of all
  // the rows that name one.
  const Array result =
      least_padded(PrimitiveType::kF16, {x.dims[0], x.dims[1], x.dims[2] / 2, x.dims[3] / 2});
  const Array read = {x.type, x.dims, result.minor_to_major};
  if (row_.event.starts_with("copy")) {
    KernelText copy;
    copy.op(read, "copy", {copy.parameter(x)});
    HLOSCOPE_TRY(add("copy", copy.instruction("copy")));
  }
  KernelText window;
  window.reduce_window(result, window.parameter(read), is_average ? "add" : "maximum",
                       "size=1x1x2x2 stride=1x1x2x2");
  HLOSCOPE_TRY(add("window", window.instruction("pool")));
  assume("window 2x2, stride 2x2, no padding");
  if (!is_average) return {};
  KernelText scale;
  const std::string mean = times(scale, result, scale.parameter(result), "0.25");
  return add("scaling", scale.fusion("scaling", kLoop, {mean}));
}

}  // namespace

Result<Workload> build_op(const OpRow& row) {
  return OpBuilder(row).build();
}

}  // namespace hloscope::measured
