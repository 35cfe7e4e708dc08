#pragma once

#include <span>
#include <vector>

#include "core/base/csr.h"
#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/hlo/program.h"

namespace hloscope::graph {

struct KernelTag;
using KernelId = Index<KernelTag>;

/// What the accelerator runs as one unit: see kernels().
struct Kernel {
  hlo::InstructionId
      instruction;  ///< The instruction that stands for it (fusion, dot, async start...).
  hlo::InstructionId async_done;   ///< The matching done of an async pair; else invalid.
  hlo::ComputationId computation;  ///< Where the instruction stands.
  hlo::ComputationId body;  ///< Computation of a fusion or of an async wrapper; else invalid.
  hlo::OpClass op_class = hlo::OpClass::kElementwise;
  Hash128 hash;           ///< canonical_hash(): equal hash = equal time.
  double executions = 1;  ///< Product of trip counts and branch weights on the way from the entry.
  bool executions_known = true;    ///< False below a loop of unknown trip count.
  uint32_t instruction_count = 1;  ///< Instructions inside, parameters not counted.
};

/// How often a computation runs when the program runs once. A loop's condition counts as often as
/// its body: once per trip.
struct ComputationUse {
  double executions = 0;  ///< 0: never called from the entry (or only applied, as a reducer is).
  bool known = true;
  bool is_scheduled = false;  ///< Entry, while body or condition, branch, called: holds kernels.
};

/// A while instruction. When its trip count could not be found, known is false and trip_count is
/// KernelOptions::unknown_trip_count.
struct Loop {
  hlo::InstructionId instruction;
  int64_t trip_count = 1;
  bool known = false;
  /// Of a loop whose count is not known: the most trips that its counter allows; 0 when that is not
  /// known either.
  int64_t at_most = 0;
};

struct KernelList {
  IndexedVector<KernelId, Kernel> kernels;  ///< In program order, callees before callers' rest.
  /// Invalid for free and control-flow instructions of scheduled computations, and in computations
  /// that do not run or are only applied per element (reducers, comparators). All instructions
  /// inside a body (also of fusions inside fusions) belong to the first kernel that has this body;
  /// the updates and the done of an async pair belong to its start.
  IndexedVector<hlo::InstructionId, KernelId> kernel_of;
  Csr<KernelId, KernelId> operands;  ///< Producers, seen through free instructions; each once.
  Csr<KernelId, KernelId> users;
  IndexedVector<hlo::ComputationId, ComputationUse> computations;
  /// The computations that hold kernels, callees before callers; the entry is the last one.
  std::vector<hlo::ComputationId> scheduled;
  std::vector<Loop> loops;
  /// One representative per distinct canonical hash (with KernelOptions::by_written_tile: and tile
  /// that the program states), in order of first occurrence; distinct_of maps
  /// every kernel to its position there. Work that depends on the kernel only is done once per
  /// entry.
  std::vector<KernelId> distinct;
  IndexedVector<KernelId, uint32_t> distinct_of;
  /// graph::is_optimized(). False: each instruction that is not free stands for itself as a kernel.
  bool is_optimized = false;
};

enum class BranchRule {
  kMaximum,  ///< total() takes the branch with the largest sum. Which one that is depends on the
             ///< values, so in Kernel::executions all branches weigh 1.
  kMean,     ///< Every branch of n weighs 1/n.
};

struct KernelOptions {
  BranchRule branches = BranchRule::kMean;
  int64_t unknown_trip_count = 1;
  /// Equal kernels with another written_tile() are not the same in KernelList::distinct: they are
  /// timed apart.
  bool by_written_tile = false;
};

/// True when the program is scheduled (is_scheduled=true) or has a fusion. False: it is not the
/// output of an optimising compiler.
[[nodiscard]] bool is_optimized(const hlo::Program& program);

/// Kernels of a program: every instruction of a scheduled computation (entry, while body and
/// condition, branch, called) that is neither free nor control flow. Async pairs are one kernel; a
/// fusion is one kernel with its computation as the graph.
[[nodiscard]] KernelList kernels(const hlo::Program& program, const KernelOptions& options = {});

/// Costs no time of its own: parameter, constant, tuple, get-tuple-element, bitcast, after-all,
/// opt-barrier, add-dependency, domain, partition-id, replica-id, get-dimension-size.
[[nodiscard]] bool is_free(hlo::Opcode opcode);
/// while, conditional, call: no kernels themselves; the computations they call hold kernels.
[[nodiscard]] bool is_control_flow(hlo::Opcode opcode);

/// What every instruction that is not free, and every root, reads: kernels and control-flow
/// instructions of the same computation, seen through free instructions that only pass values on (a
/// get-tuple-element of a tuple leads to that element); each once, in operand order. The done of an
/// async pair stands as its start. For drawing computations; KernelList::operands holds the same
/// between kernels.
[[nodiscard]] Csr<hlo::InstructionId, hlo::InstructionId> producers(const hlo::Program& program);

/// Sum over a run of the whole program. kernel_value holds the value of one execution, by KernelId;
/// loops multiply by the trip counts of `kernels`, each conditional gives the mean or the largest
/// sum of its branches.
[[nodiscard]] double total(const hlo::Program& program, const KernelList& kernels,
                           std::span<const double> kernel_value, BranchRule branches);

/// Content hash of what determines the time of one kernel: opcodes, shapes with layout, attributes
/// that change the work, structure. Free of names, ids, metadata, constant values, sharding, the
/// order of independent instructions, and backend_config (but a custom-call's, which can hold its
/// code). Replica groups count by number and size only.
[[nodiscard]] Hash128 canonical_hash(const hlo::Program& program, hlo::InstructionId kernel);

/// The kernel alone as a Program: its operands become parameters of the entry (equal operands one
/// parameter, tokens an after-all); called computations come along, and the whole of an async pair.
/// Layouts and attributes are kept; canonical_hash() stays the same.
/// Errors: what check_structure() finds wrong.
[[nodiscard]] Result<hlo::ProgramPtr> extract(const hlo::Program& program,
                                              hlo::InstructionId kernel);

}  // namespace hloscope::graph
