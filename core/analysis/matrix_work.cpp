#include "core/analysis/matrix_work.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/graph/callee_order.h"
#include "core/hlo/convolution.h"

namespace hloscope::analysis {

namespace {

using hlo::AttrKey;
using hlo::InstructionId;
using hlo::Opcode;

// `count` products of [rows, depth] x [depth, columns]; the depth is made of `positions` parts.
struct Product {
  double count = 1;
  double rows = 1;
  double depth = 1;
  double positions = 1;
  double columns = 1;
};

bool contains(std::span<const int64_t> values, size_t value) {
  return std::find(values.begin(), values.end(), static_cast<int64_t>(value)) != values.end();
}

double size_at(const hlo::Shape& shape, size_t d) {
  return d < shape.rank() ? static_cast<double>(std::max<int64_t>(shape.dimensions[d], 0)) : 1;
}

double product_of(const hlo::Shape& shape, std::span<const int64_t> dims) {
  double product = 1;
  for (int64_t d : dims) product *= size_at(shape, static_cast<size_t>(d));
  return product;
}

// Product of the dimensions that are neither batch nor contracted.
double free_size(const hlo::Shape& shape, std::span<const int64_t> batch,
                 std::span<const int64_t> contracted) {
  double product = 1;
  for (size_t d = 0; d < shape.rank(); ++d) {
    if (!contains(batch, d) && !contains(contracted, d)) product *= size_at(shape, d);
  }
  return product;
}

Product dot_product(const hlo::Program& program, InstructionId id) {
  const hlo::Shape& left = program.shape(program.operands(id)[0]);
  const hlo::Shape& right = program.shape(program.operands(id)[1]);
  const auto left_batch = program.ints(id, AttrKey::kLhsBatchDims);
  const auto left_contracted = program.ints(id, AttrKey::kLhsContractingDims);
  return {.count = product_of(left, left_batch),
          .rows = free_size(left, left_batch, left_contracted),
          .depth = product_of(left, left_contracted),
          .positions = 1,
          .columns = free_size(right, program.ints(id, AttrKey::kRhsBatchDims),
                               program.ints(id, AttrKey::kRhsContractingDims))};
}

Product convolution_product(const hlo::Convolution& c, const sim::Machine& machine) {
  const auto groups = static_cast<double>(c.feature_groups * c.batch_groups);
  const int64_t group_features = c.input_feature / c.feature_groups;
  const int64_t group_batch = c.batch / c.batch_groups;
  const auto depth = static_cast<double>(group_features);
  const double columns = static_cast<double>(c.output_feature) / groups;
  // Groups that fit lie on the diagonal of one weight tile.
  const double widest = std::max({depth, columns, 1.0});
  const double side = std::min(machine["mxu_rows"], machine["mxu_columns"]);
  const double shared = std::clamp(std::floor(side / widest), 1.0, groups);
  Product product{.count = std::ceil(groups / shared),
                  .rows = static_cast<double>(group_batch),
                  .depth = depth * shared,
                  .positions = 1,
                  .columns = columns * shared};
  for (size_t i = 0; i < c.spatial_count; ++i) {
    product.rows *= static_cast<double>(c.spatial[i].output);
    product.positions *= static_cast<double>(c.spatial[i].kernel);
  }
  return product;
}

double streaming_cycles(const Product& p, double rows, double columns,
                        const sim::Machine& machine) {
  const double mxu_rows = machine["mxu_rows"];
  const double parts_per_tile = std::max(1.0, std::floor(mxu_rows / std::max(p.depth, 1.0)));
  const double depth_tiles =
      std::ceil(p.positions / parts_per_tile) * std::ceil(std::max(p.depth, 1.0) / mxu_rows);
  const double tiles = p.count * depth_tiles * std::ceil(columns / machine["mxu_columns"]);
  const double sublanes = machine["vreg_sublanes"];
  const double streamed = std::max(std::ceil(rows / sublanes) * sublanes, mxu_rows);
  return tiles * streamed / (machine["mxu_count"] * machine["mxu_rows_per_cycle"]);
}

// The passes over operands that are not native to the unit.
double passes(const hlo::Program& program, InstructionId id, const sim::Machine& machine) {
  const hlo::PrimitiveType type = program.shape(program.operands(id)[0]).element_type;
  if (!hlo::is_floating(type) && !hlo::is_complex(type)) return 1;
  const double products = hlo::is_complex(type) ? 4 : 1;
  if (hlo::info(type).bits <= 16) return products;
  const std::string_view precision = program.text(id, AttrKey::kOperandPrecision);
  const std::string_view algorithm = program.text(id, AttrKey::kAlgorithm);
  const auto says = [&](std::string_view p, std::string_view a) {
    return precision.find(p) != std::string_view::npos || algorithm.ends_with(a);
  };
  if (says("highest", "_x6")) return products * machine["f32_passes_highest"];
  if (says("high", "_x3")) return products * machine["f32_passes_high"];
  return products * machine["f32_passes_default"];
}

}  // namespace

MatrixWork matrix_work(const hlo::Program& program, InstructionId id, const sim::Machine& machine) {
  const Opcode opcode = program[id].opcode;
  MatrixWork work;
  Product p;
  if (opcode == Opcode::kDot || opcode == Opcode::kScaledDot) {
    p = dot_product(program, id);
    work.flops = 2 * p.count * p.rows * p.depth * p.columns;
  } else if (opcode == Opcode::kConvolution) {
    const auto c = hlo::convolution(program, id);
    if (!c) return work;
    p = convolution_product(*c, machine);
    work.flops = hlo::convolution_flops(*c);
  } else {
    return work;
  }
  if (work.flops <= 0) return work;
  work.mxu_cycles =
      passes(program, id, machine) * std::min(streaming_cycles(p, p.rows, p.columns, machine),
                                              streaming_cycles(p, p.columns, p.rows, machine));
  return work;
}

MatrixWork kernel_matrix_work(const hlo::Program& program, InstructionId kernel,
                              const sim::Machine& machine) {
  MatrixWork work = matrix_work(program, kernel, machine);
  std::vector<hlo::ComputationId> todo;
  const auto enter = [&](InstructionId id) {
    if (!graph::inlines_callees(program[id].opcode)) return;
    const auto called = program.called(id);
    todo.insert(todo.end(), called.begin(), called.end());
  };
  enter(kernel);
  while (!todo.empty()) {
    const hlo::ComputationId body = todo.back();
    todo.pop_back();
    for (InstructionId id : program[body].instructions) {
      work += matrix_work(program, id, machine);
      enter(id);
    }
  }
  return work;
}

}  // namespace hloscope::analysis
