#include "core/measured/workload_hlo.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/measured/kernel_text.h"
#include "core/measured/norm_hlo.h"

namespace hloscope::measured {

namespace {

// Of the encoder block; the rows name no sequence length. 512 is the default of the authors'
// scripts.
constexpr int64_t kEncoderSequence = 512;
constexpr int64_t kFeedForwardFactor = 4;
constexpr int64_t kLargestParameter = int64_t{1} << 24;

class WorkloadBuilder {
 public:
  WorkloadBuilder(const WorkloadRow& row, const StoredTypes& types) : row_(row), types_(types) {}

  Result<Workload> build() {
    HLOSCOPE_TRY(add_kernels());
    return std::move(workload_);
  }

 private:
  // The number of a parameter of the row.
  Result<int64_t> param(const std::string& name, int64_t least = 1) const {
    const auto found = row_.params.find(name);
    if (found != row_.params.end() && found->second >= least &&
        found->second <= kLargestParameter) {
      return found->second;
    }
    return fail(ErrorCode::kInvalidInput,
                fmt::format("workload {} ({}): the parameter {} {}", row_.name, row_.kind, name,
                            found == row_.params.end() ? "is missing" : "is out of range"),
                fmt::format("write {}=N with N from {} to {} in the column params", name, least,
                            kLargestParameter));
  }

  Status add(std::string what, Result<hlo::ProgramPtr> program, double executions = 1) {
    HLOSCOPE_ASSIGN(hlo::ProgramPtr parsed, std::move(program));
    workload_.kernels.push_back({std::move(parsed), executions, std::move(what)});
    return {};
  }

  void assume(std::string_view sentence) { workload_.assumptions.emplace_back(sentence); }

  void assume_matrix_types() {
    assume(fmt::format("{} arrays, multiplied as bf16 in one pass (the default precision of XLA)",
                       hlo::name(types_.program)));
  }

  Status add_kernels() {
    if (row_.kind == "gemm") return gemm();
    if (row_.kind == "conv") return convolution();
    if (row_.kind == "softmax") return softmax();
    if (row_.kind == "layernorm") return layer_norm();
    if (row_.kind == "attention") return attention_row();
    if (row_.kind == "encoder_block") return encoder_block();
    return fail(ErrorCode::kUnsupported,
                fmt::format("workload {} is of kind \"{}\"", row_.name, row_.kind),
                "known kinds: gemm, conv, softmax, layernorm, attention, encoder_block");
  }

  Status gemm();
  Status convolution();
  Status softmax();
  Status layer_norm();
  Status attention_row();
  Status encoder_block();

  Status matrix_product(std::string what, const Array& left, const Array& right,
                        PrimitiveType result, double executions = 1);
  Status scores(const Array& query, const Array& result);
  Status weighted_values(const Array& weights, const Array& value, const Array& result);
  Status attention(int64_t heads, int64_t sequence, int64_t depth, PrimitiveType outer);
  Status normalise(const Array& x, double executions);

  const WorkloadRow& row_;
  StoredTypes types_;
  Workload workload_;
};

Status WorkloadBuilder::matrix_product(std::string what, const Array& left, const Array& right,
                                       PrimitiveType result, double executions) {
  KernelText kernel;
  const std::string a = kernel.parameter(left);
  const std::string b = kernel.parameter(right);
  const Array out = row_major(result, {left.dims[0], right.dims[1]});
  const std::string product = kernel.op(out, "convolution", {a, b}, "dim_labels=bf_io->bf");
  return add(std::move(what), kernel.fusion("matrix_product", "kOutput", {product}), executions);
}

Status WorkloadBuilder::gemm() {
  HLOSCOPE_ASSIGN(const int64_t m, param("m"));
  HLOSCOPE_ASSIGN(const int64_t k, param("k"));
  HLOSCOPE_ASSIGN(const int64_t n, param("n"));
  assume_matrix_types();
  return matrix_product("matrix product", row_major(types_.program, {m, k}),
                        row_major(types_.program, {k, n}), types_.program);
}

Status WorkloadBuilder::convolution() {
  std::array<int64_t, 6> sizes{};
  constexpr std::array<const char*, 6> kNames = {"batch", "h", "w", "c_in", "c_out", "kernel"};
  for (size_t i = 0; i < sizes.size(); ++i) {
    HLOSCOPE_ASSIGN(sizes[i], param(kNames[i]));
  }
  const auto [batch, h, w, c_in, c_out, size] = sizes;
  HLOSCOPE_ASSIGN(const int64_t stride, param("stride"));
  HLOSCOPE_ASSIGN(const int64_t pad, param("pad", 0));
  if (size > h + 2 * pad || size > w + 2 * pad) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("workload {}: the kernel is larger than the padded input", row_.name),
                "kernel is at most h + 2 pad and w + 2 pad");
  }
  const auto output = [&](int64_t in) { return (in + 2 * pad - size) / stride + 1; };
  // Batch in sublanes and features in lanes, as in the measured convolutions of TPU v3.
  const std::vector<int64_t> order = {3, 0, 2, 1};
  KernelText kernel;
  const std::string x = kernel.parameter({types_.program, {batch, h, w, c_in}, order});
  const std::string filter = kernel.parameter(row_major(types_.program, {size, size, c_in, c_out}));
  const std::string result = kernel.op(
      {types_.program, {batch, output(h), output(w), c_out}, order}, "convolution", {x, filter},
      fmt::format("window={{size={0}x{0} stride={1}x{1} pad={2}_{2}x{2}_{2}}}, "
                  "dim_labels=b01f_01io->b01f",
                  size, stride, pad));
  assume_matrix_types();
  assume("the layout puts the batch in sublanes and the features in lanes");
  return add("convolution", kernel.fusion("convolution", "kOutput", {result}));
}

Status WorkloadBuilder::softmax() {
  HLOSCOPE_ASSIGN(const int64_t rows, param("rows"));
  HLOSCOPE_ASSIGN(const int64_t cols, param("cols"));
  const Array x = row_major(types_.program, {rows, cols});
  assume("three kernels: maximum; exp, written, and its sum; division");
  HLOSCOPE_TRY(add("maximum", row_reduction(x, "maximum")));
  HLOSCOPE_TRY(add("exp and sum", exp_and_sum(x, true)));
  return add("division", divide_by_row(x, x));
}

Status WorkloadBuilder::normalise(const Array& x, double executions) {
  assume("layer norm is four kernels: mean; centring, written; variance; scaling");
  HLOSCOPE_TRY(add("mean", row_reduction(x, "add"), executions));
  HLOSCOPE_TRY(add("centring", subtract_mean(x), executions));
  HLOSCOPE_TRY(add("variance", row_square_sum(x), executions));
  return add("scaling", scale_and_offset(x), executions);
}

Status WorkloadBuilder::layer_norm() {
  HLOSCOPE_ASSIGN(const int64_t rows, param("rows"));
  HLOSCOPE_ASSIGN(const int64_t features, param("features"));
  return normalise(row_major(types_.program, {rows, features}), 1);
}

// query x key^T / sqrt(depth), both as `query`.
Status WorkloadBuilder::scores(const Array& query, const Array& result) {
  KernelText kernel;
  const std::string q = kernel.parameter(query);
  const std::string k = kernel.parameter(query);
  const Array wide = result.as(PrimitiveType::kF32);
  const std::string product =
      kernel.op(wide, "dot", {q, k},
                "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
                "rhs_contracting_dims={2}");
  const std::string factor =
      kernel.splat(wide, fmt::format("{:.9g}", 1 / std::sqrt(static_cast<double>(query.dims[2]))));
  std::string scaled = kernel.op(wide, "multiply", {product, factor});
  if (result.type != wide.type) scaled = kernel.op(result, "convert", {scaled});
  return add("scores", kernel.fusion("scores", "kOutput", {scaled}));
}

// (weights / row sums) x value.
Status WorkloadBuilder::weighted_values(const Array& weights, const Array& value,
                                        const Array& result) {
  KernelText kernel;
  const Array wide = weights.as(PrimitiveType::kF32);
  std::string exponential = kernel.parameter(weights);
  if (weights.type != wide.type) exponential = kernel.op(wide, "convert", {exponential});
  const std::string sums = kernel.broadcast(wide, kernel.parameter(without(wide, 2)), {0, 1});
  std::string normal = kernel.op(wide, "divide", {exponential, sums});
  if (weights.type != wide.type) normal = kernel.op(weights, "convert", {normal});
  const std::string v = kernel.parameter(value);
  const std::string product =
      kernel.op(result, "dot", {normal, v},
                "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
                "rhs_contracting_dims={1}");
  return add("weighted values", kernel.fusion("weighted_values", "kOutput", {product}));
}

Status WorkloadBuilder::attention(int64_t heads, int64_t sequence, int64_t depth,
                                  PrimitiveType outer) {
  const Array query = row_major(outer, {heads, sequence, depth});
  const Array weights = row_major(types_.between, {heads, sequence, sequence});
  assume(
      "attention is three kernels: scores, written; exp, written, and its sum; the product with "
      "the division fused");
  HLOSCOPE_TRY(scores(query, weights));
  HLOSCOPE_TRY(add("exp and sum", exp_and_sum(weights, false)));
  return weighted_values(weights, query, query);
}

Status WorkloadBuilder::attention_row() {
  HLOSCOPE_ASSIGN(const int64_t heads, param("heads"));
  HLOSCOPE_ASSIGN(const int64_t sequence, param("seq"));
  HLOSCOPE_ASSIGN(const int64_t depth, param("head_dim"));
  assume(fmt::format("query, key, value and the result are {}, scores and exp {}",
                     hlo::name(types_.program), hlo::name(types_.between)));
  return attention(heads, sequence, depth, types_.program);
}

Status WorkloadBuilder::encoder_block() {
  HLOSCOPE_ASSIGN(const int64_t hidden, param("hidden"));
  HLOSCOPE_ASSIGN(const int64_t heads, param("heads"));
  if (hidden % heads != 0) {
    return fail(
        ErrorCode::kInvalidInput,
        fmt::format("workload {}: {} heads do not divide {} features", row_.name, heads, hidden),
        "hidden is a multiple of heads");
  }
  const int64_t wide = hidden * kFeedForwardFactor;
  const Array x = row_major(types_.program, {kEncoderSequence, hidden});
  const Array square = row_major(types_.program, {hidden, hidden});
  const Array inner = row_major(types_.between, {kEncoderSequence, wide});
  assume("one encoder block at sequence length 512, feed-forward width 4 x hidden");
  assume(
      fmt::format("weights and the arrays of layer norms are {}, what goes from kernel to matrix "
                  "product {}",
                  hlo::name(types_.program), hlo::name(types_.between)));
  assume("bias, residual, activation and the split into heads cost nothing: fused");
  HLOSCOPE_TRY(matrix_product("query, key, value", x, square, types_.between, 3));
  HLOSCOPE_TRY(attention(heads, kEncoderSequence, hidden / heads, types_.between));
  HLOSCOPE_TRY(matrix_product("attention output", x.as(types_.between), square, types_.program));
  HLOSCOPE_TRY(matrix_product("feed-forward 1", x, row_major(types_.program, {hidden, wide}),
                              types_.between));
  HLOSCOPE_TRY(matrix_product("feed-forward 2", inner, row_major(types_.program, {wide, hidden}),
                              types_.program));
  return normalise(x, 2);
}

}  // namespace

Result<Workload> build_workload(const WorkloadRow& row, const StoredTypes& types) {
  return WorkloadBuilder(row, types).build();
}

}  // namespace hloscope::measured
