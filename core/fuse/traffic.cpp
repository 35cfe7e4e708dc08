#include "core/fuse/traffic.h"

#include <algorithm>

#include "core/graph/async_pairs.h"

namespace hloscope::fuse {

using hlo::InstructionId;
using hlo::Opcode;

namespace {

using ArrayBytes = IndexedVector<hlo::ShapeId, double>;

// Reads of distinct operands, each at most once as a whole.
class Reads {
 public:
  void add(InstructionId value, double bytes) {
    for (auto& [known, sum] : reads_) {
      if (known == value) {
        sum += bytes;
        return;
      }
    }
    reads_.emplace_back(value, bytes);
  }
  double total(const hlo::Program& program, const ArrayBytes& array_bytes) const {
    double sum = 0;
    for (const auto& [value, bytes] : reads_) {
      sum += std::min(bytes, array_bytes[program[value].shape]);
    }
    return sum;
  }

 private:
  std::vector<std::pair<InstructionId, double>> reads_;
};

double read_inside(const hlo::Program& program, const ArrayBytes& array_bytes,
                   InstructionId parameter) {
  const hlo::Computation& body = program[program[parameter].computation];
  const double whole = array_bytes[program[parameter].shape];
  double sum = parameter == body.root ? whole : 0;
  InstructionId last;
  for (InstructionId user : program.users(parameter)) {
    if (user == last) continue;  // All its operands are looked at below.
    last = user;
    const auto operands = program.operands(user);
    for (size_t i = 0; i < operands.size(); ++i) {
      if (operands[i] == parameter) sum += bytes_through(program, array_bytes, user, i);
    }
  }
  return sum;
}

double written_by(const hlo::Program& program, const ArrayBytes& array_bytes, InstructionId root) {
  if (program[root].opcode != Opcode::kTuple) return bytes_stored(program, array_bytes, root);
  double sum = 0;
  for (InstructionId result : program.operands(root)) {
    sum += bytes_stored(program, array_bytes, result);
  }
  return sum;
}

double fusion_bytes(const hlo::Program& program, const ArrayBytes& array_bytes,
                    InstructionId fusion) {
  const hlo::ComputationId body = program.computation(fusion, hlo::AttrKey::kCalls);
  Reads reads;
  for (InstructionId parameter : program.parameters(body)) {
    const InstructionId operand =
        program.operands(fusion)[static_cast<size_t>(program[parameter].number)];
    reads.add(operand, read_inside(program, array_bytes, parameter));
  }
  return reads.total(program, array_bytes) + written_by(program, array_bytes, program[body].root);
}

}  // namespace

double bytes_through(const hlo::Program& program, const ArrayBytes& array_bytes, InstructionId user,
                     size_t index) {
  const InstructionId operand = program.operands(user)[index];
  if (program[operand].opcode == Opcode::kConstant && program.shape(operand).element_count() == 1) {
    return 0;
  }
  if (index == 0) {
    switch (program[user].opcode) {
      case Opcode::kSlice:
      case Opcode::kDynamicSlice:
      case Opcode::kGather:
        return array_bytes[program[user].shape];
      case Opcode::kDynamicUpdateSlice:
        return 0;
      default:
        break;
    }
  }
  return array_bytes[program[operand].shape];
}

double bytes_stored(const hlo::Program& program, const ArrayBytes& array_bytes, InstructionId id) {
  const bool is_update = program[id].opcode == Opcode::kDynamicUpdateSlice;
  return array_bytes[program[is_update ? program.operands(id)[1] : id].shape];
}

double kernel_bytes(const hlo::Program& program, const ArrayBytes& array_bytes,
                    InstructionId kernel) {
  const Opcode opcode = program[kernel].opcode;
  if (graph::is_free(opcode) || graph::is_control_flow(opcode) || graph::is_async_end(opcode)) {
    return 0;
  }
  if (opcode == Opcode::kFusion) return fusion_bytes(program, array_bytes, kernel);
  Reads reads;
  const auto operands = program.operands(kernel);
  for (size_t i = 0; i < operands.size(); ++i) {
    reads.add(operands[i], bytes_through(program, array_bytes, kernel, i));
  }
  return reads.total(program, array_bytes) + bytes_stored(program, array_bytes, kernel);
}

Traffic traffic(const hlo::Program& program) {
  const ArrayBytes sizes = array_bytes(program.shapes());
  Traffic out;
  for (const graph::Kernel& kernel : graph::kernels(program).kernels) {
    const double bytes = kernel_bytes(program, sizes, kernel.instruction) * kernel.executions;
    Traffic::ByClass& by_class = out.by_class[static_cast<size_t>(kernel.op_class)];
    ++by_class.kernels;
    by_class.bytes += bytes;
    ++out.kernels;
    out.executions += kernel.executions;
    out.bytes += bytes;
  }
  return out;
}

}  // namespace hloscope::fuse
