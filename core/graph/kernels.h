#pragma once

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

/// How often a computation runs when the program runs once.
struct ComputationUse {
  double executions = 0;  ///< 0: never called from the entry (or only applied, as a reducer is).
  bool known = true;
  bool is_scheduled = false;  ///< Entry, while body or condition, branch, called: holds kernels.
};

/// Loops. trip_count is 1 and known false when it could not be found.
struct Loop {
  hlo::InstructionId instruction;
  int64_t trip_count = 1;
  bool known = false;
};

struct KernelList {
  IndexedVector<KernelId, Kernel> kernels;  ///< In program order, callees before callers' rest.
  IndexedVector<hlo::InstructionId, KernelId>
      kernel_of;  ///< Also for instructions inside bodies; invalid for free ones.
  Csr<KernelId, KernelId> operands;  ///< Producers, seen through free instructions; each once.
  Csr<KernelId, KernelId> users;
  IndexedVector<hlo::ComputationId, ComputationUse> computations;
  std::vector<Loop> loops;
  /// One representative per distinct canonical hash, in order of first occurrence; distinct_of maps
  /// every kernel to its position there. Work that depends on the kernel only is done once per
  /// entry.
  std::vector<KernelId> distinct;
  IndexedVector<KernelId, uint32_t> distinct_of;
  /// False: the program has no fusions and is not scheduled, so each instruction that is not free
  /// stands for itself as a kernel.
  bool is_optimized = false;
};

enum class BranchRule {
  kMaximum,  ///< Totals take the branch with the largest sum: needs times, done by the caller; all
             ///< branches weigh 1 here.
  kMean,     ///< Every branch of n weighs 1/n.
};

struct KernelOptions {
  BranchRule branches = BranchRule::kMean;
  int64_t unknown_trip_count = 1;
};

/// Kernels of a program: every instruction of a scheduled computation (entry, while body and
/// condition, branch, called) that is not free (is_free). Async pairs are one kernel; a fusion is
/// one kernel with its computation as the graph.
[[nodiscard]] KernelList kernels(const hlo::Program& program, const KernelOptions& options = {});

/// parameter, constant, tuple, get-tuple-element, bitcast, after-all, ...: costs no time of its
/// own.
[[nodiscard]] bool is_free(hlo::Opcode opcode);

/// Content hash of what determines the time of one kernel: opcodes, shapes with layout, attributes
/// that change the work, structure. Free of names, ids, metadata and constant values.
[[nodiscard]] Hash128 canonical_hash(const hlo::Program& program, hlo::InstructionId kernel);

/// The kernel alone as a Program: its operands become parameters of the entry; called computations
/// come along. Layouts and attributes are kept.
[[nodiscard]] Result<hlo::ProgramPtr> extract(const hlo::Program& program,
                                              hlo::InstructionId kernel);

}  // namespace hloscope::graph
