#pragma once

#include "core/fuse/fusion_space.h"
#include "core/graph/kernels.h"

namespace hloscope::fuse {

/// Bytes that `user` needs of its operand `index`: of a slice, dynamic-slice or gather what it
/// takes, of the array that a dynamic-update-slice changes nothing, nothing of a scalar constant;
/// else all.
[[nodiscard]] double bytes_through(const hlo::Program& program,
                                   const IndexedVector<hlo::ShapeId, double>& array_bytes,
                                   hlo::InstructionId user, size_t index);
/// Bytes of the result; of a dynamic-update-slice those of the update.
[[nodiscard]] double bytes_stored(const hlo::Program& program,
                                  const IndexedVector<hlo::ShapeId, double>& array_bytes,
                                  hlo::InstructionId id);

/// Bytes that one execution of a kernel reads from memory and writes to it, without padding: every
/// distinct operand once, every result once, parts of them as in bytes_through() and
/// bytes_stored(). What instructions of a fusion pass to each other does not count. 0 for what is
/// free, control flow or the end of an asynchronous pair.
[[nodiscard]] double kernel_bytes(const hlo::Program& program,
                                  const IndexedVector<hlo::ShapeId, double>& array_bytes,
                                  hlo::InstructionId kernel);

/// Kernels of a program and the bytes between them.
struct Traffic {
  struct ByClass {
    size_t kernels = 0;  ///< In the program text.
    double bytes = 0;    ///< Times executions.
  };
  size_t kernels = 0;
  double executions = 0;  ///< Kernel launches of one run.
  double bytes = 0;       ///< Of one run; loops of unknown trip count run once.
  ByClass by_class[hlo::kOpClassCount];
};
[[nodiscard]] Traffic traffic(const hlo::Program& program);

}  // namespace hloscope::fuse
