#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/kernels.h"
#include "core/hlo/program.h"

namespace hloscope::sim {

struct FlatTag;
using FlatId = Index<FlatTag>;

/// One value inside a kernel: an instruction of its body, or an operand of the kernel (a leaf).
struct FlatNode {
  hlo::InstructionId instruction = {};
  hlo::ShapeId shape = {};  ///< Of a tuple result: the shape of its first array.
  std::vector<FlatId> operands = {};
  bool is_leaf = false;
};

/// The body of a kernel as one graph: fusions inside fusions, calls and async wrappers opened,
/// tuples and their elements seen through. Operands come before users.
struct FlatBody {
  IndexedVector<FlatId, FlatNode> nodes;
  std::vector<FlatId> outputs;  ///< Arrays of the result, in tuple order; each may occur twice.
};

[[nodiscard]] FlatBody flatten(const hlo::Program& program, hlo::InstructionId kernel);

}  // namespace hloscope::sim
