#include "core/graph/kernels.h"

#include <unordered_map>

#include "core/graph/async_pairs.h"
#include "core/graph/body_index.h"
#include "core/graph/classify.h"
#include "core/graph/edges.h"
#include "core/graph/kernel_hasher.h"
#include "core/graph/schedule.h"
#include "core/graph/written_tile.h"

namespace hloscope::graph {

using hlo::AttrKey;
using hlo::InstructionId;
using hlo::Opcode;

namespace {

hlo::ComputationId body_of(const hlo::Program& program, InstructionId id) {
  const Opcode opcode = program[id].opcode;
  return opcode == Opcode::kFusion || opcode == Opcode::kAsyncStart
             ? program.computation(id, AttrKey::kCalls)
             : hlo::ComputationId();
}

/// Gives an update or done to the kernel of its start; false when there is none.
bool join_start(const hlo::Program& program, KernelList& list, InstructionId id) {
  if (!is_async_end(program[id].opcode)) return false;
  const InstructionId start = async_start_of(program, id);
  if (!start.valid() || !list.kernel_of[start].valid()) return false;
  const KernelId kernel = list.kernel_of[start];
  list.kernel_of[id] = kernel;
  if (is_async_done(program[id].opcode)) list.kernels[kernel].async_done = id;
  return true;
}

void add_kernels(const hlo::Program& program, const std::vector<InstructionId>& instructions,
                 KernelList& list) {
  Classifier classifier(program);
  KernelHasher hasher(program);
  BodyIndex bodies(program);
  list.kernels.reserve(instructions.size());
  for (InstructionId id : instructions) {
    if (join_start(program, list, id)) continue;
    Kernel kernel;
    kernel.instruction = id;
    kernel.computation = program[id].computation;
    kernel.body = body_of(program, id);
    kernel.op_class = classifier.of(id);
    kernel.hash = hasher.of(id);
    kernel.executions = list.computations[kernel.computation].executions;
    kernel.executions_known = list.computations[kernel.computation].known;
    const KernelId added = list.kernels.push_back(kernel);
    list.kernel_of[id] = added;
    list.kernels[added].instruction_count = bodies.add(list, added);
  }
}

Hash128 hash_with_tile(const hlo::Program& program, const Kernel& kernel) {
  const std::string_view tile = written_tile(program, kernel.instruction);
  if (tile.empty()) return kernel.hash;
  return Hasher().add(kernel.hash.high).add(kernel.hash.low).add(tile).digest();
}

void find_distinct(const hlo::Program& program, bool by_written_tile, KernelList& list) {
  std::unordered_map<Hash128, uint32_t> position;
  position.reserve(list.kernels.size());
  list.distinct_of.resize(list.kernels.size());
  for (uint32_t i = 0; i < list.kernels.size(); ++i) {
    const KernelId id(i);
    const Kernel& kernel = list.kernels[id];
    const Hash128 key = by_written_tile ? hash_with_tile(program, kernel) : kernel.hash;
    const auto [found, is_new] = position.emplace(key, static_cast<uint32_t>(list.distinct.size()));
    if (is_new) list.distinct.push_back(id);
    list.distinct_of[id] = found->second;
  }
}

}  // namespace

bool is_optimized(const hlo::Program& program) {
  if (program.is_scheduled()) return true;
  for (InstructionId id : program.instructions()) {
    if (program[id].opcode == Opcode::kFusion) return true;
  }
  return false;
}

KernelList kernels(const hlo::Program& program, const KernelOptions& options) {
  Schedule order = schedule(program, options);
  KernelList list;
  list.is_optimized = is_optimized(program);
  list.computations = std::move(order.uses);
  list.scheduled = std::move(order.computations);
  list.loops = std::move(order.loops);
  list.kernel_of.resize(program.instruction_count());
  add_kernels(program, order.instructions, list);
  find_distinct(program, options.by_written_tile, list);
  connect(program, list);
  return list;
}

}  // namespace hloscope::graph
