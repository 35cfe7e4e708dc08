#include "core/fuse/product_sums.h"

#include <algorithm>

#include "core/hlo/convolution.h"
#include "core/hlo/element.h"

namespace hloscope::fuse {

using hlo::AttrKey;
using hlo::InstructionId;

namespace {

// Positions of the output features in the result: the last ones of a dot, those that its right
// operand has free.
bool is_feature(const hlo::Program& program, InstructionId product, int64_t dimension) {
  if (program[product].opcode != hlo::Opcode::kDot) {
    const auto convolution = hlo::convolution(program, product);
    return !convolution || convolution->output_dims.second == dimension;
  }
  const size_t rank = program.shape(product).dimensions.size();
  const InstructionId right = program.operands(product)[1];
  const size_t free = program.shape(right).dimensions.size() -
                      program.ints(product, AttrKey::kRhsBatchDims).size() -
                      program.ints(product, AttrKey::kRhsContractingDims).size();
  return static_cast<size_t>(dimension) + free >= rank;
}

}  // namespace

bool sums_features(const hlo::Program& program, InstructionId product, InstructionId reduction) {
  const auto summed = program.ints(reduction, AttrKey::kDimensions);
  return std::any_of(summed.begin(), summed.end(),
                     [&](int64_t dimension) { return is_feature(program, product, dimension); });
}

bool right_operand_fits(const hlo::Program& program, InstructionId product, double vmem_bytes) {
  const hlo::Shape& shape = program.shape(program.operands(product)[1]);
  auto bytes = static_cast<double>(hlo::element_bytes(shape.element_type));
  for (int64_t size : shape.dimensions) bytes *= static_cast<double>(size);
  for (int64_t batch : program.ints(product, AttrKey::kRhsBatchDims)) {
    bytes /= std::max(1.0, static_cast<double>(shape.dimensions[static_cast<size_t>(batch)]));
  }
  return bytes <= vmem_bytes;
}

}  // namespace hloscope::fuse
